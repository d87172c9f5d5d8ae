//! A port of `desvio-link` as a link of the switch.

use crate::link::{Link, Report};
use desvio_link::{Arrival, DataFlit, Port, Tick, Why, Wire};
use embedded_io::{Read, ReadReady, Write, WriteReady};
use router_core::pins::{FlitSignal, PortInputs};
use router_core::units::VcId;

/// A link over a byte stream `T`, for flits of `N` bytes; `C` says what time it is. The other parameters are
/// those of [`Port`].
///
/// The router's credits are the port's, so that the port never refuses a flit but one whose packet is lost.
/// Lost flits are the owner's to fetch, with
/// [`port_mut`](Self::port_mut) and `poll_lost`, between two steps of the switch.
#[derive(Debug)]
pub struct SerialLink<T, C, const V: usize, const N: usize, const W: usize, const M: usize> {
    wire: Wire<T, V, N, W, M>,
    clock: C,
    /// The bytes of the flit that came last, and whether it stands for one that never came.
    payload: [u8; N],
    /// Credits of flits that the port did not take.
    returned: [u16; V],
    severed: u32,
    fillers: u32,
    refused: u32,
    failures: u32,
}

impl<T, C, const V: usize, const N: usize, const W: usize, const M: usize> SerialLink<T, C, V, N, W, M>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick,
{
    /// A link over a line.
    pub const fn new(port: Port<V, N, W, M>, line: T, clock: C) -> Self {
        Self {
            wire: Wire::new(port, line),
            clock,
            payload: [0; N],
            returned: [0; V],
            severed: 0,
            fillers: 0,
            refused: 0,
            failures: 0,
        }
    }

    /// The port: its state, its counters.
    pub const fn port(&self) -> &Port<V, N, W, M> {
        self.wire.port()
    }

    /// The port, for what only its owner fetches: lost flits.
    pub const fn port_mut(&mut self) -> &mut Port<V, N, W, M> {
        self.wire.port_mut()
    }

    /// Flits that were not sent since the head of their packet went to a neighbour that has restarted.
    pub const fn severed(&self) -> u32 {
        self.severed
    }

    /// Flits that were made up to end packets which the neighbour left unfinished.
    pub const fn fillers(&self) -> u32 {
        self.fillers
    }

    /// Flits that the port refused otherwise: 0 as long as the router's buffers are as large as the port's.
    pub const fn refused(&self) -> u32 {
        self.refused
    }

    /// How often the line failed.
    pub const fn failures(&self) -> u32 {
        self.failures
    }

    fn credit(&mut self) -> Option<VcId> {
        for (vc, returned) in (0u8..).zip(&mut self.returned) {
            if *returned > 0 {
                *returned = returned.saturating_sub(1);
                return Some(VcId::new(vc));
            }
        }
        self.wire.port_mut().poll_credit()
    }
}

impl<T, C, const V: usize, const N: usize, const W: usize, const M: usize> Link
    for SerialLink<T, C, V, N, W, M>
where
    T: Read + ReadReady + Write + WriteReady,
    C: Fn() -> Tick,
{
    fn receive(&mut self) -> PortInputs {
        if self.wire.step((self.clock)()).is_err() {
            self.failures = self.failures.saturating_add(1);
        }
        let arrival = self.wire.port_mut().poll_arrival();
        if let Some(Arrival::Filler(_)) = &arrival {
            self.fillers = self.fillers.saturating_add(1);
        }
        let flit = arrival.map(|arrival| {
            let DataFlit { vc, flit, payload } = *arrival.flit();
            self.payload = payload;
            FlitSignal { vc, flit }
        });
        PortInputs { flit, credit: self.credit() }
    }

    fn read_payload(&mut self, to: &mut [u8]) {
        to.iter_mut().zip(&self.payload).for_each(|(place, byte)| *place = *byte);
    }

    fn send(&mut self, driven: PortInputs) {
        self.send_with(driven, &[]);
    }

    fn send_with(&mut self, driven: PortInputs, payload: &[u8]) {
        if let Some(vc) = driven.credit {
            self.wire.port_mut().free(vc);
        }
        let Some(FlitSignal { vc, flit }) = driven.flit else { return };
        let payload = payload.try_into().unwrap_or([0; N]);
        if let Err(refusal) = self.wire.port_mut().send(DataFlit { vc, flit, payload }) {
            let counter = if refusal.why == Why::Severed { &mut self.severed } else { &mut self.refused };
            *counter = counter.saturating_add(1);
            // The neighbour never gets it: its place is free.
            if let Some(returned) = self.returned.get_mut(vc.index()) {
                *returned = returned.saturating_add(1);
            }
        }
    }

    fn report(&self) -> Report {
        let counters = self.port().counters();
        Report {
            state: Some(self.port().state()),
            errors: counters.crc_errors.saturating_add(counters.resent),
        }
    }
}
