//! Links that are slower than a flit in each cycle, by `docs/topologies.md`: rates as fractions, when flits leave, and how many wait.

use super::explore::Net;
use desvio_core::header::{Address, Flit, Header, Packet};
use desvio_core::links::PortSizes;
use desvio_core::map::grid::Grid;
use desvio_core::options::Pipeline;
use desvio_core::plan::Plan;
use desvio_core::rate::{Pace, Rate};
use desvio_core::route::dimension_order::DimensionOrder;
use desvio_core::router::{Router, Wires};
use desvio_core::units::{Channel, PortId, VcId};
use desvio_core::vc::Descriptor;

/// Proves: a rate is the fraction of its two numbers in lowest terms, and there is none without flits or above one.
#[test]
fn rates_are_fractions() {
    let numbers = (0..=24).chain([100, 12_345, 65_534, 65_535]);
    for (flits, cycles) in
        numbers.clone().flat_map(|flits| numbers.clone().map(move |cycles| (flits, cycles)))
    {
        let Some(rate) = Rate::new(flits, cycles) else {
            assert!(flits == 0 || flits > cycles, "{flits}/{cycles}");
            continue;
        };
        assert!(flits > 0 && flits <= cycles, "{flits}/{cycles}");
        let (over, under) = (u32::from(rate.flits()), u32::from(rate.cycles()));
        assert_eq!(over * u32::from(cycles), under * u32::from(flits), "another fraction");
        assert!((2..=over).all(|n| !over.is_multiple_of(n) || !under.is_multiple_of(n)), "{over}/{under}");
        assert_eq!(rate.is_full(), flits == cycles);
        assert_eq!(rate == Rate::FULL, flits == cycles);
        // As many flits as fit whole; the longest gap is no shorter than the time of a flit, and by less than a cycle longer.
        let per_flit = f64::from(cycles) / f64::from(flits);
        assert!((0.0..1.0).contains(&(f64::from(rate.longest_gap()) - per_flit)), "{rate:?}");
        for taken in [0, 1, 2, 3, 7, 24, 100, 65_535, 1 << 40] {
            let whole = u128::from(taken) * u128::from(flits) / u128::from(cycles);
            assert_eq!(u128::from(rate.flits_in(taken)), whole, "{rate:?} in {taken}");
        }
        assert_eq!(Pace::new(rate).rate(), rate);
    }
    assert_eq!((Rate::default(), Rate::FULL.flits(), Rate::FULL.cycles()), (Rate::FULL, 1, 1));
}

const PORTS: usize = 5;
/// The link to the other router.
const LINK: PortId = PortId::new(3);
/// A node of this one.
const NODE: PortId = PortId::new(2);

/// What a router says on its wires.
#[derive(Default)]
struct Said {
    left: Vec<(PortId, u64)>,
    filled: Vec<Channel>,
    freed: Vec<Channel>,
}

impl Wires for Said {
    fn flit(&mut self, to: Channel, at: u64, _flit: Flit) {
        self.left.push((to.port, at));
        self.filled.push(to);
    }

    fn credit(&mut self, from: Channel) {
        self.freed.push(from);
    }
}

fn plan(grid: &Grid, pipeline: Pipeline) -> Plan<PORTS> {
    let net = Net::of(grid);
    let classes: Vec<_> = net.ports().map(|port| net.class(0, port)).collect();
    let mut plan = Plan::new(&classes, &[2, 2, 1].map(|vcs| PortSizes { vcs, buffer: 8 })).unwrap();
    (plan.options.pipeline, plan.options.output_flits) = (pipeline, 6);
    plan
}

fn full_at(pipeline: Pipeline) -> usize {
    plan(&Grid::new(&[2], 3, false).unwrap(), pipeline).full_at() as usize
}

/// Keeps two inputs full for the link and one for a node: the cycles in which flits leave by both, and the least that waited for the link
/// in the second half of the time, and the most.
fn saturated(pipeline: Pipeline, speedup: u64, rate: Option<Rate>) -> ([Vec<u64>; 2], [usize; 2], String) {
    let grid = Grid::new(&[2], 3, false).unwrap();
    let plan = plan(&grid, pipeline);
    let routing = DimensionOrder { grid, vcs: 2 };
    let net = Net::of(&grid);
    let store = vec![Descriptor::default(); plan.links.places()];
    let mut core = Router::<_, PORTS, 2>::new(&plan, net.here(0), store, 0, 1);
    if let Some(rate) = rate {
        core = core.with_rates(|port| if port == LINK { rate } else { Rate::FULL });
    }
    let rate = rate.unwrap_or_default();
    let (mut room, mut left, mut least, mut most) = ([8; 3], [Vec::new(), Vec::new()], usize::MAX, 0);
    for cycle in 0..400 {
        for (input, room) in room.iter_mut().enumerate() {
            if *room > 0 {
                *room -= 1;
                let to = if input < 2 {
                    Address { router: net.routers[1], port: 0 }
                } else {
                    Address { router: 0, port: NODE.number() }
                };
                let header = Header { to, length: 1, ..Header::default() };
                let from = Channel::new(PortId::new(input as u8), VcId::new(0));
                core.handle_flit(&plan, &routing, from, &Flit::Head(Packet { header, tag: 0 })).unwrap();
            }
        }
        let (next, mut said) = (cycle / speedup + 1, Said::default());
        core.step(&plan, &routing, next, &mut said);
        for (port, at) in said.left {
            left[usize::from(port == NODE)].push(at);
        }
        said.filled.into_iter().for_each(|to| core.handle_credit(&plan, to).unwrap());
        said.freed.into_iter().for_each(|from| room[from.port.index()] += 1);
        // Those that have not left yet wait; where cycles do not come out even, one may be counted more or less.
        let waiting = left[0].iter().filter(|&&at| at >= next).count();
        let beside = (core.queued(LINK, next) as usize).abs_diff(waiting);
        assert!(beside <= usize::from(rate.flits() > 1), "{rate:?}: {waiting} wait");
        most = most.max(waiting);
        least = if cycle < 200 { least } else { least.min(waiting) };
    }
    (left, [least, most], format!("{core:?}"))
}

/// Proves: of n flits that wait for each other the last one leaves ⌊(n − 1) · cycles / flits⌋ cycles behind the first. The queue takes as
/// many as at full rate, and other outputs are as fast as they were.
#[test]
fn a_slow_link_sends_by_its_rate_and_fills_its_queue() {
    for pipeline in Pipeline::ALL {
        for speedup in [1, 2] {
            for (flits, cycles) in [(1, 1), (1, 2), (1, 4), (4, 25), (3, 4), (2, 3), (1, 30), (9, 10)] {
                let rate = Rate::new(flits, cycles).unwrap();
                let ([link, node], [least, most], _) = saturated(pipeline, speedup, Some(rate));
                let behind = |n: usize| (n as u64) * u64::from(cycles) / u64::from(flits);
                let expected: Vec<_> = (0..link.len()).map(|n| link[0] + behind(n)).collect();
                // With registers behind admission three inputs of packets of one flit are not enough for each cycle.
                if pipeline != Pipeline::Four && cycles < 2 * flits {
                    assert!(link.iter().zip(&expected).all(|(at, least)| at >= least));
                    continue;
                }
                assert_eq!(link, expected, "{pipeline:?} {speedup} {flits}/{cycles}");
                assert!(link.last().unwrap() + u64::from(cycles) >= 400 / speedup);
                if pipeline == Pipeline::Four {
                    assert!(node.windows(2).all(|two| two[1] == two[0] + 1), "{node:?}");
                }
                if flits < cycles || speedup > 1 {
                    // What is registered comes on top of those with which the queue takes no more.
                    let full_at = full_at(pipeline);
                    let beside = usize::from(flits > 1);
                    // A flit that leaves makes place for another one at once.
                    assert!(
                        pipeline != Pipeline::Four || least + 2 >= full_at,
                        "{rate:?}: {least} of {full_at}"
                    );
                    assert!(
                        most >= full_at && most <= 6 + beside,
                        "{pipeline:?} {rate:?}: {most} of {full_at}"
                    );
                }
            }
        }
    }
}

/// Proves: a router whose links are all of full rate is one without rates, to the last register.
#[test]
fn full_rate_is_no_rate() {
    for speedup in [1, 2] {
        let (none, full) =
            (saturated(Pipeline::Four, speedup, None), saturated(Pipeline::Four, speedup, Some(Rate::FULL)));
        assert_eq!(none, full);
    }
    assert_eq!(full_at(Pipeline::Four), 6, "nothing is kept for registers");
}
