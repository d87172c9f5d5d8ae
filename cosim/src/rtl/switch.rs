//! One router in SystemVerilog, running: its pins, its probes, its reset.

use super::shape::{Configuration, Shape};
use super::wires::Wires;
use super::{NotInRtl, Sources};
use crate::blueprint::Blueprint;
use crate::lockstep::frame::Frame;
use crate::lockstep::probe::{Probes, Register, VC_REGISTERS};
use crate::lockstep::twin::Twin;
use verilated::{Design, Failure, Input, Library, Model, Output, PortError};

/// The design that a shape's router is compiled from; with `probes`, its registers can be read.
pub fn design(shape: &Shape, sources: &Sources, probes: bool) -> Design {
    design_of("router", shape, sources, probes)
}

/// The same for another module with the same parameters.
pub(crate) fn design_of(top: &str, shape: &Shape, sources: &Sources, probes: bool) -> Design {
    let mut design = Design::new(top).sources(sources.files(probes)).assertions(true);
    for (name, value) in &shape.parameters {
        design = design.parameter(*name, *value);
    }
    design
}

/// A register that is read in a place of its own, or as a part of a vector.
#[derive(Debug, Clone, Copy)]
struct Place {
    source: usize,
    lowest: u32,
    bits: u32,
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
    sources: Vec<Output>,
    values: Vec<u128>,
    places: Vec<Place>,
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
            sources: Vec::new(),
            values: Vec::new(),
            places: Vec::new(),
            configuration: shape.configuration(blueprint, router)?,
            shape: shape.clone(),
            model,
        };
        if !library.probes().is_empty() {
            switch.attach_probes()?;
        }
        Ok(switch)
    }

    /// The running model, for traces and coverage.
    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    fn attach_probes(&mut self) -> Result<(), PortError> {
        for probe in Probes::of(&self.shape).list {
            let (name, whole, lowest) = self.location(probe.register);
            let handle = self.model.probed(&name, whole.unwrap_or(probe.bits))?;
            let known = self.sources.iter().position(|source| *source == handle);
            let source = known.unwrap_or_else(|| {
                self.sources.push(handle);
                self.sources.len() - 1
            });
            self.places.push(Place { source, lowest, bits: probe.bits });
        }
        Ok(())
    }

    /// The public signal that holds a register: its name, its width if it holds more than this register, and the
    /// register's lowest bit in it.
    fn location(&self, register: Register) -> (String, Option<u32>, u32) {
        let Shape { ports, vcs, counter_width, .. } = self.shape;
        let credits = self.shape.credit_bits();
        let own = |name: String| (name, None, 0);
        let part = |name: &str, bits: u32, at: usize, count: usize| {
            (format!("router.{name}"), Some(bits * count as u32), bits * at as u32)
        };
        let (vc_arbiter, port_arbiter) = (self.shape.arbiter_bits(vcs), self.shape.arbiter_bits(ports));
        match register {
            Register::Vc(port, vc, register) => {
                let name =
                    VC_REGISTERS.iter().find(|(_, other)| *other == register).map_or("", |(name, _)| name);
                own(format!("router.g_input[{port}].input_port.g_vc[{vc}].g_here.vc.probe.{name}"))
            }
            Register::Contention(port) => part("probe.contention_count", counter_width, port, ports),
            Register::Credits(port, vc) => part("probe.credits", credits, port * vcs + vc, ports * vcs),
            Register::Owned(port) => part("probe.owned", vcs as u32, port, ports),
            Register::Queued(port) => own(format!("router.g_output[{port}].output_port.probe.count")),
            Register::Errors(kind) => {
                part("probe.error_count", 16, kind, router_core::layout::PROTOCOL_ERROR_COUNT as usize)
            }
            Register::InputArbiter(port) => part("allocator.probe.input_states", vc_arbiter, port, ports),
            Register::OutVcArbiter(port) => part("allocator.probe.out_vc_states", vc_arbiter, port, ports),
            Register::InputOfOutVcArbiter(port, vc) => {
                part("allocator.probe.input_of_out_vc_states", port_arbiter, port * vcs + vc, ports * vcs)
            }
            Register::Choice(port) => part("allocator.probe.choices", self.shape.port_bits(), port, ports),
            Register::Turn => own("router.allocator.probe.turn".to_owned()),
            Register::Lfsr => own("router.lfsr.probe.value".to_owned()),
            Register::Phase => own("router.probe.phase".to_owned()),
        }
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

    fn probe(&mut self, values: &mut Vec<u128>) {
        values.clear();
        self.values.clear();
        let mut words = [0u32; 256];
        let mut last = usize::MAX;
        for place in &self.places {
            let source = self.sources[place.source];
            let bits = source.bits();
            if bits <= 64 {
                let value = self.model.get(source) >> place.lowest;
                values.push(u128::from(value) & mask(place.bits));
                continue;
            }
            if last != place.source {
                self.model.get_words(source, &mut words[..bits.div_ceil(32) as usize]);
                last = place.source;
            }
            values.push(extract(&words, place.lowest, place.bits));
        }
    }
}

const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// `bits` bits from bit `lowest` on, at most 128.
fn extract(words: &[u32], lowest: u32, bits: u32) -> u128 {
    let (first, shift) = ((lowest / 32) as usize, lowest % 32);
    let low = (0..4).fold(0, |sum, n| sum | u128::from(words[first + n]) << (32 * n));
    let high = u128::from(words.get(first + 4).copied().unwrap_or(0));
    let value = if shift == 0 { low } else { low >> shift | high << (128 - shift) };
    value & mask(bits)
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
