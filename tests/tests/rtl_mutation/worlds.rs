//! The routers in which mutants are looked for: small ones, which together have every module.

use super::schema::Modules;
use desvio_hdl::{FILES, File};
use desvio_lockstep::campaign::{CONFIGURATIONS, Configuration};
use desvio_lockstep::compare::Pair;
use desvio_lockstep::generator::{FLOOD, StimulusGenerator};
use desvio_lockstep::rtl::{Probes, RtlSwitch, Shape, Sources, design};
use desvio_lockstep::session::Session;
use desvio_lockstep::stimulus::Stimulus;
use desvio_sim::blueprint::Blueprint;
use desvio_tests::mutation::choose;
use desvio_tests::rtl::run;
use proptest::strategy::ValueTree;
use router_core::layout;
use std::collections::BTreeSet;
use std::path::Path;
use verilated::{BuildError, Library};

/// Internal cycles of the longest stimulus: many short ones see more beginnings.
const LONGEST: u32 = 2_000;

/// Ports of a router whose counters of errors are brought to their end: with fewer it takes longer.
const FLOODED: usize = 5;

/// Four routers in a ring: opposite ones are joined by two shortest routes.
pub(crate) const RING: &str = "0 1\n1 2\n2 3\n3 0\n";

/// Three routers in a row: the ones at the ends have a port that leads nowhere.
pub(crate) const ROW: &str = "0 1\n1 2\n";

/// Tables of the row. Ports 0 and 1 are those of nodes, the others lead to the other routers, and the last one of a router at an end to
/// nothing.
pub(crate) const TABLES: &str =
    "router,to_node,port\n0,2,2\n0,3,3\n0,4,0\n1,0,2\n1,1,99\n1,4,3\n1,5,1\n2,0,2\n2,1,2\n2,2,1\n2,3,0\n";

/// Lanes of the row by service level. That of level 0 is always there; of the others, one is not.
pub(crate) fn lanes() -> String {
    let lane = |number: u32, level: u32| match (number * 7 + level * 5 + level * level * number) % 16 {
        none if none == 9 && level > 0 => none,
        lane => lane % 3,
    };
    let all = |number| (0..16).map(|level| lane(number, level).to_string()).collect::<Vec<_>>().join(" ");
    let place = |number: u32| (number / 16, number / 4 % 4, number % 4);
    (0..48)
        .map(|number| (place(number), all(number)))
        .fold(String::from("router,input,output,lanes\n"), |text, ((router, input, output), lanes)| {
            text + &format!("{router},{input},{output},{lanes}\n")
        })
}

/// What all of them have in common. Small buffers are full soon.
const SMALL: [&str; 8] = [
    "topology.p=1",
    "topology.a=2",
    "topology.h=1",
    "traffic.packet_flits=2",
    "router.buffer_flits={ node = 7, local = 6, global = 9 }",
    "router.output_flits=3",
    "links.latency=1",
    "selection.contention_threshold=2",
];

/// Those whose routers are built for the lengths of their scenario's packets alone: one length, and three.
const OWN_LENGTHS: [&str; 2] =
    ["hybrid without restriction, input-first, matrix", "two nodes, several links, input-first, round-robin"];

pub(crate) const PLANS: [Configuration; 12] = [
    Configuration {
        name: "hybrid, input-first, matrix",
        sets: &[
            "selection.trigger=hybrid",
            "selection.global_restriction={ factor = 0.5, packets = 0 }",
            "router.allocator=separable-input-first",
            "router.iterations=2",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "hybrid without restriction, input-first, matrix",
        sets: &[
            "selection.trigger=hybrid",
            "selection.global_restriction=false",
            "selection.minimal_occupancy=0.62",
            "router.allocator=separable-input-first",
            "router.iterations=2",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "occupancy, output-first, round-robin, descending",
        sets: &[
            "topology.h=2",
            "topology.groups=4", // some global ports lead nowhere
            "topology.arrangement=consecutive",
            "routing.nonminimal=free",
            "routing.policy=RRG+L",
            "routing.vc_order=descending",
            "selection.trigger=occupancy",
            "selection.minimal_occupancy=0.3",
            "selection.global_restriction={ factor = 1.2, packets = 1 }",
            "router.allocator=separable-output-first",
            "router.arbiter=round-robin",
            "router.flow_control=wormhole",
            "router.pipeline=5",
            "router.buffer_flits={ node = 1, local = 6, global = 9 }", // two flits never fit behind an output
        ],
        flit_width: 128,
    },
    Configuration {
        name: "minimal, wavefront, arrival, store-and-forward",
        sets: &[
            "topology.arrangement=absolute",
            "routing.algorithm=minimal",
            "selection.count_at=arrival",
            "router.allocator=wavefront",
            "router.speedup=1",
            "router.flow_control=store-and-forward",
            "router.pipeline=5",
            "router.vcs={ node = 2, local = 3, global = 2 }",
            "router.head_lifetime={ node = 6, local = 12, global = 12 }",
            "router.vl_stall_count=2",
            "traffic.packet_flits=1",
        ],
        flit_width: 96,
    },
    Configuration {
        name: "table, input-first, round-robin",
        sets: &[
            "topology={ kind = \"graph\", file = \"ring.txt\", nodes_per_router = 2 }",
            "routing={ algorithm = \"table\" }",
            // A node's port has fewer VCs than the routing offers.
            "router.vcs={ node = 1, local = 2, global = 1 }",
            "selection.count_at=arrival", // rows change between a packet's arrival and its turn
            "router.arbiter=round-robin",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "router.priority=transit",
            "congestion={ threshold = 15, packet_size = 4 }",
        ],
        flit_width: 161,
    },
    Configuration {
        name: "duato, input-first, round-robin",
        sets: &[
            "topology={ kind = \"mesh\", dims = [2, 3], nodes_per_router = 2 }",
            "routing={ algorithm = \"duato\" }",
            "router.vcs={ node = 3, local = 2, global = 1 }",
            "router.arbiter=round-robin",
            "router.iterations=1",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "every output at once, output-first, matrix",
        sets: &[
            "topology.a=3",
            "selection.trigger=always",
            "routing.policy=CRG+L",
            "routing.misroute_scope=route",
            "router.allocator=separable-output-first",
            "router.iterations=2",
            "router.speedup=3",
            "congestion.threshold=15", // packets of several hops meet at an output
        ],
        flit_width: 128,
    },
    Configuration {
        name: "lanes, output-first, matrix",
        sets: &[
            "topology={ kind = \"graph\", file = \"ring.txt\", nodes_per_router = 2 }",
            "routing={ algorithm = \"multipath\" }",
            "router.vcs=4",
            "router.allocator=separable-output-first",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "congestion.threshold=15",
            "router.vl_arbitration={ high = [[3, 1]], low = [[0, 1], [1, 2]], limit = 1, management = 2, flit_bytes = 1500 }",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "discards, output-first, round-robin",
        sets: &[
            "topology={ kind = \"graph\", file = \"row.txt\", nodes_per_router = 2 }",
            "routing={ algorithm = \"forwarding\", tables = \"row.csv\", sl_to_vl = \"lanes.csv\" }",
            "router.discards=true",
            "router.head_lifetime={ node = 9, local = 15 }",
            "router.vl_stall_count=2",
            "router.vcs={ node = 3, local = 4, global = 1 }",
            "router.allocator=separable-output-first",
            "router.arbiter=round-robin",
            "router.iterations=1",
            "router.allocation_unit=packet",
            "router.speedup=1",
            "router.vl_arbitration={ high = [[3, 1]], low = [[0, 1], [1, 2]], limit = 1, management = 2, flit_bytes = 64 }",
        ],
        flit_width: 112,
    },
    Configuration {
        name: "average, wavefront, round-robin",
        sets: &[
            "topology.a=3",
            "topology.groups=3", // some routers have no link to another group
            "routing.nonminimal=free",
            "routing.policy=NRG+L",
            "routing.local_misroutes=2",
            "selection.trigger=contention-average",
            "selection.contention_factor=1.1",
            "router.allocator=wavefront",
            "router.arbiter=round-robin",
            "router.allocation_unit=packet",
            "router.priority=transit",
            "router.head_lifetime={ node = 5, local = 20, global = 30 }",
            "router.vl_stall_count={ local = 1, global = 4 }",
        ],
        flit_width: 97,
    },
    Configuration {
        name: "two nodes, several links, input-first, round-robin",
        sets: &[
            "topology.p=2",
            "topology.h=2",
            "topology.groups=3",
            "selection.trigger=ectn",
            "selection.combined_threshold=3",
            "selection.ectn_period=15",
            "selection.ectn_counters_per_flit=0",
            "traffic.reply_flits=4",
            "router.arbiter=round-robin",
            "router.vcs={ node = 2, local = 3, global = 2 }",
        ],
        flit_width: 128,
    },
    Configuration {
        name: "ugal, input-first, round-robin",
        sets: &[
            "topology.p=2",
            "routing={ algorithm = \"ugal-dragonfly\" }",
            "selection.trigger=ugal",
            "selection.ugal_bias=2",
            "router.arbiter=round-robin",
            "router.iterations=1",
        ],
        flit_width: 96,
    },
];

/// Stimuli of the first round, at least: it has one for each router of the network.
const FEWEST: usize = 4;

/// Most slips show at once somewhere: every configuration is tried for a while before any is tried for long.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Round {
    First,
    Rest,
}

/// The network of a configuration with small buffers.
pub(crate) fn blueprint(plan: &Configuration, folder: &Path) -> Blueprint {
    plan.blueprint_after(&SMALL, folder).unwrap_or_else(|error| panic!("{}: {error}", plan.name))
}

/// A configuration, compiled, with what is done to it.
pub(crate) struct World<'b> {
    pub(crate) name: &'static str,
    blueprint: &'b Blueprint,
    pub(crate) shape: Shape,
    library: Library,
    /// For which router of the network, and what.
    stimuli: Vec<(usize, Stimulus)>,
    absent: BTreeSet<&'static str>,
}

impl<'b> World<'b> {
    pub(crate) fn new(
        plan: &Configuration,
        blueprint: &'b Blueprint,
        sources: &Sources,
        cache: &Path,
        cycles: u64,
    ) -> Result<Self, BuildError> {
        let name = plan.name;
        let mut shape = plan.shape(blueprint).unwrap_or_else(|error| panic!("{name}: {error}"));
        if OWN_LENGTHS.contains(&name) {
            shape = shape.for_own_packets();
        }
        // A router with both triggers, of which one is off, is one with the other.
        let of_hybrid = [layout::TRIGGER_OCCUPANCY, layout::TRIGGER_CONTENTION];
        for (parameter, value) in &mut shape.parameters {
            if *parameter == "TRIGGER" && of_hybrid.contains(value) {
                *value = layout::TRIGGER_HYBRID;
            }
        }
        let library = design(&shape, sources, true)
            .flag("-Wno-WIDTH")
            .flag("-Wno-CMPCONST")
            .run(run())
            .cache(cache)
            .build()?;
        let stimuli = stimuli(blueprint, &shape, cycles);
        let absent = absent(&shape);
        Ok(Self { name, blueprint, shape, library, stimuli, absent })
    }

    /// Whether a router of this configuration has this module.
    pub(crate) fn has(&self, module: &str) -> bool {
        !self.absent.contains(module)
    }

    /// Runs the stimuli of a round on one mutant, until it differs from the model: gives what differs, and after how many cycles.
    pub(crate) fn hunt(&self, mutant: u16, round: Round) -> (u64, Option<String>) {
        let mut sessions: Vec<Option<Session<'_>>> = Vec::new();
        sessions.resize_with(self.blueprint.wiring().routers(), || None);
        let mut cycles = 0;
        for (router, stimulus) in self.of_round(round) {
            let session = sessions[*router].get_or_insert_with(|| self.session(*router, mutant));
            match session.replay(stimulus, &mut ()) {
                Ok(compared) => cycles += compared.cycles,
                Err(mismatch) => return (cycles + u64::from(mismatch.cycle) + 1, Some(mismatch.to_string())),
            }
        }
        (cycles, None)
    }

    fn of_round(&self, round: Round) -> &[(usize, Stimulus)] {
        let few = self.stimuli.len().min(self.blueprint.wiring().routers().max(FEWEST));
        match round {
            Round::First => &self.stimuli[..few],
            Round::Rest => &self.stimuli[few..],
        }
    }

    /// Runs all stimuli on two routers with the same mutant, which never differ: gives the first check that fails.
    pub(crate) fn check(&self, mutant: u16) -> Option<String> {
        let mut twins: Vec<Option<[RtlSwitch; 2]>> = Vec::new();
        twins.resize_with(self.blueprint.wiring().routers(), || None);
        let probes = Probes::of(&self.shape).list;
        self.stimuli.iter().find_map(|(router, stimulus)| {
            let [left, right] =
                twins[*router].get_or_insert_with(|| [(); 2].map(|()| self.router(*router, mutant)));
            let failed =
                Pair::new(left, right, &probes, &self.shape).run(stimulus, &self.shape, &mut ()).err();
            failed.map(|mismatch| mismatch.got)
        })
    }

    fn router(&self, router: usize, mutant: u16) -> RtlSwitch {
        let mut switch = RtlSwitch::new(&self.library, &self.shape, self.blueprint, router, 1)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        choose(switch.model(), mutant);
        switch
    }

    fn session(&self, router: usize, mutant: u16) -> Session<'_> {
        let mut session = Session::new(self.blueprint, &self.shape, &self.library, router, 1)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name));
        choose(session.rtl().model(), mutant);
        session
    }
}

/// At least this many cycles, over all routers of the network in turn.
fn stimuli(blueprint: &Blueprint, shape: &Shape, cycles: u64) -> Vec<(usize, Stimulus)> {
    let routers = blueprint.wiring().routers();
    let generators: Vec<_> = (0..routers)
        .map(|router| {
            let generator = StimulusGenerator::new(blueprint, shape, router, 1);
            generator.unwrap_or_else(|error| panic!("{error}")).with_thresholds(true)
        })
        .collect();
    let mut found = Vec::new();
    let mut total = 0;
    for number in 0.. {
        if total >= cycles {
            break;
        }
        let router = number as usize % routers;
        let tree = generators[router].tree(number, LONGEST).unwrap_or_else(|error| panic!("{error}"));
        let stimulus = tree.current();
        total += u64::from(stimulus.cycles);
        found.push((router, stimulus));
    }
    if shape.ports >= FLOODED {
        let tree = generators[0].tree(FLOOD, u32::MAX).unwrap_or_else(|error| panic!("{error}"));
        found.push((0, tree.current()));
    }
    found
}

/// Modules that a router of this shape does without.
fn absent(shape: &Shape) -> BTreeSet<&'static str> {
    let of =
        |name: &str| shape.parameters.iter().find(|(other, _)| *other == name).map_or(0, |&(_, value)| value);
    let has_lanes = of("VL_ARBITRATION") != 0;
    let when = |there: bool, module: &'static str| (!there).then_some(module);
    let (allocator, routing, trigger) = (of("ALLOCATOR"), of("ROUTING"), of("TRIGGER"));
    [
        Some("arbiter"),
        when(allocator == 0, "separable_input_first"),
        when(allocator == 1, "separable_output_first"),
        when(allocator == 2, "wavefront"),
        when(allocator != 2, "output_arbiter"),
        when(routing == 0, "route_minimal"),
        when(routing == 1, "route_olm"),
        when(routing == 2, "route_table"),
        when(routing == 3, "route_duato"),
        when(routing == 3, "grid"),
        Some("interval_lookup"),
        Some("route_dimension_order"),
        Some("route_odd_even"),
        Some("route_turn_model"),
        Some("route_in_transit"),
        Some("parity_sign"),
        Some("route_valiant"),
        Some("via_ahead"),
        when(routing < 2, "dragonfly"),
        when(trigger == 1 || trigger == 4, "trigger_occupancy"),
        when(of("PIPELINE") > 4, "admitted"),
        when(trigger == 6, "notices"),
        when(trigger == 6, "way_out"),
        when(trigger == 7, "trigger_ugal"),
        when(routing == 11, "route_ugal"),
        when(routing == 11, "leg"),
        when(of("MARKING") != 0, "mark"),
        when(of("DISCARDS") != 0 || of("LIFETIME") != 0, "discards"),
        when(of("LIFETIME") != 0, "lifetime"),
        when(of("LIFETIME") != 0, "vl_stalls"),
        when(of("HOP_VCS") == layout::HOP_VCS_LEVEL, "lane"),
        when(has_lanes, "vl_pick"),
        when(has_lanes, "vl_state"),
        when(has_lanes, "vl_turn"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Routers in which a mutant is not looked for, because a bench of their routings does, but proven: names and parameters.
pub(crate) fn only_proven() -> impl Iterator<Item = (&'static str, Vec<(&'static str, u32)>)> {
    let of = |configuration: &Configuration| {
        let blueprint = blueprint(configuration, Path::new(""));
        let shape = configuration.shape(&blueprint);
        (
            configuration.name,
            shape.unwrap_or_else(|error| panic!("{}: {error}", configuration.name)).parameters,
        )
    };
    let by_a_bench = |configuration: &&Configuration| {
        ["dimension-order", "turn-model", "odd-even", "rlm", "ugal"]
            .iter()
            .any(|word| configuration.name.starts_with(word))
    };
    CONFIGURATIONS.iter().filter(by_a_bench).map(of)
}

/// The modules of a router, by their nouns.
pub(crate) fn modules(hdl: &Path) -> Modules {
    let is_design = |file: &&File| file.path.starts_with("rtl/") && !file.path.starts_with("rtl/control/");
    let text = |file: &File| std::fs::read_to_string(hdl.join(file.path)).expect("a text");
    FILES.iter().filter(is_design).map(|file| (file.noun().to_owned(), text(file))).collect()
}

/// Whether a line of a router's module is there for the control plane only.
pub(crate) fn is_for_control(module: &str, text: &str, line: usize) -> bool {
    let here = text.lines().nth(line - 1).unwrap_or_default();
    let before = text.lines().take(line).collect::<Vec<_>>().join("\n");
    let is_two_banks = before.contains("g_two") && !before.contains("g_one");
    here.contains("CONTROL") || here.contains("read_") || module == "routing_table" && is_two_banks
}
