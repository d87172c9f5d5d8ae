//! What the workspace depends on, against `deny.toml`: licences, versions, sources. `cargo deny` reads the same file and knows more; it
//! takes minutes to install, and this takes a second.

use crate::step::root;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A package of the graph.
struct Dependency {
    name: String,
    version: String,
    licence: String,
    /// `None` where it is in this repository.
    source: Option<String>,
    manifest: PathBuf,
}

/// All packages that are compiled on the platform that `deny.toml` names.
fn dependencies(rules: &toml::Table) -> Vec<Dependency> {
    let platform = words(&rules["graph"]["targets"]).remove(0);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let arguments = ["metadata", "--format-version", "1", "--locked", "--all-features", "--filter-platform"];
    let output = Command::new(cargo).args(arguments).arg(platform).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| Dependency {
            name: text(&package["name"]).unwrap(),
            version: text(&package["version"]).unwrap(),
            licence: text(&package["license"]).unwrap_or_default(),
            source: text(&package["source"]),
            manifest: text(&package["manifest_path"]).unwrap().into(),
        })
        .collect()
}

fn rules() -> toml::Table {
    fs::read_to_string(root().join("deny.toml")).unwrap().parse().unwrap()
}

fn words(list: &toml::Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

/// Whether an expression of licences can be met by allowed ones: `OR` binds less than `AND`, `/` is an old `OR`.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    is_any_met(&mut rest, allowed) && rest.is_empty()
}

fn is_any_met(rest: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = are_all_met(rest, allowed);
    while let Some((&"OR", after)) = rest.split_first() {
        *rest = after;
        met |= are_all_met(rest, allowed);
    }
    met
}

fn are_all_met(rest: &mut &[&str], allowed: &[String]) -> bool {
    let mut met = is_one_met(rest, allowed);
    while let Some((&"AND", after)) = rest.split_first() {
        *rest = after;
        met &= is_one_met(rest, allowed);
    }
    met
}

fn is_one_met(rest: &mut &[&str], allowed: &[String]) -> bool {
    let (name, after) = match **rest {
        ["(", ref after @ ..] => {
            *rest = after;
            let met = is_any_met(rest, allowed);
            *rest = rest.strip_prefix(&[")"]).unwrap_or_default();
            return met;
        }
        [licence, "WITH", exception, ref after @ ..] => (format!("{licence} WITH {exception}"), after),
        [licence, ref after @ ..] => (licence.to_owned(), after),
        [] => return false,
    };
    *rest = after;
    allowed.contains(&name)
}

#[test]
fn expressions_of_licences() {
    let allowed = ["MIT", "ISC", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned);
    for met in [
        "MIT",
        "GPL-3.0 OR MIT",
        "GPL-3.0/MIT",
        "(MIT OR GPL-3.0) AND ISC",
        "MIT AND ISC OR GPL-3.0",
        "Apache-2.0 WITH LLVM-exception",
    ] {
        assert!(is_met(met, &allowed), "{met}");
    }
    for unmet in ["", "GPL-3.0", "MIT AND GPL-3.0", "MIT AND (GPL-3.0 OR AGPL-3.0)", "Apache-2.0", "MIT MIT"]
    {
        assert!(!is_met(unmet, &allowed), "{unmet}");
    }
}

#[test]
fn every_dependency_has_an_allowed_licence_and_comes_from_the_registry() {
    let rules = rules();
    let licences = words(&rules["licenses"]["allow"]);
    let found = dependencies(&rules);
    for Dependency { name, licence, .. } in &found {
        assert!(is_met(licence, &licences), "{name}: `{licence}` is not allowed by deny.toml");
    }
    let sources: BTreeSet<&str> = found.iter().filter_map(|found| found.source.as_deref()).collect();
    let [registry] = sources.iter().collect::<Vec<_>>()[..] else { panic!("several sources: {sources:?}") };
    assert!(registry.starts_with("registry+"), "{registry}");
    assert!(found.len() > 100, "{} dependencies", found.len());
}

#[test]
fn two_versions_of_a_crate_are_there_only_for_a_reason() {
    let rules = rules();
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Dependency { name, version, .. } in dependencies(&rules) {
        versions.entry(name).or_default().insert(version);
    }
    for skipped in rules["bans"]["skip"].as_array().unwrap() {
        assert!(!skipped["reason"].as_str().unwrap().is_empty(), "{skipped}");
        let (name, old) = skipped["crate"].as_str().unwrap().split_once('@').unwrap();
        let known = versions.get_mut(name).unwrap_or_else(|| panic!("{name} is no dependency"));
        let count = known.len();
        known.retain(|version| !version.starts_with(&format!("{old}.")));
        assert_eq!(known.len() + 1, count, "{name}@{old} is not there twice: deny.toml need not skip it");
    }
    versions.retain(|_, versions| versions.len() > 1);
    assert!(versions.is_empty(), "twice and not in deny.toml: {versions:?}");
}

/// The crate of the font declares its own licence, not that of the font.
#[test]
fn the_licence_of_the_embedded_font_is_in_the_packages_that_carry_it() {
    let font = dependencies(&rules()).into_iter().find(|found| found.name == "notosans").unwrap();
    let folder = font.manifest.parent().unwrap_or(Path::new(""));
    let licence = fs::read_to_string(folder.join("fonts/LICENSE_OFL.txt")).unwrap();
    for package in ["cosim/report", "cosim/desvio"] {
        let notice = fs::read_to_string(root().join(package).join("THIRD-PARTY.md")).unwrap();
        for line in licence.lines().map(str::trim_end) {
            assert!(notice.contains(line), "{package}/THIRD-PARTY.md lacks `{line}`");
        }
    }
}
