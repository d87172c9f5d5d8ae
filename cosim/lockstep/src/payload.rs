//! Gives the flits on a router's wires their payload, which neither the model nor the network stores.

use super::frame::WireFlit;
use router_core::header::Flit;
use router_core::units::VcId;

/// Most VCs.
const V: usize = 8;

/// The packet that passes each VC of each port: its tag, and the number of its next flit.
#[derive(Debug)]
pub(crate) struct Payloads(Vec<(u32, u16)>);

impl Payloads {
    /// Nothing passes any of `ports` ports.
    pub(crate) fn new(ports: usize) -> Self {
        Self(vec![(0, 0); ports * V])
    }

    /// Forgets what was passing.
    pub(crate) fn clear(&mut self) {
        self.0.fill((0, 0));
    }

    /// A flit as it is on the wires of `port`, for VC `vc`.
    pub(crate) fn wire(&mut self, port: usize, vc: VcId, flit: &Flit) -> WireFlit {
        let passing = &mut self.0[port * V + vc.index()];
        match flit {
            Flit::Head(packet) => {
                *passing = (packet.tag, 1);
                WireFlit::head(vc.number(), packet)
            }
            Flit::Body { tail } => {
                let (tag, index) = *passing;
                passing.1 = index.wrapping_add(1);
                WireFlit::body(vc.number(), tag, index, *tail)
            }
        }
    }
}
