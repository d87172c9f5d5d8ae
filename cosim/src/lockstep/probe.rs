//! The registers that lockstep compares, by name, in one order for both twins.

use crate::rtl::Shape;
use router_core::layout;

/// One register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Its name, as it appears in reports and waveforms.
    pub name: String,
    /// What it is.
    pub register: Register,
    /// Its width in bits, at most 128.
    pub bits: u32,
}

/// What a probed register is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// A register of VC `vc` of input `port`.
    Vc(usize, usize, VcRegister),
    /// The counter of an output.
    Contention(usize),
    /// Free places of VC `vc` behind output `port`.
    Credits(usize, usize),
    /// Which VCs behind an output packets hold.
    Owned(usize),
    /// Flits in the FIFO of an output.
    Queued(usize),
    /// How often a protocol error occurred.
    Errors(usize),
    /// The arbiter among the VCs of an input.
    InputArbiter(usize),
    /// The arbiter among the VCs behind an output.
    OutVcArbiter(usize),
    /// The arbiter among the inputs for VC `vc` behind output `port`.
    InputOfOutVcArbiter(usize, usize),
    /// Where an input that asks for several outputs begins to look.
    Choice(usize),
    /// The favoured diagonal.
    Turn,
    /// The random word.
    Lfsr,
    /// The place in the link cycle.
    Phase,
}

/// A register of a VC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VcRegister {
    /// Idle, waiting or active.
    State,
    /// Flits in the buffer.
    Flits,
    /// Packets in the buffer.
    Packets,
    /// Flits of the front packet that have yet to leave.
    Left,
    /// Flits of the newest packet that have yet to arrive.
    Expected,
    /// The candidates of the front packet, as `hdl/routed_head.sv` packs them.
    Candidates,
    /// Where the front packet is counted.
    Minimal,
    /// What the front packet asks for.
    Request,
    /// The VC that the front packet takes; 0 unless it is active.
    OutVc,
}

/// All registers of a VC, by name.
pub(crate) const VC_REGISTERS: [(&str, VcRegister); 9] = [
    ("state", VcRegister::State),
    ("flits", VcRegister::Flits),
    ("packets", VcRegister::Packets),
    ("left", VcRegister::Left),
    ("expected", VcRegister::Expected),
    ("candidates", VcRegister::Candidates),
    ("minimal", VcRegister::Minimal),
    ("request", VcRegister::Request),
    ("out_vc", VcRegister::OutVc),
];

/// Bits of an error counter in the RTL, where it stays at its highest value.
pub(crate) const ERROR_BITS: u32 = 16;

/// The registers of a router.
#[derive(Clone, Debug)]
pub struct Probes {
    /// In the order in which both twins report them.
    pub list: Vec<Probe>,
}

impl Probes {
    /// The registers of a router of this shape.
    pub fn of(shape: &Shape) -> Self {
        let mut probes = Self { list: Vec::new() };
        for port in 0..shape.ports {
            for vc in 0..shape.vcs_of(port) {
                for (name, register) in VC_REGISTERS {
                    let bits = shape.bits_of(port, register);
                    probes.add(format!("input{port}.vc{vc}.{name}"), Register::Vc(port, vc, register), bits);
                }
            }
        }
        for port in 0..shape.ports {
            probes.add(format!("contention{port}"), Register::Contention(port), shape.counter_width);
            for vc in 0..shape.vcs_of(port) {
                let name = format!("output{port}.vc{vc}.credits");
                probes.add(name, Register::Credits(port, vc), shape.credit_bits());
            }
            probes.add(format!("output{port}.owned"), Register::Owned(port), shape.vcs as u32);
            probes.add(format!("output{port}.queued"), Register::Queued(port), shape.queued_bits());
        }
        for (number, name) in layout::PROTOCOL_ERROR_NAMES.iter().enumerate() {
            probes.add(format!("errors.{name}"), Register::Errors(number), ERROR_BITS);
        }
        probes.add_allocator(shape);
        probes.add("lfsr".to_owned(), Register::Lfsr, 32);
        probes.add("phase".to_owned(), Register::Phase, shape.phase_bits());
        probes
    }

    fn add_allocator(&mut self, shape: &Shape) {
        for port in 0..shape.ports {
            let bits = shape.arbiter_bits(shape.vcs);
            self.add(format!("allocator.input{port}"), Register::InputArbiter(port), bits);
        }
        if shape.is_wavefront() {
            self.add("allocator.turn".to_owned(), Register::Turn, shape.port_bits());
            return;
        }
        for port in 0..shape.ports {
            let bits = shape.arbiter_bits(shape.vcs);
            self.add(format!("allocator.output{port}"), Register::OutVcArbiter(port), bits);
            self.add(format!("allocator.choice{port}"), Register::Choice(port), shape.port_bits());
            for vc in 0..shape.vcs {
                let bits = shape.arbiter_bits(shape.ports);
                let name = format!("allocator.output{port}.vc{vc}");
                self.add(name, Register::InputOfOutVcArbiter(port, vc), bits);
            }
        }
    }

    fn add(&mut self, name: String, register: Register, bits: u32) {
        self.list.push(Probe { name, register, bits });
    }
}
