//! The tables that say how routers, links and runs behave.

use std::path::Path;

use router_core::absolute_credits::LONGEST_PERIOD;
use router_core::map::MapKind;
use router_core::map::grid::Ties;
use router_core::route::forwarding::ForwardingScheme;
use router_core::route::table::TableScheme;
use router_core::settings::Choice;

use super::PerClass;
use super::choice;
use super::defaults;
use super::down;
use super::model::*;
use super::own::{self, OwnScheme};
use super::rate;
use super::updates;
use super::word::AUTO;
use crate::document::{Data, Field, MOST_CYCLES, Problem, Section, file, listed};

/// `[routing]`
pub(super) fn routing(
    section: &Section<'_>,
    topology: &Topology,
    folder: &Path,
) -> Result<RoutingSettings, Problem> {
    let default = defaults::routing(topology);
    let (scheme, own) = match section.get("algorithm") {
        Some(field) => algorithm(&field, topology)?,
        None => (default.scheme, default.own),
    };
    let on_file = scheme == ForwardingScheme.into();
    let own = match own.and_then(|own| own::INSTALLED.all().iter().find(|known| known.word == own.word())) {
        Some(known) => Some((known.read)(Some(section))?),
        None => None,
    };
    ties(section, scheme, topology)?;
    let files = [("tables", TABLES), ("service_levels", SERVICE_LEVELS), ("sl_to_vl", SL_TO_VL)];
    let [tables, service_levels, sl_to_vl] = files.map(|(key, expected)| {
        section.get(key).map(|field| file::read(&field, folder, expected)).transpose()
    });
    let is_given = on_file;
    if is_given {
        section.need("tables", TABLES)?;
    }
    Ok(RoutingSettings {
        scheme: if own.is_some() { scheme } else { choice::settings(section, scheme)? },
        own,
        // As the settings of schemes that are not chosen.
        tables: tables?.filter(|_| is_given),
        service_levels: service_levels?.filter(|_| is_given),
        sl_to_vl: sl_to_vl?.filter(|_| is_given),
        updates: if is_given { updates::read(section, folder)? } else { Vec::new() },
        vc_order: section.word("vc_order", default.vc_order)?,
    })
}

/// `[topology]`
pub(super) fn topology(section: &Section<'_>, folder: &Path) -> Result<Topology, Problem> {
    let kinds = Topology::kinds();
    let words: Vec<_> = kinds.iter().map(|(word, _)| *word).collect();
    let field = section.need("kind", &listed(&words, '"'))?;
    let word = field.one_of(&words)?;
    let known = kinds.iter().find(|(known, _)| *known == word);
    let (word, keys) = known.ok_or_else(|| field.unknown_word(word, &words))?;
    section.only(&[&["kind"], *keys].concat(), &format!("of {} {word}", article(word)))?;
    Topology::read(word, section, folder).unwrap_or_else(|| Err(field.unknown_word(word, &words)))
}

/// Which way packets go half-way round a ring concerns one routing on one kind of network; elsewhere it would be written for nothing.
fn ties(section: &Section<'_>, scheme: RoutingScheme, topology: &Topology) -> Result<(), Problem> {
    let Some(field) = section.get("ties") else { return Ok(()) };
    let is_default = field.word::<Ties>()? == Ties::default();
    if matches!(scheme, RoutingScheme::DimensionOrder(_))
        && (is_default || topology.map_kind() == MapKind::Torus)
    {
        return Ok(());
    }
    let (kind, word) = (topology.word(), scheme.word());
    let message = format!(
        "ties half-way round a ring are broken by \"dimension-order\" on a torus, not by \"{word}\" on {} {kind}",
        article(kind)
    );
    Err(field.refuse(message).note("`routing.ties` must be left out"))
}

/// The routing of that word, if it knows its way about that kind of topology; beside one of the program's own what stands for it in the
/// closed list.
fn algorithm(field: &Field<'_>, topology: &Topology) -> Result<(RoutingScheme, Option<OwnScheme>), Problem> {
    let on = topology.map_kind();
    let own = own::INSTALLED.all().iter();
    let closed = RoutingScheme::all().map(|scheme| (scheme.word(), scheme.map(on).is_some()));
    let all: Vec<_> = closed.chain(own.clone().map(|own| (own.word, (own.map)(on).is_some()))).collect();
    let words = |fits_only: bool| {
        let words = all.iter().filter(|(_, fits)| *fits || !fits_only);
        words.map(|(word, _)| *word).collect::<Vec<_>>()
    };
    let word = field.text(&listed(&words(true), '"'))?;
    match all.iter().find(|(known, _)| *known == word) {
        Some((_, true)) => {}
        Some((_, false)) => {
            let kind = topology.word();
            let (article, words) = (article(kind), listed(&words(true), '"'));
            return Err(field.refuse(format!(
                "the routing \"{word}\" does not fit {article} {kind}, expected one of {words}"
            )));
        }
        None => return Err(field.unknown_word(word, &words(true))),
    }
    match own.into_iter().find(|own| own.word == word) {
        Some(own) => Ok((TableScheme.into(), Some((own.read)(None)?))),
        None => Ok((RoutingScheme::named(word).ok_or_else(|| field.wrong("a routing"))?, None)),
    }
}

/// The indefinite article of a word.
fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// `[links]`
pub(super) fn links(
    section: &Section<'_>,
    topology: &Topology,
    default: LinkSettings,
) -> Result<LinkSettings, Problem> {
    let cycles = |key, default| PerClass::read(section, key, topology.classes(), 1..=10_000, default);
    let latency = cycles("latency", default.latency)?;
    Ok(LinkSettings {
        latency,
        credit_latency: cycles("credit_latency", latency)?,
        rate: rate::read(section, topology.classes())?,
        down: match section.get("down") {
            Some(field) => down::read(&field, topology)?,
            None => default.down,
        },
        credits: section.word("credits", default.credits)?,
        credit_flits: section.whole("credit_flits", 1..=1023, default.credit_flits)?,
        credit_period: section.whole("credit_period", 1..=LONGEST_PERIOD, default.credit_period)?,
        loss: Loss {
            packets: section.number("packet_loss", 0.0..=1.0, default.loss.packets)?,
            credits: section.number("credit_loss", 0.0..=1.0, default.loss.credits)?,
        },
    })
}

/// `[selection]`
pub(super) fn selection(
    section: &Section<'_>,
    default: SelectionSettings,
) -> Result<SelectionSettings, Problem> {
    let trigger = choice::word(section, "trigger")?.unwrap_or(default.trigger);
    Ok(SelectionSettings {
        trigger: choice::settings(section, trigger)?,
        count_at: section.word("count_at", default.count_at)?,
        preference: choice::group(section, default.preference)?,
    })
}

/// `[injection]`
pub(super) fn injection(
    section: &Section<'_>,
    default: InjectionSettings,
) -> Result<InjectionSettings, Problem> {
    Ok(InjectionSettings {
        control: section.word("control", default.control)?,
        window: section.whole("window", 1..=65_535, default.window)?,
        static_rate: section.get("static_rate").map_or(Ok(default.static_rate), |field| field.flag())?,
    })
}

/// `[run]`
pub(super) fn run(section: &Section<'_>, default: RunSettings) -> Result<RunSettings, Problem> {
    for (packets, cycles) in [("warmup_packets", "warmup_cycles"), ("measure_packets", "measure_cycles")] {
        if let (Some(field), Some(_)) = (section.get(packets), section.get(cycles)) {
            return Err(field.refuse(format!("`run.{cycles}` says already how long it takes")));
        }
    }
    let packets = |key| section.get(key).map(|field| field.whole(1..=MOST_CYCLES)).transpose();
    Ok(RunSettings {
        warmup_cycles: automatic(section, "warmup_cycles", 0)?,
        measure_cycles: automatic(section, "measure_cycles", 1)?,
        warmup_packets: packets("warmup_packets")?,
        measure_packets: packets("measure_packets")?,
        limit_cycles: automatic(section, "limit_cycles", 1)?,
        window_cycles: section.whole("window_cycles", 1..=MOST_CYCLES, default.window_cycles)?,
        seed: section.whole("seed", 0..=i64::MAX as u64, default.seed)?,
        details: section.get("details").map_or(Ok(default.details), |field| field.flag())?,
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

const TABLES: &str = "the name of a CSV file or of a file that dump_lfts wrote";
const SERVICE_LEVELS: &str = "the name of a file of service levels, CSV or as saquery PR writes it";
const SL_TO_VL: &str = "the name of a CSV file of tables from service levels to virtual lanes";
