//! Floods: counters of errors come to their end.

use crate::shape::Shape;
use crate::stimulus::{Flood, NoiseKind, Stimulus};
use proptest::prelude::*;
use proptest::sample::select;

/// How long a flood takes with so many connected ports, each of which brings an error in each cycle. A shorter one has no end to show.
pub(super) fn cycles(ports: usize) -> u32 {
    u32::from(u16::MAX) / ports.max(1) as u32 + 300
}

/// These ports, which are connected, bring the same error in each cycle, from one of the first on.
pub(super) fn flood(shape: &Shape, ports: &[usize]) -> impl Strategy<Value = Stimulus> + use<> {
    // A VC that some of them have is an error of one kind at these, and of another at those.
    let have = |vc: u8| ports.iter().filter(|&&port| usize::from(vc) < shape.vcs_of(port)).count();
    let vcs: Vec<u8> =
        (0..1u8 << shape.vc_bits()).filter(|&vc| [0, ports.len()].contains(&have(vc))).collect();
    let kinds = vec![NoiseKind::EmptyHead, NoiseKind::Body, NoiseKind::Tail];
    let cycles = cycles(ports.len());
    (0..200u32, select(vcs), select(kinds)).prop_map(move |(from, vc, kind)| Stimulus {
        cycles,
        pace: 1,
        flood: Some(Flood { from, vc, kind }),
        ..Stimulus::default()
    })
}
