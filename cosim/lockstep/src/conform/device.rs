//! What is behind the pins: a compiled switch, or one that runs elsewhere and whose pins are only seen.

use super::document::Problem;
use super::map::{Named, PortMap};
use super::pins::Pins;
use std::path::Path;
use verilated::{Failure, Input, Model, Output, TraceError};

/// The switch.
#[derive(Debug)]
pub(super) enum Device {
    /// It runs here.
    Compiled(Box<Compiled>),
    /// It runs in another program.
    Elsewhere,
}

/// A model with the handles of its ports.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) model: Model,
    clock: Input,
    reset: Option<(Input, bool)>,
    /// As in the pins.
    driven: Vec<Input>,
    seen: Vec<Output>,
}

impl Compiled {
    /// The handles of all pins on a model.
    pub(super) fn bind(map: &PortMap, pins: &Pins, model: Model) -> Result<Self, Problem> {
        let refuse =
            |named: &Named, error: &dyn std::fmt::Display| Problem::new(named.at.clone(), error.to_string());
        let single = |named: &Named| model.input(&named.text, 1).map_err(|error| refuse(named, &error));
        let clock = single(&map.clock)?;
        let reset = match &map.reset {
            Some(reset) => Some((single(&reset.name)?, reset.active)),
            None => None,
        };
        let (mut driven, mut seen) = (Vec::new(), Vec::new());
        for wire in &pins.driven {
            driven
                .push(model.input(&wire.name, wire.bits.len()).map_err(|error| refuse(&map.clock, &error))?);
        }
        for wire in &pins.seen {
            seen.push(model.output(&wire.name, wire.bits.len()).map_err(|error| refuse(&map.clock, &error))?);
        }
        Ok(Self { model, clock, reset, driven, seen })
    }
}

impl Device {
    /// The model, if it runs here.
    pub(super) fn model(&mut self) -> Option<&mut Model> {
        match self {
            Self::Compiled(compiled) => Some(&mut compiled.model),
            Self::Elsewhere => None,
        }
    }

    /// The clock falls, or stays low; the switch sees its inputs, and its outputs are read.
    pub(super) fn look(&mut self, pins: &mut Pins, time: u64) -> Result<(), Failure> {
        let Self::Compiled(compiled) = self else { return Ok(()) };
        let Compiled { model, clock, driven, seen, .. } = &mut **compiled;
        for (pin, wire) in driven.iter().zip(&pins.driven) {
            model.set_words(*pin, wire.bits.words());
        }
        model.set(*clock, 0);
        model.set_time(time);
        let result = model.eval();
        for (pin, wire) in seen.iter().zip(&mut pins.seen) {
            model.get_words(*pin, wire.bits.words_mut());
        }
        result
    }

    /// The clock rises.
    pub(super) fn rise(&mut self, time: u64) -> Result<(), Failure> {
        let Self::Compiled(compiled) = self else { return Ok(()) };
        compiled.model.set(compiled.clock, 1);
        compiled.model.set_time(time);
        compiled.model.eval()
    }

    /// Whether the reset is active from now on.
    pub(super) fn reset(&mut self, active: bool) {
        let Self::Compiled(compiled) = self else { return };
        if let Some((pin, level)) = compiled.reset {
            compiled.model.set(pin, u64::from(active == level));
        }
    }

    /// Waveforms go into a file from now on.
    pub(super) fn open_trace(&mut self, file: &Path) -> Result<(), TraceError> {
        self.model().map_or(Ok(()), |model| model.open_trace(file))
    }

    /// No waveform goes on.
    pub(super) fn close_trace(&mut self) {
        if let Some(model) = self.model() {
            model.close_trace();
        }
    }
}
