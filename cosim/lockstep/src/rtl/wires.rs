//! The links of one router: between the pins of the RTL and a frame.

use super::junk::Junk;
use super::lanes::Lanes;
use super::notice_wires::NoticeWires;
use crate::frame::{Frame, PortSignals, WireFlit};
use crate::shape::Shape;
use verilated::{Input, Model, Output, PortError};

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
    driven: Lanes,
    sensed: Lanes,
    /// What is on all other wires that are not valid.
    junk: Junk,
    /// Whether flits and credits that belong to no packet were on the wires since the stimulus began.
    wild: bool,
    ports: usize,
    vc_bits: usize,
    notices: Option<NoticeWires>,
}

impl Wires {
    /// The wires of a model whose top has the links of the module `router`.
    pub(crate) fn bind(model: &Model, shape: &Shape) -> Result<Self, PortError> {
        let ports = shape.ports as u32;
        let (vc, data) = (ports * shape.vc_bits(), ports * shape.flit_width());
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
            driven: Lanes::new(shape),
            sensed: Lanes::new(shape),
            junk: Junk::of(0),
            wild: false,
            ports: shape.ports,
            vc_bits: shape.vc_bits() as usize,
            notices: NoticeWires::bind(model, shape)?,
        })
    }

    /// Junk begins anew with the seed of a stimulus, which then does the same again.
    pub(crate) fn restart(&mut self, seed: u64) {
        self.junk = Junk::of(seed);
        self.wild = false;
    }

    /// Puts on the wires what a router receives in this cycle, and junk where `valid` is low.
    pub(crate) fn drive(&mut self, model: &mut Model, inputs: &Frame) {
        let (mut flit, mut head, mut tail, mut vc) = (0u64, 0u64, 0u64, 0u64);
        let (mut credit, mut credit_vc) = (0u64, 0u64);
        let (vc_bits, junk) = (self.vc_bits, self.junk.next());
        let any = |at: usize| (junk >> (at % 32)) & ((1 << vc_bits) - 1);
        for (port, signals) in inputs.ports.iter().enumerate() {
            let mut lane = any(port);
            if let Some(signal) = signals.flit {
                flit |= 1 << port;
                head |= u64::from(signal.head) << port;
                tail |= u64::from(signal.tail) << port;
                lane = u64::from(signal.vc);
                self.driven.put(port, &signal.data);
            }
            vc |= lane << (port * vc_bits);
            let mut lane = any(port + 16);
            if let Some(signal) = signals.credit {
                credit |= 1 << port;
                lane = u64::from(signal);
            }
            credit_vc |= lane << (port * vc_bits);
        }
        let idle = !flit & (u64::MAX >> (64 - self.ports));
        let wires = &self.inputs;
        model.set(wires.flit_valid, flit);
        model.set(wires.flit_head, head | junk & idle);
        model.set(wires.flit_tail, tail | junk.rotate_left(32) & idle);
        model.set(wires.flit_vc, vc);
        if flit != 0 {
            model.set_words(wires.flit_data, &self.driven.words);
        }
        if let Some(notices) = &mut self.notices {
            notices.drive(model, &inputs.notices);
        }
        model.set(wires.credit_valid, credit);
        model.set(wires.credit_vc, credit_vc);
    }

    /// Puts flits and credits on the wires that belong to no packet: a router in reset takes none of them.
    pub(crate) fn drive_wildly(&mut self, model: &mut Model) {
        let mut wild = Frame::idle(self.ports);
        for signals in &mut wild.ports {
            let junk = self.junk.next();
            let vc = (junk & ((1 << self.vc_bits) - 1)) as u8;
            let data = [junk as u32, !(junk >> 32) as u32, (junk >> 16) as u32, (junk >> 32) as u32];
            let flit = WireFlit { vc, head: junk >> 40 & 1 == 1, tail: junk >> 41 & 1 == 1, data };
            *signals = PortSignals { flit: Some(flit), credit: Some(vc), stray: false };
        }
        if let Some(notices) = &mut self.notices {
            notices.junk(self.junk.next(), &mut wild);
        }
        self.drive(model, &wild);
        self.wild = true;
    }

    /// Whether that was so since the stimulus began.
    pub(crate) fn drove_wildly(&self) -> bool {
        self.wild
    }

    /// Reads off the wires what the router drives in this cycle.
    pub(crate) fn sense(&mut self, model: &Model, outputs: &mut Frame) {
        outputs.clear();
        let (wires, vc_bits) = (&self.outputs, self.vc_bits);
        let lane = |of: u64, port: usize| (of >> (port * vc_bits) & ((1 << vc_bits) - 1)) as u8;
        let (flits, credits) = (model.get(wires.flit_valid), model.get(wires.credit_valid));
        let (heads, tails) = (model.get(wires.flit_head), model.get(wires.flit_tail));
        let (vcs, credit_vcs) = (model.get(wires.flit_vc), model.get(wires.credit_vc));
        model.get_words(wires.flit_data, &mut self.sensed.words);
        if let Some(notices) = &mut self.notices {
            notices.sense(model, outputs);
        }
        for (port, signals) in outputs.ports.iter_mut().enumerate() {
            let (is_head, is_tail) = (heads >> port & 1 == 1, tails >> port & 1 == 1);
            let (vc, credit_vc) = (lane(vcs, port), lane(credit_vcs, port));
            if flits >> port & 1 == 1 {
                let data = self.sensed.take(port);
                signals.flit = Some(WireFlit { vc, head: is_head, tail: is_tail, data });
            } else {
                signals.stray = is_head || is_tail || vc != 0 || !self.sensed.is_idle(port);
            }
            if credits >> port & 1 == 1 {
                signals.credit = Some(credit_vc);
            } else {
                signals.stray |= credit_vc != 0;
            }
        }
    }
}
