//! What no router asks: an arbiter as a whole, whether a header is legal, sets of candidates that share ports. Benches of
//! their own show it.

use crate::rtl_route::ROUTE;
use crate::rtl_unit::bench::Tally;
use crate::rtl_unit::grid::{SEEN, Sizes};
use crate::rtl_unit::rival;
use crate::rtl_unit::table;
use desvio_lockstep::rtl::Sources;
use desvio_tests::rtl::source;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::ArbiterKind;
use router_core::alloc::arbiter::Arbiter;
use router_core::route::HopKind;
use std::path::Path;
use verilated::{BuildError, Design, Library, Model};

/// More than any world's ports: a round-robin arbiter of up to five is made in another way.
const REQUESTERS: usize = 7;
const CYCLES: u64 = 5_000;

/// A module on its own, beside the part of the model that it is.
pub(crate) struct Unit {
    pub(crate) name: &'static str,
    pub(crate) module: &'static str,
    library: Library,
    hunt: fn(&mut Model) -> Result<(), String>,
}

impl Unit {
    pub(crate) fn all(sources: &Sources, cache: &Path) -> Result<Vec<Self>, BuildError> {
        let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slow/rtl_mutation");
        let build = |top: &str, modules: &[&str], arbiter: u32| {
            let files = modules.iter().map(|module| source(sources.path(), module));
            let design = Design::new(top).sources(files).source(bench.join(format!("{top}.sv"))).cache(cache);
            if top != "arbiter_bench" {
                return design.build();
            }
            design.parameter("ARBITER", arbiter).parameter("REQUESTERS", REQUESTERS as u32).build()
        };
        let arbiter = ["pkg", "arbiter_pick", "arbiter_state", "arbiter"];
        let sets = ["pkg", "feasible", "set_at"];
        let mut units = vec![
            Self {
                name: "round-robin arbiter",
                module: "arbiter",
                library: build("arbiter_bench", &arbiter, 0)?,
                hunt: |model| arbiter_differs(model, ArbiterKind::RoundRobin),
            },
            Self {
                name: "pick of a round-robin arbiter",
                module: "arbiter_pick",
                library: build("arbiter_bench", &arbiter, 0)?,
                hunt: |model| arbiter_differs(model, ArbiterKind::RoundRobin),
            },
            Self {
                name: "matrix arbiter",
                module: "arbiter",
                library: build("arbiter_bench", &arbiter, 1)?,
                hunt: |model| arbiter_differs(model, ArbiterKind::Matrix),
            },
            Self {
                name: "sets that share ports",
                module: "feasible",
                library: build("sets_bench", &sets, 0)?,
                hunt: feasible_differs,
            },
            Self {
                name: "the set at a port",
                module: "set_at",
                library: build("sets_bench", &sets, 0)?,
                hunt: set_at_differs,
            },
        ];
        for module in OF_GRIDS {
            let library = grids(sources, cache)?;
            units.push(Self { name: "routings of grids", module, library, hunt: grids_differ });
        }
        for module in OF_TABLES {
            let library = tables(sources, cache)?;
            units.push(Self { name: "routings by table", module, library, hunt: tables_differ });
        }
        for module in OF_RIVALS {
            let library = rivals(sources, cache, SEVERAL_LINKS)?;
            units.push(Self { name: "rivals of OLM", module, library, hunt: rivals_differ::<SEVERAL_LINKS> });
        }
        for module in OF_UGAL {
            let library = rivals(sources, cache, ONE_LINK)?;
            units.push(Self { name: "UGAL", module, library, hunt: rivals_differ::<ONE_LINK> });
        }
        Ok(units)
    }

    /// What differs from the model, if anything does.
    pub(crate) fn hunt(&self, mutant: u16) -> Option<String> {
        let mut model = self.library.model(1).unwrap_or_else(|error| panic!("{error}"));
        set(&mut model, "mutant", 16, u64::from(mutant));
        set(&mut model, "rst", 1, 1);
        // The number is taken in, then the reset line itself may be the defect.
        for _ in 0..2 {
            cycle(&mut model);
        }
        set(&mut model, "rst", 1, 0);
        (self.hunt)(&mut model).err()
    }
}

fn set(model: &mut Model, name: &str, bits: u32, value: u64) {
    let input = model.input(name, bits).unwrap_or_else(|error| panic!("{error}"));
    model.set(input, value);
}

fn get(model: &Model, name: &str, bits: u32) -> u64 {
    model.get(model.output(name, bits).unwrap_or_else(|error| panic!("{error}")))
}

fn cycle(model: &mut Model) {
    let clk = model.input("clk", 1).unwrap_or_else(|error| panic!("{error}"));
    model.cycle(clk).unwrap_or_else(|error| panic!("{error}"));
}

fn arbiter_differs(model: &mut Model, kind: ArbiterKind) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut arbiter = Arbiter::<REQUESTERS>::new(kind);
    for at in 0..CYCLES {
        let (request, advance) = (random.next_u64() % (1 << REQUESTERS), random.next_u64() % 2);
        set(model, "request", REQUESTERS as u32, request);
        set(model, "advance", 1, advance);
        model.eval().map_err(|failure| failure.to_string())?;
        let winner = arbiter.pick(request as usize);
        let (expected, got) = (winner.map_or(0, |n| 1 << n), get(model, "grant", REQUESTERS as u32));
        if expected != got {
            return Err(format!(
                "cycle {at}: of {request:07b} the model serves {expected:07b}, the RTL {got:07b}"
            ));
        }
        if let Some(winner) = winner.filter(|_| advance == 1) {
            arbiter.served(winner);
        }
        cycle(model);
    }
    Ok(())
}

/// The routings of grids, which no world but Duato's has.
const OF_GRIDS: [&str; 5] = ["grid", "route", "route_dimension_order", "route_odd_even", "route_turn_model"];

/// As in `grids_bench.sv`.
const SIZES: Sizes = Sizes { dims: &[3, 4], nodes: 1, local_vcs: 2, vcs: 3, starts: 0b0101, last: 0b1110 };

fn grids(sources: &Sources, cache: &Path) -> Result<Library, BuildError> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let modules = ["pkg"].iter().chain(&ROUTE).chain(&["packed_candidates"]);
    Design::new("grids_bench")
        .include(sources.include())
        .sources(modules.map(|module| source(sources.path(), module)))
        .source(tests.join("rtl_unit/grids.sv"))
        .source(tests.join("slow/rtl_mutation/grids_bench.sv"))
        .flag("-Wno-WIDTH")
        .flag("-Wno-CMPCONST")
        .cache(cache)
        .build()
}

fn grids_differ(model: &mut Model) -> Result<(), String> {
    SIZES.compare(model, &mut Tally::new(SEEN))
}

/// The routings by table and by the route in the header, of which one world has one.
const OF_TABLES: [&str; 8] = [
    "table_lookup",
    "interval_lookup",
    "drawn_hop",
    "hop_vcs",
    "route",
    "route_table",
    "route_source",
    "onward",
];

fn tables(sources: &Sources, cache: &Path) -> Result<Library, BuildError> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let modules = ["pkg"].iter().chain(&ROUTE).chain(&[
        "table_lookup",
        "interval_lookup",
        "drawn_hop",
        "onward",
        "packed_candidates",
    ]);
    Design::new("tables_bench")
        .include(sources.include())
        .sources(modules.map(|module| source(sources.path(), module)))
        .source(tests.join("rtl_unit/tables.sv"))
        .source(tests.join("slow/rtl_mutation/tables_bench.sv"))
        .flag("-Wno-WIDTH")
        .flag("-Wno-CMPCONST")
        .cache(cache)
        .build()
}

/// The routings of Dragonflies that no world has.
const OF_RIVALS: [&str; 6] =
    ["parity_sign", "via_ahead", "route", "route_in_transit", "route_valiant", "onward"];

/// Those whose hops are counted where two groups have one link.
const OF_UGAL: [&str; 4] = ["leg", "ways", "route_ugal", "onward"];

/// Networks of [`rival::shape`].
const SEVERAL_LINKS: usize = 0;
const ONE_LINK: usize = 8;

fn rivals(sources: &Sources, cache: &Path, shape: usize) -> Result<Library, BuildError> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let modules = ["pkg"].iter().chain(&ROUTE).chain(&["onward", "packed_candidates"]);
    let parameters = rival::parameters(&rival::shape(shape));
    let design = parameters
        .iter()
        .fold(Design::new("rivals_bench"), |design, &(name, value)| design.parameter(name, value));
    design
        .include(sources.include())
        .sources(modules.map(|module| source(sources.path(), module)))
        .source(tests.join("rtl_unit/rivals.sv"))
        .source(tests.join("slow/rtl_mutation/rivals_bench.sv"))
        .flag("-Wno-WIDTH")
        .flag("-Wno-CMPCONST")
        .cache(cache)
        .build()
}

fn rivals_differ<const SHAPE: usize>(model: &mut Model) -> Result<(), String> {
    rival::compare(model, &rival::shape(SHAPE), rival::CASES, &mut Tally::new(rival::SEEN))
}

fn tables_differ(model: &mut Model) -> Result<(), String> {
    table::compare(model, &mut Tally::new(table::SEEN))
}

/// Ports, VCs and sets of `sets_bench.sv`, and the kind of hop of each set.
const PORTS: u32 = 3;
const VCS: u32 = 2;
const KINDS: [HopKind; 4] =
    [HopKind::GlobalMisroute, HopKind::Minimal, HopKind::LocalMisroute, HopKind::Minimal];

/// What `sets_bench.sv` is shown: words, of which each set or VC has a part.
struct Sets {
    ports: u64,
    vcs: u64,
    accepts: u64,
    planes: [u64; 3],
    port: u64,
}

impl Sets {
    fn show(model: &mut Model, random: &mut Xoshiro256PlusPlus) -> Result<Self, String> {
        let port = 1 << (random.next_u64() % u64::from(PORTS));
        let mut bits = |count: u32| random.next_u64() % (1 << count);
        let sets = KINDS.len() as u32;
        let one = Self {
            ports: bits(sets * PORTS),
            vcs: bits(sets * VCS),
            accepts: bits(PORTS) | bits(PORTS),
            planes: [0; 3].map(|_: u64| bits(VCS * PORTS) | bits(VCS * PORTS)),
            port,
        };
        set(model, "set_ports", sets * PORTS, one.ports);
        set(model, "set_vcs", sets * VCS, one.vcs);
        set(model, "accepts", PORTS, one.accepts);
        for (name, plane) in ["free", "credited", "fits"].into_iter().zip(one.planes) {
            set(model, name, VCS * PORTS, plane);
        }
        set(model, "port", PORTS, one.port);
        model.eval().map_err(|failure| failure.to_string())?;
        Ok(one)
    }

    fn ports_of(&self, nth: usize) -> u64 {
        self.ports >> (nth as u32 * PORTS) & ((1 << PORTS) - 1)
    }
    fn vcs_of(&self, nth: usize) -> u64 {
        self.vcs >> (nth as u32 * VCS) & ((1 << VCS) - 1)
    }

    /// The VCs by which a head may leave by a port in a set: with wormhole a minimal hop needs room for one flit.
    fn ways(&self, nth: usize, port: u32) -> u64 {
        let [free, credited, fits] = self.planes;
        let room = if KINDS[nth] == HopKind::Minimal { credited } else { fits };
        let may = |vc: u32| (free & room) >> (vc * PORTS + port) & 1 == 1 && self.vcs_of(nth) >> vc & 1 == 1;
        let there = (self.ports_of(nth) & self.accepts) >> port & 1 == 1;
        (0..VCS).filter(|&vc| there && may(vc)).fold(0, |all, vc| all | 1 << vc)
    }
}

fn feasible_differs(model: &mut Model) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..CYCLES {
        let shown = Sets::show(model, &mut random)?;
        let (mut open, mut by_kind) = (0, [0; 3]);
        for port in 0..PORTS {
            let ways =
                || (0..KINDS.len()).map(|nth| (KINDS[nth], shown.ways(nth, port))).filter(|way| way.1 != 0);
            let minimal = ways().any(|(kind, _)| kind == HopKind::Minimal);
            by_kind[0] |= u64::from(minimal) << port;
            if let Some((kind, vcs)) = ways().next() {
                open |= (0..VCS).fold(0, |all, vc| all | (vcs >> vc & 1) << (vc * PORTS + port));
                by_kind[1] |= u64::from(kind == HopKind::GlobalMisroute) << port;
                by_kind[2] |= u64::from(kind == HopKind::LocalMisroute) << port;
            }
        }
        // The lowest port of the first minimal set by which the head may leave.
        let mut sets = (0..KINDS.len()).filter(|&nth| KINDS[nth] == HopKind::Minimal);
        let first = |nth| (0..PORTS).find(|&port| shown.ways(nth, port) != 0);
        let lowest = sets.find_map(first).map_or(0, |port| 1 << port);
        let names = ["minimal_open", "global_misroutes", "local_misroutes"];
        let got = (get(model, "open", VCS * PORTS), names.map(|name| get(model, name, PORTS)));
        let preferred = get(model, "lowest", PORTS);
        if (got, preferred) != ((open, by_kind), lowest) {
            let expected = (open, by_kind);
            return Err(format!("{:b}: {got:?} {preferred:b}, not {expected:?} {lowest:b}", shown.ports));
        }
    }
    Ok(())
}

fn set_at_differs(model: &mut Model) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for _ in 0..CYCLES {
        let shown = Sets::show(model, &mut random)?;
        let port = shown.port;
        let minimal =
            || (0..KINDS.len()).filter(|&nth| KINDS[nth] == HopKind::Minimal && shown.ports_of(nth) != 0);
        let holds = minimal().find(|&nth| shown.ports_of(nth) & port != 0);
        let expected = holds.or_else(|| minimal().next()).map_or(0, |nth| shown.vcs_of(nth));
        let got = get(model, "vcs", VCS);
        if got != expected {
            return Err(format!("{:b} at {port:b}: VCs {got:b}, not {expected:b}", shown.ports));
        }
    }
    Ok(())
}
