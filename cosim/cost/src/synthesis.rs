//! Synthesising a router: each part once, in parallel, from the cache where it can be.

use super::device::Device;
use super::error::{CostError, at};
use super::gates::{self, Gates};
use super::job::{Job, Observer, Workshop, kept, key};
use super::line::{Cost, Line};
use super::measured::Measured;
use super::part::Part;
use super::place;
use super::script;
use super::target::Target;
use super::tool::{Tool, Toolbox};
use super::tree::Tree;
use super::unit::Unit;
use super::whole::{self, Whole};
use desvio_hdl::{FILES, File};
use desvio_lockstep::rtl::{Shape, Sources};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use verilated::store::Store;

/// Tools, sources and what they have made so far.
#[derive(Debug, Clone)]
pub struct Synthesis {
    pub(super) workshop: Workshop,
    /// The RTL by module.
    sources: BTreeMap<String, String>,
    /// What it includes, by the name of the file.
    included: BTreeMap<String, String>,
}

impl Synthesis {
    /// With a folder of finished work: the given one, else `$DESVIO_COST_CACHE`, else one in the user's cache folder.
    ///
    /// # Errors
    /// When the sources or the cache cannot be read.
    pub fn new(tools: Toolbox, sources: &Sources, cache: Option<&Path>) -> Result<Self, CostError> {
        let text = |file: &File| {
            let path = sources.path().join(file.path);
            fs::read_to_string(&path).map_err(at(&path))
        };
        let (mut modules, mut included) = (BTreeMap::new(), BTreeMap::new());
        for file in FILES {
            if file.path.starts_with("pkg/") || file.path.starts_with("rtl/") {
                modules.insert(file.noun().to_owned(), text(file)?);
            } else if file.is_included() {
                let name = file.path.rsplit('/').next().unwrap_or(file.path);
                included.insert(name.to_owned(), text(file)?);
            }
        }
        let store = Store::open(cache, "DESVIO_COST_CACHE", "desvio/cost")?;
        Ok(Self { workshop: Workshop { tools, store }, sources: modules, included })
    }

    /// The programs.
    #[must_use]
    pub const fn tools(&self) -> &Toolbox {
        &self.workshop.tools
    }

    /// The modules of a shape's router.
    ///
    /// # Errors
    /// When Yosys cannot read them.
    pub fn elaborate(&self, shape: &Shape, observer: &dyn Observer) -> Result<Tree, CostError> {
        let mut tree = self.modules(&shape.parameters, observer)?;
        tree.learn_defaults(&self.modules(&[], observer)?);
        Ok(tree)
    }

    fn modules(&self, parameters: &[(&str, u32)], observer: &dyn Observer) -> Result<Tree, CostError> {
        let files = self.files();
        let script = script::elaborate(&files, parameters);
        let (stem, inputs) = ("router-modules", self.inputs(&files));
        let job = Job { stem, label: stem, script: &script, inputs, depends: vec![FORMAT] };
        let entry = self.workshop.run(&job, observer, |folder| {
            let path = folder.join("modules.json");
            let tree = Tree::read(&fs::read_to_string(&path).map_err(at(&path))?)?;
            let text = serde_json::to_string(&tree).unwrap_or_default();
            fs::remove_file(&path).map_err(at(&path))?;
            fs::write(folder.join("tree.json"), text).map_err(at(folder))
        })?;
        kept(&entry, "tree.json")
    }

    /// The modules that may be in a router; the packages come first.
    pub(super) fn files(&self) -> Vec<String> {
        let packages = ["pkg"].map(str::to_owned);
        let others = self.sources.keys().filter(|name| is_of_router(name));
        packages.into_iter().chain(others.cloned()).collect()
    }

    /// A module of the RTL by itself; `None` where there is none of that name.
    #[must_use]
    pub fn module(&self, name: &str, parameters: &[(String, u64)]) -> Option<Part> {
        let parameters: Vec<(&str, u64)> =
            parameters.iter().map(|(key, value)| (key.as_str(), *value)).collect();
        let sources: Vec<&str> =
            self.sources.keys().map(String::as_str).filter(|name| is_of_router(name)).collect();
        let unit = Unit::of(name).unwrap_or(Unit::Crossbar);
        sources.contains(&name).then(|| Part::alone(unit, name, &parameters, &sources))
    }

    /// Synthesises all parts of a router, and puts them together as `whole` says.
    ///
    /// # Errors
    /// The first part that cannot be synthesised.
    pub fn cost(
        &self,
        tree: &Tree,
        target: &Target,
        whole: Whole,
        observer: &dyn Observer,
    ) -> Result<Cost, CostError> {
        let lines = self.lines(&Part::all_of(tree), target, observer)?;
        self.together(lines, target, whole, observer)
    }

    /// The router of gates, as Verilog that a simulator can run.
    ///
    /// # Errors
    /// The first part that cannot be synthesised.
    pub fn gates(&self, tree: &Tree, observer: &dyn Observer) -> Result<Gates, CostError> {
        let lines = self.lines(&Part::each_of(tree), &Target::Cells, observer)?;
        gates::gates(&lines, &self.workshop, observer)
    }

    /// Synthesises parts, several at a time.
    fn lines(
        &self,
        parts: &[Part],
        target: &Target,
        observer: &dyn Observer,
    ) -> Result<Vec<Line>, CostError> {
        let line = |part: &Part| self.line(part, &part.name_among(parts), target, observer);
        parts.par_iter().with_max_len(1).map(line).collect()
    }

    /// Synthesises one part as if it were a whole router.
    ///
    /// # Errors
    /// When Yosys cannot.
    pub fn alone(&self, part: &Part, target: &Target, observer: &dyn Observer) -> Result<Cost, CostError> {
        let line = self.line(part, &part.module, target, observer)?;
        self.together(vec![line], target, Whole::Together, observer)
    }

    fn together(
        &self,
        lines: Vec<Line>,
        target: &Target,
        whole: Whole,
        observer: &dyn Observer,
    ) -> Result<Cost, CostError> {
        let library = target.library()?;
        let mut cost = Cost { lines, ..Cost::default() };
        cost.gate = library.as_ref().and_then(|(_, library)| library.nand_area());
        cost.fo4 = library.as_ref().and_then(|(_, library)| library.fo4());
        match (target, library, whole) {
            (_, _, Whole::Apart) => {}
            (Target::Cells, ..) => whole::gates(&mut cost, whole, &self.workshop, observer)?,
            (_, Some((text, library)), _) => {
                whole::standard_cells(&mut cost, &text, &library, &self.workshop, observer)?;
            }
            _ => {}
        }
        Ok(cost)
    }

    /// Synthesises one part.
    ///
    /// # Errors
    /// When Yosys cannot.
    pub fn line(
        &self,
        part: &Part,
        name: &str,
        target: &Target,
        observer: &dyn Observer,
    ) -> Result<Line, CostError> {
        let (each, folder) = self.part(part, name, target, observer)?;
        let (part, name) = (part.clone(), name.to_owned());
        let mut line = Line { part, name, each, live: None, live_area: None, folder, placed: None };
        if *target == Target::Ice40 && line.part.without.is_empty() {
            self.place(&mut line, observer)?;
        }
        Ok(line)
    }

    fn part(
        &self,
        part: &Part,
        name: &str,
        target: &Target,
        observer: &dyn Observer,
    ) -> Result<(Measured, PathBuf), CostError> {
        let files: Vec<String> =
            std::iter::once("pkg".to_owned()).chain(part.sources.iter().cloned()).collect();
        let library = target.library_text()?;
        let library = library.iter().map(|text| ("library.lib".to_owned(), text.as_str()));
        let job = Job {
            stem: &format!("{}-{}", part.module, target.word()),
            label: &format!("{name}, {}", target.word()),
            script: &script::synthesise(part, target),
            inputs: library.chain(self.inputs(&files)).collect(),
            depends: vec![FORMAT],
        };
        let entry = self.workshop.run(&job, observer, |folder| {
            let measured = Measured::read(folder, name)?;
            let text = serde_json::to_string_pretty(&measured).unwrap_or_default();
            fs::write(folder.join("measured.json"), text).map_err(at(folder))
        })?;
        Ok((kept(&entry, "measured.json")?, entry.folder))
    }

    /// Finds the frequency of a part, unless it has no room in the device.
    fn place(&self, line: &mut Line, observer: &dyn Observer) -> Result<(), CostError> {
        let Self { workshop, .. } = self;
        let path = line.folder.join("before.il");
        let netlist = fs::read_to_string(&path).map_err(at(&path))?;
        let Some(harness) = place::harness(&netlist, Some(line.each.luts())) else { return Ok(()) };
        let device = Device::Ice40Hx8k;
        let versions = [Tool::YOSYS, device.tool()].map(|tool| workshop.tools.version(tool));
        let made_from = line.folder.display().to_string();
        let script = format!("{}{}\n", place::READ, device.synthesis());
        let arguments = [device.arguments(), &place::ARGUMENTS].concat().join(" ");
        let pieces = versions.into_iter().chain([harness.text.as_str(), &script, &arguments, &made_from]);
        let stem = format!("{}-placed-{}", line.part.module, key(pieces));
        let entry = workshop.observed(&stem, &format!("{}, placed", line.name), observer, |folder| {
            fs::write(folder.join("before.il"), &netlist).map_err(at(folder))?;
            fs::write(folder.join("harness.v"), &harness.text).map_err(at(folder))?;
            workshop.yosys(folder, &script, &line.name)?;
            place::run(&workshop.tools, device, folder)?;
            fs::remove_file(folder.join("before.il")).map_err(at(folder))
        })?;
        let log = fs::read_to_string(entry.folder.join("nextpnr.log")).unwrap_or_default();
        line.each.frequency = place::frequency(&log);
        line.placed = Some(entry.folder);
        Ok(())
    }

    /// Sources, by module, and what they include.
    pub(super) fn inputs(&self, modules: &[String]) -> Vec<(String, &str)> {
        let text = |name: &String| Some((format!("{name}.sv"), self.sources.get(name)?.as_str()));
        let included = self.included.iter().map(|(name, text)| (name.clone(), text.as_str()));
        modules.iter().filter_map(text).chain(included).collect()
    }
}

/// Whether a file holds a module that may be in a router.
fn is_of_router(name: &str) -> bool {
    name != "pkg" && !name.ends_with("_pkg") && !CONTROL.contains(&name)
}

/// The control plane is not part of the router.
const CONTROL: [&str; 4] = ["switch", "control", "spi_port", "checksum"];

/// Changes when the files in an entry are others or mean something else.
const FORMAT: &str = "2";
