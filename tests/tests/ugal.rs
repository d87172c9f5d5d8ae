//! UGAL on any graph: the rule, case by case, and what follows from it for whole networks.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use desvio_sim::summary::Summary;
use router_core::PortClass;
use router_core::contention::Contention;
use router_core::lent::Lent;
use router_core::lfsr::Lfsr;
use router_core::links::PortSizes;
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::piggyback::Piggyback;
use router_core::plan::Plan;
use router_core::route::{CandidateSet, Candidates, HopKind};
use router_core::select::ugal::{Queue, UgalTrigger};
use router_core::select::{Outputs, Preference, Selection, Waiting};
use router_core::units::{Channel, PortId, PortSet, VcId, VcSet};
use std::path::Path;

/// Flits of a buffer.
const DEPTH: u16 = 8;

/// The choice between port 1, the minimal one, and port 2, with so many flits in the queue of each, one VC filled after the other,
/// and so many hops behind it.
fn choice(queues: [u16; 2], hops: [u8; 2], bias: u16) -> PortId {
    choice_by(UgalTrigger { bias, ..UgalTrigger::default() }, queues, [0, 0], hops)
}

/// The same by any trigger, with so many packets beside this one that have the ports as their minimal ones.
fn choice_by(trigger: UgalTrigger, queues: [u16; 2], packets: [u16; 2], hops: [u8; 2]) -> PortId {
    choice_with(trigger, queues, packets, hops, None)
}

/// The same where routers flag their links, with the link of the shortest way flagged or not.
fn choice_with(
    trigger: UgalTrigger,
    queues: [u16; 2],
    packets: [u16; 2],
    hops: [u8; 2],
    flagged: Option<bool>,
) -> PortId {
    let sizes = PortSizes { vcs: 2, buffer: DEPTH };
    let classes = [PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL, PortClass::NODE];
    let mut plan: Plan<4> = Plan::new(&classes, &[sizes, sizes]).expect("a plan");
    plan.flags = flagged.map(|_| Piggyback::default().for_packets(1));
    let mut ports: PerPort<OutputPort<2>, 4> = PerPort::from_fn(|_| OutputPort::new(DEPTH));
    for (port, flits) in [1, 2].into_iter().zip(queues) {
        let out = ports.get_mut(PortId::new(port)).expect("a port");
        // VC 1 first: the packet's own, VC 0, has room unless both are full.
        (0..flits).for_each(|flit| out.credits.take(VcId::new(u8::from(flit < DEPTH))));
    }
    let set = |port, kind, hops| CandidateSet {
        ports: <PortSet>::only(PortId::new(port)),
        vcs: VcSet::first_n(1),
        kind,
        hops,
    };
    let candidates =
        Candidates::of([set(1, HopKind::Minimal, hops[0]), set(2, HopKind::GlobalMisroute, hops[1])]);
    let wired = PortSet::first_n(4);
    let mut contention = Contention::default();
    contention.rise(PortId::new(1));
    for (port, packets) in [1, 2].into_iter().zip(packets) {
        (0..packets).for_each(|_| contention.rise(PortId::new(port)));
    }
    if let Some(is_flagged) = flagged {
        contention.notices.replace(is_flagged.then_some(1).into_iter());
        contention.notices.heed(Channel::default(), Some(1));
    }
    let outputs = Outputs {
        links: &plan.links,
        ports: &ports,
        owned: &PerPort::default(),
        lent: &Lent::NONE,
        contention: &contention,
        wired,
        waits_for_detours: plan.waits_for_detours(),
        asks_one: plan.options.pipeline.registers_requests(),
        preference: Preference::RANDOM,
        full: PortSet::EMPTY,
        held: PortSet::EMPTY,
    };
    let tap = Lfsr::new(1, 0).tap(0, 0);
    let packet =
        Waiting { at: Channel::default(), candidates: &candidates, minimal: PortId::new(1), length: 1, tap };
    let chosen = Selection::from(trigger).choose(&packet, &outputs);
    assert!(chosen.is_single(), "{chosen:?}");
    chosen.first().expect("a port")
}

/// Minimal if and only if q·H is at most the detour's q·H plus the bias, or the detour has no room for the packet.
#[test]
fn the_rule_holds_for_every_pair_of_queues() {
    let mut detours = 0;
    for minimal in 0..=2 * DEPTH {
        for other in 0..=2 * DEPTH {
            for hops in [[1, 2], [2, 4], [3, 3], [4, 5], [0, 0]] {
                for bias in [0, 3, 30] {
                    let [near, far] = hops.map(|hops| u32::from(hops.max(1)));
                    let is_worse = u32::from(minimal) * near > u32::from(other) * far + u32::from(bias);
                    let takes_detour = is_worse && other < 2 * DEPTH;
                    let expected = PortId::new(if takes_detour { 2 } else { 1 });
                    let found = choice([minimal, other], hops, bias);
                    assert_eq!(found, expected, "{minimal} {other} {hops:?} {bias}");
                    detours += u32::from(takes_detour);
                }
            }
        }
    }
    assert!(detours > 500, "{detours}");
}

/// Where routers flag their links a packet takes the way that the queues say, or its detour where the link of its shortest way is flagged; it
/// waits there if there is no room. In a router without flags, what has been told is of no way of its packets.
#[test]
fn a_flag_is_as_good_as_a_longer_queue() {
    let mut waits = 0;
    for minimal in 0..=2 * DEPTH {
        for other in 0..=2 * DEPTH {
            for bias in [0, 30, u16::MAX] {
                for flagged in [false, true] {
                    let (near, far) = (u32::from(minimal) * 3, u32::from(other) * 5);
                    let takes_detour = flagged || near > far + u32::from(bias);
                    let trigger = UgalTrigger { bias, ..UgalTrigger::default() };
                    let found = choice_with(trigger, [minimal, other], [0, 0], [3, 5], Some(flagged));
                    let expected = PortId::new(if takes_detour { 2 } else { 1 });
                    assert_eq!(found, expected, "{minimal} {other} {bias} {flagged}");
                    waits += u32::from(takes_detour && other == 2 * DEPTH);
                }
            }
        }
    }
    assert!(waits > 50, "{waits}");
}

/// By the packet's own VC, what the other one holds does not count; by packets, what the buffers hold does not, nor the packet itself.
#[test]
fn a_queue_may_be_that_of_one_vc_or_of_packets() {
    for (minimal, other) in
        (0..=2 * DEPTH).flat_map(|minimal| (0..2 * DEPTH).map(move |other| (minimal, other)))
    {
        let by = |queue, queues, packets| choice_by(UgalTrigger { bias: 0, queue }, queues, packets, [3, 5]);
        let own = |flits: u16| flits.saturating_sub(DEPTH);
        let expected = |is_worse| PortId::new(if is_worse { 2 } else { 1 });
        let by_vc = by(Queue::Vc, [minimal, other], [9, 0]);
        assert_eq!(by_vc, expected(own(minimal) * 3 > own(other) * 5), "{minimal} {other}");
        let by_packets = by(Queue::Packets, [DEPTH, 0], [minimal, other]);
        assert_eq!(by_packets, expected(minimal * 3 > other * 5), "{minimal} {other}");
    }
}

/// A complete graph of five routers with four nodes each.
fn complete(routing: &str, pattern: &str, load: f64) -> Summary {
    let text = format!(
        "[topology]\nkind = \"complete\"\nrouters = 5\nnodes_per_router = 4\n[router]\nvcs = 2\nbuffer_flits = 32\n\
         [routing]\nalgorithm = {routing}\n[traffic]\npattern = \"{pattern}\"\npacket_flits = 4\nloads = [{load}]\n\
         [run]\nwarmup_cycles = 1000\nmeasure_cycles = 3000\n"
    );
    let scenario = Scenario::parse(&text, "net.toml", Path::new("."), &[]).expect("a scenario");
    run(&Blueprint::new(scenario).expect("a network"), load, &|_| ()).expect("a sound run").summary
}

/// All nodes of a router send to one other router. A link carries 1 of their 4 flits per cycle: 1/4. With detours of two hops over the
/// 4 links of a router at most 1 + 3/2 flits leave it: 5/8. Valiant's routing, whose every packet goes to a random router, gets half as
/// much as uniform traffic.
#[test]
fn detours_carry_what_one_link_cannot() {
    let accepted = |routing| complete(routing, "switch-permutation", 1.0).accepted;
    let (minimal, ugal) = (accepted("\"table\""), accepted("\"ugal\""));
    assert!((0.24..=0.251).contains(&minimal), "{minimal}");
    assert!((0.4..=0.626).contains(&ugal), "{ugal}");
    // Where nothing waits, packets go the shortest way.
    let low = complete("\"ugal\"", "uniform", 0.1);
    assert!(low.global_misroutes_mean < 0.1 && low.hops_mean < 1.1, "{low:?}");
}

/// A bias beyond every queue leaves the shortest routes, to the cycle.
#[test]
fn a_bias_above_all_queues_is_minimal_routing() {
    let minimal = complete("\"table\"", "uniform", 0.4);
    let biased = complete("\"ugal\"\n[selection]\nugal_bias = 65535", "uniform", 0.4);
    assert_eq!(biased.global_misroutes_mean, 0.0);
    assert_eq!(
        (biased.accepted, biased.latency_mean, biased.hops_mean),
        (minimal.accepted, minimal.latency_mean, minimal.hops_mean)
    );
}
