//! The tables: destination to port, service level to lane, weights of lanes, partitions.
//!
//! Source: InfiniBand Architecture Specification, volume 1, 14.2.5.7 to 14.2.5.10.

use super::answer::{Answer, PARTITIONS, Request};
use super::{Agent, Kind};
use crate::bits::{put, take};
use crate::mad::{DATA, Status};

/// The upper and the lower half of a modifier.
fn halves(modifier: u32) -> (u16, u16) {
    (modifier.wrapping_shr(16) as u16, modifier as u16)
}

impl<T: AsRef<[u8]> + AsMut<[u8]>, const P: usize> Agent<T, P> {
    /// 64 LIDs at a time.
    pub(super) fn forwarding_table(&mut self, request: &Request<'_>) -> Answer {
        let block = usize::try_from(request.modifier).map_err(|_| Status::InvalidValue)?;
        let first = block.checked_mul(DATA).ok_or(Status::InvalidValue)?;
        let table = self.forwarding.as_mut();
        let rows = table.get_mut(first..).filter(|rows| !rows.is_empty()).ok_or(Status::InvalidValue)?;
        if let Some(wanted) = request.wanted {
            rows.iter_mut().zip(wanted).for_each(|(row, &port)| *row = port);
        }
        let mut data = [super::NOWHERE; DATA];
        data.iter_mut().zip(rows).for_each(|(place, &mut row)| *place = row);
        Ok((data, None))
    }

    /// Of a switch by input and output port; of an adapter the only one.
    pub(super) fn lane_table(&mut self, request: &Request<'_>) -> Answer {
        let (_, ports) = halves(request.modifier);
        let [input, output] = match self.identity.kind {
            Kind::Switch => ports.to_be_bytes(),
            Kind::Adapter => [1, 1],
        };
        let is_there = input.max(output) <= self.identity.ports;
        let rows = self.lanes.get_mut(usize::from(input));
        let row = rows.and_then(|rows| rows.get_mut(usize::from(output))).filter(|_| is_there);
        let row = row.ok_or(Status::InvalidValue)?;
        if let Some(wanted) = request.wanted {
            *row = take(wanted, 0);
        }
        let mut data = [0; DATA];
        put(&mut data, 0, *row);
        Ok((data, None))
    }

    /// Block 1 is that of low priority, block 3 that of high: eight entries each, so that 2 and 4 are empty.
    pub(super) fn weight_table(&mut self, request: &Request<'_>) -> Answer {
        let (block, port) = halves(request.modifier);
        let port = if self.identity.kind == Kind::Adapter { 1 } else { port };
        let table = match block {
            1 => 0,
            3 => 1,
            _ => return Err(Status::InvalidValue),
        };
        let is_there = port <= self.identity.ports.into();
        let tables = self.weights.get_mut(usize::from(port)).filter(|_| is_there);
        let row = tables.and_then(|tables| tables.get_mut(table)).ok_or(Status::InvalidValue)?;
        if let Some(wanted) = request.wanted {
            *row = take(wanted, 0);
        }
        let mut data = [0; DATA];
        put(&mut data, 0, *row);
        Ok((data, None))
    }

    /// One block of eight keys.
    pub(super) fn partition_table(&mut self, request: &Request<'_>) -> Answer {
        let (port, block) = halves(request.modifier);
        let port = if self.identity.kind == Kind::Adapter { 1 } else { port };
        let is_there = port <= self.identity.ports.into() && block == 0;
        let row = self.partitions.get_mut(usize::from(port)).filter(|_| is_there);
        let row = row.ok_or(Status::InvalidValue)?;
        if let Some(wanted) = request.wanted {
            *row = take(wanted, 0);
        }
        const { assert!(PARTITIONS == 8, "a key has two bytes") }
        let mut data = [0; DATA];
        put(&mut data, 0, *row);
        Ok((data, None))
    }
}
