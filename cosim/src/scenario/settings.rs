//! The tables that say how routers, links and runs behave.

use std::path::Path;

use super::defaults;
use super::error::Problem;
use super::model::*;
use super::section::{Field, Section, list};
use super::value::Data;
use super::word::{AUTO, Word};

/// `[routing]`
pub(super) fn routing(section: &Section<'_>, topology: &Topology) -> Result<RoutingSettings, Problem> {
    let default = defaults::routing(topology);
    let algorithm = match section.get("algorithm") {
        Some(field) => algorithm(&field, topology)?,
        None => default.algorithm,
    };
    let (policy, policy_local) = section.word("policy", (default.policy, default.policy_local))?;
    Ok(RoutingSettings {
        algorithm,
        nonminimal: section.word("nonminimal", default.nonminimal)?,
        vc_order: section.word("vc_order", default.vc_order)?,
        local_misroutes: section.whole("local_misroutes", 0..=7, default.local_misroutes)?,
        misroute_scope: section.word("misroute_scope", default.misroute_scope)?,
        policy,
        policy_local,
        intermediate: section.word("intermediate", default.intermediate)?,
    })
}

/// `[topology]`
pub(super) fn topology(section: &Section<'_>, folder: &Path) -> Result<Topology, Problem> {
    let words: Vec<_> = Topology::KINDS.iter().map(|(word, _)| *word).collect();
    let field = section.need("kind", &list(&words, '"'))?;
    let Data::Text(word) = &field.value.data else {
        return Err(field.wrong(format!("one of {}", list(&words, '"'))));
    };
    let known = Topology::KINDS.iter().find(|(known, _)| known == word);
    let (word, keys) = known.ok_or_else(|| field.unknown_word(word, &words))?;
    section.only(&[&["kind"], *keys].concat(), &format!("of a {word}"))?;
    Topology::read(word, section, folder).unwrap_or_else(|| Err(field.unknown_word(word, &words)))
}

/// A routing function that knows its way about that topology.
fn algorithm(field: &Field<'_>, topology: &Topology) -> Result<Algorithm, Problem> {
    let algorithm: Algorithm = field.word()?;
    if fits(algorithm, topology) {
        return Ok(algorithm);
    }
    let fitting = Algorithm::WORDS.iter().filter(|(_, other)| fits(*other, topology));
    let words: Vec<_> = fitting.map(|(word, _)| *word).collect();
    let (word, kind) = (algorithm.word(), topology.word());
    Err(field.refuse(format!(
        "the routing \"{word}\" does not fit a {kind}, expected one of {}",
        list(&words, '"')
    )))
}

fn fits(algorithm: Algorithm, topology: &Topology) -> bool {
    match algorithm {
        Algorithm::Minimal | Algorithm::Valiant | Algorithm::Olm => {
            matches!(topology, Topology::Dragonfly(_))
        }
        Algorithm::DimensionOrder => matches!(topology, Topology::Mesh(_) | Topology::Torus(_)),
        Algorithm::UpDown => matches!(topology, Topology::FatTree(_)),
        Algorithm::Table => true,
    }
}

/// `[router]`
pub(super) fn router(
    section: &Section<'_>,
    classes: &[&str],
    default: RouterSettings,
) -> Result<RouterSettings, Problem> {
    Ok(RouterSettings {
        flow_control: section.word("flow_control", default.flow_control)?,
        vcs: section.per_class("vcs", classes, 1..=8, default.vcs)?,
        buffer_flits: section.per_class("buffer_flits", classes, 1..=65_535, default.buffer_flits)?,
        speedup: section.whole("speedup", 1..=8, default.speedup)?,
        output_flits: section.whole("output_flits", 1..=65_535, default.output_flits)?,
        allocator: section.word("allocator", default.allocator)?,
        iterations: section.whole("iterations", 1..=8, default.iterations)?,
        arbiter: section.word("arbiter", default.arbiter)?,
    })
}

/// `[links]`
pub(super) fn links(
    section: &Section<'_>,
    classes: &[&str],
    default: LinkSettings,
) -> Result<LinkSettings, Problem> {
    Ok(LinkSettings { latency: section.per_class("latency", classes, 1..=10_000, default.latency)? })
}

/// `[selection]`
pub(super) fn selection(
    section: &Section<'_>,
    default: SelectionSettings,
) -> Result<SelectionSettings, Problem> {
    let global_restriction = match section.get("global_restriction") {
        Some(field) => global_restriction(&field)?,
        None => default.global_restriction,
    };
    Ok(SelectionSettings {
        trigger: section.word("trigger", default.trigger)?,
        minimal_occupancy: section.number("minimal_occupancy", 0.0..=1.0, default.minimal_occupancy)?,
        relative_threshold: section.number("relative_threshold", 0.0..=4.0, default.relative_threshold)?,
        global_restriction,
        contention_threshold: section.whole("contention_threshold", 1..=255, default.contention_threshold)?,
        contention_factor: section.number("contention_factor", 0.0..=16.0, default.contention_factor)?,
        count_at: section.word("count_at", default.count_at)?,
    })
}

fn global_restriction(field: &Field<'_>) -> Result<Option<GlobalRestriction>, Problem> {
    match field.value.data {
        Data::Boolean(false) => Ok(None),
        Data::Table(_) => {
            let default = defaults::GLOBAL_RESTRICTION;
            let section = field.section(&["factor", "packets"])?;
            let factor = section.number("factor", 0.0..=16.0, default.factor)?;
            let packets = section.whole("packets", 0..=255, default.packets)?;
            Ok(Some(GlobalRestriction { factor, packets }))
        }
        _ => Err(field.wrong("{ factor = …, packets = … } or false")),
    }
}

/// `[run]`
pub(super) fn run(section: &Section<'_>, default: RunSettings) -> Result<RunSettings, Problem> {
    Ok(RunSettings {
        warmup_cycles: automatic(section, "warmup_cycles", 0)?,
        measure_cycles: automatic(section, "measure_cycles", 1)?,
        limit_cycles: section.whole("limit_cycles", 1..=MOST_CYCLES, default.limit_cycles)?,
        window_cycles: section.whole("window_cycles", 1..=MOST_CYCLES, default.window_cycles)?,
        seed: section.whole("seed", 0..=i64::MAX as u64, default.seed)?,
    })
}

/// A number of cycles, or `None` for as many as it takes.
fn automatic(section: &Section<'_>, key: &str, least: u64) -> Result<Option<u64>, Problem> {
    let Some(field) = section.get(key) else { return Ok(None) };
    match &field.value.data {
        Data::Text(text) if text == AUTO => Ok(None),
        Data::Text(text) => Err(field.unknown_word(text, &[AUTO]).note("or a whole number of cycles")),
        Data::Integer(_) => field.whole(least..=MOST_CYCLES).map(Some),
        _ => Err(field.wrong("a whole number of cycles or \"auto\"")),
    }
}

/// More than anyone waits for, and few enough to be added up.
pub(super) const MOST_CYCLES: u64 = 1_000_000_000_000;
