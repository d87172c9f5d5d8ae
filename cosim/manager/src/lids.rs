//! LIDs: those that nodes have are kept, others get the lowest that are free.

use crate::error::ManagerError;
use crate::subnet::{Node, Subnet};
use std::collections::BTreeMap;

/// Unicast LIDs are below this.
const END: usize = 0xc000;

/// By id of a node: its first LID. Of nodes that are not there now, too: they get it back.
pub(crate) type Remembered = BTreeMap<u64, u16>;

/// The first LID of each node. A switch has one, an end 2 to the power of `lmc`.
pub(crate) fn assign(
    subnet: &Subnet,
    lmc: u8,
    remembered: &mut Remembered,
) -> Result<Vec<u16>, ManagerError> {
    let count = |node: &Node| if node.info.is_switch { 1 } else { 1usize << lmc };
    let mut taken = vec![false; END];
    taken[0] = true;
    let take = |taken: &mut [bool], lid: u16, count: usize| {
        let lid = usize::from(lid);
        let Some(range) = taken.get_mut(lid..lid + count) else { return false };
        let fits = lid % count == 0 && !range.contains(&true);
        if fits {
            range.fill(true);
        }
        fits
    };
    let mut lids = vec![0; subnet.nodes.len()];
    for (node, lid) in subnet.nodes.iter().zip(&mut lids) {
        let has = node.end_info().map_or(0, |info| info.lids().0);
        let had = remembered.get(&node.info.id()).copied().unwrap_or(0);
        let kept = [has, had].into_iter().find(|&lid| take(&mut taken, lid, count(node)));
        *lid = kept.unwrap_or(0);
    }
    let is_absent = |id: &u64| subnet.nodes.iter().all(|node| node.info.id() != *id);
    for (_, &lid) in remembered.iter().filter(|&(id, _)| is_absent(id)) {
        // An end or a switch: its first LID is enough to keep it.
        take(&mut taken, lid, 1);
    }
    let mut free = [1, 1usize << lmc];
    for (node, lid) in subnet.nodes.iter().zip(&mut lids).filter(|(_, lid)| **lid == 0) {
        let count = count(node);
        let from = &mut free[usize::from(!node.info.is_switch)];
        let found = (*from..END).step_by(count).find(|&lid| take(&mut taken, lid as u16, count));
        let found = found.ok_or_else(|| ManagerError::NoLids(node.description.clone()))?;
        (*from, *lid) = (found, found as u16);
    }
    remembered.extend(subnet.nodes.iter().map(|node| node.info.id()).zip(lids.iter().copied()));
    Ok(lids)
}
