//! One router in SystemVerilog, running: its pins, its probes, its reset.

use super::probe::{Probes, Signal};
use super::shape::{Configuration, Shape};
use super::wires::Wires;
use super::{NotInRtl, Sources};
use crate::frame::Frame;
use crate::twin::Twin;
use desvio_sim::blueprint::Blueprint;
use verilated::{Bundle, Design, Failure, Input, Library, Model, PortError};

/// The design that a shape's router is compiled from, its assertions watched; with `probes`, its registers can be read.
pub fn design(shape: &Shape, sources: &Sources, probes: bool) -> Design {
    design_of("dsv_router", shape, sources, probes)
}

/// The same for another module with the same parameters.
pub(crate) fn design_of(top: &str, shape: &Shape, sources: &Sources, probes: bool) -> Design {
    let mut design =
        Design::new(top).include(sources.include()).sources(sources.files(probes)).assertions(true);
    for (name, value) in &shape.parameters {
        design = design.parameter(*name, *value);
    }
    design
}

/// The signals that show registers.
#[derive(Debug)]
struct Shown {
    bundle: Bundle,
    /// The bits of the words that are compared.
    mask: Vec<u64>,
    words: Vec<u64>,
}

/// A router in SystemVerilog.
#[derive(Debug)]
pub struct RtlSwitch {
    model: Model,
    shape: Shape,
    configuration: Configuration,
    clk: Input,
    rst: Input,
    wires: Wires,
    /// `config_load` is high in this cycle.
    is_loading: bool,
    shown: Option<Shown>,
}

impl RtlSwitch {
    /// Router number `router` of a network, with registers that start from random values of `seed`. `library` is compiled
    /// from [`design`]; it is reset before anything else is done with it.
    ///
    /// # Errors
    /// When the library has other ports than the RTL of this shape.
    pub fn new(
        library: &Library,
        shape: &Shape,
        blueprint: &Blueprint,
        router: usize,
        seed: u64,
    ) -> Result<Self, RtlError> {
        let model = library.model(seed)?;
        let mut switch = Self {
            clk: model.input("clk", 1)?,
            rst: model.input("rst", 1)?,
            wires: Wires::bind(&model, shape)?,
            is_loading: false,
            shown: None,
            configuration: shape.configuration(blueprint, router)?,
            shape: shape.clone(),
            model,
        };
        if !library.probes().is_empty() {
            switch.shown = Some(switch.attach_probes()?);
        }
        Ok(switch)
    }

    /// The running model, for traces and coverage.
    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn attach_probes(&self) -> Result<Shown, PortError> {
        let Probes { signals, mask, .. } = Probes::of(&self.shape);
        let handle = |signal: &Signal| self.model.probed(&signal.name, signal.bits);
        let outputs: Vec<_> = signals.iter().map(handle).collect::<Result<_, _>>()?;
        let bundle = self.model.bundle(&outputs);
        Ok(Shown { words: vec![0; bundle.words()], bundle, mask })
    }
}

/// An input that was found when the library was built.
fn set(model: &mut Model, name: &str, bits: u32, value: u64) {
    match model.input(name, bits) {
        Ok(input) => model.set(input, value),
        Err(_) => debug_assert!(false, "{name} was found when the library was built"),
    }
}

impl Twin for RtlSwitch {
    /// As many cycles of reset as the routing table has rows. Configuration is taken in meanwhile, but for the thresholds: they
    /// are wrong until `config_load` is high in the first cycle behind the reset, so that every lockstep sees it work.
    fn reset(&mut self) -> Result<(), Failure> {
        self.wires.drive(&mut self.model, &Frame::idle(self.shape.ports));
        self.model.set(self.rst, 1);
        for &(name, bits, value) in &self.configuration.inputs {
            set(&mut self.model, name, bits, value);
        }
        for &(name, bits, value) in &self.configuration.thresholds {
            set(&mut self.model, name, bits, value ^ u64::MAX >> (u64::BITS - bits));
        }
        for (row, ports) in self.configuration.rows.iter().enumerate() {
            set(&mut self.model, "table_write", 1, 1);
            set(&mut self.model, "table_row", router_core::layout::ROUTER_BITS, row as u64);
            set(&mut self.model, "table_ports", self.shape.ports as u32, *ports);
            self.model.cycle(self.clk)?;
        }
        set(&mut self.model, "table_write", 1, 0);
        for &(name, bits, value) in &self.configuration.thresholds {
            set(&mut self.model, name, bits, value);
        }
        set(&mut self.model, "config_load", 1, 1);
        self.is_loading = true;
        self.model.set(self.rst, 0);
        // What the registers drive shows before the next edge.
        self.model.eval()
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        self.wires.sense(&self.model, outputs);
        self.wires.drive(&mut self.model, inputs);
        self.model.cycle(self.clk)?;
        if self.is_loading {
            set(&mut self.model, "config_load", 1, 0);
            self.is_loading = false;
        }
        Ok(())
    }

    /// None where it was compiled without probes.
    fn registers(&mut self) -> &[u64] {
        let Some(Shown { bundle, mask, words }) = &mut self.shown else { return &[] };
        self.model.read(bundle, words);
        words.iter_mut().zip(mask).for_each(|(word, mask)| *word &= *mask);
        words
    }
}

/// Why the RTL does not run.
#[derive(Debug, thiserror::Error)]
pub enum RtlError {
    /// The scenario has no router in SystemVerilog.
    #[error(transparent)]
    Shape(#[from] NotInRtl),
    /// The files.
    #[error("the SystemVerilog files: {0}")]
    Files(#[from] std::io::Error),
    /// Compiling.
    #[error(transparent)]
    Build(#[from] verilated::BuildError),
    /// A port or a probe is not as it should be.
    #[error(transparent)]
    Port(#[from] PortError),
    /// It stops before it begins.
    #[error(transparent)]
    Failure(#[from] Failure),
}
