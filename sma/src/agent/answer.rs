//! Requests and their answers.

use super::multicast::GROUPS;
use super::{Agent, Kind, Via};
use crate::bits::{Bits, half, put};
use crate::mad::attribute as of;
use crate::mad::{DATA, GET, Packet, SET, Status};
use crate::port::LinkOrder;

/// An attribute as it is after the request, and what becomes of a link; or why there is none.
pub(super) type Answer = Result<([u8; DATA], Option<(u8, LinkOrder)>), Status>;

/// A request to the agent.
pub(super) struct Request<'d> {
    pub(super) modifier: u32,
    /// What a Set brings; a Get brings nothing.
    pub(super) wanted: Option<&'d [u8; DATA]>,
    /// The port by which it came.
    pub(super) arrived: u8,
}

impl<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize> Agent<T, P> {
    /// Makes a request its own answer, and says what it wants of a link. Nothing for what gets no answer.
    pub(super) fn answer(&mut self, packet: &mut Packet, via: Via) -> Option<Option<(u8, LinkOrder)>> {
        let method = packet.method();
        if !packet.has_known_version() {
            packet.answer(Status::BadVersion);
            return Some(None);
        }
        if !matches!(method, GET | SET) {
            packet.answer(Status::MethodUnsupported);
            return Some(None);
        }
        let is_trusted = self.is_trusted(packet.key(), method)?;
        let data = packet.data();
        let arrived = match via {
            Via::Port(port) => port,
            Via::Itself => u8::from(self.identity.kind == Kind::Adapter),
        };
        let wanted = (method == SET).then_some(&data);
        let request = Request { modifier: packet.modifier(), wanted, arrived };
        let (status, link) = match self.attribute(packet.attribute(), &request) {
            Ok((mut data, link)) => {
                if !is_trusted && packet.attribute() == of::PORT_INFO {
                    put(&mut data, 0, [0; 8]);
                }
                packet.set_data(data);
                (Status::Good, link)
            }
            Err(status) => (status, None),
        };
        packet.answer(status);
        Some(link)
    }

    /// Whether the key of a request is that of the node. Nothing where it gets no answer for it.
    fn is_trusted(&mut self, key: u64, method: u8) -> Option<bool> {
        let (own, protection) = self.end().map_or((0, 0), |end| end.key());
        if own == 0 || own == key {
            return Some(true);
        }
        if method == GET && protection < 2 {
            // The lowest protection shows even the key.
            return Some(protection == 0);
        }
        if let Some(end) = self.ports.get_mut(usize::from(self.identity.kind == Kind::Adapter)) {
            end.count_violation();
        }
        None
    }

    fn attribute(&mut self, attribute: u16, request: &Request<'_>) -> Answer {
        let is_switch = self.identity.kind == Kind::Switch;
        match attribute {
            of::NODE_DESCRIPTION if request.wanted.is_none() => Ok((self.identity.description, None)),
            of::NODE_INFO if request.wanted.is_none() => Ok((self.node_info(request.arrived), None)),
            of::GUID_INFO if request.wanted.is_none() => self.guid_info(request.modifier),
            of::SWITCH_INFO if is_switch => Ok((self.switch_info(request.wanted), None)),
            of::PORT_INFO => self.port_info(request),
            of::P_KEY_TABLE => self.partition_table(request),
            of::SL_TO_VL_TABLE => self.lane_table(request),
            of::VL_ARBITRATION_TABLE => self.weight_table(request),
            of::LINEAR_FORWARDING_TABLE if is_switch => self.forwarding_table(request),
            of::MULTICAST_FORWARDING_TABLE if is_switch => self.multicast_table(request),
            _ => Err(Status::AttributeUnsupported),
        }
    }

    fn node_info(&self, arrived: u8) -> [u8; DATA] {
        let mut info = [0; DATA];
        let identity = &self.identity;
        let kind = if identity.kind == Kind::Switch { 2 } else { 1 };
        put(&mut info, 0, [1, 1, kind, identity.ports]);
        for (at, guid) in [(4, identity.guid), (12, identity.guid), (20, identity.port_guid)] {
            put(&mut info, at, guid.to_be_bytes());
        }
        put(&mut info, 28, PARTITIONS.to_be_bytes());
        put(&mut info, 30, DEVICE.to_be_bytes());
        put(&mut info, 36, [arrived]);
        put(&mut info, 37, VENDOR);
        info
    }

    /// An adapter has one identifier in each table of eight, a switch too.
    fn guid_info(&self, block: u32) -> Answer {
        let mut info = [0; DATA];
        if block > 0 {
            return Err(Status::InvalidValue);
        }
        put(&mut info, 0, self.identity.port_guid.to_be_bytes());
        Ok((info, None))
    }

    fn switch_info(&mut self, wanted: Option<&[u8; DATA]>) -> [u8; DATA] {
        if let Some(wanted) = wanted {
            self.top = half(wanted, TOP);
            self.life = LIFE.get(wanted);
            // Writing a 1 clears it.
            self.changed &= CHANGED.get(wanted) == 0;
        }
        let mut info = [0; DATA];
        let entries = u16::try_from(self.forwarding.as_ref().len()).unwrap_or(MOST_LIDS).min(MOST_LIDS);
        put(&mut info, 0, entries.to_be_bytes());
        put(&mut info, GROUP_ROOM, GROUPS.to_be_bytes());
        put(&mut info, TOP, self.top.to_be_bytes());
        LIFE.set(&mut info, self.life);
        CHANGED.set(&mut info, self.changed.into());
        put(&mut info, 14, PARTITIONS.to_be_bytes());
        info
    }

    fn port_info(&mut self, request: &Request<'_>) -> Answer {
        // Bit 31 says that a manager knows extended speeds, of which there are none.
        let number = u8::try_from(request.modifier & 0x7fff_ffff).map_err(|_| Status::InvalidValue)?;
        let is_adapter = self.identity.kind == Kind::Adapter;
        let number = if is_adapter && number == 0 { 1 } else { number };
        let port = self.port_mut(number).ok_or(Status::InvalidValue)?;
        let order = match request.wanted {
            Some(wanted) => port.set(wanted)?,
            None => None,
        };
        Ok((port.info(request.arrived), order.map(|order| (number, order))))
    }
}

/// Of SwitchInfo: LinearFDBCap is at 0, MulticastFDBCap here. MulticastFDBTop at 18 is 0: a port has no such capability.
const GROUP_ROOM: usize = 4;
const TOP: usize = 6;
const LIFE: Bits = Bits::new(11, 3, 5);
const CHANGED: Bits = Bits::new(11, 2, 1);
/// Unicast LIDs are below this.
const MOST_LIDS: u16 = 0xc000;

/// Partitions that a port has room for.
pub(super) const PARTITIONS: u16 = 8;
const DEVICE: u16 = 0xd541;
/// An identifier that is administered locally.
const VENDOR: [u8; 3] = [0x02, 0x44, 0x53];
