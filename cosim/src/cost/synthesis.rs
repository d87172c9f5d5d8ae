//! Synthesising a router: each part once, in parallel, from the cache where it can be.

use super::cache::{Cache, Entry, key};
use super::depth::write_parts;
use super::error::{CostError, at};
use super::liberty::nand_area;
use super::measured::{Measured, depth, live_cells};
use super::part::Part;
use super::place;
use super::script;
use super::target::Target;
use super::tool::{Tool, Toolbox};
use super::tree::Tree;
use super::unit::Unit;
use crate::rtl::{Shape, Sources};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a router costs: its parts, and the whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// Each part, in the order in which a packet meets their units.
    pub lines: Vec<Line>,
    /// Cells on the longest path through the whole router, memories apart; `None` where it was not asked for.
    pub depth: Option<u64>,
    /// Area of a NAND gate of two inputs in µm², where a library was given that has one.
    pub gate: Option<f64>,
}

/// One part and what it costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Which.
    pub part: Part,
    /// Told from others like it.
    pub name: String,
    /// One instance, by itself.
    pub each: Measured,
    /// Cells of all instances that are in use in the router, by type; `None` where that was not looked for.
    pub live: Option<BTreeMap<String, u64>>,
    /// The folder of its script and its log.
    pub folder: PathBuf,
}

impl Cost {
    /// A number summed over all parts.
    #[must_use]
    pub fn sum(&self, of: impl Fn(&Measured) -> u64) -> u64 {
        self.lines.iter().map(|line| of(&line.total())).sum()
    }

    /// The same over those of one unit.
    #[must_use]
    pub fn sum_of(&self, unit: Unit, of: impl Fn(&Measured) -> u64) -> u64 {
        self.lines.iter().filter(|line| line.part.unit == unit).map(|line| of(&line.total())).sum()
    }

    /// Takes what another target's synthesis of the same router found unused for unused here, too.
    pub fn leave_out_unused(&mut self, other: &Self) {
        for line in &mut self.lines {
            if other.lines.iter().any(|known| known.part == line.part && known.is_unused()) {
                line.live = Some(BTreeMap::new());
            }
        }
    }

    /// Area in µm² without memories, where a library was given.
    #[must_use]
    pub fn area(&self) -> Option<f64> {
        let used = self.lines.iter().filter(|line| !line.is_unused());
        used.map(|line| Some(line.part.count as f64 * line.each.area?)).sum()
    }

    /// The same in areas of the library's smallest NAND gate of two inputs.
    #[must_use]
    pub fn gate_equivalents(&self) -> Option<f64> {
        Some(self.area()? / self.gate?)
    }
}

impl Line {
    /// Cells and memories of all instances: those in use, where that was looked for.
    #[must_use]
    pub fn total(&self) -> Measured {
        let number = self.part.count;
        let all = || self.each.cells.iter().map(|(cell, count)| (cell.clone(), number * count)).collect();
        let memories = self.each.memories.iter().flat_map(|memory| (0..number).map(|_| memory.clone()));
        Measured {
            cells: self.live.clone().unwrap_or_else(all),
            memories: memories.collect(),
            ..Measured::default()
        }
    }

    /// Whether nothing in the router depends on it.
    #[must_use]
    pub fn is_unused(&self) -> bool {
        self.live.as_ref().is_some_and(BTreeMap::is_empty)
    }
}

/// What is done with the netlists of a router's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whole {
    /// Nothing: every part counts as if all it offers were asked for, and the router has no depth.
    Apart,
    /// They are put together: what nothing depends on goes, and the longest path is looked for.
    Together,
    /// Besides, equal cells with equal inputs become one, as in a synthesis of the whole: products of thresholds, above all, which
    /// every selection forms.
    Shared,
}

/// Told what is being done.
pub trait Observer: Sync {
    /// Work that takes time begins.
    fn begins(&self, _name: &str) {}
    /// It is done; after how many seconds, and whether it was found done.
    fn ends(&self, _name: &str, _seconds: f64, _was_cached: bool) {}
}

impl Observer for () {}

/// Tools, sources and what they have made so far.
#[derive(Debug, Clone)]
pub struct Synthesis {
    tools: Toolbox,
    cache: Cache,
    /// The RTL by module.
    sources: BTreeMap<String, String>,
}

impl Synthesis {
    /// With a folder of finished work: the given one, else `$DESVIO_COST_CACHE`, else one in the user's cache folder.
    ///
    /// # Errors
    /// When the sources or the cache cannot be read.
    pub fn new(tools: Toolbox, sources: &Sources, cache: Option<&Path>) -> Result<Self, CostError> {
        let mut texts = BTreeMap::new();
        for file in sources.files(false) {
            let is_design =
                file.parent() == Some(sources.path()) && file.extension().is_some_and(|end| end == "sv");
            if let (true, Some(stem)) = (is_design, file.file_stem()) {
                let text = fs::read_to_string(&file).map_err(at(&file))?;
                texts.insert(stem.to_string_lossy().into_owned(), text);
            }
        }
        Ok(Self { tools, cache: Cache::open(cache)?, sources: texts })
    }

    /// The programs.
    #[must_use]
    pub const fn tools(&self) -> &Toolbox {
        &self.tools
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
        // The packages come first.
        let packages = ["desvio_pkg"].map(str::to_owned);
        let others = self.sources.keys().filter(|name| is_of_router(name));
        let files: Vec<String> = packages.into_iter().chain(others.cloned()).collect();
        let named: Vec<String> = files.iter().map(|name| format!("{name}.sv")).collect();
        let script = script::elaborate(&named, parameters);
        let entry = self.run("router-modules", &script, &files, None, observer, |folder| {
            let path = folder.join("modules.json");
            let tree = Tree::read(&fs::read_to_string(&path).map_err(at(&path))?)?;
            let text = serde_json::to_string(&tree).unwrap_or_default();
            fs::remove_file(&path).map_err(at(&path))?;
            fs::write(folder.join("tree.json"), text).map_err(at(folder))
        })?;
        let path = entry.folder.join("tree.json");
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        serde_json::from_str(&text).map_err(|error| CostError::Unreadable {
            program: "the cache",
            job: path.display().to_string(),
            reason: error.to_string(),
        })
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
        let mut parts = Part::all_of(tree);
        parts.sort_by_key(|part| Unit::ALL.iter().position(|&unit| unit == part.unit));
        let lines: Result<Vec<Line>, CostError> = parts
            .par_iter()
            .with_max_len(1)
            .map(|part| self.line(part, &part.name_among(&parts), target, observer))
            .collect();
        let mut lines = lines?;
        let shared = match whole {
            Whole::Apart => None,
            Whole::Together => Some(false),
            Whole::Shared => Some(true),
        };
        let shared = shared.filter(|_| *target == Target::Cells);
        let depth = shared.map(|shared| self.compose(&mut lines, shared, observer)).transpose()?;
        let gate = match target {
            Target::Liberty(path) => nand_area(&fs::read_to_string(path).map_err(at(path))?),
            _ => None,
        };
        Ok(Cost { lines, depth, gate })
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
        Ok(Line { part: part.clone(), name: name.to_owned(), each, live: None, folder })
    }

    fn part(
        &self,
        part: &Part,
        name: &str,
        target: &Target,
        observer: &dyn Observer,
    ) -> Result<(Measured, PathBuf), CostError> {
        let files: Vec<String> =
            std::iter::once("desvio_pkg".to_owned()).chain(part.sources.iter().cloned()).collect();
        let library = match target {
            Target::Liberty(path) => Some(fs::read_to_string(path).map_err(at(path))?),
            _ => None,
        };
        let script = script::synthesise(part, target);
        let stem = format!("{}-{}", part.module, target.word());
        let done = |folder: &Path| {
            let measured = Measured::read(folder, name)?;
            let text = serde_json::to_string_pretty(&measured).unwrap_or_default();
            fs::write(folder.join("measured.json"), text).map_err(at(folder))
        };
        let label = format!("{name}, {}", target.word());
        let entry = self.run_as(&stem, &label, &script, &files, library.as_deref(), observer, done)?;
        let path = entry.folder.join("measured.json");
        let text = fs::read_to_string(&path).map_err(at(&path))?;
        let mut measured: Measured = serde_json::from_str(&text).map_err(|error| CostError::Unreadable {
            program: "the cache",
            job: path.display().to_string(),
            reason: error.to_string(),
        })?;
        if *target == Target::Ice40 && part.without.is_empty() {
            measured.frequency = self.frequency(&entry.folder, part, name, measured.luts(), observer)?;
        }
        Ok((measured, entry.folder))
    }

    /// The frequency of a part that was synthesised into `folder`; `None` where it has no room in the device.
    fn frequency(
        &self,
        folder: &Path,
        part: &Part,
        name: &str,
        luts: u64,
        observer: &dyn Observer,
    ) -> Result<Option<f64>, CostError> {
        let path = folder.join("before.il");
        let netlist = fs::read_to_string(&path).map_err(at(&path))?;
        let Some(harness) = place::harness(&netlist, luts) else { return Ok(None) };
        let versions = [self.tools.version(Tool::YOSYS), self.tools.version(Tool::NEXTPNR_ICE40)];
        let made_from = folder.display().to_string();
        let arguments = place::ARGUMENTS.join(" ");
        let pieces = versions.into_iter().chain([harness.as_str(), place::SCRIPT, &arguments, &made_from]);
        let stem = format!("{}-placed-{}", part.module, key(pieces));
        let entry = self.observed(&stem, &format!("{name}, placed"), observer, |folder| {
            fs::write(folder.join("before.il"), &netlist).map_err(at(folder))?;
            fs::write(folder.join("harness.v"), &harness).map_err(at(folder))?;
            self.yosys(folder, place::SCRIPT, name)?;
            let mut command = self.tools.command(Tool::NEXTPNR_ICE40);
            command.args(place::ARGUMENTS).args(["--log", "nextpnr.log"]).current_dir(folder);
            // A part that does not fit after all has no frequency; the log says so.
            command.status().map(drop).map_err(at(folder))?;
            fs::remove_file(folder.join("before.il")).map_err(at(folder))
        })?;
        let log = fs::read_to_string(entry.folder.join("nextpnr.log")).unwrap_or_default();
        Ok(place::frequency(&log))
    }

    /// The router that the parts make: its longest path; and the cells in use of each part.
    fn compose(&self, lines: &mut [Line], shared: bool, observer: &dyn Observer) -> Result<u64, CostError> {
        let folders: Vec<String> = lines.iter().map(|line| line.folder.display().to_string()).collect();
        let names: Vec<String> = lines.iter().map(|line| line.part.stands_for.join(" ")).collect();
        let script = script::compose(lines.len(), shared);
        let pieces = [script.as_str(), self.tools.version(Tool::YOSYS)].into_iter();
        let pieces = pieces.chain(folders.iter().map(String::as_str)).chain(names.iter().map(String::as_str));
        let name = format!("router-whole-{}", key(pieces));
        let entry = self.observed(&name, "the router that the parts make", observer, |folder| {
            let netlists: Vec<PathBuf> = lines.iter().map(|line| line.folder.join("netlist.il")).collect();
            let parts = lines.iter().map(|line| &line.part).zip(netlists.iter().map(PathBuf::as_path));
            write_parts(&parts.collect::<Vec<_>>(), &folder.join("parts.il"))?;
            self.yosys(folder, &script, "the whole router")?;
            fs::remove_file(folder.join("parts.il")).map_err(at(folder))
        })?;
        let text = |name: String| {
            fs::read_to_string(entry.folder.join(&name)).map_err(at(&entry.folder.join(&name)))
        };
        for (n, line) in lines.iter_mut().enumerate() {
            line.live = Some(live_cells(&text(format!("live-{n}.json"))?, &line.name)?);
        }
        Ok(depth(&text("depth.txt".to_owned())?))
    }

    fn run(
        &self,
        stem: &str,
        script: &str,
        files: &[String],
        library: Option<&str>,
        observer: &dyn Observer,
        done: impl FnOnce(&Path) -> Result<(), CostError>,
    ) -> Result<Entry, CostError> {
        self.run_as(stem, stem, script, files, library, observer, done)
    }

    /// Runs a script on some of the sources, unless that has been done; `done` makes the results out of what it leaves.
    #[allow(clippy::too_many_arguments)]
    fn run_as(
        &self,
        stem: &str,
        label: &str,
        script: &str,
        files: &[String],
        library: Option<&str>,
        observer: &dyn Observer,
        done: impl FnOnce(&Path) -> Result<(), CostError>,
    ) -> Result<Entry, CostError> {
        let texts: Vec<&str> =
            files.iter().filter_map(|name| self.sources.get(name)).map(String::as_str).collect();
        let pieces = [FORMAT, self.tools.version(Tool::YOSYS), script].into_iter();
        let pieces = pieces.chain(library).chain(texts.iter().copied());
        let name = format!("{stem}-{}", key(pieces));
        self.observed(&name, label, observer, |folder| {
            for (name, text) in files.iter().zip(&texts) {
                let path = folder.join(format!("{name}.sv"));
                fs::write(&path, text).map_err(at(&path))?;
            }
            if let Some(library) = library {
                fs::write(folder.join("library.lib"), library).map_err(at(folder))?;
            }
            self.yosys(folder, script, label)?;
            done(folder)
        })
    }

    fn observed(
        &self,
        name: &str,
        label: &str,
        observer: &dyn Observer,
        work: impl FnOnce(&Path) -> Result<(), CostError>,
    ) -> Result<Entry, CostError> {
        let begun = std::time::Instant::now();
        observer.begins(label);
        let entry = self.cache.obtain(name, work);
        let was_cached = entry.as_ref().is_ok_and(|entry| entry.was_cached);
        observer.ends(label, begun.elapsed().as_secs_f64(), was_cached);
        entry
    }

    /// Runs Yosys in a folder; script and log stay there.
    fn yosys(&self, folder: &Path, script: &str, job: &str) -> Result<(), CostError> {
        let path = folder.join("script.ys");
        fs::write(&path, script).map_err(at(&path))?;
        let mut command = self.tools.command(Tool::YOSYS);
        let status = command.args(["-q", "-l", "yosys.log", "script.ys"]).current_dir(folder).status();
        if status.map_err(at(&path))?.success() {
            return Ok(());
        }
        let log = fs::read_to_string(folder.join("yosys.log")).unwrap_or_default();
        let said = log.lines().rev().find(|line| line.starts_with("ERROR")).or(log.lines().last());
        let reason = said.unwrap_or("it said nothing").to_owned();
        Err(CostError::Failed { program: "yosys".to_owned(), job: job.to_owned(), reason })
    }
}

/// Whether a file holds a module that may be in a router.
fn is_of_router(name: &str) -> bool {
    !name.ends_with("_pkg") && !CONTROL.contains(&name)
}

/// The control plane is not part of the router.
const CONTROL: [&str; 4] = ["switch", "control", "spi_port", "checksum"];

/// Changes when the files in an entry mean something else.
const FORMAT: &str = "1";
