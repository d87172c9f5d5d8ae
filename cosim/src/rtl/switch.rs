//! One router in SystemVerilog, running: its pins, its probes, its reset.

use super::shape::{Configuration, FLIT_WIDTH, Shape};
use super::{NotInRtl, Sources};
use crate::blueprint::Blueprint;
use crate::lockstep::frame::{Frame, WireFlit};
use crate::lockstep::probe::{Probes, Signal};
use crate::lockstep::twin::Twin;
use verilated::{Bundle, Design, Failure, Input, Library, Model, Output, PortError};

/// Words of a flit.
const WORDS: usize = (FLIT_WIDTH / u32::BITS) as usize;

/// The design that a shape's router is compiled from, its assertions watched; with `probes`, its registers can be read.
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
    inputs: Wires<Input>,
    outputs: Wires<Output>,
    /// What is on the input data wires: a port without a flit keeps its last one.
    data: Vec<u32>,
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
