//! Where the RTL has each register, as read in `hdl/rtl/`: the module, and the signal that shows it.

use desvio_core::discard::Discard;
use desvio_core::event::ProtocolError;
use desvio_core::links::PortSizes;
use desvio_core::pins::Pins;
use desvio_core::plan::Plan;
use desvio_core::route::Here;
use desvio_core::state::Module::{self, *};
use desvio_core::state::{Register, Values, VcRegister};
use desvio_core::units::{PortClass, PortId, PortSet, VcId};
use desvio_core::vc::Descriptor;

/// Proves: no register is looked for in another one's place.
#[test]
fn registers_are_where_the_rtl_has_them() {
    let (port, vc) = (PortId::new(1), VcId::new(1));
    let rows: [(Register, Module, &str); 34] = [
        (Register::Vc(port, vc, VcRegister::Candidates), Vc, "candidates"),
        (Register::Vc(port, vc, VcRegister::Minimal), Vc, "asked"),
        (Register::Vc(port, vc, VcRegister::Request), Vc, "asked"),
        (Register::Vc(port, vc, VcRegister::State), Vc, "buffered"),
        (Register::Contention(port), Router, "contention_count"),
        (Register::Credits(port, vc), Router, "credits"),
        (Register::Owned(port), Router, "owned"),
        (Register::Queued(port), OutputPort, "count"),
        (Register::Errors(ProtocolError::Overflow), Router, "error_count"),
        (Register::Want(port, vc), Router, "want"),
        (Register::GrantedVc(port), Router, "grant_vc"),
        (Register::GrantedOutput(port), Router, "grant_output"),
        (Register::InputArbiter(port), Allocator, "input_states"),
        (Register::Turn, Allocator, "turn"),
        (Register::OutVcArbiter(port), Allocator, "out_vc_states"),
        (Register::Choice(port), Allocator, "choices"),
        (Register::InputOfOutVcArbiter(port, vc), Allocator, "input_of_out_vc_states"),
        (Register::VlArbiter(port), Allocator, "vl_states"),
        (Register::Lfsr, Lfsr, "value"),
        (Register::Phase, Router, "phase"),
        (Register::Hops(port, vc), Vc, "set_hops"),
        (Register::Leaving(port, vc), Vc, "leaving"),
        (Register::Heard(0, 1), Notices, "heard"),
        (Register::Contended(1), Router, "contended_groups"),
        (Register::NoticeDue, Notices, "left"),
        (Register::NoticeTold, Notices, "out_valid"),
        (Register::Flag(0, 1), Flags, "heard"),
        (Register::Fresh(port, vc), Vc, "fresh"),
        (Register::Discards(Discard::Lifetime), Discards, "discarded"),
        (Register::Age(port, vc), Lifetime, "age"),
        (Register::LateDiscards(port, vc), Stalls, "late_discards"),
        (Register::StalledFor(port, vc), Stalls, "stalled_for"),
        (Register::LifetimeTick, LifetimeTick, "place"),
        (Register::Aged(port, vc), PacketAges, "aged"),
    ];
    for (register, module, signal) in rows {
        assert_eq!(register.signal(), (module, signal), "{register:?}");
    }
}

/// Proves: what a router has no register for is 0.
#[test]
fn registers_that_are_not_there_are_0() {
    let plan = Plan::<5>::new(&[PortClass::NODE; 5], &[PortSizes { vcs: 3, buffer: 4 }]).unwrap();
    let here = Here { wired: PortSet::first_n(5), ..Here::default() };
    let store = vec![Descriptor::default(); plan.links.places()];
    let pins = Pins::<_, 5, 3, 1>::new(desvio_core::router::Router::new(&plan, here, store, 0, 1), 1);
    let values = Values::of(&pins, &plan, 3);
    for (port, vc) in [(5, 0), (0, 3), (5, 3)].map(|(port, vc)| (PortId::new(port), VcId::new(vc))) {
        for register in [VcRegister::State, VcRegister::Flits, VcRegister::OutVc, VcRegister::Candidates] {
            assert_eq!(values.get(Register::Vc(port, vc, register)), 0, "{register:?}");
        }
        assert_eq!(values.get(Register::Want(port, vc)), 0);
    }
}
