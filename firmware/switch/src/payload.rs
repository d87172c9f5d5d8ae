//! The bytes of flits, while the router moves their descriptors.
//!
//! Each flit's bytes are written into a place once, when it arrives, and read from there when it leaves. A head
//! carries the number of its place for a tag, and keeps the place until its packet's tail has left: the places of
//! the other flits are a list that begins there. Packets of one input VC may overtake each other on their last
//! cycles, in output FIFOs; flits of a packet may not.

use router_core::header::Flit;
use router_core::pins::FlitSignal;
use router_core::units::PortId;

/// What keeps the bytes of flits.
pub trait Payloads {
    /// A flit arrives at this port. `read` writes its bytes.
    fn arrive(&mut self, port: PortId, signal: &mut FlitSignal, read: impl FnOnce(&mut [u8]));

    /// A flit leaves by this port: its bytes, until the next call.
    fn leave(&mut self, port: PortId, signal: &mut FlitSignal) -> &[u8];

    /// Flits that the places are enough for.
    fn places(&self) -> usize;
}

/// Descriptors alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoPayload;

impl Payloads for NoPayload {
    #[inline(always)]
    fn arrive(&mut self, _: PortId, _: &mut FlitSignal, _: impl FnOnce(&mut [u8])) {}

    #[inline(always)]
    fn leave(&mut self, _: PortId, _: &mut FlitSignal) -> &[u8] {
        &[]
    }

    #[inline(always)]
    fn places(&self) -> usize {
        usize::MAX
    }
}

/// A place for the bytes of one flit.
#[derive(Clone, Copy, Debug)]
pub struct Place<const N: usize> {
    bytes: [u8; N],
    /// The tag that a head came with.
    tag: u32,
    /// The place of the next flit of a packet, or the next free place.
    next: u16,
    /// At a head: the place of the last flit that has come.
    last: u16,
}

impl<const N: usize> Place<N> {
    /// An empty place.
    pub const EMPTY: Self = Self { bytes: [0; N], tag: 0, next: NONE, last: NONE };
}

/// No place.
const NONE: u16 = u16::MAX;

/// `N` bytes for each flit of a switch with `P` ports and `V` VCs.
#[derive(Debug)]
pub struct Payload<'b, const N: usize, const P: usize, const V: usize> {
    places: &'b mut [Place<N>],
    free: u16,
    /// The head of the packet that arrives in each input VC, and of the one that leaves by each output VC.
    arriving: [[u16; V]; P],
    leaving: [[u16; V]; P],
    /// Flits that found no place: their bytes are missing where they leave.
    overruns: u32,
}

impl<'b, const N: usize, const P: usize, const V: usize> Payload<'b, N, P, V> {
    /// A store in these places, at most 65,535: one for each flit of all input buffers and output FIFOs, and one for
    /// each VC of each port.
    pub fn new(places: &'b mut [Place<N>]) -> Self {
        let length = u16::try_from(places.len()).unwrap_or(NONE);
        for (place, next) in places.iter_mut().take(length.into()).zip(1..) {
            *place = Place { next: if next < length { next } else { NONE }, ..Place::EMPTY };
        }
        let free = if length == 0 { NONE } else { 0 };
        Self { places, free, arriving: [[NONE; V]; P], leaving: [[NONE; V]; P], overruns: 0 }
    }

    /// Flits that found no place.
    pub const fn overruns(&self) -> u32 {
        self.overruns
    }

    fn place(&mut self, number: u16) -> Option<&mut Place<N>> {
        self.places.get_mut(usize::from(number))
    }

    fn take_free(&mut self) -> Option<u16> {
        let number = self.free;
        let place = self.place(number)?;
        let next = core::mem::replace(&mut place.next, NONE);
        place.last = NONE;
        self.free = next;
        Some(number)
    }

    /// Free from now on, and not written before the next flit arrives.
    fn release(&mut self, number: u16) {
        let free = self.free;
        if let Some(place) = self.place(number) {
            place.next = free;
            self.free = number;
        }
    }

    /// Adds a flit to the packet of a head.
    fn append(&mut self, head: u16, number: u16) {
        let Some(place) = self.place(head) else { return };
        let last = core::mem::replace(&mut place.last, number);
        // The first one after the head is named by the head itself.
        let before = if last == NONE { head } else { last };
        if let Some(before) = self.place(before) {
            before.next = number;
        }
    }

    /// Takes the first flit after the head out of its packet.
    fn take_first(&mut self, head: u16) -> Option<u16> {
        let number = self.place(head)?.next;
        let next = self.place(number)?.next;
        let place = self.place(head)?;
        place.next = next;
        if next == NONE {
            place.last = NONE;
        }
        Some(number)
    }
}

impl<const N: usize, const P: usize, const V: usize> Payloads for Payload<'_, N, P, V> {
    fn arrive(&mut self, port: PortId, signal: &mut FlitSignal, read: impl FnOnce(&mut [u8])) {
        let (port, vc) = (port.index(), signal.vc.index());
        // The router refuses a VC that does not exist, and a body flit of no packet.
        let Some(&head) = self.arriving.get(port).and_then(|row| row.get(vc)) else { return };
        let is_head = matches!(signal.flit, Flit::Head(_));
        if !is_head && head == NONE {
            return;
        }
        let number = self.take_free().unwrap_or(NONE);
        if number == NONE {
            self.overruns = self.overruns.saturating_add(1);
        }
        let tail = signal.flit.is_tail();
        if let Flit::Head(packet) = &mut signal.flit {
            let tag = core::mem::replace(&mut packet.tag, number.into());
            if let Some(place) = self.place(number) {
                place.tag = tag;
            }
        } else if number != NONE {
            self.append(head, number);
        }
        if let Some(place) = self.place(number) {
            read(&mut place.bytes);
        }
        let arriving = if tail {
            NONE
        } else if is_head {
            number
        } else {
            head
        };
        if let Some(place) = self.arriving.get_mut(port).and_then(|row| row.get_mut(vc)) {
            *place = arriving;
        }
    }

    fn leave(&mut self, port: PortId, signal: &mut FlitSignal) -> &[u8] {
        let tail = signal.flit.is_tail();
        let leaving = self.leaving.get_mut(port.index()).and_then(|row| row.get_mut(signal.vc.index()));
        let Some(leaving) = leaving else { return &[] };
        if let Flit::Head(packet) = &signal.flit {
            *leaving = packet.tag as u16;
        }
        let head = *leaving;
        if tail {
            *leaving = NONE;
        }
        let number = if let Flit::Head(packet) = &mut signal.flit {
            packet.tag = self.place(head).map_or(0, |place| place.tag);
            head
        } else {
            let number = self.take_first(head).unwrap_or(NONE);
            self.release(number);
            number
        };
        if tail {
            self.release(head);
        }
        self.places.get(usize::from(number)).map_or(&[], |place| &place.bytes)
    }

    fn places(&self) -> usize {
        self.places.len()
    }
}
