//! One router in SystemVerilog, running: its pins, its probes, its reset.

use super::shape::{Configuration, FLIT_WIDTH, Shape};
use super::{NotInRtl, Sources};
use crate::blueprint::Blueprint;
use crate::lockstep::frame::{Frame, WireFlit};
use crate::lockstep::probe::{Probes, Register, VC_REGISTERS};
use crate::lockstep::twin::Twin;
use verilated::{Design, Failure, Input, Library, Model, Output, PortError};

/// Words of a flit.
const WORDS: usize = (FLIT_WIDTH / u32::BITS) as usize;

/// The design that a shape's router is compiled from; with `probes`, its registers can be read.
pub fn design(shape: &Shape, sources: &Sources, probes: bool) -> Design {
    let mut design = Design::new("router").sources(sources.files(probes)).assertions(true);
    for (name, value) in &shape.parameters {
        design = design.parameter(*name, *value);
    }
    design
}

/// One bundle of wires that each port has a part of.
#[derive(Debug)]
struct Wires<H> {
    flit_valid: H,
    flit_head: H,
    flit_tail: H,
    flit_vc: H,
    flit_data: H,
    credit_valid: H,
    credit_vc: H,
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
    inputs: Wires<Input>,
    outputs: Wires<Output>,
    /// What is on the input data wires: a port without a flit keeps its last one.
    data: Vec<u32>,
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
        let ports = shape.ports as u32;
        let widths = [ports, ports, ports, ports * shape.vc_bits(), ports * FLIT_WIDTH];
        let [bit, _, _, vc, data] = widths;
        let input = |name: &str, bits| model.input(name, bits);
        let output = |name: &str, bits| model.output(name, bits);
        let mut switch = Self {
            clk: input("clk", 1)?,
            rst: input("rst", 1)?,
            inputs: Wires {
                flit_valid: input("flit_in_valid", bit)?,
                flit_head: input("flit_in_head", bit)?,
                flit_tail: input("flit_in_tail", bit)?,
                flit_vc: input("flit_in_vc", vc)?,
                flit_data: input("flit_in_data", data)?,
                credit_valid: input("credit_in_valid", bit)?,
                credit_vc: input("credit_in_vc", vc)?,
            },
            outputs: Wires {
                flit_valid: output("flit_out_valid", bit)?,
                flit_head: output("flit_out_head", bit)?,
                flit_tail: output("flit_out_tail", bit)?,
                flit_vc: output("flit_out_vc", vc)?,
                flit_data: output("flit_out_data", data)?,
                credit_valid: output("credit_out_valid", bit)?,
                credit_vc: output("credit_out_vc", vc)?,
            },
            data: vec![0; shape.ports * WORDS],
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

    fn drive(&mut self, inputs: &Frame) {
        let (mut flit, mut head, mut tail, mut vc) = (0u64, 0u64, 0u64, 0u64);
        let (mut credit, mut credit_vc) = (0u64, 0u64);
        let vc_bits = self.shape.vc_bits() as usize;
        for (port, signals) in inputs.ports.iter().enumerate() {
            if let Some(signal) = signals.flit {
                flit |= 1 << port;
                head |= u64::from(signal.head) << port;
                tail |= u64::from(signal.tail) << port;
                vc |= u64::from(signal.vc) << (port * vc_bits);
                self.data[port * WORDS..][..WORDS].copy_from_slice(&signal.data);
            }
            if let Some(signal) = signals.credit {
                credit |= 1 << port;
                credit_vc |= u64::from(signal) << (port * vc_bits);
            }
        }
        let Wires { flit_valid, flit_head, flit_tail, flit_vc, flit_data, credit_valid, credit_vc: vcs } =
            self.inputs;
        self.model.set(flit_valid, flit);
        self.model.set(credit_valid, credit);
        if flit != 0 {
            self.model.set(flit_head, head);
            self.model.set(flit_tail, tail);
            self.model.set(flit_vc, vc);
            self.model.set_words(flit_data, &self.data);
        }
        if credit != 0 {
            self.model.set(vcs, credit_vc);
        }
    }

    fn sense(&mut self, outputs: &mut Frame) {
        outputs.clear();
        let wires = &self.outputs;
        let vc_bits = self.shape.vc_bits() as usize;
        let mask = (1u64 << vc_bits) - 1;
        let (flits, credits) = (self.model.get(wires.flit_valid), self.model.get(wires.credit_valid));
        if flits != 0 {
            let (head, tail) = (self.model.get(wires.flit_head), self.model.get(wires.flit_tail));
            let vcs = self.model.get(wires.flit_vc);
            let mut data = [0; 64 * WORDS];
            let data = &mut data[..self.shape.ports * WORDS];
            self.model.get_words(wires.flit_data, data);
            for port in ones(flits) {
                let mut signal = WireFlit {
                    vc: (vcs >> (port * vc_bits) & mask) as u8,
                    head: head >> port & 1 == 1,
                    tail: tail >> port & 1 == 1,
                    data: [0; WORDS],
                };
                signal.data.copy_from_slice(&data[port * WORDS..][..WORDS]);
                outputs.ports[port].flit = Some(signal);
            }
        }
        if credits != 0 {
            let vcs = self.model.get(wires.credit_vc);
            for port in ones(credits) {
                outputs.ports[port].credit = Some((vcs >> (port * vc_bits) & mask) as u8);
            }
        }
    }
}

fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = bits.checked_ilog2().map(|_| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

impl Twin for RtlSwitch {
    /// One cycle of reset, while which the configuration is taken in and the routing table written.
    fn reset(&mut self) -> Result<(), Failure> {
        self.drive(&Frame::idle(self.shape.ports));
        self.model.set(self.rst, 1);
        let set = |model: &mut Model, name: &str, bits, value| match model.input(name, bits) {
            Ok(input) => model.set(input, value),
            Err(_) => debug_assert!(false, "{name} was found when the library was built"),
        };
        for &(name, bits, value) in &self.configuration.inputs {
            set(&mut self.model, name, bits, value);
        }
        for (row, ports) in self.configuration.rows.iter().enumerate() {
            set(&mut self.model, "table_write", 1, 1);
            set(&mut self.model, "table_row", router_core::layout::ROUTER_BITS, row as u64);
            set(&mut self.model, "table_ports", self.shape.ports as u32, *ports);
            self.model.cycle(self.clk)?;
        }
        set(&mut self.model, "table_write", 1, 0);
        self.model.set(self.rst, 0);
        // What the registers drive shows before the next edge.
        self.model.eval()
    }

    fn step(&mut self, inputs: &Frame, outputs: &mut Frame) -> Result<(), Failure> {
        self.sense(outputs);
        self.drive(inputs);
        self.model.cycle(self.clk)
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
