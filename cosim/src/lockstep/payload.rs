//! The payload of the flits that leave a router which stores none.

use super::frame::{Data, WireFlit};
use router_core::header::Flit;
use router_core::units::VcId;

/// Most VCs.
const V: usize = 8;

/// The packet that leaves by each output VC: its tag, and the number of its next flit.
#[derive(Debug)]
pub(crate) struct Payloads(Vec<(u32, u16)>);

impl Payloads {
    /// Nothing leaves by any of `ports` ports.
    pub(crate) fn new(ports: usize) -> Self {
        Self(vec![(0, 0); ports * V])
    }

    /// Forgets what was leaving.
    pub(crate) fn clear(&mut self) {
        self.0.fill((0, 0));
    }

    /// The payload of a flit that leaves by `port`, VC `vc`.
    pub(crate) fn data(&mut self, port: usize, vc: VcId, flit: &Flit) -> Data {
        let place = &mut self.0[port * V + vc.index()];
        match flit {
            Flit::Head(packet) => {
                *place = (packet.tag, 1);
                WireFlit::head(0, packet).data
            }
            Flit::Body { tail } => {
                let (tag, index) = *place;
                place.1 = index.wrapping_add(1);
                WireFlit::body(0, tag, index, *tail).data
            }
        }
    }
}
