//! `desvio cost --place`: whole routers on a programmable device.

use super::super::failure::Failure;
use super::display::Display;
use super::{Arguments, failed, show, synthesis_by};
use desvio_cost::Device;
use desvio_lockstep::rtl::Shape;
use desvio_sim::blueprint::Blueprint;

/// Places and routes each router of each network, and prints a line for it.
pub(super) fn place(
    device: Device,
    names: &[String],
    networks: &[(Blueprint, Vec<Shape>)],
    arguments: &Arguments,
) -> Result<(), Failure> {
    let synthesis = synthesis_by(device.toolbox().map_err(failed)?, arguments)?;
    let display = Display::new(arguments.quiet);
    let header = ["router", "device", "LUT4", "flip-flops", "block RAMs", "LUT RAMs", "MHz"];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for ((_, shapes), name) in networks.iter().zip(names) {
        for (class, shape) in shapes.iter().enumerate() {
            let name = if shapes.len() == 1 { name.clone() } else { format!("{name} class={class}") };
            let placed = synthesis.placed(shape, device, &display).map_err(failed)?;
            let frequency = placed.frequency.map_or("not routed".to_owned(), |mhz| format!("{mhz:.1}"));
            let counts = [placed.luts, placed.flip_flops, placed.block_rams, placed.lut_rams];
            let counts = counts.map(|count| count.to_string());
            table.push(
                [name, device.word().to_owned()].into_iter().chain(counts).chain([frequency]).collect(),
            );
            let logs = arguments.out.join("logs").join(&table[table.len() - 1][0]);
            copy(&placed.folder, &logs)
                .map_err(|error| Failure::Input(format!("error: {}: {error}", logs.display())))?;
        }
    }
    display.end();
    show(&table, "placed.md", arguments)
}

/// Scripts and logs, beside the table.
fn copy(from: &std::path::Path, to: &std::path::Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for name in ["script.ys", "yosys.log", "nextpnr.log", "harness.v", "cells.json"] {
        if from.join(name).is_file() {
            std::fs::copy(from.join(name), to.join(name))?;
        }
    }
    Ok(())
}
