//! The multicast forwarding table: group to output ports.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.12. A block has 32 entries of 16 bits, one for each LID. An entry is the mask of
//! the 16 ports of a position: bit `n` at position `p` is port `16 · p + n`. Bits 0 to 8 of the modifier are the block, bits 28 to 31 the position.

use super::answer::{Answer, Request};
use super::{Agent, Via};
use crate::bits::{half, put};
use crate::mad::{DATA, Status};

/// Multicast LIDs that a switch has rows for (MulticastFDBCap): `0xc000` and the following ones.
pub const GROUPS: u16 = u128::BITS as u16;
/// The first multicast LID.
pub const FIRST_GROUP: u16 = 0xc000;
/// Entries of a block.
pub const GROUPS_OF_BLOCK: u16 = 32;
/// Ports of a position.
pub const PORTS_OF_POSITION: u8 = 16;

/// Bits of a modifier that are a block.
const BLOCK: u32 = 0x1ff;

impl<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize> Agent<T, P> {
    /// Whether a packet for a multicast LID leaves a switch by a port: not by the one by which it came.
    pub fn replicates(&self, lid: u16, via: Via, port: u8) -> bool {
        let Some(group) = lid.checked_sub(FIRST_GROUP).filter(|&group| group < GROUPS) else { return false };
        let row = self.multicast.get(usize::from(port)).copied().unwrap_or(0);
        port <= self.identity.ports && via != Via::Port(port) && row & bit(group.into()) != 0
    }

    /// 32 LIDs and 16 ports at a time. Ports that are not there have no bit.
    pub(super) fn multicast_table(&mut self, request: &Request<'_>) -> Answer {
        let first = (request.modifier & BLOCK).wrapping_mul(GROUPS_OF_BLOCK.into());
        let position = request.modifier.wrapping_shr(28) as u8;
        let port = position.wrapping_mul(PORTS_OF_POSITION);
        if first >= GROUPS.into()
            || port > self.identity.ports
            || request.modifier & !(BLOCK | 0xf << 28) != 0
        {
            return Err(Status::InvalidValue);
        }
        let mut data = [0; DATA];
        let ports = self.identity.ports;
        let rows = self.multicast.iter_mut().zip(0..=ports).skip(port.into());
        let rows = rows.zip(0..PORTS_OF_POSITION);
        for ((row, _), port) in rows {
            for entry in 0..GROUPS_OF_BLOCK {
                let (at, group) = (usize::from(entry).wrapping_mul(2), first.wrapping_add(entry.into()));
                if let Some(wanted) = request.wanted {
                    let is_set = half(wanted, at).wrapping_shr(port.into()) & 1 != 0;
                    *row = if is_set { *row | bit(group) } else { *row & !bit(group) };
                }
                let own = u16::from(*row & bit(group) != 0).wrapping_shl(port.into());
                let mask = half(&data, at) | own;
                put(&mut data, at, mask.to_be_bytes());
            }
        }
        Ok((data, None))
    }
}

const fn bit(group: u32) -> u128 {
    1u128.wrapping_shl(group)
}
