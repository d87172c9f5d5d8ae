//! One router in SystemVerilog, running: its pins, its probes, its reset.

use super::configuration::Configuration;
use super::probe::{Probes, Signal};
use super::setup_pins::SetupPins;
use super::wires::Wires;
use super::{NotInRtl, Sources};
use crate::frame::Frame;
use crate::settings::Settings;
use crate::shape::Shape;
use crate::twin::Twin;
use desvio_sim::blueprint::Blueprint;
use std::collections::BTreeMap;
use std::path::Path;
use verilated::{Bundle, Design, Failure, FailureKind, Input, Library, Model, PortError};

/// The design that a shape's router is compiled from, its assertions watched; with `probes`, its registers can be read.
pub fn design(shape: &Shape, sources: &Sources, probes: bool) -> Design {
    design_of("dsv_router", shape, sources, probes)
}

/// The design of another module that takes a shape's parameters, its assertions watched; with `probes`, its registers can be read.
pub(crate) fn design_of(top: &str, shape: &Shape, sources: &Sources, probes: bool) -> Design {
    let mut design =
        Design::new(top).include(sources.include()).sources(sources.files(probes)).assertions(true);
    for (name, value) in &shape.parameters {
        design = design.parameter(*name, *value);
    }
    // Verilator 5.006 cuts names of files at a space, and then does not know those for which `lint.vlt` waives this warning.
    if sources.path().display().to_string().contains(' ') { design.flag("-Wno-CMPCONST") } else { design }
}

/// The design of a netlist of the same module, which has its parameters built in and shows no registers. Warnings do not fail it: a
/// netlist has signals that no cell reads, and constants that are cut.
pub fn netlist(verilog: &Path) -> Design {
    Design::new("dsv_router").source(verilog).lint_fatal(false)
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
    /// Its place in the network, unless a stimulus says another one.
    router: usize,
    /// The places that it can have, by number.
    places: BTreeMap<usize, Configuration>,
    clk: Input,
    rst: Input,
    wires: Wires,
    setup: SetupPins,
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
        let place = Configuration::of(blueprint, shape, router)?;
        let mut switch = Self {
            clk: model.input("clk", 1)?,
            rst: model.input("rst", 1)?,
            wires: Wires::bind(&model, shape)?,
            setup: SetupPins::bind(&model, shape, &place)?,
            shown: None,
            router,
            places: BTreeMap::from([(router, place)]),
            shape: shape.clone(),
            model,
        };
        if !library.probes().is_empty() {
            switch.shown = Some(switch.attach_probes()?);
        }
        Ok(switch)
    }

    /// A stimulus may put it in these places of its network.
    ///
    /// # Errors
    /// When the network cannot be built.
    pub fn allow(&mut self, blueprint: &Blueprint, routers: &[usize]) -> Result<(), RtlError> {
        for &router in routers {
            self.places.insert(router, Configuration::of(blueprint, &self.shape, router)?);
        }
        Ok(())
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

impl Twin for RtlSwitch {
    /// As many cycles of reset as the routing table has rows, and some more. Flits and credits come meanwhile.
    fn reset(&mut self, settings: &Settings) -> Result<(), Failure> {
        let Self { model, setup, wires, places, .. } = self;
        let router = settings.router.unwrap_or(self.router);
        let Some(place) = places.get(&router) else { return Err(no_place(router)) };
        wires.restart(place.seed(settings));
        model.set(self.rst, 1);
        setup.configure(model, self.clk, place, settings, |model| wires.drive_wildly(model))?;
        setup.load(model, place, settings);
        model.set(self.rst, 0);
        // What the registers drive shows before the next edge.
        model.eval()
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        self.wires.sense(&self.model, outputs);
        self.wires.drive(&mut self.model, inputs);
        self.model.cycle(self.clk)?;
        self.setup.rest(&mut self.model);
        Ok(())
    }

    fn came_in_reset(&self) -> bool {
        self.wires.drove_wildly()
    }

    /// None where it was compiled without probes.
    fn registers(&mut self) -> &[u64] {
        let Some(Shown { bundle, mask, words }) = &mut self.shown else { return &[] };
        self.model.read(bundle, words);
        words.iter_mut().zip(mask).for_each(|(word, mask)| *word &= *mask);
        words
    }
}

/// A stimulus asks for a place that it was not given.
fn no_place(router: usize) -> Failure {
    Failure {
        kind: FailureKind::Internal,
        file: String::new(),
        line: 0,
        hierarchy: "the stimulus".to_owned(),
        message: format!("router {router} of the network is not among those that this lockstep has"),
        time: 0,
        others: 0,
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
