//! The routers in which mutants are looked for: small ones, which together have every module.

use super::plans::{OWN_LENGTHS, blueprint};
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
use std::sync::atomic::{AtomicUsize, Ordering};
use verilated::{BuildError, Library};

/// Internal cycles of the longest stimulus: many short ones see more beginnings.
const LONGEST: u32 = 2_000;

/// Ports of a router whose counters of errors are brought to their end: with fewer it takes longer.
const FLOODED: usize = 5;

/// Stimuli of the first round, at least: it has one for each router of the network.
const FEWEST: usize = 4;

/// Most slips show at once somewhere: every configuration is tried for a while before any is tried for long.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Round {
    First,
    Rest,
}

/// A configuration, compiled, with what is done to it.
pub(crate) struct World<'b> {
    pub(crate) name: &'static str,
    blueprint: &'b Blueprint,
    pub(crate) shape: Shape,
    library: Library,
    /// For which router of the network, and what.
    stimuli: Vec<(usize, Stimulus)>,
    /// Stimuli up to the last one by which a mutant was found.
    telling: AtomicUsize,
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
        Ok(Self { name, blueprint, shape, library, stimuli, telling: AtomicUsize::new(0), absent })
    }

    /// Whether a router of this configuration has this module.
    pub(crate) fn has(&self, module: &str) -> bool {
        !self.absent.contains(module)
    }

    /// Cycles of all stimuli: what a mutant survives that is not found.
    pub(crate) fn cycles(&self) -> u64 {
        self.stimuli.iter().map(|(_, stimulus)| u64::from(stimulus.cycles)).sum()
    }

    /// Runs the stimuli of a round on one mutant, until it differs from the model: gives what differs, and after how many cycles.
    pub(crate) fn hunt(&self, mutant: u16, round: Round) -> (u64, Option<String>) {
        let (first, stimuli) = self.of_round(round);
        let (cycles, found) = self.run(mutant, stimuli);
        let found = found.map(|(number, what)| {
            self.telling.fetch_max(first + number + 1, Ordering::Relaxed);
            what
        });
        (cycles, found)
    }

    /// Runs the stimuli by which mutants were found on the router without a mutant, as they were run: gives what differs, and cycles.
    pub(crate) fn accuses(&self) -> (u64, Option<String>) {
        let telling = self.telling.load(Ordering::Relaxed);
        let runs = [Round::First, Round::Rest].map(|round| {
            let (first, stimuli) = self.of_round(round);
            self.run(0, &stimuli[..telling.saturating_sub(first).min(stimuli.len())])
        });
        let cycles = runs.iter().map(|(cycles, _)| cycles).sum();
        (cycles, runs.into_iter().find_map(|(_, found)| found).map(|(_, what)| what))
    }

    /// Runs stimuli on one mutant until it differs from the model: gives cycles, the number of the stimulus, and what differs.
    fn run(&self, mutant: u16, stimuli: &[(usize, Stimulus)]) -> (u64, Option<(usize, String)>) {
        let mut sessions: Vec<Option<Session<'_>>> = Vec::new();
        sessions.resize_with(self.blueprint.wiring().routers(), || None);
        let mut cycles = 0;
        for (number, (router, stimulus)) in stimuli.iter().enumerate() {
            let session = sessions[*router].get_or_insert_with(|| self.session(*router, mutant));
            match session.replay(stimulus, &mut ()) {
                Ok(compared) => cycles += compared.cycles,
                Err(mismatch) => {
                    return (cycles + u64::from(mismatch.cycle) + 1, Some((number, mismatch.to_string())));
                }
            }
        }
        (cycles, None)
    }

    /// The stimuli of a round, and how many come before.
    fn of_round(&self, round: Round) -> (usize, &[(usize, Stimulus)]) {
        let few = self.stimuli.len().min(self.blueprint.wiring().routers().max(FEWEST));
        match round {
            Round::First => (0, &self.stimuli[..few]),
            Round::Rest => (few, &self.stimuli[few..]),
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
    let decides_once = of("KNOWLEDGE") == layout::KNOWLEDGE_GROUP;
    let heeds_flags = of("KNOWLEDGE") == layout::KNOWLEDGE_GROUP_EACH_CYCLE;
    let when = |there: bool, module: &'static str| (!there).then_some(module);
    let (allocator, routing, trigger) = (of("ALLOCATOR"), of("ROUTING"), of("TRIGGER"));
    [
        Some("arbiter"),
        when(allocator == 0 || allocator == 3, "separable_input_first"),
        when(allocator == 1, "separable_output_first"),
        when(allocator == 2, "wavefront"),
        when(allocator < 2, "output_arbiter"),
        when(allocator == 3, "one_arbiter"),
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
        when(of("PIPELINE") > 4 && allocator == 2, "seized"),
        when(trigger == 6, "notices"),
        when(trigger == 6 || heeds_flags, "way_out"),
        when(trigger == 7, "trigger_ugal"),
        when(trigger == 7 || decides_once || heeds_flags, "queues"),
        when(routing == 11, "route_ugal"),
        when(routing == 11, "leg"),
        when(routing == 11, "ways"),
        when(decides_once || heeds_flags, "flags"),
        when(decides_once, "piggyback"),
        when(heeds_flags, "contended_links"),
        when(of("SYNCHRONOUS_BUFFERS") != 0, "first_flits"),
        when(of("SYNCHRONOUS_BUFFERS") != 0, "flit_memory"),
        when(of("LOCAL_RESERVED") + of("GLOBAL_RESERVED") > 0, "shared_flits"),
        when(of("LOCAL_RESERVED") + of("GLOBAL_RESERVED") > 0, "shared_places"),
        when(of("SHORTEST") == of("LONGEST") && (trigger == 1 || trigger == 4), "lifts"),
        when(of("SHORTEST") == of("LONGEST") && (trigger == 1 || trigger == 4), "lift_levels"),
        when(of("MARKING") != 0, "mark"),
        when(of("DISCARDS") != 0 || of("LIFETIME") != 0 || of("PACKET_LIFETIME") != 0, "discards"),
        when(of("LIFETIME") != 0, "lifetime"),
        when(of("LIFETIME") != 0, "vl_stalls"),
        when(of("PACKET_LIFETIME") != 0, "lifetime_tick"),
        when(of("PACKET_LIFETIME") != 0, "packet_ages"),
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

/// Whether a module has no place for a slip: it is the places of others, and constants for what no VC reads then, as lint shows. Yosys sees that
/// of a whole router, in minutes.
pub(crate) fn has_no_logic(module: &str) -> bool {
    module == "lifetimes"
}
