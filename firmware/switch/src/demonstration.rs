//! What the binary does after boot: a self-test, then a router of a Dragonfly among neighbours in memory.

use crate::neighbour::{Anywhere, Neighbour};
use crate::self_test;
use crate::standard::{self, BUFFER, FIFO, PACKET};
use crate::switch::Switch;
use router_core::vc::Descriptor;

/// Internal cycles.
const CYCLES: u32 = 400;
/// Packets from each neighbour.
const PACKETS: u32 = 3;

type Paper<'g> = Switch<'g, Neighbour, 7, 3, { FIFO as usize }>;

/// Seven neighbours: most of them want the same other group; the last one is rude.
fn neighbours() -> [Neighbour; 7] {
    let to = Anywhere { groups: 9, routers: 4, nodes: 2 };
    [0, 1, 2, 3, 4, 5, 6].map(|port| {
        let neighbour = Neighbour::new(port, to, PACKETS, PACKET, BUFFER);
        match port {
            0..=4 => neighbour.with_favourite(5),
            6 => neighbour.rude(),
            _ => neighbour,
        }
    })
}

/// Whether the self-test passes.
fn tests_itself() -> bool {
    let verdict = self_test::run();
    #[cfg(feature = "defmt")]
    match verdict {
        Ok(passed) => defmt::info!(
            "self-test passed: {=u32} cycles of a Dragonfly's router and {=u32} of a mesh's, to the last register",
            passed.dragonfly,
            passed.mesh
        ),
        Err(failed) => defmt::error!("self-test FAILED: {}", failed),
    }
    verdict.is_ok()
}

/// Whether every packet that came has left, and nothing was refused but the rude flit.
#[inline(never)]
fn serves() -> bool {
    let setup = standard::paper();
    let groups = setup.groups();
    let mut store = [Descriptor::default(); 95];
    let Ok(mut switch) = Paper::new(&setup, &groups, &mut store, neighbours()) else { return false };
    for _ in 0..CYCLES {
        switch.step();
    }
    let (sent, received) = switch.links().iter().fold((0u32, 0u32), |(sent, received), link| {
        (sent.saturating_add(link.sent()), received.saturating_add(link.received()))
    });
    let total = switch.counters().total();
    let errors = switch.pins().router().error_count();
    #[cfg(feature = "defmt")]
    defmt::info!(
        "{=u64} cycles: {=u32} packets came, {=u32} left; {=u32} flits came, {=u32} left; {=u32} protocol errors",
        switch.counters().cycles(),
        sent,
        received,
        total.flits_in,
        total.flits_out,
        errors
    );
    // The rude flit came and did not leave.
    sent > 0 && sent == received && errors == 1 && total.flits_in == total.flits_out.saturating_add(1)
}

/// Whether all is well.
#[inline(never)]
pub fn run() -> bool {
    tests_itself() && serves()
}
