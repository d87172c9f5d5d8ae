//! A lockstep, recorded for those that have no model of their own: what goes in, cycle by cycle, and what should come out.

use desvio_lockstep::compare::{Moment, Observer};
use desvio_lockstep::frame::{Data, Frame, PortSignals};
use desvio_lockstep::rtl::Shape;
use desvio_lockstep::settings::Settings;
use std::io::{self, Write};
use std::path::Path;

/// Words of a flit on the wires.
pub(crate) const WORDS: usize = size_of::<Data>() / size_of::<u32>();

/// What goes into a router and comes out of it, as pins.
#[derive(Debug)]
pub(crate) struct Recording {
    ports: usize,
    vc_bits: u32,
    fresh: bool,
    inputs: Vec<u8>,
    outputs: Vec<u8>,
    registers: Vec<u8>,
    register_words: usize,
    /// What `lockstep/bare.cpp` should print: flits, and the sum over all outputs.
    pub(crate) sum: Sum,
    /// Internal cycles.
    pub(crate) cycles: u64,
}

/// Flits that left, and a sum over everything that was driven.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sum {
    /// Flits.
    pub(crate) flits: u64,
    /// The sum.
    pub(crate) checksum: u64,
}

/// One bundle of pins.
#[derive(Default)]
struct Pins {
    flit_valid: u64,
    flit_head: u64,
    flit_tail: u64,
    flit_vc: u64,
    credit_valid: u64,
    credit_vc: u64,
    data: Vec<u32>,
}

impl Pins {
    fn of(frame: &Frame, vc_bits: u32) -> Self {
        let mut pins = Self { data: vec![0; frame.ports.len() * WORDS], ..Self::default() };
        for (port, signals) in frame.ports.iter().enumerate() {
            let vc_at = port * vc_bits as usize;
            if let Some(flit) = signals.flit {
                pins.flit_valid |= 1 << port;
                pins.flit_head |= u64::from(flit.head) << port;
                pins.flit_tail |= u64::from(flit.tail) << port;
                pins.flit_vc |= u64::from(flit.vc) << vc_at;
                pins.data[port * WORDS..][..WORDS].copy_from_slice(&flit.data);
            }
            if let Some(vc) = signals.credit {
                pins.credit_valid |= 1 << port;
                pins.credit_vc |= u64::from(vc) << vc_at;
            }
        }
        pins
    }

    fn write(&self, to: &mut Vec<u8>) {
        let Self { flit_valid, flit_head, flit_tail, flit_vc, credit_valid, credit_vc, data } = self;
        for pin in [flit_valid, flit_head, flit_tail, flit_vc, credit_valid, credit_vc] {
            to.extend(pin.to_le_bytes());
        }
        data.iter().for_each(|word| to.extend(word.to_le_bytes()));
    }
}

impl Sum {
    fn add(&mut self, value: u64) {
        self.checksum = self.checksum.wrapping_mul(31).wrapping_add(value);
    }

    fn add_frame(&mut self, frame: &Frame) {
        let valid = |is: fn(&PortSignals) -> bool| {
            (0..).zip(&frame.ports).fold(0u64, |all, (port, signals)| all | u64::from(is(signals)) << port)
        };
        self.add(valid(|port| port.flit.is_some()) << 16 ^ valid(|port| port.credit.is_some()));
        for flit in frame.ports.iter().filter_map(|port| port.flit) {
            // Of a body flit between broken packets the model does not know the payload.
            let data = if flit.head { flit.data.iter().fold(0, |all, word| all ^ word) } else { 0 };
            let (head, tail) = (u64::from(flit.head), u64::from(flit.tail));
            self.add(u64::from(data) ^ head << 32 ^ tail << 33 ^ u64::from(flit.vc) << 34);
            self.flits += 1;
        }
        for vc in frame.ports.iter().filter_map(|port| port.credit) {
            self.add(u64::from(vc));
        }
    }
}

impl Recording {
    /// Nothing yet, of a router of this shape.
    pub(crate) fn new(shape: &Shape) -> Self {
        Self {
            ports: shape.ports,
            vc_bits: shape.vc_bits(),
            fresh: true,
            inputs: Vec::new(),
            outputs: Vec::new(),
            registers: Vec::new(),
            register_words: 0,
            sum: Sum::default(),
            cycles: 0,
        }
    }

    /// Words of the flits of all ports.
    pub(crate) fn words(&self) -> usize {
        self.ports * WORDS
    }

    /// 64-bit words of the registers of one cycle.
    pub(crate) fn register_words(&self) -> usize {
        self.register_words
    }

    /// Writes `stimulus.bin`, `outputs.bin` and `registers.bin`.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        let write = |name: &str, bytes: &[u8]| std::fs::File::create(folder.join(name))?.write_all(bytes);
        write("stimulus.bin", &self.inputs)?;
        write("outputs.bin", &self.outputs)?;
        write("registers.bin", &self.registers)
    }
}

impl Observer for Recording {
    fn reset(&mut self, _cycle: u32, _settings: &Settings, _came: bool) {
        self.fresh = true;
    }

    fn observe(&mut self, moment: Moment<'_>) {
        self.inputs.extend(u64::from(self.fresh).to_le_bytes());
        Pins::of(moment.inputs, self.vc_bits).write(&mut self.inputs);
        Pins::of(moment.outputs, self.vc_bits).write(&mut self.outputs);
        self.sum.add_frame(moment.outputs);
        self.register_words = moment.registers.len();
        for register in moment.registers {
            self.registers.extend(register.to_le_bytes());
        }
        self.fresh = false;
        self.cycles += 1;
    }
}
