//! The probes of the RTL, `hdl/probe/dsv_probe_bind.sv`, written from the list in `router-core/src/state.rs`.

use crate::step::Failure;
use router_core::alloc::AllocatorKind;
use router_core::alloc::vl_arbiter::VlArbitration;
use router_core::lifetime::{HeadLimit, TICKS};
use router_core::links::{LinksError, PortSizes};
use router_core::mark::{MOST_WEIGHT, Marking};
use router_core::options::Pipeline;
use router_core::piggyback::Piggyback;
use router_core::plan::Plan;
use router_core::select::Selection;
use router_core::select::always::AlwaysTrigger;
use router_core::select::ugal::UgalTrigger;
use router_core::state::{Module, Register, VcRegister, visit};
use router_core::units::{PortClass, PortId, VcId};
use std::fmt::Write as _;

const SOURCE: &str = "router-core/src/state.rs";

/// A signal, and the registers in it, from the lowest bit up.
struct Signal {
    module: Module,
    name: &'static str,
    registers: Vec<&'static str>,
}

/// The file, by path.
pub(crate) fn file() -> Result<(&'static str, String), Failure> {
    let signals = signals().map_err(|error| Failure::new(format!("{SOURCE}: {error}")))?;
    let mut text = format!(
        "// Written from {SOURCE} by `cargo xtask generate`: do not edit.\n\
         // Probes are attached from outside: the design's ports stay clean.\n"
    );
    for Signal { module, name, registers } in signals {
        let module = match module {
            Module::Router => "dsv_router",
            Module::Vc => "dsv_vc",
            Module::OutputPort => "dsv_output_port",
            Module::Allocator => "dsv_allocator",
            Module::Lfsr => "dsv_lfsr",
            Module::Notices => "dsv_notices",
            Module::Flags => "dsv_flags",
            Module::Discards => "dsv_discards",
            Module::Lifetime => "dsv_lifetime",
            Module::Stalls => "dsv_vl_stalls",
            Module::LifetimeTick => "dsv_lifetime_tick",
            Module::PacketAges => "dsv_packet_ages",
        };
        let value = match registers.as_slice() {
            // Sets of candidates have a probe of their own.
            ["candidates"] => continue,
            [one] => (*one).to_owned(),
            several => format!("{{{}}}", several.iter().rev().copied().collect::<Vec<_>>().join(", ")),
        };
        let _ = writeln!(text, "bind {module} dsv_probe #(.WIDTH($bits({value})))");
        let _ = writeln!(text, "  {name}_probe (.value({value}));");
    }
    Ok(("hdl/probe/dsv_probe_bind.sv", text))
}

/// Those of all routers: with registered requests and grants, and with either kind of allocator, the separable one with a choice among outputs, and with VL arbitration; with marks, discards and lifetime limits.
fn signals() -> Result<Vec<Signal>, LinksError> {
    let mut signals: Vec<Signal> = Vec::new();
    let mut plan = Plan::<2>::new(
        &[PortClass::NODE, PortClass::GLOBAL],
        &[PortSizes { vcs: 1, buffer: 1 }; PortClass::COUNT],
    )?;
    plan.groups = 1;
    plan.options.discards = true;
    plan.lifetimes.set_limit(PortId::new(0), HeadLimit { cycles: 1, stall_count: 1 });
    plan.lifetimes.set_packet_limit(TICKS as u32);
    plan.marking = Marking::default().with_weight(PortId::new(0), VcId::new(0), MOST_WEIGHT);
    let (always, ugal) = (Selection::Always(AlwaysTrigger), Selection::Ugal(UgalTrigger::default()));
    let (separable, wavefront) = (AllocatorKind::SeparableInputFirst, AllocatorKind::Wavefront);
    let lanes = Some(VlArbitration::default());
    let flags = Some(Piggyback::default().for_packets(1));
    let routers = [
        (always, separable, None, None),
        (always, wavefront, None, None),
        (ugal, separable, None, None),
        (always, separable, lanes, None),
        (ugal, separable, None, flags),
    ];
    for (selection, kind, lanes, flags) in routers {
        // Several outputs are asked for at once where requests are not registered.
        plan.options.pipeline = if selection.asks_any() { Pipeline::Four } else { Pipeline::Six };
        (plan.selection, plan.options.allocator, plan.vl_arbitration, plan.flags) =
            (selection, kind, lanes, flags);
        visit(&plan, 1, &mut |register| {
            let (module, name) = register.signal();
            let net = net(register);
            match signals.iter_mut().find(|signal| (signal.module, signal.name) == (module, name)) {
                Some(signal) if signal.registers.contains(&net) => {}
                Some(signal) => signal.registers.push(net),
                None => signals.push(Signal { module, name, registers: vec![net] }),
            }
        });
    }
    Ok(signals)
}

/// What holds a register in its module; what a router has several of stands side by side there already.
const fn net(register: Register) -> &'static str {
    match register {
        Register::Vc(_, _, VcRegister::OutVc) => "active ? out_vc : '0",
        Register::Vc(_, _, register) => register.name(),
        // A wire in routers that do not register it.
        Register::Want(..) => "PIPELINE > 4 ? want : '0",
        Register::GrantedVc(_) => "PIPELINE > 5 ? grant_vc : '0",
        Register::GrantedOutput(_) => "PIPELINE > 5 ? grant_output : '0",
        _ => register.signal().1,
    }
}
