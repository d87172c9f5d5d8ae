//! The VC of its router that an end node sends a packet into.

use crate::random::{below, stream};
use crate::traffic::InjectionVc;
use router_core::units::VcId;

/// The VC that a packet is sent into, by the credits of each, if it has `room`: a packet to node `to` of `nodes`, of node `node` in
/// cycle `cycle`. Random numbers are of the seed, the node and the cycle, so that they depend on nothing else that happens.
#[inline]
pub(super) fn vc_for(
    choice: InjectionVc,
    (credits, room): (&[u16], u16),
    (to, nodes): (u32, usize),
    (seed, node, cycle): (u64, usize, u64),
) -> Option<VcId> {
    let room = room.max(1);
    let vc = match choice {
        InjectionVc::Room => return vc_with_most_credits(credits, room),
        InjectionVc::Destination => {
            let vc = u64::from(to) * credits.len() as u64 / nodes.max(1) as u64;
            credits.get(vc as usize).filter(|credits| **credits >= room).map(|_| vc as usize)
        }
        InjectionVc::Random => any(credits, room, (seed ^ cycle, node)),
    };
    vc.map(|vc| VcId::new(vc as u8))
}

/// The VC with the most credits, if it has `room`; the lowest of several.
#[inline]
pub(super) fn vc_with_most_credits(credits: &[u16], room: u16) -> Option<VcId> {
    let (mut best, mut most) = (None, room.saturating_sub(1));
    for (vc, &credits) in credits.iter().enumerate() {
        if credits > most {
            (best, most) = (Some(VcId::new(vc as u8)), credits);
        }
    }
    best
}

/// Any one, each with the same probability.
#[inline(never)]
fn any(credits: &[u16], room: u16, (seed, node): (u64, usize)) -> Option<usize> {
    let open = || (0..credits.len()).filter(|vc| credits[*vc] >= room);
    let count = open().count() as u32;
    let mut drawn = stream(seed, INJECTION + node as u64);
    if count == 0 { None } else { open().nth(below(&mut drawn, count) as usize) }
}

/// The first of the streams of random numbers that no generator of traffic has.
const INJECTION: u64 = 1 << 33;

#[cfg(test)]
mod tests {
    use super::*;

    /// The VC for a packet of 4 flits of node 5 to node `to` of 10.
    fn chosen(choice: InjectionVc, credits: [u16; 3], to: u32, cycle: u64) -> Option<usize> {
        vc_for(choice, (&credits, 4), (to, 10), (1, 5, cycle)).map(VcId::index)
    }

    /// Every combination of credits: a VC without room is never chosen, one with room always is where there is a choice.
    #[test]
    fn a_packet_waits_for_room_and_for_nothing_else() {
        for number in 0..6_u16.pow(3) {
            let credits = [number % 6, number / 6 % 6, number / 36];
            let open: Vec<usize> = (0..3).filter(|vc| credits[*vc] >= 4).collect();
            let most = (0..3).rev().max_by_key(|vc| credits[*vc]).filter(|vc| credits[*vc] >= 4);
            assert_eq!(chosen(InjectionVc::Room, credits, 0, 0), most, "{credits:?}");
            let mut seen: Vec<usize> =
                (0..64).filter_map(|cycle| chosen(InjectionVc::Random, credits, 0, cycle)).collect();
            assert!(seen.len() == 64 || open.is_empty(), "{credits:?}");
            seen.sort_unstable();
            seen.dedup();
            assert_eq!(seen, open, "{credits:?}");
            for to in 0..10 {
                let own = [0, 0, 0, 0, 1, 1, 1, 2, 2, 2][to as usize];
                let expected = open.contains(&own).then_some(own);
                assert_eq!(chosen(InjectionVc::Destination, credits, to, 0), expected, "{credits:?} to {to}");
            }
        }
    }

    /// Counts of 30,000 draws among three are within four standard deviations, 327, of 10,000.
    #[test]
    fn random_vcs_are_equally_likely() {
        let mut counts = [0_u32; 3];
        for cycle in 0..30_000 {
            counts[chosen(InjectionVc::Random, [4; 3], 0, cycle).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 327), "{counts:?}");
    }
}
