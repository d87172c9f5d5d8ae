//! The links of one router: between the pins of the RTL and a frame.

use super::shape::{FLIT_WIDTH, Shape};
use crate::frame::{Frame, WireFlit};
use verilated::{Input, Model, Output, PortError};

/// Words of a flit.
const WORDS: usize = (FLIT_WIDTH / u32::BITS) as usize;

/// One bundle of wires that each port has a part of.
#[derive(Debug)]
struct Bundle<H> {
    flit_valid: H,
    flit_head: H,
    flit_tail: H,
    flit_vc: H,
    flit_data: H,
    credit_valid: H,
    credit_vc: H,
}

/// The wires of all ports, in both directions.
#[derive(Debug)]
pub(crate) struct Wires {
    inputs: Bundle<Input>,
    outputs: Bundle<Output>,
    /// What is on the input data wires: a port without a flit keeps its last one.
    data: Vec<u32>,
    ports: usize,
    vc_bits: usize,
}

impl Wires {
    /// The wires of a model whose top has the links of the module `router`.
    pub(crate) fn bind(model: &Model, shape: &Shape) -> Result<Self, PortError> {
        let ports = shape.ports as u32;
        let (vc, data) = (ports * shape.vc_bits(), ports * FLIT_WIDTH);
        let input = |name: &str, bits| model.input(name, bits);
        let output = |name: &str, bits| model.output(name, bits);
        Ok(Self {
            inputs: Bundle {
                flit_valid: input("flit_in_valid", ports)?,
                flit_head: input("flit_in_head", ports)?,
                flit_tail: input("flit_in_tail", ports)?,
                flit_vc: input("flit_in_vc", vc)?,
                flit_data: input("flit_in_data", data)?,
                credit_valid: input("credit_in_valid", ports)?,
                credit_vc: input("credit_in_vc", vc)?,
            },
            outputs: Bundle {
                flit_valid: output("flit_out_valid", ports)?,
                flit_head: output("flit_out_head", ports)?,
                flit_tail: output("flit_out_tail", ports)?,
                flit_vc: output("flit_out_vc", vc)?,
                flit_data: output("flit_out_data", data)?,
                credit_valid: output("credit_out_valid", ports)?,
                credit_vc: output("credit_out_vc", vc)?,
            },
            data: vec![0; shape.ports * WORDS],
            ports: shape.ports,
            vc_bits: shape.vc_bits() as usize,
        })
    }

    /// Puts on the wires what a router receives in this cycle.
    pub(crate) fn drive(&mut self, model: &mut Model, inputs: &Frame) {
        let (mut flit, mut head, mut tail, mut vc) = (0u64, 0u64, 0u64, 0u64);
        let (mut credit, mut credit_vc) = (0u64, 0u64);
        let vc_bits = self.vc_bits;
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
        let Bundle { flit_valid, flit_head, flit_tail, flit_vc, flit_data, credit_valid, credit_vc: vcs } =
            self.inputs;
        model.set(flit_valid, flit);
        model.set(credit_valid, credit);
        if flit != 0 {
            model.set(flit_head, head);
            model.set(flit_tail, tail);
            model.set(flit_vc, vc);
            model.set_words(flit_data, &self.data);
        }
        if credit != 0 {
            model.set(vcs, credit_vc);
        }
    }

    /// Reads off the wires what the router drives in this cycle.
    pub(crate) fn sense(&self, model: &Model, outputs: &mut Frame) {
        outputs.clear();
        let wires = &self.outputs;
        let vc_bits = self.vc_bits;
        let mask = (1u64 << vc_bits) - 1;
        let (flits, credits) = (model.get(wires.flit_valid), model.get(wires.credit_valid));
        if flits != 0 {
            let (head, tail) = (model.get(wires.flit_head), model.get(wires.flit_tail));
            let vcs = model.get(wires.flit_vc);
            let mut data = [0; 64 * WORDS];
            let data = &mut data[..self.ports * WORDS];
            model.get_words(wires.flit_data, data);
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
            let vcs = model.get(wires.credit_vc);
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
