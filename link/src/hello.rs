//! What ends of a link say of themselves before they trust each other.

use crate::reader::Reader;
use crate::setup::Setup;

/// The version of this protocol. Ends of different versions refuse each other.
pub const VERSION: u8 = 1;

/// Why an end refuses the other one. Both know why: each goes on saying its own HELLO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Refusal {
    /// The neighbour speaks this version of the protocol.
    Version(u8),
    /// The neighbour sends flits on by another rule: [`FlowControl`](router_core::links::FlowControl) as a
    /// number.
    FlowControl(u8),
    /// The neighbour has so many VCs.
    Vcs(u8),
    /// The neighbour's flits have so many bytes of payload.
    Payload(u16),
    /// The buffer of this VC is of another size at the neighbour.
    Buffer {
        /// The first VC that differs.
        vc: u8,
        /// Flits there.
        flits: u16,
    },
    /// The port hears itself: a loopback plug, or a cable between two ports of one session.
    Looped,
}

/// A HELLO: who says it, whom it hears, and what it is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hello<const V: usize> {
    pub(crate) session: u32,
    /// How many sessions of neighbours its sender has agreed on.
    pub(crate) epoch: u16,
    /// The session that its sender hears, or 0, and the epoch of that end.
    pub(crate) echo: u32,
    pub(crate) echoed_epoch: u16,
    /// No flit of a session before is left in its sender's buffers.
    pub(crate) ready: bool,
    /// Its sender is up.
    pub(crate) up: bool,
    pub(crate) flow: u8,
    pub(crate) vcs: u8,
    pub(crate) payload: u16,
    /// Of a neighbour with as many VCs.
    pub(crate) buffers: [u16; V],
}

/// Bytes of a HELLO besides its buffers.
pub(crate) const HELLO_BYTES: usize = 19;

const READY: u8 = 1;
const UP: u8 = 2;

impl<const V: usize> Hello<V> {
    /// Of an end that hears nobody.
    pub(crate) fn new(setup: &Setup<V>, payload: usize) -> Self {
        let (session, flow, buffers) = (setup.session.get(), setup.flow as u8, setup.buffers);
        let (vcs, payload) = (V as u8, payload as u16);
        Self {
            session,
            epoch: 0,
            echo: 0,
            echoed_epoch: 0,
            ready: true,
            up: false,
            flow,
            vcs,
            payload,
            buffers,
        }
    }

    /// Why its sender is refused, if it is.
    pub(crate) fn refusal(&self, own: &Self) -> Option<Refusal> {
        let differs = |(_, (theirs, own)): &(u8, (&u16, &u16))| theirs != own;
        if self.session == own.session {
            Some(Refusal::Looped)
        } else if self.flow != own.flow {
            Some(Refusal::FlowControl(self.flow))
        } else if self.vcs != own.vcs {
            Some(Refusal::Vcs(self.vcs))
        } else if self.payload != own.payload {
            Some(Refusal::Payload(self.payload))
        } else {
            let differing = (0u8..).zip(self.buffers.iter().zip(&own.buffers)).find(differs);
            differing.map(|(vc, (&flits, _))| Refusal::Buffer { vc, flits })
        }
    }

    pub(crate) fn write(&self, put: &mut dyn FnMut(&[u8])) {
        let flags = if self.ready { READY } else { 0 } | if self.up { UP } else { 0 };
        put(&[VERSION]);
        put(&self.session.to_le_bytes());
        put(&self.echo.to_le_bytes());
        put(&self.epoch.to_le_bytes());
        put(&self.echoed_epoch.to_le_bytes());
        put(&[flags, self.flow, self.vcs]);
        put(&self.payload.to_le_bytes());
        self.buffers.iter().for_each(|places| put(&places.to_le_bytes()));
    }

    /// Reads what comes after the version.
    pub(crate) fn read(from: &mut Reader<'_>) -> Option<Self> {
        let (session, echo) = (from.u32()?, from.u32()?);
        let (epoch, echoed_epoch, flags) = (from.u16()?, from.u16()?, from.u8()?);
        let (flow, vcs, payload) = (from.u8()?, from.u8()?, from.u16()?);
        let mut buffers = [0; V];
        if usize::from(vcs) == V {
            for places in &mut buffers {
                *places = from.u16()?;
            }
        }
        let (ready, up) = (flags & READY != 0, flags & UP != 0);
        let hello = Self { session, epoch, echo, echoed_epoch, ready, up, flow, vcs, payload, buffers };
        (session != 0).then_some(hello)
    }
}
