//! One switch, its clock, and what is at its links.

use super::{Delay, ResetPin, Spi};
use crate::frame::Frame;
use crate::rtl::{RtlError, Wires};
use crate::shape::Shape;
use std::cell::RefCell;
use std::rc::Rc;
use verilated::{Failure, Input, Library, Model, Output};

/// What is at the links of a switch.
pub trait Neighbours {
    /// One cycle of the switch's clock: what they drive, given what the switch drives in the same cycle. `inputs` is idle
    /// before.
    fn step(&mut self, outputs: &Frame, inputs: &mut Frame);
}

/// No neighbours: nothing comes in, and what leaves is lost.
impl Neighbours for () {
    fn step(&mut self, _: &Frame, _: &mut Frame) {}
}

/// An assertion of the RTL failed while a pin was used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct BoardError(#[from] Failure);

impl embedded_hal::spi::Error for BoardError {
    fn kind(&self) -> embedded_hal::spi::ErrorKind {
        embedded_hal::spi::ErrorKind::Other
    }
}

impl embedded_hal::digital::Error for BoardError {
    fn kind(&self) -> embedded_hal::digital::ErrorKind {
        embedded_hal::digital::ErrorKind::Other
    }
}

/// A board with one switch in SystemVerilog on it. Handles to it are cheap to clone and share it.
#[derive(Debug)]
pub struct Board<N>(Rc<RefCell<Parts<N>>>);

#[derive(Debug)]
struct Parts<N> {
    model: Model,
    pins: Pins,
    wires: Wires,
    outputs: Frame,
    inputs: Frame,
    neighbours: N,
    cycles: u64,
    in_reset: bool,
    failure: Option<BoardError>,
}

/// The pins beside the links.
#[derive(Clone, Copy, Debug)]
struct Pins {
    clk: Input,
    rst: Input,
    sck: Input,
    cs_n: Input,
    mosi: Input,
    miso: Output,
    irq: Output,
}

impl<N> Clone for Board<N> {
    fn clone(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<N: Neighbours> Board<N> {
    /// A switch with registers that start from random values of `seed`. `library` is compiled from [`super::design`].
    ///
    /// # Errors
    /// When the library has other pins than the switch of this shape.
    pub fn new(library: &Library, shape: &Shape, seed: u64, neighbours: N) -> Result<Self, RtlError> {
        let mut model = library.model(seed)?;
        let pins = Pins {
            clk: model.input("clk", 1)?,
            rst: model.input("rst", 1)?,
            sck: model.input("spi_sck", 1)?,
            cs_n: model.input("spi_cs_n", 1)?,
            mosi: model.input("spi_mosi", 1)?,
            miso: model.output("spi_miso", 1)?,
            irq: model.output("irq", 1)?,
        };
        model.set(pins.cs_n, 1);
        Ok(Self(Rc::new(RefCell::new(Parts {
            wires: Wires::bind(&model, shape)?,
            outputs: Frame::idle(shape.ports),
            inputs: Frame::idle(shape.ports),
            cycles: 0,
            in_reset: false,
            failure: None,
            model,
            pins,
            neighbours,
        }))))
    }

    /// Its serial register port, with `sck` low and high for so many cycles of the switch's clock each, at least 4.
    pub fn spi(&self, half_period: u32) -> Spi<N> {
        Spi::new(self.clone(), half_period)
    }

    /// Its reset line.
    pub fn reset_pin(&self) -> ResetPin<N> {
        ResetPin::new(self.clone())
    }

    /// Time that passes on it.
    pub fn delay(&self) -> Delay<N> {
        Delay::new(self.clone())
    }

    /// Lets the clock run.
    ///
    /// # Errors
    /// When an assertion of the RTL fails, unless the switch is in reset: nothing has to hold before. The clock then stands still
    /// until the next reset, and everything that needs it fails alike: no driver hides it by trying again.
    pub fn run(&self, cycles: u64) -> Result<(), BoardError> {
        let mut parts = self.0.borrow_mut();
        for _ in 0..cycles {
            parts.cycle()?;
        }
        Ok(())
    }

    /// Cycles of the clock so far.
    pub fn cycles(&self) -> u64 {
        self.0.borrow().cycles
    }

    /// The level of the interrupt line.
    pub fn irq(&self) -> bool {
        let parts = self.0.borrow();
        parts.model.get(parts.pins.irq) == 1
    }

    /// What is at the links.
    pub fn neighbours<T>(&self, look: impl FnOnce(&mut N) -> T) -> T {
        look(&mut self.0.borrow_mut().neighbours)
    }

    /// The running model, for probes and traces.
    pub fn model<T>(&self, look: impl FnOnce(&mut Model) -> T) -> T {
        look(&mut self.0.borrow_mut().model)
    }

    pub(super) fn set_reset(&self, high: bool) {
        let mut parts = self.0.borrow_mut();
        let rst = parts.pins.rst;
        parts.in_reset = high;
        if high {
            parts.failure = None;
        }
        parts.model.set(rst, high.into());
    }

    pub(super) fn set_cs_n(&self, high: bool) {
        let mut parts = self.0.borrow_mut();
        let cs_n = parts.pins.cs_n;
        parts.model.set(cs_n, high.into());
    }

    pub(super) fn set_sck(&self, high: bool) {
        let mut parts = self.0.borrow_mut();
        let sck = parts.pins.sck;
        parts.model.set(sck, high.into());
    }

    pub(super) fn set_mosi(&self, high: bool) {
        let mut parts = self.0.borrow_mut();
        let mosi = parts.pins.mosi;
        parts.model.set(mosi, high.into());
    }

    pub(super) fn miso(&self) -> bool {
        let parts = self.0.borrow();
        parts.model.get(parts.pins.miso) == 1
    }
}

impl<N: Neighbours> Parts<N> {
    fn cycle(&mut self) -> Result<(), BoardError> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        self.wires.sense(&self.model, &mut self.outputs);
        self.inputs.clear();
        self.neighbours.step(&self.outputs, &mut self.inputs);
        self.wires.drive(&mut self.model, &self.inputs);
        self.cycles += 1;
        match self.model.cycle(self.pins.clk) {
            Err(failure) if !self.in_reset => {
                let failure = BoardError::from(failure);
                self.failure = Some(failure.clone());
                Err(failure)
            }
            _ => Ok(()),
        }
    }
}
