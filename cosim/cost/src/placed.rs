//! A whole router on a programmable device, memories included: what it takes of it, and how fast it can be clocked.
//!
//! It is synthesised as one, flattened; its pins are registers in front of it and behind it ([`place::harness`]), whose flip-flops are
//! not counted. A lookup table for each output, which loads the one behind it, is.

use super::device::{Device, Resource};
use super::error::{CostError, at};
use super::job::{Job, Observer, kept};
use super::place;
use super::script;
use super::synthesis::Synthesis;
use desvio_lockstep::rtl::Shape;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a router takes of a device.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Placed {
    /// Lookup tables of four inputs.
    pub luts: u64,
    /// Flip-flops, those of the harness not counted.
    pub flip_flops: u64,
    /// Block RAMs.
    pub block_rams: u64,
    /// Memories made of lookup tables, of sixteen words of four bits.
    pub lut_rams: u64,
    /// MHz after routing; `None` where it was not routed, above all because it has no room: `nextpnr.log` says why.
    pub frequency: Option<f64>,
    /// Script, netlist and logs.
    #[serde(skip)]
    pub folder: PathBuf,
}

impl Synthesis {
    /// Synthesises a router as a whole, places and routes it.
    ///
    /// # Errors
    /// When a program fails; a router that has no room is no error.
    pub fn placed(
        &self,
        shape: &Shape,
        device: Device,
        observer: &dyn Observer,
    ) -> Result<Placed, CostError> {
        let workshop = &self.workshop;
        let files = self.files();
        let place = format!("{}{}\ntee -q -o cells.json stat -json\n", place::READ, device.synthesis());
        let arguments = [device.arguments(), &place::ARGUMENTS].concat().join(" ");
        let label = format!("router on {}", device.word());
        let job = Job {
            stem: &format!("router-on-{}", device.word()),
            label: &label,
            script: &script::flatten(&files, &shape.parameters),
            inputs: self.inputs(&files),
            depends: vec![FORMAT, &place, &arguments, workshop.tools.version(device.tool())],
        };
        let entry = workshop.run(&job, observer, |folder| {
            let path = folder.join("before.il");
            let netlist = fs::read_to_string(&path).map_err(at(&path))?;
            let harness = place::harness(&netlist, None).ok_or_else(|| unreadable("no ports"))?;
            fs::write(folder.join("harness.v"), &harness.text).map_err(at(folder))?;
            workshop.yosys(folder, &place, &label)?;
            place::run(&workshop.tools, device, folder)?;
            let placed = read_results(folder, harness.flip_flops)?;
            for name in ["before.il", "harness.json"] {
                fs::remove_file(folder.join(name)).map_err(at(folder))?;
            }
            let text = serde_json::to_string_pretty(&placed).unwrap_or_default();
            fs::write(folder.join("placed.json"), text).map_err(at(folder))
        })?;
        Ok(Placed { folder: entry.folder.clone(), ..kept(&entry, "placed.json")? })
    }
}

/// What Yosys counted, less the registers at the pins, and what the program that routes said last.
fn read_results(folder: &Path, added: u64) -> Result<Placed, CostError> {
    let path = folder.join("cells.json");
    let text = fs::read_to_string(&path).map_err(at(&path))?;
    let cells = cells(&text).ok_or_else(|| unreadable("no count of cells"))?;
    let of = |resource| {
        let those = cells.iter().filter(|(cell, _)| Device::kind(cell) == Some(resource));
        those.map(|(_, count)| count).sum::<u64>()
    };
    let log = fs::read_to_string(folder.join("nextpnr.log")).unwrap_or_default();
    Ok(Placed {
        luts: of(Resource::Lut),
        flip_flops: of(Resource::FlipFlop).saturating_sub(added),
        block_rams: of(Resource::BlockRam),
        lut_rams: of(Resource::LutRam),
        frequency: place::frequency(&log),
        folder: PathBuf::new(),
    })
}

fn unreadable(reason: &str) -> CostError {
    CostError::Unreadable { program: "yosys", job: "the whole router".to_owned(), reason: reason.to_owned() }
}

/// Cells by type, of `stat -json` for a design of one module.
fn cells(text: &str) -> Option<BTreeMap<String, u64>> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    let of_module = value.get("modules")?.as_object()?.values().next()?;
    let counts = of_module.get("num_cells_by_type")?.as_object()?;
    Some(counts.iter().filter_map(|(cell, count)| Some((cell.clone(), count.as_u64()?))).collect())
}

/// Changes when the files in an entry mean something else.
const FORMAT: &str = "placed 1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_counted_by_what_they_are_of_a_device() {
        let folder = tempfile::tempdir().unwrap();
        let text = r#"{ "modules": { "\\harness": { "num_cells": 9, "num_cells_by_type":
            { "LUT4": 40, "CCU2C": 3, "TRELLIS_FF": 30, "DP16KD": 6, "TRELLIS_DPR16X4": 2 } } } }"#;
        fs::write(folder.path().join("cells.json"), text).unwrap();
        fs::write(
            folder.path().join("nextpnr.log"),
            "Info: Max frequency for clock '$glbnet$clk': 31.50 MHz (FAIL at 100.00 MHz)\n",
        )
        .unwrap();
        let placed = read_results(folder.path(), 12).unwrap();
        assert_eq!((placed.luts, placed.flip_flops, placed.block_rams, placed.lut_rams), (40, 18, 6, 2));
        assert_eq!(placed.frequency, Some(31.5));
        // A router that was not routed has none.
        fs::write(folder.path().join("nextpnr.log"), "ERROR: Unable to place cell\n").unwrap();
        assert_eq!(read_results(folder.path(), 12).unwrap().frequency, None);
        assert!(cells("{}").is_none());
    }
}
