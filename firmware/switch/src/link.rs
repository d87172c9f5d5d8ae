//! The wires of one port, whatever they are made of.

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
}
