//! An input port whose VCs share places takes what fits into a VC's reserved places, and into the shared ones, and nothing else.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use desvio_core::event::ProtocolError;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::{Links, PortSizes};
use desvio_core::map::grid::Grid;
use desvio_core::plan::Plan;
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::route::{Here, Routing};
use desvio_core::router::Router;
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;
use proptest::prelude::*;

const VCS: usize = 3;
/// The port to the node, and one to another router.
const NODE: PortId = PortId::new(0);
const LINK: PortId = PortId::new(1);

/// Flits that come, of packets of two, for these VCs of a port; nothing leaves. What is in each VC in the end.
fn fill(port: PortId, (buffer, reserved): (u16, u16), vcs: &[usize]) -> Result<[u16; VCS], TestCaseError> {
    let classes = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL];
    let sizes = PortSizes { vcs: VCS as u8, buffer };
    let links: Links<4> = Links::new(&classes, &[sizes; 2]).unwrap();
    // Ports to nodes share none.
    let plan = Plan::of(links.with_reserved(PortClass::NODE, 1).with_reserved(PortClass::LOCAL, reserved));
    let (reserved, shared) = (plan.links.reserved(port), plan.links.shared(port));
    let routing = Routing::DimensionOrder(DimensionOrder { grid: Grid::new(&[4], 1, true).unwrap(), vcs: 2 });
    let here = Here { router: 1, wired: PortSet::first_n(3), ..Here::default() };
    let store = vec![Descriptor::default(); plan.links.places()];
    let mut router: Router<_, 4, VCS> = Router::new(&plan, here, store, 1, 1);
    let mut held = [0u16; VCS];
    for &vc in vcs {
        let lent: u16 = held.iter().map(|flits| flits.saturating_sub(reserved)).sum();
        let fits = held[vc] < buffer && (held[vc] < reserved || lent < shared);
        let header = Header { to: Address { router: 1, port: 0 }, length: 2, ..Header::default() };
        let flit = match held[vc] % 2 {
            0 => Flit::Head(Packet { header, tag: 0 }),
            _ => Flit::Body { tail: true },
        };
        let taken = router.take_flit(&plan, &routing, Channel::new(port, VcId::new(vc as u8)), &flit);
        prop_assert_eq!(taken, if fits { Ok(()) } else { Err(ProtocolError::Overflow) });
        held[vc] += u16::from(fits);
        let found = [0, 1, 2].map(|vc| router.input(port, VcId::new(vc)).unwrap().flits());
        prop_assert_eq!(found, held);
    }
    Ok(held)
}

proptest! {
    #[test]
    fn what_fits_is_taken(reserved in 1u16..=6, more in 0u16..=6, vcs in prop::collection::vec(0..VCS, 0..60)) {
        fill(LINK, (reserved + more, reserved), &vcs)?;
        fill(NODE, (reserved + more, reserved), &vcs)?;
    }
}

#[test]
fn one_vc_has_all_that_is_shared_or_others_have() {
    let one = [0; 40];
    assert_eq!(fill(LINK, (10, 4), &one).unwrap(), [10, 0, 0]);
    let turns: Vec<_> = (0..60).map(|n| n % VCS).collect();
    assert_eq!(fill(LINK, (10, 4), &turns).unwrap(), [6, 6, 6], "4 for each, and 6 of all");
    assert_eq!(fill(NODE, (10, 4), &turns).unwrap(), [10; VCS], "a port to a node shares none");
}
