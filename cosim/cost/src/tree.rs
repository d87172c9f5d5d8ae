//! The router as Yosys elaborates it: which modules, with which parameters, inside which others.

use super::error::CostError;
use desvio_hdl::PREFIX;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The elaborated modules, by the names that Yosys gives them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Tree {
    pub(super) modules: BTreeMap<String, Module>,
    /// For each source module, the modules inside it as its parameters' defaults have it: Yosys reads it with those first, and
    /// must find what they name.
    #[serde(default)]
    pub(super) defaults: BTreeMap<String, Vec<String>>,
}

/// One elaborated module.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Module {
    /// What it is: its name in the source, without the prefix.
    pub(super) name: String,
    pub(super) parameters: BTreeMap<String, u64>,
    /// The instances in it, each with the elaborated module that it is of.
    pub(super) instances: Vec<(String, String)>,
}

/// What `write_json` writes, as far as it matters here.
#[derive(Deserialize)]
struct File {
    modules: BTreeMap<String, Elaborated>,
}

#[derive(Deserialize)]
struct Elaborated {
    attributes: BTreeMap<String, String>,
    #[serde(default)]
    parameter_default_values: BTreeMap<String, String>,
    cells: BTreeMap<String, Cell>,
}

#[derive(Deserialize)]
struct Cell {
    r#type: String,
}

impl Tree {
    /// From what Yosys wrote as JSON.
    pub(super) fn read(text: &str) -> Result<Self, CostError> {
        let unreadable = |error: serde_json::Error| CostError::Unreadable {
            program: "yosys",
            job: "the modules of the router".to_owned(),
            reason: error.to_string(),
        };
        let File { modules } = serde_json::from_str(text).map_err(unreadable)?;
        let known: Vec<String> = modules.keys().cloned().collect();
        let module = |(key, module): (String, Elaborated)| {
            let name = module.attributes.get("hdlname").unwrap_or(&key);
            let name = name.trim_start_matches('\\');
            let name = name.strip_prefix(PREFIX).unwrap_or(name).to_owned();
            let parameters = module.parameter_default_values;
            let parameters = parameters.into_iter().filter_map(|(key, bits)| Some((key, number(&bits)?)));
            let cells = module.cells.into_iter().map(|(instance, cell)| (instance, cell.r#type));
            let instances = cells.filter(|(_, module)| known.binary_search(module).is_ok()).collect();
            (key, Module { name, parameters: parameters.collect(), instances })
        };
        Ok(Self { modules: modules.into_iter().map(module).collect(), defaults: BTreeMap::new() })
    }

    /// Learns from the router as its parameters' defaults have it.
    pub(super) fn learn_defaults(&mut self, default: &Self) {
        let below = |(key, module): (&String, &Module)| (module.name.clone(), default.names_below(key));
        self.defaults = default.modules.iter().map(below).collect();
    }

    /// The source files that a module needs to be read.
    pub(super) fn sources_of(&self, key: &str) -> Vec<String> {
        let names = self.names_below(key);
        let by_default = names.iter().filter_map(|name| self.defaults.get(name)).flatten().cloned();
        let all: BTreeSet<String> = by_default.chain(names.iter().cloned()).collect();
        all.into_iter().collect()
    }

    /// The source names of a module and of all modules inside it.
    pub(super) fn names_below(&self, key: &str) -> Vec<String> {
        let mut names = Vec::new();
        let mut open = vec![key];
        while let Some(module) = open.pop().and_then(|key| self.modules.get(key)) {
            if !names.contains(&module.name) {
                names.push(module.name.clone());
            }
            open.extend(module.instances.iter().map(|(_, key)| key.as_str()));
        }
        names.sort();
        names
    }
}

/// A parameter's value: bits, the highest first.
fn number(bits: &str) -> Option<u64> {
    u64::from_str_radix(bits.trim(), 2).ok()
}
