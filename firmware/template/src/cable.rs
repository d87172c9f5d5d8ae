//! The link of a port: here in memory. In its place comes your UART, bus or radio.

use desvio_switch::link::Link;
use desvio_switch::standard::BUFFER;
use router_core::header::{Address, Flit, Header, Packet};
use router_core::pins::{FlitSignal, PortInputs};
use router_core::units::VcId;

/// A neighbour that sends packets of one flit to the routers of the mesh in turn, takes what comes, and gives back its credits.
#[derive(Debug)]
pub struct Cable {
    /// Free places of virtual channel 0 of the switch's input.
    credits: u16,
    /// The credit to return.
    owed: Option<VcId>,
    cycle: u32,
}

impl Cable {
    /// Nothing has been sent.
    pub const fn new() -> Self {
        Self { credits: BUFFER, owed: None, cycle: 0 }
    }
}

impl Link for Cable {
    fn receive(&mut self) -> PortInputs {
        let credit = self.owed.take();
        // A flit in every eighth cycle.
        self.cycle = self.cycle.wrapping_add(1);
        if self.credits == 0 || self.cycle & 7 != 0 {
            return PortInputs { flit: None, credit };
        }
        self.credits = self.credits.wrapping_sub(1);
        let to = Address { router: self.cycle.wrapping_shr(3) & 15, port: 0 };
        let header = Header { to, length: 1, ..Header::default() };
        let flit = Flit::Head(Packet { header, tag: self.cycle });
        PortInputs { flit: Some(FlitSignal { vc: VcId::new(0), flit }), credit }
    }

    fn send(&mut self, driven: PortInputs) {
        self.owed = driven.flit.map(|signal| signal.vc);
        self.credits = self.credits.wrapping_add(driven.credit.is_some().into());
    }
}
