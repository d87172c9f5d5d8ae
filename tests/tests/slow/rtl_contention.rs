//! The RTL's contention counters beside those of `router-core`, in every cycle, with what the triggers make
//! of them.

use crate::rtl_unit::bench::{Bench, Chance, Packed, Tally, compiled, either};
use router_core::PortClass;
use router_core::contention::{Contention, LateMean};
use router_core::fixed::U8F8;
use router_core::layout;
use router_core::lent::Lent;
use router_core::links::PortSizes;
use router_core::options::Pipeline;
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::plan::Plan;
use router_core::select::contention::ContentionTrigger;
use router_core::select::contention_average::AverageTrigger;
use router_core::select::{Outputs, Preference};
use router_core::units::{PortId, PortSet};

const P: usize = 16;

/// A set of counters: how many, how wide, how many may rise at once.
#[derive(Clone, Copy)]
struct Sizes {
    ports: usize,
    width: usize,
    rises: usize,
}

const SIZES: [Sizes; 6] = [
    Sizes { ports: 2, width: 2, rises: 4 },
    Sizes { ports: 3, width: 4, rises: 6 },
    Sizes { ports: 8, width: 5, rises: 16 },
    Sizes { ports: 16, width: 16, rises: 32 },
    Sizes { ports: 7, width: 8, rises: 14 },
    Sizes { ports: 15, width: 8, rises: 30 },
];

const SEEN: [&str; 8] = [
    "a rise and a fall of one port at once",
    "several rises of one port",
    "several falls of one port",
    "a full counter",
    "a contended port",
    "one that is not",
    "a port neither contended nor a detour",
    "a reset while packets are counted",
];

/// The packets that come and go in a cycle: as many as the counters can hold, and no more than were counted.
fn moves(sizes: Sizes, counts: &[u64], chance: &mut Chance) -> (Vec<usize>, Vec<usize>) {
    let (busy, bias, mut left) = (chance.below(4), chance.below(8), counts.to_vec());
    let some = |chance: &mut Chance| if chance.happens(bias, 16) { 0 } else { chance.below(sizes.ports) };
    let mut falls = vec![0; sizes.ports];
    for fall in &mut falls {
        let port = some(chance);
        if chance.happens(busy, 5) && left[port] > 0 {
            left[port] -= 1;
            *fall = 1 << port;
        }
    }
    let mut rises = vec![0; sizes.rises];
    for rise in &mut rises {
        let port = some(chance);
        if chance.happens(busy, 8) && left[port] + 1 < 1 << sizes.width {
            left[port] += 1;
            *rise = 1 << port;
        }
    }
    (rises, falls)
}

fn packed(slots: &[usize], bits: usize) -> Packed {
    let mut all = Packed::default();
    slots.iter().for_each(|&slot| all.push(slot as u64, bits));
    all
}

fn count(slots: &[usize], port: usize) -> usize {
    slots.iter().filter(|&&slot| slot >> port & 1 == 1).count()
}

/// The bits of the ports for which something holds.
fn ports_where(ports: usize, holds: impl Fn(PortId) -> bool) -> u64 {
    (0..ports).filter(|&port| holds(PortId::new(port as u8))).fold(0, |bits, port| bits | 1 << port)
}

fn counters(sizes: Sizes, trigger: u32, pipeline: Pipeline, cycles: usize) -> Option<Tally<8>> {
    let Sizes { ports, width, rises } = sizes;
    let parameters = [
        ("PORTS", ports as u32),
        ("COUNTER_WIDTH", width as u32),
        ("RISES", rises as u32),
        ("TRIGGER", trigger),
        ("LATE_MEAN", pipeline.registers_requests().into()),
    ];
    let mut bench = Bench::new(&compiled("contention", &["contention"], &parameters)?);
    let (clk, rst) = (bench.input("clk", 1), bench.input("rst", 1));
    let (rise, fall) = (bench.input("rise", rises * ports), bench.input("fall", ports * ports));
    let (threshold, factor) = (bench.input("threshold", width), bench.input("factor", 16));
    let wired = bench.input("wired", ports);
    let count_out = bench.output("count", ports * width);
    let (fires, contended) = (bench.output("fires", ports), bench.output("contended", ports));

    let buffers = PortSizes { vcs: 1, buffer: 1 };
    let plan = Plan::<P>::new(&[PortClass::LOCAL; P], &[buffers; 2]).expect("a plan");
    let outputs = PerPort::from_fn(|_| OutputPort::<1>::new(1));
    let mut golden = Contention::<P>::new(pipeline.registers_requests());
    // A late mean is divided by the ports of the cycle before.
    let mut divisor = 0;
    let mut chance = Chance::new(u64::from(trigger));
    let mut tally = Tally::new(SEEN);
    for cycle in 0..cycles {
        let counts: Vec<_> = (0..ports).map(|port| u64::from(golden.at(PortId::new(port as u8)))).collect();
        let reset = cycle == 0 || chance.happens(1, 2000);
        let (up, down) = moves(sizes, &counts, &mut chance);
        let before = golden.total();
        for port in 0..ports {
            let id = PortId::new(port as u8);
            let (ups, downs) = (count(&up, port), count(&down, port));
            (0..ups).for_each(|_| golden.rise(id));
            (0..downs).for_each(|_| golden.fall(id));
            let seen = [ups > 0 && downs > 0, ups > 1, downs > 1];
            seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes && !reset)));
            tally.saw(3, u64::from(u64::from(golden.at(id)) == (1 << width) - 1));
        }
        if reset {
            tally.saw(7, u64::from(golden.total() > 0));
            golden = Contention::new(pipeline.registers_requests());
        }
        let most = if chance.happens(1, 2) { 8.min(1 << width) } else { 1 << width };
        let fixed = ContentionTrigger { threshold: chance.below(most) as u16 };
        let bits = [0, 1, 256, 300, 512, chance.word() as u16, u16::MAX][chance.below(7)];
        let average = AverageTrigger { factor: U8F8::from_bits(bits) };
        let connected = if chance.happens(1, 2) { (1 << ports) - 1 } else { chance.some((1 << ports) - 1) };
        if !reset {
            let next = |mean: LateMean| mean.next(Some(average.factor), before, divisor);
            golden.late_mean = golden.late_mean.map(next);
        }
        divisor = connected.count_ones();
        bench.set(rst, u64::from(reset));
        bench.set_packed(rise, &packed(&up, ports));
        bench.set_packed(fall, &packed(&down, ports));
        bench.set(threshold, u64::from(fixed.threshold));
        bench.set(factor, u64::from(bits));
        bench.set(wired, connected as u64);
        bench.cycle(clk);

        let view = Outputs {
            links: &plan.links,
            ports: &outputs,
            owned: &PerPort::default(),
            lent: &Lent::NONE,
            contention: &golden,
            wired: PortSet::from_bits(connected),
            waits_for_detours: false,
            asks_one: false,
            preference: Preference::RANDOM,
            full: PortSet::EMPTY,
            held: PortSet::EMPTY,
        };
        let rust = match trigger {
            layout::TRIGGER_CONTENTION_AVERAGE => [
                ports_where(ports, |port| average.is_crowded(port, &view)),
                ports_where(ports, |port| average.is_contended(port, &view)),
            ],
            layout::TRIGGER_CONTENTION | layout::TRIGGER_HYBRID => [
                ports_where(ports, |port| fixed.is_contended(port, &view)),
                ports_where(ports, |port| fixed.is_contended(port, &view)),
            ],
            _ => [0, (1 << ports) - 1],
        };
        let counts: Vec<_> = (0..ports).map(|port| usize::from(golden.at(PortId::new(port as u8)))).collect();
        let context = format!(
            "cycle {cycle}, trigger {trigger}, {fixed:?}, {average:?}, {:?}, wired {connected:#b}: {counts:?}",
            golden.late_mean
        );
        assert_eq!(bench.words(count_out), packed(&counts, width).words(), "{context}");
        assert_eq!([bench.get(fires), bench.get(contended)], rust, "{context}");
        tally.saw(4, u64::from(rust[0].count_ones()));
        let all = (1 << ports) - 1;
        tally.saw(5, u64::from((all & !rust[1]).count_ones()));
        tally.saw(6, u64::from((!rust[0] & rust[1]).count_ones()));
        tally.compared += 1;
    }
    Some(tally)
}

#[test]
fn counters_follow_packets_and_triggers_follow_counters() {
    let cycles = either(20_000, 500_000);
    let triggers = [
        (layout::TRIGGER_CONTENTION, Pipeline::Four),
        (layout::TRIGGER_CONTENTION_AVERAGE, Pipeline::Four),
        (layout::TRIGGER_CONTENTION_AVERAGE, Pipeline::Five),
        (layout::TRIGGER_HYBRID, Pipeline::Four),
        (layout::TRIGGER_NEVER, Pipeline::Four),
    ];
    for (trigger, pipeline) in triggers {
        let tallies: Vec<_> = SIZES.iter().map(|&sizes| counters(sizes, trigger, pipeline, cycles)).collect();
        let Some(tally) = tallies.into_iter().flatten().reduce(|all, one| all.with(&one)) else { return };
        // A fixed threshold leaves no port in between; without a trigger nothing is said.
        let unsaid: &[usize] = match trigger {
            layout::TRIGGER_NEVER => &[4, 5],
            layout::TRIGGER_CONTENTION_AVERAGE => &[],
            _ => &[6],
        };
        let name = format!("contention, {}, {pipeline:?}", layout::TRIGGER_NAMES[trigger as usize]);
        tally.without(unsaid.iter().copied()).conclude(&name, SIZES.len() as u64 * cycles as u64);
    }
}
