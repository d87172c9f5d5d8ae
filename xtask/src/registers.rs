//! The register map of the switch: `hdl/registers.toml`, and what is written from it.

mod markdown;
mod rust;
mod verilog;

use crate::step::{Failure, root};
use serde::Deserialize;
use std::collections::BTreeSet;

const SOURCE: &str = "hdl/registers.toml";

/// The file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Map {
    version: Version,
    frame: Frame,
    answer: Vec<Answer>,
    outcome: Vec<Outcome>,
    register: Vec<Register>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    magic: u16,
    major: u8,
    minor: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Frame {
    polynomial: u16,
    initial: u16,
    read: u8,
    write: u8,
}

/// What the switch answers to a request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answer {
    name: String,
    doc: String,
    code: u8,
}

/// How a commit ended; numbered in order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Outcome {
    name: String,
    doc: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    name: String,
    address: u16,
    /// Where the copy in use is read, of a staged register.
    in_use: Option<u16>,
    access: Access,
    /// What puts a staged register to use.
    taken: Option<Taken>,
    #[serde(default)]
    index: Vec<Index>,
    #[serde(default)]
    reset: u32,
    doc: String,
    fields: Vec<Field>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Access {
    /// Only read.
    Read,
    /// Read and written.
    Write,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Taken {
    Commit,
    Restart,
}

/// One dimension of an array of registers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Index {
    name: String,
    /// Places in the address map.
    count: u16,
    /// What says how many a switch has.
    limit: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    name: String,
    at: u32,
    bits: u32,
    /// What says how many of the bits a switch has, where it is not all of them.
    width: Option<String>,
    doc: String,
}

impl Register {
    /// How many addresses it takes.
    fn count(&self) -> u32 {
        self.index.iter().map(|index| u32::from(index.count)).product()
    }

    /// The bits of all fields.
    fn mask(&self) -> u32 {
        self.fields.iter().fold(0, |mask, field| mask | field.mask())
    }
}

impl Field {
    fn mask(&self) -> u32 {
        (u32::MAX >> (32 - self.bits)) << self.at
    }
}

/// The generated files: their paths and what is to be in them. Rust is not yet formatted.
pub(crate) fn files() -> Result<Vec<(&'static str, String)>, Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::new(format!("{SOURCE}: {error}"));
    let text = std::fs::read_to_string(root().join(SOURCE)).map_err(|error| failed(&error))?;
    let map: Map = toml::from_str(&text).map_err(|error| failed(&error))?;
    map.check().map_err(|fault| failed(&fault))?;
    let others = [
        ("hdl/pkg/dsv_registers_pkg.sv", verilog::verilog(&map)),
        ("docs/registers.md", markdown::markdown(&map)),
    ];
    Ok(others.into_iter().chain(rust::files(&map)).collect())
}

impl Map {
    /// Says what contradicts itself.
    fn check(&self) -> Result<(), String> {
        let mut taken = BTreeSet::new();
        for register in &self.register {
            let name = &register.name;
            for first in [Some(register.address), register.in_use].into_iter().flatten() {
                for address in (u32::from(first)..).take(register.count() as usize) {
                    if address > u32::from(u16::MAX) || !taken.insert(address) {
                        return Err(format!("{name}: the address {address:#06x} is taken, or too high"));
                    }
                }
            }
            let is_aligned =
                |first: u16| register.count().is_power_of_two() && u32::from(first) % register.count() == 0;
            if ![Some(register.address), register.in_use].into_iter().flatten().all(is_aligned) {
                return Err(format!(
                    "{name}: an array has a power of two of places, and begins at a multiple of it"
                ));
            }
            if register.fields.iter().any(|field| field.bits == 0 || field.at + field.bits > 32) {
                return Err(format!("{name}: a field is not within 32 bits"));
            }
            let bits: u32 = register.fields.iter().map(|field| field.bits).sum();
            if bits != register.mask().count_ones() || register.reset & !register.mask() != 0 {
                return Err(format!("{name}: two fields overlap, or the reset value is in none"));
            }
            if register.in_use.is_some()
                && (register.access, register.taken.is_some()) != (Access::Write, true)
            {
                return Err(format!("{name}: what has a copy in use is written, and taken at some time"));
            }
        }
        let codes: BTreeSet<_> = self.answer.iter().map(|answer| answer.code).collect();
        if codes.len() < self.answer.len() {
            return Err("two answers have one code".to_owned());
        }
        Ok(())
    }
}

/// `NoSuchRegister` from `no_such_register`.
fn camel(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').filter(|part| !part.is_empty()).map(word).collect()
}

/// A sentence, as a comment of Rust: with a capital letter and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    let rest = letters.as_str();
    format!("{first}{rest}{}", if rest.ends_with('.') { "" } else { "." })
}
