//! Maps from outside are looked at before they are believed.

use super::super::{Custom, MAX_ADDRESS, MapFlaw, TopologyError};
use router_core::map::{Map, Peer, RouterClass};
use router_core::units::{PortClass, PortId};

/// Three routers in a ring with a node each; every function can be made to lie.
struct Liar {
    routers: [u32; 3],
    class: fn(u8) -> u8,
    peer: fn(u32, u8) -> Option<(u32, u8)>,
    block: u32,
}

const HONEST: Liar = Liar { routers: [0, 1, 2], class: |port| port.min(1), peer: ring, block: 1 };

/// Router and port behind a port, of which 0 leads to the node.
fn ring(router: u32, port: u8) -> Option<(u32, u8)> {
    match port {
        1 => Some(((router + 1) % 3, 2)),
        2 => Some(((router + 2) % 3, 1)),
        _ => None,
    }
}

impl Map for Liar {
    fn routers(&self) -> impl Iterator<Item = u32> {
        self.routers.into_iter()
    }
    fn ports(&self) -> usize {
        3
    }
    fn port_class(&self, _of: RouterClass, port: PortId) -> PortClass {
        PortClass::new((self.class)(port.number()))
    }
    fn peer(&self, router: u32, port: PortId) -> Option<Peer> {
        if port.number() == 0 {
            return Some(Peer::Node);
        }
        (self.peer)(router, port.number())
            .map(|(router, port)| Peer::Router { router, port: PortId::new(port) })
    }
    fn blocks(&self) -> impl Iterator<Item = u32> {
        [self.block; 3].into_iter()
    }
}

fn flaw(map: &Liar, class_names: &'static [&'static str]) -> MapFlaw {
    match Custom::new("ring", map, class_names) {
        Err(TopologyError::Map(flaw)) => flaw,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_map_that_contradicts_itself_is_refused() {
    const NAMES: &[&str] = &["node", "ring"];
    let ring_of_three = Custom::new("ring", &HONEST, NAMES).unwrap();
    assert_eq!((ring_of_three.wiring.routers(), ring_of_three.wiring.nodes()), (3, 3));
    assert_eq!(flaw(&HONEST, &["node"]), MapFlaw::ClassNames { classes: 1 });
    assert_eq!(flaw(&HONEST, &["node"; 9]), MapFlaw::ClassNames { classes: 9 });
    let addressed = |routers| Liar { routers, ..HONEST };
    assert_eq!(flaw(&addressed([0, 1, 1]), NAMES), MapFlaw::Address { router: 1 });
    let highest = MAX_ADDRESS + 1;
    assert_eq!(flaw(&addressed([0, highest, 2]), NAMES), MapFlaw::Address { router: highest });
    assert_eq!(flaw(&addressed([0, 1, 3]), NAMES), MapFlaw::Peer { router: 0, port: 2 });
    assert_eq!(flaw(&Liar { block: 2, ..HONEST }, NAMES), MapFlaw::Blocks);
    let classed = |class| Liar { class, ..HONEST };
    assert_eq!(flaw(&classed(|_| 0), NAMES), MapFlaw::Class { router: 0, port: 1 });
    assert_eq!(flaw(&classed(|_| 1), NAMES), MapFlaw::Class { router: 0, port: 0 });
    assert_eq!(flaw(&classed(|port| port), NAMES), MapFlaw::Peer { router: 0, port: 1 });
    assert_eq!(flaw(&classed(|port| 2 * port.min(1)), NAMES), MapFlaw::Class { router: 0, port: 1 });
    let joined = |peer| Liar { peer, ..HONEST };
    let bent = |router: u32, port| ring(router, port).map(|(there, back)| (there, 3 - back));
    assert_eq!(flaw(&joined(bent), NAMES), MapFlaw::Peer { router: 0, port: 1 });
    let beyond = |router, port| ring(router, port).map(|(there, _)| (there, 3));
    assert_eq!(flaw(&joined(beyond), NAMES), MapFlaw::Peer { router: 0, port: 1 });
    let own = |router, port| (port > 0).then_some((router, 3 - port));
    assert_eq!(flaw(&joined(own), NAMES), MapFlaw::Peer { router: 0, port: 1 });
    let apart = Custom::new("apart", &joined(|_, _| None), NAMES);
    assert!(matches!(apart, Err(TopologyError::Unconnected { router: 1 })), "{apart:?}");
}
