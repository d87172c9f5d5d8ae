//! The wires of one port, whatever they are made of.

use desvio_link::PortState;
use router_core::pins::PortInputs;

/// A link to a neighbour.
///
/// Both directions have the same shape: at most one flit and at most one credit in each internal cycle. What a link makes
/// of that (a bus, a radio, a queue in memory) and how long it takes is its own business, as long as it loses nothing.
pub trait Link {
    /// What the neighbour drives in this internal cycle.
    fn receive(&mut self) -> PortInputs;

    /// What the router drives in this internal cycle. Flits come in the first one of each link cycle.
    fn send(&mut self, driven: PortInputs);

    /// Writes the bytes of the flit that [`receive`](Self::receive) brought last. A link without payload writes none.
    fn read_payload(&mut self, _to: &mut [u8]) {}

    /// [`send`](Self::send) with the bytes of the flit, none where there is no flit or no payload.
    fn send_with(&mut self, driven: PortInputs, _payload: &[u8]) {
        self.send(driven);
    }

    /// What it says of itself, for people. Nothing, unless it knows.
    fn report(&self) -> Report {
        Report::default()
    }
}

/// What a link says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Its state, if it has one.
    pub state: Option<PortState>,
    /// Frames that came broken, and flits that were sent again.
    pub errors: u32,
}

/// A link that lives elsewhere: a large one is not moved into the switch.
impl<L: Link> Link for &mut L {
    fn receive(&mut self) -> PortInputs {
        (**self).receive()
    }

    fn send(&mut self, driven: PortInputs) {
        (**self).send(driven);
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        (**self).read_payload(to);
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        (**self).send_with(driven, payload);
    }

    fn report(&self) -> Report {
        (**self).report()
    }
}
