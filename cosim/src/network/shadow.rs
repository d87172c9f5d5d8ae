//! Routers in SystemVerilog inside the network: each gets what its model gets and has to drive what its model drives, on
//! every wire and in every cycle.

use super::fault::Fault;
use super::wheel::{ROUTERS, Wheel};
use crate::blueprint::Blueprint;
use crate::lockstep::compare::told;
use crate::lockstep::frame::{Frame, WireFlit};
use crate::lockstep::payload::Payloads;
use crate::lockstep::twin::Twin;
use crate::rtl::{Rtl, RtlError, RtlSwitch};
use router_core::header::Flit;
use router_core::units::{PortId, VcId};
use std::collections::VecDeque;

/// The first routers of a network, once more in SystemVerilog.
#[derive(Debug)]
pub(crate) struct Shadows {
    list: Vec<Shadow>,
}

/// Where a router in SystemVerilog did not do what its model did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) router: usize,
    pub(crate) port: u8,
    pub(crate) expected: String,
    pub(crate) got: String,
}

impl Difference {
    pub(crate) fn fault(self, cycle: u64) -> Fault {
        let Self { router, port, expected, got } = self;
        Fault::Rtl { cycle, router, port, expected, got }
    }
}

/// One router in SystemVerilog.
#[derive(Debug)]
struct Shadow {
    rtl: RtlSwitch,
    /// What is on its input wires in the cycle that it has still to run.
    inputs: Frame,
    outputs: Frame,
    expected: Frame,
    /// What its model will drive: the internal cycle, the port, and what.
    flits: VecDeque<(u64, usize, WireFlit)>,
    credits: VecDeque<(u64, usize, u8)>,
    /// The packets that are passing each wire, by port and VC: their tags, and the numbers of their next flits.
    arriving: Payloads,
    leaving: Payloads,
}

impl Shadows {
    /// The routers that `rtl` names, reset.
    pub(crate) fn new(blueprint: &Blueprint, rtl: &Rtl) -> Result<Self, RtlError> {
        let shadow = |router: usize| -> Result<Shadow, RtlError> {
            let ports = rtl.shape.ports;
            let seed = blueprint.scenario().run.seed.wrapping_add(router as u64);
            let mut shadow = Shadow {
                rtl: RtlSwitch::new(&rtl.library, &rtl.shape, blueprint, router, seed)?,
                inputs: Frame::idle(ports),
                outputs: Frame::idle(ports),
                expected: Frame::idle(ports),
                flits: VecDeque::new(),
                credits: VecDeque::new(),
                arriving: Payloads::new(ports),
                leaving: Payloads::new(ports),
            };
            shadow.rtl.reset()?;
            Ok(shadow)
        };
        let routers = 0..rtl.routers.min(blueprint.wiring().routers());
        Ok(Self { list: routers.map(shadow).collect::<Result<_, _>>()? })
    }

    /// The model of a router will put a flit on a wire in internal cycle `at`.
    pub(crate) fn flit(&mut self, router: usize, port: PortId, vc: VcId, at: u64, flit: &Flit) {
        if let Some(shadow) = self.list.get_mut(router) {
            let flit = shadow.leaving.wire(port.index(), vc, flit);
            // Flits of different outputs may be due in any order.
            let place = shadow.flits.partition_point(|&(due, ..)| due <= at);
            shadow.flits.insert(place, (at, port.index(), flit));
        }
    }

    /// The model of a router will return a credit in internal cycle `at`.
    pub(crate) fn credit(&mut self, router: usize, port: PortId, vc: VcId, at: u64) {
        if let Some(shadow) = self.list.get_mut(router) {
            shadow.credits.push_back((at, port.index(), vc.number()));
        }
    }

    /// What was on the wires in the internal cycle before.
    pub(crate) fn came<const P: usize>(&mut self, wheel: &Wheel, internal: u64) {
        let slot = wheel.slot(internal);
        for head in wheel.heads.iter(slot.heads[ROUTERS]) {
            let (router, port) = head.to.as_port::<P>();
            self.flit_came(router, port, head.vc, &Flit::Head(head.packet));
        }
        for body in wheel.bodies.iter(slot.bodies[ROUTERS]) {
            let (router, port) = body.to().as_port::<P>();
            self.flit_came(router, port, body.vc(), &Flit::Body { tail: body.tail() });
        }
        for credit in wheel.credits.iter(slot.credits[ROUTERS]) {
            let (router, port) = credit.to().as_port::<P>();
            self.credit_came(router, port, credit.vc());
        }
    }

    /// A flit was on a router's input wire in the internal cycle before.
    fn flit_came(&mut self, router: usize, port: PortId, vc: VcId, flit: &Flit) {
        if let Some(shadow) = self.list.get_mut(router) {
            shadow.inputs.ports[port.index()].flit = Some(shadow.arriving.wire(port.index(), vc, flit));
        }
    }

    /// A credit was on a router's input wire in the internal cycle before.
    fn credit_came(&mut self, router: usize, port: PortId, vc: VcId) {
        if let Some(shadow) = self.list.get_mut(router) {
            shadow.inputs.ports[port.index()].credit = Some(vc.number());
        }
    }

    /// Internal cycle `internal` is over, so that all is known of the one before: the RTL runs that one.
    pub(crate) fn follow(&mut self, internal: u64) -> Result<(), Box<Difference>> {
        let Some(cycle) = internal.checked_sub(1) else { return Ok(()) };
        for (router, shadow) in self.list.iter_mut().enumerate() {
            shadow.step(router, cycle)?;
        }
        Ok(())
    }
}

impl Shadow {
    fn step(&mut self, router: usize, cycle: u64) -> Result<(), Box<Difference>> {
        self.expect(cycle);
        if let Err(failure) = self.rtl.step(&self.inputs, &mut self.outputs) {
            let (expected, got) = ("no failed assertion".to_owned(), failure.to_string());
            return Err(Box::new(Difference { router, port: 0, expected, got }));
        }
        self.inputs.clear();
        let ports = self.expected.ports.iter().zip(&self.outputs.ports);
        match (0u8..).zip(ports).find(|(_, (expected, got))| expected != got) {
            None => Ok(()),
            Some((port, (expected, got))) => {
                Err(Box::new(Difference { router, port, expected: told(expected), got: told(got) }))
            }
        }
    }

    /// What the model drives in this cycle.
    fn expect(&mut self, cycle: u64) {
        self.expected.clear();
        while let Some(&(_, port, flit)) = self.flits.front().filter(|(due, ..)| *due <= cycle) {
            self.expected.ports[port].flit = Some(flit);
            self.flits.pop_front();
        }
        while let Some(&(_, port, vc)) = self.credits.front().filter(|(due, ..)| *due <= cycle) {
            self.expected.ports[port].credit = Some(vc);
            self.credits.pop_front();
        }
    }
}
