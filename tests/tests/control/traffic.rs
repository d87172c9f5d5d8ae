//! Traffic at the links of a switch, and a ledger of every flit.

use desvio_lockstep::control::Neighbours;
use desvio_lockstep::driver::Driver;
use desvio_lockstep::frame::{Frame, WireFlit};
use desvio_lockstep::rtl::Shape;
use desvio_lockstep::stimulus::{PacketIn, Stimulus};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::header::Address;
use std::collections::{BTreeMap, BTreeSet};

/// Where a packet may come in, and where it is for.
pub(crate) struct Way {
    pub(crate) port: usize,
    pub(crate) to: Vec<Address>,
}

/// Neighbours that send packets as long as they are asked to, and write down what becomes of them.
pub(crate) struct Traffic {
    driver: Driver<'static>,
    shape: Shape,
    packets: &'static [PacketIn],
    /// Whether anything moves at the links: not before the router works.
    pub(crate) flows: bool,
    /// By packet: how many of its flits went in, and how many came out.
    sent: BTreeMap<u32, u16>,
    received: BTreeMap<u32, u16>,
    /// By output port and VC: the packet that is leaving.
    leaving: BTreeMap<(usize, u8), u32>,
    /// The ports by which heads left, by the router they are for.
    pub(crate) taken: BTreeMap<u32, BTreeSet<usize>>,
    /// What was wrong first.
    pub(crate) fault: Option<String>,
}

/// How much of the traffic has gone where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Account {
    pub(crate) sent: u64,
    pub(crate) received: u64,
}

impl Traffic {
    /// So many packets on these ways, one every `gap` cycles.
    pub(crate) fn new(shape: &Shape, ways: &[Way], count: u32, gap: u32, length: u16, seed: u64) -> Self {
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut below = |n: usize| (chance.next_u64() % n as u64) as usize;
        let packets = (0..count).map(|number| {
            let way = &ways[below(ways.len())];
            let to = way.to[below(way.to.len())];
            PacketIn {
                at: number * gap,
                port: way.port,
                vc: 0,
                to_router: to.router,
                to_port: to.port,
                length,
                progress: 0,
                via: None,
            }
        });
        let packets: Vec<PacketIn> = packets.collect();
        let stimulus =
            Stimulus { cycles: u32::MAX, pace: 1, credit_delay: 8, packets, ..Stimulus::default() };
        let stimulus: &'static Stimulus = Box::leak(Box::new(stimulus));
        Self {
            driver: Driver::new(stimulus, shape),
            packets: &stimulus.packets,
            shape: shape.clone(),
            flows: false,
            sent: BTreeMap::new(),
            received: BTreeMap::new(),
            leaving: BTreeMap::new(),
            taken: BTreeMap::new(),
            fault: None,
        }
    }

    /// Flits that went in and came out.
    pub(crate) fn account(&self) -> Account {
        let sum = |flits: &BTreeMap<u32, u16>| flits.values().map(|&flits| u64::from(flits)).sum();
        Account { sent: sum(&self.sent), received: sum(&self.received) }
    }

    /// Whether every packet that came in has left, whole.
    pub(crate) fn is_settled(&self) -> bool {
        let whole = |(number, &flits): (&u32, &u16)| flits == self.packets[*number as usize].length;
        self.sent == self.received && self.sent.iter().all(whole)
    }

    /// Whether nothing more will come.
    pub(crate) fn is_over(&self) -> bool {
        self.sent.len() == self.packets.len() && self.is_settled()
    }

    fn goes_in(&mut self, flit: &WireFlit, at: usize) {
        // A body flit does not say whose it is; the driver sends one packet after the other on each VC.
        let number = if flit.head {
            flit.tag()
        } else {
            let open = |number: &&u32| {
                let packet = &self.packets[**number as usize];
                packet.port == at && packet.vc == flit.vc && self.sent[*number] < packet.length
            };
            match self.sent.keys().rev().find(open) {
                Some(&number) => number,
                None => return,
            }
        };
        *self.sent.entry(number).or_default() += 1;
    }

    fn comes_out(&mut self, flit: &WireFlit, at: usize) -> Result<(), String> {
        let channel = (at, flit.vc);
        if flit.head {
            let number = flit.tag();
            if let Some(other) = self.leaving.insert(channel, number) {
                return Err(format!("packet {number} begins at {channel:?} within packet {other}"));
            }
            if self.received.insert(number, 0).is_some() {
                return Err(format!("packet {number} leaves twice"));
            }
            let packet =
                self.packets.get(number as usize).ok_or(format!("packet {number} was never sent"))?;
            self.taken.entry(packet.to_router).or_default().insert(at);
        }
        let number = *self.leaving.get(&channel).ok_or(format!("a flit of no packet at {channel:?}"))?;
        let index = self.received.entry(number).or_default();
        let packet = &self.packets[number as usize];
        let is_last = *index + 1 == packet.length;
        if !flit.head && flit.data != WireFlit::body(flit.vc, number, *index, is_last).data {
            return Err(format!("flit {index} of packet {number} is another"));
        }
        *index += 1;
        if flit.tail != is_last {
            return Err(format!("packet {number} of {} flits ends after {index}", packet.length));
        }
        if flit.tail {
            self.leaving.remove(&channel);
        }
        Ok(())
    }
}

impl Neighbours for Traffic {
    fn step(&mut self, outputs: &Frame, inputs: &mut Frame) {
        if !self.flows {
            return;
        }
        self.driver.drive(inputs);
        self.driver.sense(outputs);
        for port in 0..self.shape.ports {
            if let Some(flit) = inputs.ports[port].flit {
                self.goes_in(&flit, port);
            }
            if let Some(flit) = outputs.ports[port].flit
                && let Err(fault) = self.comes_out(&flit, port)
            {
                self.fault.get_or_insert(fault);
            }
        }
    }
}
