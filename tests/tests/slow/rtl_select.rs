//! The RTL's `select`, with its triggers and draws, beside `Selection::choose`: random packets before random
//! outputs.

mod notes;
mod pair;
mod sets;
mod sizes;
mod state;
mod thresholds;

use crate::rtl_unit::bench::{Bench, Chance, Tally, compiled, either, is_long};
use pair::{Counts, Pair, Pins};
use rayon::prelude::*;
use router_core::lfsr::Lfsr;
use router_core::route::Candidates;
use router_core::select::Waiting;
use router_core::select::ugal::Queue;
use router_core::units::{Channel, PortId, PortSet};
use sets::{candidates_of, random_sets};
use sizes::{DEEP_LOCALS, ODD, PAPER, Sizes, TINY, TWO_GLOBAL, TWO_LOCAL, TWO_MINIMAL, TWO_WAYS};
use state::State;
use thresholds::Thresholds;

const DRAW: [&str; 4] = ["multiples", "nth_member", "drawn_member", "draw"];
const SELECT: [&str; 10] = [
    DRAW[0],
    DRAW[1],
    DRAW[2],
    DRAW[3],
    "set_at",
    "trigger_occupancy",
    "trigger_ugal",
    "draws",
    "select",
    "selections",
];
/// Most ports and VCs of the routers here.
const P: usize = 16;
const V: usize = 8;

/// What has to have been asked for, by each trigger: number of the trigger times these, plus this.
const ASKED: [&str; 6] = [
    "the minimal output",
    "another minimal output",
    "a global misroute",
    "a local misroute",
    "an open output of a forced packet",
    "a closed output of a forced packet",
];
/// What the triggers have to have said.
const SAID: [&str; 13] = [
    "never fires, a packet with detours",
    "occupancy fires",
    "occupancy does not fire on a blocked output",
    "the minimal output is not blocked",
    "the global restriction forbids",
    "the global restriction lifts",
    "occupancy allows the detour",
    "occupancy refuses an open detour",
    "hybrid: a detour by occupancy alone",
    "hybrid: a detour by counters alone",
    "the draw between both kinds of misroutes",
    "always: several outputs at once",
    "ectn: a detour by what the group tells alone",
];
/// The triggers by their numbers, and behind them `always` where requests are registered, and a packet asks for one output.
const TRIGGERS: [&str; 9] = [
    "never",
    "occupancy",
    "contention",
    "contention_average",
    "hybrid",
    "always",
    "ectn",
    "ugal",
    "always, one output",
];
const ALWAYS_ONE: usize = 8;
/// The triggers of packets that have one minimal hop and one detour at most: no other one looks at a global misroute by any port.
const OF_TWO_WAYS: [usize; 4] = [0, 5, 7, ALWAYS_ONE];

fn names() -> [&'static str; 67] {
    let asked = TRIGGERS.iter().flat_map(|trigger| ASKED.map(|asked| format!("{trigger}: {asked}")));
    let all: Vec<String> = asked.chain(SAID.map(String::from)).collect();
    std::array::from_fn(|at| &*all[at].clone().leak())
}

fn every_trigger(sizes: Sizes, queue: Queue, packets: usize) -> Option<Counts> {
    let kinds = ["NODES", "LOCALS", "GLOBALS"].into_iter().zip(sizes.kinds.map(|n| n as u32));
    let vcs = ["NODE_VCS", "LOCAL_VCS", "GLOBAL_VCS"].into_iter().zip(sizes.vcs.map(u32::from));
    let flits = ["NODE_FLITS", "LOCAL_FLITS", "GLOBAL_FLITS"].into_iter().zip(sizes.flits.map(u32::from));
    let kinds_of_sets = sizes.hops.iter().rev().fold(0, |word, &kind| word << 8 | kind as u32);
    let widths = [
        ("VCS", sizes.most_vcs() as u32),
        ("CREDIT_W", sizes.credit_bits() as u32),
        ("SETS", sizes.hops.len() as u32),
        ("KINDS", kinds_of_sets),
        ("UGAL_QUEUE", queue as u32),
        ("DRAWS_AHEAD", sizes.draws_ahead.into()),
        ("ONE_EACH", sizes.has_two_ways().into()),
    ];
    let parameters: Vec<_> = kinds.chain(vcs).chain(flits).chain(widths).collect();
    let bench = Bench::new(&compiled("selections", &SELECT, &parameters)?);
    let mut pair = Pair { sizes, pins: Pins::new(&bench, &sizes), bench, tally: Tally::new(names()) };
    let mut chance = Chance::new(6);
    let mut lfsr = Lfsr::new(6, 0);
    for _ in 0..packets / 64 {
        let state = State::random(&sizes, &mut chance);
        let outputs = state.view();
        pair.set_state(&state);
        for n in 0..64 {
            if n % 4 == 0 {
                lfsr = Lfsr::new(chance.word(), 0);
            }
            lfsr.step();
            let thresholds = Thresholds::random(queue, &mut chance);
            pair.set_thresholds(&thresholds, &outputs);
            let (sets, forced) = random_sets(&sizes, &mut chance);
            let candidates = candidates_of(&sets, forced);
            if n % 32 == 0 {
                lfsr = at_an_edge(&candidates, &mut chance);
            }
            let some = chance.one(candidates.preferred().bits()).max(usize::from(candidates.is_empty()));
            let deep = usize::from(sizes.flits[chance.below(3)]);
            let length = match chance.below(6) {
                0 => 1 + chance.below(1023),
                1 | 2 => 1 + chance.below(4),
                _ => 1 + chance.below(deep),
            };
            let packet = Waiting {
                at: Channel::default(),
                candidates: &candidates,
                minimal: PortId::new(some.trailing_zeros() as u8),
                length: length as u16,
                tap: lfsr.tap(0, 0),
            };
            pair.compare(&thresholds, (&packet, &sets), lfsr.word(), &outputs);
        }
    }
    Some(pair.tally)
}

#[test]
fn every_trigger_asks_for_the_same() {
    let packets = either(1 << 16, 1 << 21);
    let with = |hops| Sizes { hops, ..PAPER };
    let of_all = [PAPER, TINY, ODD, DEEP_LOCALS, with(TWO_MINIMAL), with(TWO_GLOBAL), with(TWO_LOCAL)];
    // The last three with a queue of each kind.
    let all = [&of_all[..], &[with(TWO_WAYS); 3]].concat();
    let tallies: Vec<_> = { all.par_iter().enumerate() }
        .map(|(at, &sizes)| every_trigger(sizes, [Queue::Port, Queue::Vc, Queue::Packets][at % 3], packets))
        .collect();
    let Some(tally) = tallies.into_iter().flatten().reduce(|all, one| all.with(&one)) else { return };
    // `never` makes no detour; `always` asks for several at once, of which the first is noted.
    let impossible = [2, 3, 5 * ASKED.len() + 1];
    tally
        .without(impossible)
        .conclude("select", ((of_all.len() * TRIGGERS.len() + 3 * OF_TWO_WAYS.len()) * packets) as u64);
}

/// A word whose lower 16 bits are the last that draw one router to misroute from, or the first that draw the next one.
fn at_an_edge(candidates: &Candidates, chance: &mut Chance) -> Lfsr {
    let [_, local] = candidates.misroutes();
    let edges = telling(local.len() + 1, chance);
    let words = std::iter::repeat_with(|| Lfsr::new(chance.word(), 0)).take(1 << 14);
    let is_telling = |lfsr: &Lfsr| edges.contains(&u64::from(lfsr.word() & 0xffff));
    { words }.find(is_telling).unwrap_or(Lfsr::new(0, 0))
}

/// All numbers of 16 bits where the drawn member changes for `n` members, and their neighbours; and some
/// others.
fn telling(n: usize, chance: &mut Chance) -> Vec<u64> {
    let edges =
        (0..=n).map(|k| (k * 65536).div_ceil(n.max(1))).flat_map(|edge| [edge, edge.saturating_sub(1)]);
    let mut found: Vec<_> = edges.filter(|&bits| bits < 65536).map(|bits| bits as u64).collect();
    found.extend((0..4).map(|_| chance.word() & 0xffff));
    found
}

#[test]
fn draws_are_the_same() {
    let mut tally = Tally::new(["none of none", "the lowest", "the highest", "one between"]);
    for (width, ahead) in [(1, 8), (2, 8), (3, 8), (7, 8), (15, 8), (15, 16)] {
        let parameters = [("WIDTH", width as u32), ("AHEAD", ahead)];
        let Some(library) = compiled("draw", &DRAW, &parameters) else { return };
        let mut bench = Bench::new(&library);
        let (members, random) = (bench.input("members", width), bench.input("random", 16));
        let one = bench.output("one", width);
        let mut chance = Chance::new(7);
        for set in 0..1_usize << width {
            let ports = PortSet::from_bits(set);
            bench.set(members, set as u64);
            let all = is_long() && width <= 7;
            let words = if all { (0..1 << 16).collect() } else { telling(ports.len(), &mut chance) };
            for word in words {
                bench.set(random, word);
                bench.eval();
                let rust = ports.nth((word as usize * ports.len()) >> 16);
                let bits = rust.map_or(0, |port| 1 << port.number());
                assert_eq!(bench.get(one), bits, "one of {ports:?} by {word:#x}");
                let seen = [
                    set == 0,
                    rust.is_some() && rust == ports.first(),
                    ports.len() > 1 && rust == ports.nth(ports.len() - 1),
                    ports.len() > 2 && rust != ports.first() && rust != ports.nth(ports.len() - 1),
                ];
                seen.iter().enumerate().for_each(|(at, &yes)| tally.saw(at, u64::from(yes)));
                tally.compared += 1;
            }
        }
    }
    tally.conclude("draw", either(100_000, 8_000_000));
}

/// The formula of the draw is the one that taps use.
#[test]
fn the_draw_is_that_of_a_tap() {
    let mut lfsr = Lfsr::new(8, 0);
    for n in (0..64).cycle().take(10_000) {
        lfsr.step();
        let word = lfsr.word() as usize;
        assert_eq!(lfsr.tap(0, 0).below(n), ((word >> 16) * n) >> 16);
        assert_eq!(lfsr.tap(0, 0).second_below(n), ((word & 0xffff) * n) >> 16);
    }
}
