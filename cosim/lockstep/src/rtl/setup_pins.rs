//! The pins by which a router is configured: what it samples in reset, its thresholds, its routing table.

use super::configuration::{Configuration, Inputs};
use super::junk::Junk;
use crate::settings::Settings;
use crate::shape::Shape;
use router_core::layout;
use verilated::{Failure, Input, Model, PortError};

/// Cycles between two changes of the pins that mean nothing.
const REST: u32 = 8;

/// The pins, found once.
#[derive(Debug)]
pub(super) struct SetupPins {
    /// In the order of [`Configuration::inputs`] and [`Configuration::thresholds`].
    inputs: Vec<Input>,
    thresholds: Vec<Input>,
    load: Input,
    write: Input,
    row: Input,
    ports: Input,
    bank: Input,
    read_row: Input,
    /// Rows of the table.
    rows: u64,
    junk: Junk,
    cycles: u32,
    /// The thresholds are taken in by `config_load`, behind the reset, and not in it.
    is_late: bool,
    /// `config_load` is high in this cycle.
    is_loading: bool,
}

impl SetupPins {
    pub(super) fn bind(model: &Model, shape: &Shape, like: &Configuration) -> Result<Self, PortError> {
        let settings = Settings::default();
        let all =
            |of: Inputs| of.iter().map(|&(name, bits, _)| model.input(name, bits)).collect::<Result<_, _>>();
        let row = |name| model.input(name, layout::ROUTER_BITS);
        Ok(Self {
            inputs: all(like.inputs(&settings))?,
            thresholds: all(like.thresholds(&settings, 0))?,
            load: model.input("config_load", 1)?,
            write: model.input("table_write", 1)?,
            row: row("table_row")?,
            ports: model.input("table_ports", shape.ports as u32)?,
            bank: model.input("table_bank", 1)?,
            read_row: row("table_read_row")?,
            rows: like.rows(&settings).len() as u64,
            junk: Junk::of(0),
            cycles: 0,
            is_late: false,
            is_loading: false,
        })
    }

    /// Configures a router that is held in reset: each row of the table in a cycle of its own. The last cycle of the reset
    /// decides: in the others the pins have other values, and rows are written that the table does not have.
    pub(super) fn configure(
        &mut self,
        model: &mut Model,
        clk: Input,
        to: &Configuration,
        settings: &Settings,
        mut between: impl FnMut(&mut Model),
    ) -> Result<(), Failure> {
        (self.junk, self.cycles, self.is_loading) = (Junk::of(to.seed(settings)), 0, false);
        self.is_late = self.junk.next() & 1 == 1;
        let rows = to.rows(settings);
        let beyond = rows.len() as u64;
        let aliased = beyond.next_power_of_two().max(2);
        let junk = self.junk.next();
        let outside = [beyond, aliased, 1 << (layout::ROUTER_BITS - 1)].map(|row| (row, junk));
        for (row, ports) in (0..).zip(rows).chain(outside) {
            self.change(model);
            self.write_row(model, row, ports);
            between(model);
            model.cycle(clk)?;
        }
        model.set(self.write, 0);
        self.set_inputs(model, to, settings);
        between(model);
        model.cycle(clk)
    }

    fn write_row(&self, model: &mut Model, row: u64, ports: u64) {
        model.set(self.write, 1);
        set(model, self.row, row);
        set(model, self.ports, ports);
    }

    /// The inputs are right. The thresholds are, too, or they are wrong until `config_load` is high in the first cycle behind the reset,
    /// so that both ways of taking them in are seen.
    fn set_inputs(&mut self, model: &mut Model, to: &Configuration, settings: &Settings) {
        for (&pin, (.., value)) in self.inputs.iter().zip(to.inputs(settings)) {
            set(model, pin, value);
        }
        for (&pin, (.., value)) in self.thresholds.iter().zip(to.thresholds(settings, 0)) {
            set(model, pin, if self.is_late { !value } else { value });
        }
    }

    /// The first cycle behind the reset begins.
    pub(super) fn load(&mut self, model: &mut Model, to: &Configuration, settings: &Settings) {
        let unused = self.junk.next();
        if !self.is_late {
            return;
        }
        for (&pin, (.., value)) in self.thresholds.iter().zip(to.thresholds(settings, unused)) {
            set(model, pin, value);
        }
        model.set(self.load, 1);
        self.is_loading = true;
    }

    /// A cycle has passed. Pins that are not sampled now change from time to time.
    pub(super) fn rest(&mut self, model: &mut Model) {
        if std::mem::take(&mut self.is_loading) {
            model.set(self.load, 0);
        }
        self.cycles = self.cycles.wrapping_add(1);
        if self.cycles.is_multiple_of(REST) {
            self.change(model);
        }
    }

    /// Other values on everything but what says that it is to be taken.
    fn change(&mut self, model: &mut Model) {
        let rest = [self.ports, self.bank, self.read_row];
        for &pin in self.inputs.iter().chain(&self.thresholds).chain(&rest) {
            set(model, pin, self.junk.next());
        }
        set(model, self.row, self.junk.next() % self.rows);
    }
}

/// Sets as many bits as a pin has.
fn set(model: &mut Model, pin: Input, value: u64) {
    model.set(pin, value & (u64::MAX >> (u64::BITS - pin.bits())));
}
