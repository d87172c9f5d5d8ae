//! A netlist of a library's cells, as Yosys writes it in BLIF.

use super::library::{Library, LibraryCell};
use std::collections::HashMap;

/// The number of a wire.
pub(super) type Net = u32;

/// Cells, and the wires between their pins.
#[derive(Debug, Default)]
pub(super) struct Netlist<'l> {
    pub(super) gates: Vec<Gate<'l>>,
    /// Wires that never change.
    pub(super) constants: Vec<Net>,
    /// All wires.
    pub(super) nets: usize,
}

/// A cell of the netlist.
#[derive(Debug)]
pub(super) struct Gate<'l> {
    pub(super) cell: &'l LibraryCell,
    pub(super) pins: Vec<(&'l str, Net)>,
    /// Which part of the router it comes from.
    pub(super) part: usize,
}

impl Gate<'_> {
    /// The wire at a pin.
    pub(super) fn net(&self, pin: &str) -> Option<Net> {
        self.pins.iter().find(|(name, _)| *name == pin).map(|&(_, net)| net)
    }
}

impl<'l> Netlist<'l> {
    /// Reads BLIF; the cell that the library does not have, where there is one.
    pub(super) fn read(text: &str, library: &'l Library) -> Result<Self, String> {
        let mut wires = Wires::of(text);
        let mut netlist = Self::default();
        for line in text.lines() {
            let mut words = line.split(' ');
            match words.next() {
                Some(".gate") => {
                    let name = words.next().unwrap_or_default();
                    let Some(cell) = library.cells.get(name) else {
                        return Err(format!("the library has no cell {name}"));
                    };
                    let pins = words.filter_map(|word| word.split_once('='));
                    let pins = pins.filter_map(|(pin, wire)| Some((cell.pin(pin)?, wires.number(wire))));
                    netlist.gates.push(Gate { cell, pins: pins.collect(), part: 0 });
                }
                Some(".attr") if words.next() == Some("part") => {
                    let value = words.next().unwrap_or_default().trim_matches('"');
                    if let Some(gate) = netlist.gates.last_mut() {
                        gate.part = value.parse().unwrap_or(0);
                    }
                }
                Some(".names") => {
                    if let (Some(constant), None) = (words.next(), words.next()) {
                        netlist.constants.push(wires.number(constant));
                    }
                }
                _ => {}
            }
        }
        netlist.nets = wires.numbers.len();
        Ok(netlist)
    }
}

/// The wires of a netlist, by name.
struct Wires<'t> {
    numbers: HashMap<&'t str, Net>,
    /// Those that are others by another name.
    same: HashMap<&'t str, &'t str>,
}

impl<'t> Wires<'t> {
    fn of(text: &'t str) -> Self {
        let pair = |line: &'t str| {
            let mut words = line.strip_prefix(".names ")?.split(' ');
            match (words.next(), words.next(), words.next()) {
                (Some(from), Some(to), None) => Some((to, from)),
                _ => None,
            }
        };
        Self { numbers: HashMap::new(), same: text.lines().filter_map(pair).collect() }
    }

    fn number(&mut self, name: &'t str) -> Net {
        let mut name = name;
        // As many steps as there are names: no circle goes on for ever.
        for _ in 0..self.same.len() {
            match self.same.get(name) {
                Some(other) => name = other,
                None => break,
            }
        }
        let next = self.numbers.len() as Net;
        *self.numbers.entry(name).or_insert(next)
    }
}
