//! Routers in SystemVerilog inside a network, beside their models.

use super::compare::told;
use super::frame::{Frame, WireFlit};
use super::payload::Payloads;
use super::twin::Twin;
use crate::rtl::{Rtl, RtlSwitch};
use crate::settings::Settings;
use crate::shape::NotInRtl;
use desvio_sim::blueprint::{Blueprint, Shadowing};
use desvio_sim::shadow::{Difference, Shadow, ShadowError};
use router_core::header::Flit;
use router_core::units::{PortId, VcId};
use std::collections::VecDeque;

/// One router in SystemVerilog.
#[derive(Debug)]
struct RtlShadow {
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

impl Shadowing for Rtl {
    fn routers(&self) -> usize {
        self.routers
    }

    fn shadow(&self, blueprint: &Blueprint, router: usize) -> Result<Box<dyn Shadow>, ShadowError> {
        let class = usize::from(blueprint.wiring().router_class(router).0);
        let (shape, library) = &self.designs[class];
        let ports = shape.ports;
        if shape.told() > 0 {
            return Err(NotInRtl::Notices.into());
        }
        let seed = blueprint.scenario().run.seed.wrapping_add(router as u64);
        let mut shadow = RtlShadow {
            rtl: RtlSwitch::new(library, shape, blueprint, router, seed)?,
            inputs: Frame::idle(ports),
            outputs: Frame::idle(ports),
            expected: Frame::idle(ports),
            flits: VecDeque::new(),
            credits: VecDeque::new(),
            arriving: Payloads::new(ports),
            leaving: Payloads::new(ports),
        };
        shadow.rtl.reset(&Settings::default())?;
        Ok(Box::new(shadow))
    }
}

impl Shadow for RtlShadow {
    fn receive_flit(&mut self, port: PortId, vc: VcId, flit: &Flit) {
        self.inputs.ports[port.index()].flit = Some(self.arriving.wire(port.index(), vc, flit));
    }

    fn receive_credit(&mut self, port: PortId, vc: VcId) {
        self.inputs.ports[port.index()].credit = Some(vc.number());
    }

    fn expect_flit(&mut self, port: PortId, vc: VcId, at: u64, flit: &Flit) {
        let flit = self.leaving.wire(port.index(), vc, flit);
        // Flits of different outputs may be due in any order.
        let place = self.flits.partition_point(|&(due, ..)| due <= at);
        self.flits.insert(place, (at, port.index(), flit));
    }

    fn expect_credit(&mut self, port: PortId, vc: VcId, at: u64) {
        self.credits.push_back((at, port.index(), vc.number()));
    }

    fn step(&mut self, cycle: u64) -> Result<(), Box<Difference>> {
        self.drive(cycle);
        if let Err(failure) = self.rtl.step(&self.inputs, &mut self.outputs) {
            let (expected, got) = ("no failed assertion".to_owned(), failure.to_string());
            return Err(Box::new(Difference { port: 0, expected, got }));
        }
        self.inputs.clear();
        let ports = self.expected.ports.iter().zip(&self.outputs.ports);
        match (0u8..).zip(ports).find(|(_, (expected, got))| expected != got) {
            None => Ok(()),
            Some((port, (expected, got))) => {
                Err(Box::new(Difference { port, expected: told(expected), got: told(got) }))
            }
        }
    }
}

impl RtlShadow {
    /// What the model drives in this cycle.
    fn drive(&mut self, cycle: u64) {
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
