//! The parts that are synthesised, each once, and how often the router has them.

use super::tree::{Module, Tree};
use super::unit::Unit;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The number of a port says only which bits a port's logic looks at: one port of each kind stands for all.
const ONLY_WHICH: &str = "PORT";

/// A module with its parameters, and how often the router has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// What it belongs to.
    pub unit: Unit,
    /// The module's name.
    pub module: String,
    /// The module's parameters.
    pub parameters: BTreeMap<String, u64>,
    /// Instances in the router.
    pub count: u64,
    /// The modules of units inside it, which do not belong to it.
    pub(super) without: Vec<String>,
    /// The source files, by module.
    pub(super) sources: Vec<String>,
    /// The elaborated modules that it stands for.
    pub(super) stands_for: Vec<String>,
}

impl Part {
    /// The parts of a router.
    #[must_use]
    pub fn all_of(tree: &Tree) -> Vec<Self> {
        Self::gathered(tree, is_like)
    }

    /// The parts of a router with each port by itself: put together, they are the very router.
    #[must_use]
    pub fn each_of(tree: &Tree) -> Vec<Self> {
        Self::gathered(tree, |part, module| {
            part.module == module.name && part.parameters == module.parameters
        })
    }

    fn gathered(tree: &Tree, stands_for: fn(&Self, &Module) -> bool) -> Vec<Self> {
        let mut parts = Vec::new();
        gather(tree, "dsv_router", stands_for, &mut parts);
        parts.sort_by_key(|part: &Self| Unit::ALL.iter().position(|&unit| unit == part.unit));
        parts
    }

    /// The module by itself, outside of any router.
    #[must_use]
    pub fn alone(unit: Unit, module: &str, parameters: &[(&str, u64)], sources: &[&str]) -> Self {
        let named = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Self {
            unit,
            module: module.to_owned(),
            parameters: parameters.iter().map(|&(key, value)| (key.to_owned(), value)).collect(),
            count: 1,
            without: Vec::new(),
            sources: named(sources),
            // Outside of a router it is the whole.
            stands_for: vec!["dsv_router".to_owned()],
        }
    }

    /// The module with those parameters that tell it from others of the same router, as in `vc DEPTH=32`.
    #[must_use]
    pub fn name_among(&self, parts: &[Self]) -> String {
        let alike: Vec<_> = parts.iter().filter(|part| part.module == self.module).collect();
        let differs =
            |key: &str| alike.iter().any(|part| part.parameters.get(key) != self.parameters.get(key));
        let shown = self.parameters.iter().filter(|(key, _)| key.as_str() != ONLY_WHICH && differs(key));
        let shown = shown.map(|(key, value)| format!(" {key}={value}"));
        std::iter::once(self.module.clone()).chain(shown).collect()
    }
}

/// Adds the part that an elaborated module is, and those inside it.
fn gather(tree: &Tree, key: &str, stands_for: fn(&Part, &Module) -> bool, parts: &mut Vec<Part>) {
    let Some(module) = tree.modules.get(key) else { return };
    let inside: Vec<_> = if Unit::holds_others(&module.name) { units_in(tree, module) } else { Vec::new() };
    if let Some(unit) = Unit::of(&module.name) {
        match parts.iter_mut().find(|part| stands_for(part, module)) {
            Some(part) => {
                part.count += 1;
                if !part.stands_for.iter().any(|known| known == key) {
                    part.stands_for.push(key.to_owned());
                }
            }
            None => parts.push(part(tree, key, module, unit)),
        }
    }
    for key in inside {
        gather(tree, key, stands_for, parts);
    }
}

fn part(tree: &Tree, key: &str, module: &Module, unit: Unit) -> Part {
    let mut without: Vec<String> = if Unit::holds_others(&module.name) {
        let names = units_in(tree, module).into_iter().filter_map(|key| tree.modules.get(key));
        names.map(|module| module.name.clone()).collect()
    } else {
        Vec::new()
    };
    without.sort();
    without.dedup();
    Part {
        unit,
        module: module.name.clone(),
        parameters: module.parameters.clone(),
        count: 1,
        without,
        sources: tree.sources_of(key),
        stands_for: vec![key.to_owned()],
    }
}

/// The instances of units in a module, by elaborated module: also those inside of a module that is in no unit of its own.
fn units_in<'t>(tree: &'t Tree, module: &'t Module) -> Vec<&'t str> {
    let mut found = Vec::new();
    for (_, key) in &module.instances {
        match tree.modules.get(key) {
            Some(inside) if Unit::of(&inside.name).is_none() => found.extend(units_in(tree, inside)),
            Some(_) => found.push(key.as_str()),
            None => {}
        }
    }
    found
}

fn is_like(part: &Part, module: &Module) -> bool {
    let matter = |parameters: &BTreeMap<String, u64>| {
        parameters
            .iter()
            .filter(|(key, _)| *key != ONLY_WHICH)
            .map(|(k, v)| (k.clone(), *v))
            .collect::<Vec<_>>()
    };
    part.module == module.name && matter(&part.parameters) == matter(&module.parameters)
}
