//! What holds for every scenario, and for every file that is none.

mod topology;

use std::convert::Infallible;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use proptest::sample::select;
use router_core::congestion::AdapterSettings;
use router_core::fixed::Fixed;
use router_core::links::Depths;
use router_core::map::MapKind;
use router_core::mark::MarkSettings;
use router_core::route::forwarding::ForwardingScheme;
use router_core::route::table::TableScheme;
use router_core::route::ugal_dragonfly::{Knowledge, UgalDragonflyScheme};
use router_core::select::{Preference, Selection};
use router_core::settings::{Choice, Settings, Visit, Whole};
use router_core::units::PortClass;

use super::super::*;
use crate::traffic::{HotSpot, Mixture, PatternShare, Permutation, SwitchPermutation, Uniform};
use topology::{down, topology};

/// One of the words of a choice.
fn word<T: Word + std::fmt::Debug>() -> impl Strategy<Value = T> {
    select(T::WORDS).prop_map(|(_, choice)| choice)
}

fn per_class(classes: usize, range: std::ops::RangeInclusive<u32>) -> impl Strategy<Value = PerClass<u32>> {
    prop::collection::vec(range, classes).prop_map(|of| PerClass::new(&of))
}

/// Any options; those that need another one are given it. What circuits, mad postman, escape rings and discards go
/// together with, other tests try.
fn options() -> impl Strategy<Value = Options> {
    any::<u64>().prop_map(|seed| {
        let mut of = Options::DEFAULT;
        let Ok(()) = of.visit(&mut Random(seed));
        of.output_flits = of.output_flits.max(8);
        of.discards = false;
        if of.flow_control.is_atomic() {
            of.flow_control = FlowControl::Wormhole;
        }
        if of.vc_allocation == VcAllocation::Bubble {
            of.vc_allocation = VcAllocation::NonAtomic;
        }
        if of.flow_control.by_flit() {
            of.allocation_unit = AllocationUnit::Flit;
        }
        of.packet_lifetime = if of.iterations.is_multiple_of(2) { 4 * of.speedup } else { 0 };
        let goes = of.allocation_unit == AllocationUnit::Flit
            && of.output_flits >= of.speedup + of.pipeline.ahead()
            && !(of.packet_lifetime > 0 && of.pipeline.registers_grants());
        if !goes {
            of.pipeline = Pipeline::Four;
        }
        of
    })
}

/// With as many VCs as most routings need, and more; those that need more are given them where the routing is known.
fn router(classes: usize) -> impl Strategy<Value = RouterSettings> {
    (options(), per_class(classes, 4..=8), per_class(classes, 64..=65_535)).prop_map(
        move |(options, vcs, buffer_flits)| {
            let Options { output_flits, iterations, .. } = options;
            let has_limits = options.packet_lifetime > 0;
            let has_lanes = options.allocator == AllocatorKind::SeparableOutputFirst
                && options.allocation_unit == AllocationUnit::Packet;
            let weight = (output_flits % 255 + 1) as u8;
            let vl_arbitration = has_lanes.then(|| VlArbitrationSettings {
                high: (0..iterations as u8).map(|at| (at % 4, at)).collect(),
                low: vec![(3, weight), (0, 0), (3, 255)],
                limit: output_flits as u8,
                management: (options.speedup > 4).then_some(2),
                flit_bytes: 1 + (output_flits % 4096) as u16,
            });
            let shares = options.vc_allocation == VcAllocation::NonAtomic
                && options.allocation_unit == AllocationUnit::Flit
                && iterations % 3 == 0;
            let none = PerClass::all(classes, 0);
            let reserved = PerClass::all(classes, 64).with(PortClass::NODE, 0);
            RouterSettings {
                options,
                vcs,
                buffer_flits,
                depths: PerClass::all(classes, Depths::default()),
                reserved_flits: if shares { reserved } else { none },
                vl_arbitration,
                head_lifetime: if has_limits { buffer_flits } else { none },
                vl_stall_count: if has_limits { PerClass::all(classes, options.speedup % 8) } else { none },
            }
        },
    )
}

/// Any scheme with any settings.
fn choice<C: Choice + 'static>() -> impl Strategy<Value = C> {
    (0..C::WORDS.len(), any::<u64>()).prop_map(|(place, seed)| {
        let mut scheme = C::at(place).unwrap();
        let Ok(()) = scheme.visit(&mut Random(seed));
        scheme
    })
}

/// Gives each setting a value of its range.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

impl Visit for Random {
    type Error = Infallible;

    fn word<T: Word>(&mut self, _: &'static str, value: &mut T) -> Result<(), Infallible> {
        *value = T::WORDS[self.below(T::WORDS.len() as u64) as usize].1;
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        _: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Infallible> {
        let (least, most): (u32, u32) = ((*range.start()).into(), (*range.end()).into());
        *value = T::try_from(least + self.below(u64::from(most - least) + 1) as u32).ok().unwrap();
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        _: &'static str,
        range: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Infallible> {
        let (least, most) = (range.start().to_bits(), range.end().to_bits());
        *value = Fixed::from_bits(least + self.below(u64::from(most - least) + 1) as u16);
        Ok(())
    }

    fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<(), Infallible> {
        *value = self.below(2) == 0;
        Ok(())
    }

    fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
        *value = (self.below(2) == 0).then(T::default);
        value.as_mut().map_or(Ok(()), |settings| settings.visit(self))
    }
}

/// With a routing that fits a Dragonfly, or `table` where there is none.
fn routing() -> impl Strategy<Value = RoutingSettings> {
    let scheme =
        choice::<RoutingScheme>().prop_filter("of a Dragonfly", |s| s.map(MapKind::Dragonfly).is_some());
    // What an escape ring needs, what places on links do, and what flags that packets heed, other tests try.
    let scheme = scheme.prop_filter("without a ring", |scheme| !scheme.bubbles());
    let scheme = scheme.prop_filter("without places and flags", |scheme| {
        let RoutingScheme::UgalDragonfly(UgalDragonflyScheme { knowledge, .. }) = scheme else { return true };
        !matches!(knowledge, Knowledge::Reservation | Knowledge::GroupEachCycle)
    });
    let files = (path_of_file(), prop::option::of(path_of_file()), prop::option::of(path_of_file()));
    (scheme, word(), files).prop_map(|(scheme, vc_order, (tables, service_levels, sl_to_vl))| {
        let is_given = scheme == ForwardingScheme.into();
        let tables = is_given.then_some(tables);
        let [service_levels, sl_to_vl] = [service_levels, sl_to_vl].map(|file| file.filter(|_| is_given));
        RoutingSettings { own: None, scheme, tables, service_levels, sl_to_vl, updates: Vec::new(), vc_order }
    })
}

fn path_of_file() -> impl Strategy<Value = PathBuf> {
    "/[^\0]{1,20}".prop_map(|file| std::path::absolute(file).unwrap_or_default())
}

fn selection() -> impl Strategy<Value = SelectionSettings> {
    // What a group shares suits few routings, and refuses the others.
    let alone = choice().prop_filter("a trigger for any routing", |trigger: &Selection| !trigger.listens());
    (alone, word(), word(), word()).prop_map(|(trigger, count_at, ports, vcs)| {
        let count_at = if ports == router_core::select::PortRule::Cyclic { CountAt::Head } else { count_at };
        let preference = Preference { ports, vcs };
        SelectionSettings { trigger, count_at, preference }
    })
}

/// Uniform with this share, and a hot spot of `spots` otherwise.
fn mixture(share: f64, spots: f64) -> Mixture {
    let hot_spot = HotSpot { nodes: vec![1], share: spots }.into();
    Mixture(vec![
        PatternShare { share, pattern: Uniform.into() },
        PatternShare { share: 1.0 - share, pattern: hot_spot },
    ])
}

/// Patterns that every topology knows.
fn pattern() -> impl Strategy<Value = Pattern> {
    let hot_spot = (prop::collection::vec(0u32..2, 1..4), 0.0..=1.0);
    let leaf = prop_oneof![
        Just(Pattern::from(Uniform)),
        Just(Permutation.into()),
        Just(SwitchPermutation.into()),
        hot_spot.prop_map(|(nodes, share)| HotSpot { nodes, share }.into()),
        (1e-9..0.9, 0.0..=1.0).prop_map(|(share, spots)| mixture(share, spots).into()),
    ];
    leaf.prop_recursive(4, 16, 2, |inner| {
        (0u64..1_000_000, inner.clone(), inner).prop_map(|(cycle, from, to)| Pattern::SwitchAt {
            cycle,
            from: from.into(),
            to: to.into(),
        })
    })
}

fn packet_flits() -> impl Strategy<Value = PacketFlits> {
    let mixed = |(one, other, share): (u32, u32, f64)| {
        let of = |flits, share| LengthShare { flits, share };
        PacketFlits::Mixed(vec![of(one, share), of(other, 1.0 - share)])
    };
    prop_oneof![(1u32..=64).prop_map(PacketFlits::Same), (1u32..=64, 1u32..=64, 1e-9..0.9).prop_map(mixed)]
}

fn traffic() -> impl Strategy<Value = TrafficSettings> {
    let loads =
        prop_oneof![prop::collection::vec(1e-9..=1.0, 1..5).prop_map(Loads::List), Just(Loads::Saturation),];
    (pattern(), packet_flits(), 0u32..=64, word(), word(), 1.0..=1e6, loads).prop_map(
        |(pattern, packet_flits, reply_flits, injection_vc, process, burst_packets, loads)| TrafficSettings {
            pattern,
            packet_flits,
            reply_flits,
            injection_vc,
            process,
            burst_packets,
            loads,
        },
    )
}

fn injection() -> impl Strategy<Value = InjectionSettings> {
    (word(), 1u32..=65_535).prop_map(|(control, window)| InjectionSettings {
        control,
        window,
        static_rate: false,
    })
}

fn congestion(classes: usize) -> impl Strategy<Value = CongestionSettings> {
    let marks = (0u16..=1023, any::<u16>())
        .prop_map(|(packet_size, marking_rate)| MarkSettings { packet_size, marking_rate });
    let adapter = (any::<u8>(), 255u16.., any::<u8>(), 0u32..=16_777_216)
        .prop_map(|(increase, limit, min, timer)| AdapterSettings { increase, limit, min, timer });
    (per_class(classes, 0..=15), any::<bool>(), marks, adapter, 0.0..=255.0, 1u32..=8, word()).prop_map(
        |(threshold, victim_mask, marks, adapter, cct_step, notification_flits, scope)| CongestionSettings {
            threshold,
            victim_mask,
            marks,
            adapter,
            cct_step,
            notification_flits,
            scope,
        },
    )
}

fn run() -> impl Strategy<Value = RunSettings> {
    let cycles = 1u64..1_000_000_000;
    (
        prop::option::of(0u64..1_000_000),
        prop::option::of(cycles.clone()),
        prop::option::of(cycles.clone()),
        cycles,
        0..=i64::MAX as u64,
        any::<bool>(),
    )
        .prop_map(|(warmup_cycles, measure_cycles, limit_cycles, window_cycles, seed, details)| {
            let by = |cycles: Option<u64>| cycles.is_none().then_some(window_cycles).filter(|_| details);
            let (warmup_packets, measure_packets) = (by(warmup_cycles), by(measure_cycles));
            RunSettings {
                warmup_cycles,
                measure_cycles,
                warmup_packets,
                measure_packets,
                limit_cycles,
                window_cycles,
                seed,
                details,
            }
        })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    topology().prop_flat_map(|topology| {
        let classes = topology.classes().len();
        let losses = (any::<bool>(), 1u32..=65_536, 0u32..=8, 0u32..=8);
        let latencies = (per_class(classes, 1..=10_000), per_class(classes, 1..=10_000), any::<bool>());
        let links = (latencies, down(&topology), losses);
        let links = links.prop_map(|(latencies, down, (is_absolute, period, packets, credits))| {
            let (latency, of_credits, is_same) = latencies;
            let credits = if down.is_empty() { credits } else { 0 };
            let is_absolute = is_absolute && down.is_empty();
            LinkSettings {
                credits: if is_absolute { CreditForm::Absolute } else { CreditForm::Pulse },
                credit_period: if is_absolute { period } else { 64 },
                credit_flits: 1,
                loss: Loss {
                    packets: if down.is_empty() { f64::from(packets) / 8.0 } else { 0.0 },
                    credits: f64::from(credits) / 8.0,
                },
                latency,
                credit_latency: if is_same || is_absolute { latency } else { of_credits },
                rate: None,
                down,
            }
        });
        let nodes = (traffic(), injection(), any::<bool>(), congestion(classes));
        (Just(topology), router(classes), links, routing(), selection(), nodes, run()).prop_map(
            |(topology, mut router, links, mut routing, selection, nodes, run)| {
                let (mut traffic, mut injection, static_rate, congestion) = nodes;
                let is_by_destination = congestion.scope == ControlScope::Destination;
                injection.static_rate = static_rate
                    && (injection.control == ControlKind::Free
                        || injection.control == ControlKind::CongestionControl && is_by_destination);
                if !matches!(topology, Topology::Dragonfly(_)) {
                    let RoutingSettings { scheme, tables, service_levels, sl_to_vl, .. } = &mut routing;
                    (*scheme, *tables, *service_levels, *sl_to_vl) = (TableScheme.into(), None, None, None);
                }
                if matches!(topology, Topology::Dragonfly(_)) {
                    let needs = routing.scheme.needs(MapKind::Dragonfly).vcs;
                    let raised =
                        [needs.node, needs.local, needs.global].into_iter().zip(router.vcs.as_slice());
                    let raised: Vec<_> = raised.map(|(least, &vcs)| vcs.max(least.into())).collect();
                    router.vcs = PerClass::new(&raised);
                }
                if injection.control == ControlKind::Window {
                    traffic.reply_flits = traffic.reply_flits.max(1);
                }
                let mut scenario = Scenario {
                    topology,
                    router,
                    links,
                    routing,
                    selection,
                    traffic,
                    injection,
                    congestion,
                    run,
                };
                // Links that lose nothing and have pulses for credits go with everything.
                let is_refused = scenario.router.options.flow_control.is_atomic()
                    || scenario.router.buffer_flits.highest() > 2048
                    || scenario.router.vcs.highest() > 4 * scenario.links.credit_period
                    || scenario.routing.scheme.word() == "ugal-dragonfly";
                if is_refused {
                    scenario.links.credits = CreditForm::Pulse;
                    (scenario.links.credit_period, scenario.links.loss) = (64, Loss::default());
                }
                // VCs share places where each credit is one, and nothing is marked.
                let scheme = scenario.routing.scheme;
                if scenario.congestion.marks_anything()
                    || scenario.links.credits != CreditForm::Pulse
                    || scheme.whole_packets()
                    || scheme.word() == "olm"
                {
                    let classes = scenario.router.reserved_flits.as_slice().len();
                    scenario.router.reserved_flits = PerClass::all(classes, 0);
                }
                // What answers packets, replies and ACKs of the routing, comes from one channel.
                if scenario.answer_flits() > 0 || scenario.listens() {
                    scenario.router.options.ejection = Ejection::Own;
                }
                scenario
            },
        )
    })
}

/// A file with everything in it, to be damaged.
const GOOD: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = [4, 4, 4]\nh = 2\n\
    [router]\nvcs = { node = 3, local = 3, global = 2 }\nspeedup = 2\n\
    [selection]\nglobal_restriction = { factor = 1.5, packets = 5 }\n\
    [traffic]\npattern = { switch-at = 500, from = \"uniform\", to = { hot-spot = { nodes = [0, 1], share = 0.5 } } }\n\
    loads = [0.1, 0.2]\n[run]\nwarmup_cycles = \"auto\" # größer\nseed = 0x1f\n";

/// Reads what may be anything; an error must be printable and point at something.
fn survives(bytes: &[u8], sets: &[String]) {
    match Scenario::from_bytes(bytes, "net.toml", Path::new(""), sets) {
        Ok(scenario) => assert!(!scenario.differences().is_empty()),
        Err(error) => assert!(error.to_string().lines().count() >= 3, "{error}"),
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back_equal(scenario in scenario()) {
        let text = scenario.to_toml();
        let read = Scenario::parse(&text, "net.toml", Path::new("/elsewhere"), &[]);
        prop_assert_eq!(read, Ok(scenario), "{}", text);
    }

    #[test]
    fn any_bytes_are_survived(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        survives(&bytes, &[]);
    }

    #[test]
    fn any_text_and_set_are_survived(text in ".{0,100}", set in "([a-z]{1,9}\\.)?[a-z]{1,9}=.{0,20}|.{0,20}") {
        survives(text.as_bytes(), std::slice::from_ref(&set));
        survives(GOOD.as_bytes(), &[set]);
    }

    #[test]
    fn a_damaged_file_is_survived(
        damages in prop::collection::vec((any::<prop::sample::Index>(), 0usize..12, "[\\[\\]{}=,.\"'0-9a-z\n#-]{0,4}"), 1..4)
    ) {
        let mut bytes = GOOD.as_bytes().to_vec();
        for (at, length, new) in damages {
            let start = at.index(bytes.len() + 1);
            let end = (start + length).min(bytes.len());
            bytes.splice(start..end, new.bytes());
        }
        survives(&bytes, &[]);
    }
}

#[test]
fn the_file_to_be_damaged_is_good() {
    Scenario::parse(GOOD, "net.toml", Path::new(""), &[]).unwrap();
}
