//! From text to a checked scenario.

use std::path::Path;

use super::error::ScenarioError;
use super::model::*;
use super::word::{INFINIBAND, SECTIONS, tables};
use super::{check, defaults, infiniband, settings};
use crate::bounded;
use crate::document::{Document, Place, Problem, Section, Sources};

impl Scenario {
    /// Reads and checks a scenario file; each of `sets` is a `key=value` that replaces what the file says.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, complete with its place and what was expected.
    pub fn load(path: &Path, sets: &[String]) -> Result<Self, ScenarioError> {
        let name = path.display().to_string();
        let bytes = bounded::read(path, LARGEST_FILE)
            .map_err(|reason| ScenarioError::Unreadable { file: name.clone(), reason: reason.to_string() })?;
        Self::from_bytes(&bytes, &name, path.parent().unwrap_or(Path::new("")), sets)
    }

    /// Reads and checks the text of a scenario file.
    ///
    /// `file` names it in errors; files that it mentions are looked for from `folder`; each of `sets` is a
    /// `key=value` that replaces what the text says, the last one for a key winning.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, complete with its place and what was expected.
    pub fn parse(text: &str, file: &str, folder: &Path, sets: &[String]) -> Result<Self, ScenarioError> {
        // Some editors begin a file with a byte order mark: it is no part of the first line.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let sources = Sources::new(file, text, sets);
        Ok(read(text, folder, sets).map_err(|problem| sources.refuse(problem))?)
    }

    /// Reads and checks the tables of a scenario beside `[topology]`, for a topology that a program has made, such as a
    /// [`crate::topology::Custom`]. `name` names the text in errors. Keys and defaults are those of a file; a Custom has
    /// buffers of 32 flits and latencies of 1 cycle.
    ///
    /// # Errors
    ///
    /// The first thing that is wrong, complete with its place and what was expected.
    pub fn around(topology: impl Into<Topology>, text: &str, name: &str) -> Result<Self, ScenarioError> {
        let sources = Sources::new(name, text, &[]);
        Ok(read_around(topology.into(), text).map_err(|problem| sources.refuse(problem))?)
    }

    /// Like [`Scenario::parse`], for what may not be text at all.
    pub(super) fn from_bytes(
        bytes: &[u8],
        file: &str,
        folder: &Path,
        sets: &[String],
    ) -> Result<Self, ScenarioError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text, file, folder, sets),
            Err(error) => {
                let (start, message) = (error.valid_up_to(), "not a text file: this is not UTF-8");
                let at = Place { source: 0, start, end: start };
                let sources = Sources::new(file, &String::from_utf8_lossy(bytes), &[]);
                Err(sources.refuse(Problem::new(at, message)).into())
            }
        }
    }
}

fn read(text: &str, folder: &Path, sets: &[String]) -> Result<Scenario, Problem> {
    let document = Document::read(text, sets, tables())?;
    document.only(&[SECTIONS, &[INFINIBAND]].concat(), "at the top of the file")?;
    document.not_empty("the scenario is empty, expected at least [topology] and [traffic]")?;
    scenario(&document, folder, |section| settings::topology(section, folder))
}

fn read_around(topology: Topology, text: &str) -> Result<Scenario, Problem> {
    let document = Document::read(text, &[], tables())?;
    document.only(&[&SECTIONS[1..], &[INFINIBAND]].concat(), "beside the topology")?;
    scenario(&document, Path::new(""), |_| Ok(topology))
}

/// Every table in the order of the file's description; unknown keys first, since they explain missing ones.
fn scenario(
    document: &Document,
    folder: &Path,
    topology: impl FnOnce(&Section<'_>) -> Result<Topology, Problem>,
) -> Result<Scenario, Problem> {
    let open = |name| document.section(name);
    let (at, router, links) = (open("topology")?, open("router")?, open("links")?);
    let (routing, selection) = (open("routing")?, open("selection")?);
    let (traffic, injection) = (open("traffic")?, open("injection")?);
    let (congestion, run) = (open("congestion")?, open("run")?);
    let topology = topology(&at)?;
    let routing = settings::routing(&routing, &topology, folder)?;
    let mut scenario = Scenario {
        router: RouterSettings::read(&router, topology.classes(), defaults::router(&topology, &routing))?,
        links: settings::links(&links, &topology, defaults::links(&topology))?,
        selection: settings::selection(&selection, defaults::selection(&routing))?,
        traffic: TrafficSettings::read(&traffic, &topology)?,
        injection: settings::injection(&injection, defaults::injection())?,
        congestion: CongestionSettings::read(&congestion, topology.classes())?,
        run: settings::run(&run, defaults::run())?,
        topology,
        routing,
    };
    infiniband::resolve(&open(INFINIBAND)?, [&traffic, &links, &congestion, &router], &mut scenario)?;
    check::check(&scenario, document)?;
    Ok(scenario)
}

/// Bytes that a scenario file may have: one has a page or two; a few thousand group sizes still fit.
pub const LARGEST_FILE: u64 = 1 << 20;
