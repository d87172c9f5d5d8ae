//! The file of a campaign: one TOML file says what varies around a base scenario.

mod axis;
mod choice;
mod range;
mod skip;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use desvio_sim::bounded;
use desvio_sim::document::{Data, Entry, Place, Problem, Sources, Value, unknown_key};

use crate::error::CampaignError;
pub(crate) use axis::{Axis, LOAD, SEED};
pub use choice::Choice;
pub(crate) use skip::Skip;

/// What a campaign's file says.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// The file.
    pub(crate) path: PathBuf,
    /// Its text.
    pub(crate) text: String,
    /// The base scenario, as found from the folder of the file.
    pub(crate) base: PathBuf,
    /// Its text.
    pub(crate) base_text: String,
    /// What varies, the last axis fastest.
    pub(crate) axes: Vec<Axis>,
    /// What is left out.
    pub(crate) skips: Vec<Skip>,
    /// The seeds of each point, if the file names them.
    pub(crate) seeds: Vec<Choice>,
}

const KEYS: [&str; 5] = ["base", "seeds", "axes", "zip", "skip"];

/// A campaign has a page; a list of thousands of values still fits.
const LARGEST: u64 = 1 << 20;

impl Campaign {
    /// Reads the file of a campaign and that of its base.
    ///
    /// # Errors
    /// The first thing that is wrong, complete with its place and what was expected.
    pub fn load(path: &Path) -> Result<Self, CampaignError> {
        let read = |path: &Path, what| {
            let text = bounded::read_text(path, LARGEST);
            let text =
                text.map_err(|source| CampaignError::Unreadable { path: path.to_owned(), what, source })?;
            Ok::<_, CampaignError>(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
        };
        let text = read(path, "the campaign")?;
        let sources = Sources::new(&path.display().to_string(), &text, &[]);
        let folder = path.parent().unwrap_or(Path::new(""));
        let (base, at) = parse_base(&text).map_err(|problem| sources.refuse(problem))?;
        let base = folder.join(base);
        let base_text = read(&base, "the base scenario")?;
        let mut campaign = Self {
            path: path.to_owned(),
            text,
            base,
            base_text,
            axes: Vec::new(),
            skips: Vec::new(),
            seeds: Vec::new(),
        };
        campaign.read(at).map_err(|problem| sources.refuse(problem))?;
        Ok(campaign)
    }

    /// Every table of the file.
    fn read(&mut self, base_at: Place) -> Result<(), Problem> {
        let root = Value::document(&self.text)?;
        if let Some(axes) = root.entry("axes") {
            let Data::Table(entries) = &axes.value.data else { return Err(not_a_table(axes, "[axes]")) };
            self.axes = axis::crossed(entries, &self.text)?;
        }
        for table in tables(&root, "zip")? {
            self.axes.push(axis::zipped(table, &self.text)?);
        }
        if let Some(seeds) = root.entry("seeds") {
            self.seeds = read_seeds(&seeds.value, &self.text)?;
        }
        each_key_once(&self.axes, base_at)?;
        if !self.axes.iter().any(|axis| axis.keys.iter().any(|key| key == LOAD)) {
            self.axes.push(self.loads_of_base(base_at)?);
        }
        let known = skip::known(&self.axes, &self.seeds);
        let skips = tables(&root, "skip")?.into_iter().map(|table| Skip::read(table, &known, &self.text));
        self.skips = skips.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The loads of the base scenario, where the campaign names none.
    fn loads_of_base(&self, at: Place) -> Result<Axis, Problem> {
        let needed = |why: &str| {
            Problem::new(at, format!("a campaign runs loads: {why}"))
                .note("add `load = [0.1, 0.2]` to [axes]")
        };
        let root = Value::document(&self.base_text).map_err(|_| needed("the base is not valid TOML"))?;
        let loads = root.entry("traffic").and_then(|traffic| traffic.value.entry("loads"));
        let Some(Data::List(loads)) = loads.map(|loads| &loads.value.data) else {
            return Err(needed("neither [axes] has `load` nor the base a list `traffic.loads`"));
        };
        let choice = |load: &Value| Choice { at, ..Choice::new(load, &self.base_text) };
        let loads: Vec<Choice> = loads.iter().map(choice).collect();
        loads.iter().try_for_each(axis::check_load)?;
        Ok(Axis { keys: vec![LOAD.to_owned()], rows: loads.into_iter().map(|load| vec![load]).collect() })
    }

    /// The error for something at a place of the file.
    pub(crate) fn refuse(&self, problem: Problem) -> CampaignError {
        Sources::new(&self.path.display().to_string(), &self.text, &[]).refuse(problem).into()
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The base, once all top keys are known.
fn parse_base(text: &str) -> Result<(String, Place), Problem> {
    let root = Value::document(text)?;
    if let Some(entry) = root.entries().iter().find(|entry| !KEYS.contains(&entry.key.as_str())) {
        let problem = unknown_key(entry, &KEYS, None, "at the top of a campaign");
        return Err(if entry.key.contains('.') || entry.key == LOAD {
            problem.note("keys that vary belong in [axes]")
        } else {
            problem
        });
    }
    let expected = "the scenario that all points have in common, such as base = \"mesh.toml\"";
    match root.entry("base") {
        Some(Entry { value: Value { data: Data::Text(base), at }, .. }) if !base.is_empty() => {
            Ok((base.clone(), *at))
        }
        Some(entry) => {
            let message = format!("`base` must be {expected}, not {}", entry.value.describe());
            Err(Problem::new(entry.value.at, message))
        }
        None => Err(Problem::new(root.at, format!("`base` is missing, expected {expected}"))),
    }
}

/// The tables `[[key]]`.
fn tables<'v>(root: &'v Value, key: &str) -> Result<Vec<&'v Value>, Problem> {
    let Some(entry) = root.entry(key) else { return Ok(Vec::new()) };
    let expected = format!("tables [[{key}]]");
    let Data::List(tables) = &entry.value.data else { return Err(not_a_table(entry, &expected)) };
    if tables.iter().any(|table| !matches!(table.data, Data::Table(_))) {
        return Err(not_a_table(entry, &expected));
    }
    Ok(tables.iter().collect())
}

fn not_a_table(entry: &Entry, expected: &str) -> Problem {
    let message = format!("`{}` must be {expected}, not {}", entry.key, entry.value.describe());
    Problem::new(entry.key_at, message)
}

fn read_seeds(value: &Value, file: &str) -> Result<Vec<Choice>, Problem> {
    let seeds = axis::values(value, "seeds", file)?;
    let mut seen = HashSet::new();
    for seed in &seeds {
        let number = seed.text.replace('_', "").parse::<i64>().ok().filter(|seed| *seed >= 0);
        let Some(number) = number else {
            let message = format!("`seeds` are whole numbers from 0 to {}, not {}", i64::MAX, seed.shown);
            return Err(Problem::new(seed.at, message));
        };
        if !seen.insert(number) {
            return Err(Problem::new(seed.at, format!("`seeds` has {number} twice")));
        }
    }
    Ok(seeds)
}

/// A key that varies twice would get the value of one of the two.
fn each_key_once(axes: &[Axis], at: Place) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    for axis in axes {
        for (n, key) in axis.keys.iter().enumerate() {
            if !seen.insert(key) {
                let at = axis.rows.first().and_then(|row| row.get(n)).map_or(at, |choice| choice.at);
                return Err(Problem::new(at, format!("`{key}` varies twice")));
            }
        }
    }
    Ok(())
}
