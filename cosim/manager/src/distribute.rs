//! What is set at the nodes: LIDs, tables, lanes, states of ports. Only what is different is set.

use crate::attribute::PortInfo;
use crate::error::ManagerError;
use crate::groups::Masks;
use crate::limits::Limits;
use crate::requests::{Data, Requests};
use crate::routes::{NOWHERE, Routes};
use crate::subnet::{End, Node, Subnet};
use crate::transport::Transport;
use desvio_sma::mad::{DATA, attribute};
use desvio_sma::port::PortState;
use desvio_sma::{GROUPS_OF_BLOCK, PORTS_OF_POSITION};

/// What was set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Distributed {
    /// Blocks of 64 LIDs in the forwarding tables in use.
    pub blocks: u64,
    /// Those of them that were different, and were set.
    pub blocks_set: u64,
    /// Ports of which LIDs or the state were set.
    pub ports_set: u64,
    /// Entries of SL-to-VL tables that were set: of a pair of ports each.
    pub lanes_set: u64,
    /// Blocks of multicast forwarding tables that were set: of 32 groups and 16 ports each.
    pub masks_set: u64,
    /// Ports and switches whose lifetime limits have been set.
    pub limits_set: u64,
    /// Something changed meanwhile: it has to be looked at again.
    pub is_torn: bool,
}

/// Writes LIDs and routes.
pub(crate) fn distribute<T: Transport>(
    requests: &mut Requests<T>,
    subnet: &Subnet,
    (lids, lmc): (&[u16], u8),
    routes: &Routes,
    (groups, rows): (&Masks, usize),
    limits: Option<Limits>,
) -> Result<Distributed, ManagerError> {
    let manager = lids[subnet.own];
    let mut work = Work { requests, subnet, limits, done: Distributed::default() };
    for (node, table) in subnet.nodes.iter().zip(&routes.tables) {
        work.table(node, table, routes.top())?;
    }
    for (place, node) in subnet.nodes.iter().enumerate() {
        work.masks(node, place, (groups, rows))?;
    }
    if routes.facts.lanes > 1 {
        subnet.nodes.iter().try_for_each(|node| work.lanes(node))?;
    }
    for (node, &lid) in subnet.nodes.iter().zip(lids) {
        let lmc = if node.info.is_switch { 0 } else { lmc };
        work.lids(node, lid, lmc, manager)?;
    }
    subnet.nodes.iter().try_for_each(|node| work.limits(node))?;
    // A link carries data when both its ends are armed: first all are.
    for state in [PortState::Armed, PortState::Active] {
        for node in &subnet.nodes {
            work.ports(node, state)?;
        }
    }
    Ok(work.done)
}

struct Work<'r, T> {
    requests: &'r mut Requests<T>,
    subnet: &'r Subnet,
    limits: Option<Limits>,
    done: Distributed,
}

impl<T: Transport> Work<'_, T> {
    /// An answer; where there is none, the node has to be looked for again.
    fn expect(&mut self, answer: Option<Data>) -> Option<Data> {
        self.done.is_torn |= answer.is_none();
        answer
    }

    fn table(&mut self, node: &Node, table: &[u8], top: u16) -> Result<(), ManagerError> {
        let Some(info) = &node.switch else { return Ok(()) };
        if info.room() <= top {
            let switch = node.description.clone();
            return Err(ManagerError::NoRoom { switch, room: info.room(), top });
        }
        for (number, rows) in (0u32..).zip(table.chunks(DATA)) {
            let mut wanted = [NOWHERE; DATA];
            wanted[..rows.len()].copy_from_slice(rows);
            self.done.blocks += 1;
            let has = self.requests.get(&node.route, attribute::LINEAR_FORWARDING_TABLE, number)?;
            if self.expect(has).is_none_or(|has| has == wanted) {
                continue;
            }
            let now = self.requests.set(&node.route, attribute::LINEAR_FORWARDING_TABLE, number, wanted)?;
            self.done.blocks_set += 1;
            self.expect(now);
        }
        let has = info.lifetime_value();
        let value = self.limits.map_or(has, |limits| limits.in_switches);
        if (info.top(), has) != (top, value) {
            let wanted = info.with(top, false).with_lifetime_value(value).0;
            let now = self.requests.set(&node.route, attribute::SWITCH_INFO, 0, wanted)?;
            self.done.limits_set += u64::from(has != value);
            self.expect(now);
        }
        Ok(())
    }

    /// The ports of a switch for each of so many groups; none for those beyond the ones that there are.
    fn masks(
        &mut self,
        node: &Node,
        place: usize,
        (groups, rows): (&Masks, usize),
    ) -> Result<(), ManagerError> {
        let Some(info) = node.switch.as_ref().filter(|_| rows > 0) else { return Ok(()) };
        if usize::from(info.group_room()) < groups.len() {
            let (switch, room) = (node.description.clone(), info.group_room());
            return Err(ManagerError::NoRoomForGroups { switch, room, groups: groups.len() });
        }
        let per_block = usize::from(GROUPS_OF_BLOCK);
        let blocks = rows.min(info.group_room().into()).div_ceil(per_block);
        for block in 0..blocks {
            for position in 0..=node.info.ports / PORTS_OF_POSITION {
                let mut wanted = [0; DATA];
                for (entry, group) in groups.iter().skip(block * per_block).take(per_block).enumerate() {
                    let ports = group[place].iter().filter(|port| *port / PORTS_OF_POSITION == position);
                    let mask = ports.fold(0u16, |mask, port| mask | 1 << (port % PORTS_OF_POSITION));
                    wanted[2 * entry..2 * entry + 2].copy_from_slice(&mask.to_be_bytes());
                }
                let which = u32::from(position) << 28 | block as u32;
                let has = self.requests.get(&node.route, attribute::MULTICAST_FORWARDING_TABLE, which)?;
                if self.expect(has).is_none_or(|has| has == wanted) {
                    continue;
                }
                let now =
                    self.requests.set(&node.route, attribute::MULTICAST_FORWARDING_TABLE, which, wanted)?;
                self.done.masks_set += 1;
                self.expect(now);
            }
        }
        Ok(())
    }

    /// A port of a switch with the limits that it gets.
    fn limited(&self, node: &Node, end: End, info: &PortInfo) -> PortInfo {
        let limit = self.limits.filter(|_| node.info.is_switch).map(|limits| {
            let to_switch = self.subnet.nodes[end.node].info.is_switch;
            limits.of_port(to_switch)
        });
        limit.map_or_else(|| info.clone(), |limit| info.clone().with_head_limit(limit))
    }

    /// For how long packets wait for the ports of a switch.
    fn limits(&mut self, node: &Node) -> Result<(), ManagerError> {
        for (number, end) in node.links() {
            let Some(port) = node.ports.get(&number) else { continue };
            let wanted = self.limited(node, end, &port.info);
            if wanted.head_limit() == port.info.head_limit() {
                continue;
            }
            let wanted = wanted.towards(None).0;
            let now = self.requests.set(&node.route, attribute::PORT_INFO, number.into(), wanted)?;
            self.done.limits_set += 1;
            self.expect(now);
        }
        Ok(())
    }

    /// Service level n on lane n modulo 8, from every port to every other one.
    fn lanes(&mut self, node: &Node) -> Result<(), ManagerError> {
        let ports: Vec<u8> = node.links().map(|(port, _)| port).collect();
        let inputs = if node.info.is_switch { ports.clone() } else { vec![0] };
        for output in ports {
            for &input in &inputs {
                let which = if node.info.is_switch { u32::from(input) << 8 | u32::from(output) } else { 0 };
                let has = self.requests.get(&node.route, attribute::SL_TO_VL_TABLE, which)?;
                let Some(mut wanted) = self.expect(has) else { continue };
                if wanted[..8] == LANES {
                    continue;
                }
                wanted[..8].copy_from_slice(&LANES);
                let now = self.requests.set(&node.route, attribute::SL_TO_VL_TABLE, which, wanted)?;
                self.done.lanes_set += 1;
                self.expect(now);
            }
        }
        Ok(())
    }

    fn lids(&mut self, node: &Node, lid: u16, lmc: u8, manager: u16) -> Result<(), ManagerError> {
        let Some(info) = node.end_info() else { return Ok(()) };
        if (info.lids(), info.lmc()) == ((lid, manager), lmc) {
            return Ok(());
        }
        let wanted = info.towards(None).with(lid, lmc, manager).0;
        let now = self.requests.set(&node.route, attribute::PORT_INFO, node.end().into(), wanted)?;
        self.done.ports_set += 1;
        self.expect(now);
        Ok(())
    }

    /// Brings the ports with a link on to a state.
    fn ports(&mut self, node: &Node, state: PortState) -> Result<(), ManagerError> {
        for (number, end) in node.links() {
            let Some(port) = node.ports.get(&number) else { continue };
            // As it was when it was discovered: one step behind, or two.
            if port.info.state() >= state as u8 {
                continue;
            }
            let mut wanted = self.limited(node, end, &port.info);
            if !node.info.is_switch {
                // Its LIDs were set since.
                let data = self.requests.get(&node.route, attribute::PORT_INFO, number.into())?;
                let Some(data) = self.expect(data) else { continue };
                wanted.0 = data;
            }
            let wanted = wanted.towards(Some(state)).0;
            match self.requests.set(&node.route, attribute::PORT_INFO, number.into(), wanted) {
                Ok(now) => {
                    self.done.ports_set += u64::from(state == PortState::Armed);
                    self.expect(now);
                }
                // The link has gone down meanwhile, or come up anew.
                Err(ManagerError::Refused { .. }) => self.done.is_torn = true,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Service levels 0 to 15, four bits each.
const LANES: [u8; 8] = [0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67];
