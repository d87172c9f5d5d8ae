//! Buffers by VC, by `docs/buffers.md`: what each VC at the other end of a link holds, and the credits for it.

use desvio_core::links::PortSizes;
use desvio_core::plan::Plan;
use desvio_core::route::Here;
use desvio_core::router::Router;
use desvio_core::units::{Channel, PortClass, PortId, PortSet, VcId, VcSet};
use desvio_core::vc::Descriptor;

const CLASSES: [PortClass; 5] =
    [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL, PortClass::GLOBAL, PortClass::LOCAL];

/// Proves: each VC of the ports of a class has its own depth, at most the buffer of the class, and other ports keep theirs. A router has as many
/// credits, and refuses one more.
#[test]
fn each_vc_of_a_class_has_its_depth() {
    for class in [PortClass::LOCAL, PortClass::GLOBAL] {
        let mut plan =
            Plan::<5>::new(&CLASSES, &[4, 6, 9].map(|buffer| PortSizes { vcs: 4, buffer })).unwrap();
        plan.links = plan.links.with_depths(class, [7, 1, 9, 3, 2, 2, 2, 2]);
        let depth = |port: usize, vc: usize| {
            let buffer = [4, 6, 6, 9, 6][port];
            if CLASSES[port] == class { [7, 1, 9, 3][vc].min(buffer) } else { buffer }
        };
        let store = vec![Descriptor::default(); plan.links.places()];
        let here = Here { wired: PortSet::first_n(5), ..Here::default() };
        let mut core = Router::<_, 5, 4>::new(&plan, here, store, 0, 1);
        for (port, vc) in (0..5).flat_map(|port| (0..4).map(move |vc| (port, vc))) {
            let at = Channel::new(PortId::new(port as u8), VcId::new(vc as u8));
            assert_eq!(plan.links.depth(at), depth(port, vc), "{at:?}");
            assert_eq!(core.output(at.port).unwrap().credits.left(at.vc), depth(port, vc), "{at:?}");
            assert!(core.handle_credit(&plan, at).is_err(), "a credit too many at {at:?}");
            assert_eq!(core.output(at.port).unwrap().credits.left(at.vc), depth(port, vc), "{at:?}");
        }
        for (port, bits) in (0..5).flat_map(|port| (0..16).map(move |bits| (port, bits))) {
            let sum: u16 = (0..4).filter(|vc| bits >> vc & 1 == 1).map(|vc| depth(port, vc)).sum();
            let found = plan.links.depth_of_all(PortId::new(port as u8), VcSet::from_bits(bits));
            assert_eq!(found, sum.into(), "port {port}, VCs {bits:b}");
        }
    }
}
