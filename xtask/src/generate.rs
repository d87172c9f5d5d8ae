//! Writes what both languages must agree on, from `hdl/switch.toml` and `hdl/registers.toml`, the RTL's packages, from
//! `hdl/files.f`, and its probes, from `router-core/src/state.rs`.

mod rust;

use crate::parameters::{Enums, Parameters, SOURCE, Value, constant_of};
use crate::step::{Failure, root};
use crate::{packages, probes, registers};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

const VERILOG: &str = "hdl/pkg/dsv_pkg.sv";
/// The enumeration that a register has as its type in SystemVerilog.
const VC_STATE: &str = "vc_state";

/// The file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Switch {
    header: Fields,
    progress: Fields,
    marks: Fields,
    source: Fields,
    address: Fields,
    thresholds: Fields,
    vl_entry: Fields,
    constants: BTreeMap<String, Number>,
    enums: Enums,
    candidates: Candidates,
    parameters: Parameters,
    configurations: BTreeMap<String, BTreeMap<String, Value>>,
}

/// A number without a table of its own.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Number {
    value: u32,
    doc: String,
}

/// How many sets of candidates a packet has room for, and what each routing offers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Candidates {
    sets: u32,
    hops_bits: u32,
    routings: BTreeMap<String, Offer>,
}

/// The kinds of a routing's sets in offer order, and whether they may share a port.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Offer {
    kinds: Vec<String>,
    overlap: bool,
}

/// Bit fields of one word.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    fields: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    bits: u32,
}

/// One constant of both languages.
struct Constant {
    name: String,
    value: u32,
    doc: String,
    /// It numbers a choice, or counts choices.
    is_choice: bool,
}

/// Writes the generated files; with `check`, says which of them is stale instead.
pub(crate) fn generate(check: bool) -> Result<(), Failure> {
    let text = std::fs::read_to_string(root().join(SOURCE))
        .map_err(|error| Failure::new(format!("{SOURCE}: {error}")))?;
    let switch: Switch = toml::from_str(&text).map_err(|error| Failure::new(format!("{SOURCE}: {error}")))?;
    let constants = constants(&switch)?;
    let files =
        [(VERILOG, verilog(&constants, &switch)?)].into_iter().chain(rust::files(&constants, &switch)?);
    let parameters = switch.parameters.files(&switch.enums)?;
    let packages = packages::files(&parameters.each_ref().map(|&(path, _)| path))?;
    let others = parameters.into_iter().chain(registers::files()?).chain(packages).chain([probes::file()?]);
    for (path, content) in files.chain(others) {
        let content = if path.ends_with(".rs") { formatted(&content)? } else { content };
        let old = std::fs::read_to_string(root().join(path)).unwrap_or_default();
        if check && old != content {
            return Err(Failure::new(format!("{path} is stale: run `cargo xtask generate`")));
        }
        if old != content {
            std::fs::write(root().join(path), content)
                .map_err(|error| Failure::new(format!("{path}: {error}")))?;
            println!("wrote {path}");
        }
    }
    Ok(())
}

/// Rust as `cargo fmt` would leave it.
fn formatted(text: &str) -> Result<String, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("rustfmt: {error}"));
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(text.as_bytes()).map_err(|error| failed(&error))?;
    }
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    if !output.status.success() {
        return Err(failed(&output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(&error))
}

fn constants(switch: &Switch) -> Result<Vec<Constant>, Failure> {
    let mut found = Vec::new();
    let mut number = |name, value, doc, is_choice| found.push(Constant { name, value, doc, is_choice });
    for (word, fields) in [
        ("", &switch.header),
        ("PROGRESS_", &switch.progress),
        ("MARKS_", &switch.marks),
        ("SOURCE_", &switch.source),
        ("ADDRESS_", &switch.address),
        ("VL_ENTRY_", &switch.vl_entry),
    ] {
        let mut at = 0;
        for Field { name, bits } in &fields.fields {
            let upper = format!("{word}{}", name.to_uppercase());
            let doc = format!("Lowest bit of `{name}`.");
            number(format!("{upper}_AT"), at, doc, false);
            let doc = format!("Bits of `{name}`.");
            number(format!("{upper}_BITS"), *bits, doc, false);
            at += bits;
        }
    }
    for (name, Number { value, doc }) in &switch.constants {
        number(name.to_uppercase(), *value, doc.clone(), false);
    }
    for (name, choices) in &switch.enums {
        for (value, choice) in (0..).zip(choices) {
            let doc = format!("`{choice}`, a choice of `{name}`.");
            number(constant_of(name, choice), value, doc, true);
        }
        let doc = format!("How many choices `{name}` has.");
        number(format!("{}_COUNT", name.to_uppercase()), choices.len() as u32, doc, true);
    }
    let doc = "Sets of candidates that a packet has room for.".to_owned();
    number("CANDIDATE_SETS".to_owned(), switch.candidates.sets, doc, false);
    let doc = "Bits of the hops to the destination by a set of candidates.".to_owned();
    number("HOPS_BITS".to_owned(), switch.candidates.hops_bits, doc, false);
    let bits = header_bits(switch)?;
    let doc = "Bits of a header.".to_owned();
    number("HEADER_BITS".to_owned(), bits, doc, false);
    let doc = "Words of 32 bits of a header.".to_owned();
    number("HEADER_WORDS".to_owned(), bits / 32, doc, false);
    Ok(found)
}

/// The width of the header, whose fields fill words of 32 bits without a gap.
fn header_bits(switch: &Switch) -> Result<u32, Failure> {
    let wide = |fields: &Fields| fields.fields.iter().map(|field| field.bits).sum::<u32>();
    let parts = [("progress", &switch.progress), ("marks", &switch.marks), ("source", &switch.source)];
    let mut at = 0;
    for Field { name, bits } in &switch.header.fields {
        if at / 32 != (at + bits - 1) / 32 {
            return Err(Failure::new(format!("{SOURCE}: header.{name} lies across two words of 32 bits")));
        }
        if parts.iter().any(|(part, fields)| name == part && *bits != wide(fields)) {
            return Err(Failure::new(format!("{SOURCE}: header.{name} is not as wide as its fields")));
        }
        at += bits;
    }
    if at % 32 != 0 {
        return Err(Failure::new(format!("{SOURCE}: the header takes {at} bits, and leaves a gap")));
    }
    for name in switch.configurations.keys() {
        if !switch.configuration(name)?.iter().any(|&(key, width)| key == "flit_width" && width >= at) {
            return Err(Failure::new(format!(
                "{SOURCE}: {name}.flit_width has no room for a header of {at} bits"
            )));
        }
    }
    Ok(at)
}

impl Switch {
    /// The numbers of the kinds of each routing's sets, and whether they may share a port: by number of the routing.
    fn offers(&self) -> Result<Vec<Offered>, Failure> {
        let choices = |name: &str| self.enums.get(name).map(Vec::as_slice).unwrap_or_default();
        let kinds = choices("hop_kind");
        let number = |routing: &str, kind: &String| {
            let unknown = || Failure::new(format!("{SOURCE}: candidates.routings.{routing}: no kind {kind}"));
            Ok(kinds.iter().position(|k| k == kind).ok_or_else(unknown)? as u32)
        };
        let one = |routing: &String| {
            let missing = || Failure::new(format!("{SOURCE}: candidates.routings has no {routing}"));
            let offer = self.candidates.routings.get(routing).ok_or_else(missing)?;
            if offer.kinds.len() > self.candidates.sets as usize {
                return Err(Failure::new(format!(
                    "{SOURCE}: candidates.routings.{routing} has too many sets"
                )));
            }
            let numbers: Result<_, Failure> = offer.kinds.iter().map(|kind| number(routing, kind)).collect();
            Ok((numbers?, offer.overlap))
        };
        choices("routing").iter().map(one).collect()
    }

    /// All parameters of a configuration, as numbers.
    fn configuration(&self, name: &str) -> Result<Vec<(&str, u32)>, Failure> {
        let none = BTreeMap::new();
        self.parameters.with(self.configurations.get(name).unwrap_or(&none), &self.enums)
    }
}

fn verilog(constants: &[Constant], switch: &Switch) -> Result<String, Failure> {
    let mut text =
        format!("// Written from {SOURCE} by `cargo xtask generate`: do not edit.\n\npackage dsv_pkg;\n");
    let is_typed = |name: &str| name.starts_with("VC_STATE_") && name != "VC_STATE_COUNT";
    for Constant { name, value, .. } in constants.iter().filter(|constant| !is_typed(&constant.name)) {
        let _ = writeln!(text, "  localparam int unsigned {name} = {value};");
    }
    text.push_str(&verilog_types(switch));
    text.push_str(&verilog_offers(switch)?);
    text.push_str("\n  // Defaults of parameters.\n");
    for (key, value) in switch.parameters.with(&BTreeMap::new(), &switch.enums)? {
        let _ = writeln!(text, "  localparam int unsigned DEFAULT_{} = {value};", key.to_uppercase());
    }
    text.push_str("endpackage\n");
    Ok(text)
}

/// Structs of the bit fields, and the states of a VC as a type of their own, so that waveforms show their names.
fn verilog_types(switch: &Switch) -> String {
    let parts = [
        ("progress", &switch.progress),
        ("marks", &switch.marks),
        ("source", &switch.source),
        ("header", &switch.header),
        ("address", &switch.address),
        ("thresholds", &switch.thresholds),
        ("vl_entry", &switch.vl_entry),
    ];
    let mut text = "\n  // Bit fields, the highest first.\n".to_owned();
    for (name, fields) in parts {
        text.push_str("  typedef struct packed {\n");
        for Field { name, bits } in fields.fields.iter().rev() {
            let is_part = parts.iter().any(|(part, _)| part == name);
            let kind = match bits {
                _ if is_part => format!("{name}_t"),
                1 => "logic".to_owned(),
                _ => format!("logic [{}:0]", bits - 1),
            };
            let _ = writeln!(text, "    {kind} {name};");
        }
        let _ = writeln!(text, "  }} {name}_t;");
    }
    let states = switch.enums.get(VC_STATE).map(Vec::as_slice).unwrap_or_default();
    let names: Vec<_> = states.iter().map(|state| constant_of(VC_STATE, state)).collect();
    let _ = write!(
        text,
        "\n  // The state of a VC.\n  typedef enum logic [1:0] {{ {} }} {VC_STATE}_t;\n",
        names.join(", ")
    );
    text
}

/// The kinds of hop of the sets that a routing offers, by number, and whether sets may share a port.
type Offered = (Vec<u32>, bool);

/// Words of 32 bits, a byte for each set's kind, one word for each routing: the first in the lowest bits.
fn verilog_offers(switch: &Switch) -> Result<String, Failure> {
    let offers = switch.offers()?;
    let table = |doc: &str, name: &str, word: &dyn Fn(&Offered) -> u32| {
        let words: Vec<_> = offers.iter().rev().map(|offer| format!("32'h{:x}", word(offer))).collect();
        let top = offers.len() * 32 - 1;
        format!("  // {doc}\n  localparam logic [{top}:0] {name} = {{{}}};\n", words.join(", "))
    };
    let kinds = |(kinds, _): &Offered| kinds.iter().rev().fold(0, |word, kind| word << 8 | kind);
    Ok("\n  // What each routing offers: 32 bits for each, the first in the lowest.\n".to_owned()
        + &table("How many sets.", "ROUTING_SETS", &|(kinds, _)| kinds.len() as u32)
        + &table("The kind of hop of each set, a byte each.", "ROUTING_KINDS", &kinds)
        + &table("Whether sets may share a port.", "ROUTING_OVERLAP", &|&(_, overlap)| overlap.into()))
}
