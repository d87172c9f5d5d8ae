//! What is at a port.

use crate::cable::Cable;
use crate::log::Log;
use crate::node::Node;
use desvio_link::Tick;
use desvio_switch::link::Link;
use embedded_io::{Read, ReadReady, Write, WriteReady};
use router_core::pins::PortInputs;

/// One of three.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "there is no heap, and most of them are cables")]
pub(crate) enum Side<T, C> {
    Node(Node),
    Cable(Cable<T, C>),
    /// The edge of the mesh.
    Open,
}

impl<T, C> Side<T, C>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick,
{
    pub(crate) fn tend(&mut self, log: &mut Log) {
        match self {
            Self::Node(node) => node.tend(log),
            Self::Cable(cable) => cable.tend(log),
            Self::Open => {}
        }
    }

    pub(crate) const fn refused(&self) -> u32 {
        if let Self::Cable(cable) = self { cable.refused() } else { 0 }
    }

    pub(crate) fn count(&self, log: &mut Log) {
        if let Self::Cable(cable) = self {
            cable.count(log);
        }
    }
}

impl<T, C> Link for Side<T, C>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick,
{
    fn receive(&mut self) -> PortInputs {
        match self {
            Self::Node(node) => node.receive(),
            Self::Cable(cable) => cable.receive(),
            Self::Open => PortInputs::default(),
        }
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        match self {
            Self::Node(node) => node.read_payload(to),
            Self::Cable(cable) => cable.read_payload(to),
            Self::Open => {}
        }
    }

    fn send(&mut self, driven: PortInputs) {
        self.send_with(driven, &[]);
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        match self {
            Self::Node(node) => node.send_with(driven, payload),
            Self::Cable(cable) => cable.send_with(driven, payload),
            Self::Open => {}
        }
    }
}
