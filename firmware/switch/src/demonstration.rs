//! What the binaries do after boot: a self-test, then a router among neighbours in memory.

use crate::neighbour::{Anywhere, Neighbour};
use crate::self_test;
use crate::standard::{self, BUFFER, FIFO, PACKET};
use crate::switch::Switch;
use router_core::route::Route;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::route::olm::OlmScheme;
use router_core::vc::Descriptor;
use tether::setup::Setup;

/// Internal cycles.
const CYCLES: u32 = 400;
/// Packets from each neighbour.
const PACKETS: u32 = 3;

/// A router of the Dragonfly `paper`. Says whether all is well.
#[inline(never)]
pub fn dragonfly() -> bool {
    let setup = standard::paper();
    let groups = setup.groups();
    let Ok(routing) = setup.only::<OlmScheme>(&groups) else { return false };
    let to = Anywhere { groups: 9, routers: 4, nodes: 2 };
    // Most of them want the same other group.
    let neighbour = |port| {
        let neighbour = Neighbour::new(port, to, PACKETS, PACKET, BUFFER);
        if port < 5 { neighbour.with_favourite(5) } else { neighbour }
    };
    demonstrate::<_, 7, 3, 95>(&setup, routing, self_test::DRAGONFLY, neighbour)
}

/// A router of a mesh. Says whether all is well.
#[inline(never)]
pub fn mesh() -> bool {
    let setup = standard::mesh();
    let groups = setup.groups();
    let Ok(routing) = setup.only::<DimensionOrderScheme>(&groups) else { return false };
    let to = Anywhere { groups: 1, routers: 16, nodes: 1 };
    let neighbour = |port| Neighbour::new(port, to, PACKETS, PACKET, BUFFER);
    demonstrate::<_, 5, 2, 50>(&setup, routing, self_test::MESH, neighbour)
}

/// Tests itself, then serves one neighbour at each port; the last one is rude.
fn demonstrate<R: Route + Copy, const P: usize, const V: usize, const D: usize>(
    setup: &Setup,
    routing: R,
    trace: &[u8],
    neighbour: impl Fn(u32) -> Neighbour,
) -> bool {
    let mut store = [Descriptor::default(); D];
    let verdict = self_test::run::<R, P, V>(setup, routing, &mut store, trace);
    #[cfg(feature = "defmt")]
    match verdict {
        Ok(cycles) => defmt::info!("self-test passed: {=u32} cycles, to the last register", cycles),
        Err(failure) => defmt::error!("self-test FAILED: {}", failure),
    }
    verdict.is_ok() && serves::<R, P, V>(setup, routing, &mut store, neighbour)
}

/// Whether every packet that came has left, and nothing was refused but the rude flit.
#[inline(never)] // its router and that of the self-test are not on the stack at the same time
fn serves<R: Route, const P: usize, const V: usize>(
    setup: &Setup,
    routing: R,
    store: &mut [Descriptor],
    neighbour: impl Fn(u32) -> Neighbour,
) -> bool {
    let last = P.saturating_sub(1);
    let neighbours = core::array::from_fn(|port| {
        let neighbour = neighbour(port as u32);
        if port == last { neighbour.rude() } else { neighbour }
    });
    let mut switch = Switch::<R, _, P, V, { FIFO as usize }>::new(setup, routing, store, neighbours);
    // Where it is: moved, it would take its place on the stack twice.
    let Ok(switch) = &mut switch else { return false };
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
