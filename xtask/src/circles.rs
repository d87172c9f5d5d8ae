//! No circle between the modules of a crate: what a file or folder below `src/` names of another one, that one does not name back, neither
//! itself nor by way of others.
//!
//! Read are `use` and paths. Not seen are tokens that a macro is given, methods by the module that they are written in, what a crate's root
//! re-exports or has itself, and what modules of one folder name of each other.

use crate::step::root;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, Meta, UseTree};

/// Modules that each module of a crate names.
type Names = BTreeMap<String, BTreeSet<String>>;

/// The names that one file has of the modules of its crate.
struct File<'n> {
    /// Its module, from the root of the crate on.
    module: Vec<String>,
    /// Modules inside the file that are open.
    inner: usize,
    names: &'n mut BTreeSet<String>,
}

impl File<'_> {
    /// The module below the root that a path leads into.
    fn take(&mut self, path: &[String]) {
        let below = path.iter().take_while(|word| *word == "super").count();
        let is_root = match path.first().map(String::as_str) {
            Some("crate") => true,
            Some("super") => below == self.module.len() + self.inner,
            _ => false,
        };
        let named = if is_root { path.get(below.max(1)) } else { None };
        self.names.extend(named.cloned());
    }

    /// Every path of a tree of `use`.
    fn tree(&mut self, before: &[String], tree: &UseTree) {
        let with = |word: &syn::Ident| [before, &[word.to_string()]].concat();
        match tree {
            UseTree::Path(path) => self.tree(&with(&path.ident), &path.tree),
            UseTree::Name(name) => self.take(&with(&name.ident)),
            UseTree::Rename(name) => self.take(&with(&name.ident)),
            UseTree::Glob(_) => self.take(before),
            UseTree::Group(group) => group.items.iter().for_each(|item| self.tree(before, item)),
        }
    }
}

impl<'ast> Visit<'ast> for File<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        let (attributes, is_module): (&[Attribute], _) = match item {
            Item::Mod(module) => (&module.attrs, module.content.is_some()),
            Item::Use(item) => (&item.attrs, false),
            Item::Fn(item) => (&item.attrs, false),
            Item::Impl(item) => (&item.attrs, false),
            _ => (&[], false),
        };
        if !attributes.iter().any(is_test) {
            self.inner += usize::from(is_module);
            visit::visit_item(self, item);
            self.inner -= usize::from(is_module);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.tree(&[], &item.tree);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.take(&words);
        visit::visit_path(self, path);
    }
}

/// Whether something is compiled for tests only.
fn is_test(attribute: &Attribute) -> bool {
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("cfg") && list.tokens.to_string() == "test")
}

/// Every source of a crate but its tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        let is_tests = ["tests", "tests.rs"].map(OsStr::new).contains(&path.file_name().unwrap());
        if path.is_dir() && !is_tests {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_tests {
            found.push(path);
        }
    }
}

/// What the modules below the root of a crate name of each other.
fn names_of(src: &Path) -> Names {
    let mut found = Vec::new();
    sources(src, &mut found);
    let mut all = Names::new();
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(src).unwrap().with_extension("");
        let module: Vec<_> = place.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        if ["lib", "main", "bin"].contains(&module[0].as_str()) {
            continue;
        }
        take_file(&mut all, &module, &text);
    }
    let modules: BTreeSet<_> = all.keys().cloned().collect();
    all.values_mut().for_each(|names| names.retain(|name| modules.contains(name)));
    all
}

/// Adds what one file names.
fn take_file(all: &mut Names, module: &[String], text: &str) {
    let names = all.entry(module[0].clone()).or_default();
    let file = syn::parse_file(text).unwrap_or_else(|error| panic!("{}: {error}", module.join("/")));
    File { module: module.to_vec(), inner: 0, names }.visit_file(&file);
    names.remove(&module[0]);
}

/// Every module that leads back to itself.
fn circles(names: &Names) -> Vec<&String> {
    let leads_back = |start: &String| {
        let mut seen = BTreeSet::new();
        let mut next: Vec<&String> = names[start].iter().collect();
        while let Some(at) = next.pop() {
            if seen.insert(at) {
                next.extend(&names[at]);
            }
        }
        seen.contains(start)
    };
    names.keys().filter(|start| leads_back(start)).collect()
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn circles_are_found_by_use_and_by_paths() {
    let back =
        ["use crate::a::A;", "use super::{b::B, a};", "fn f() -> crate::a::A { g() }", "use super::a::*;"];
    for back in back {
        let mut all = Names::new();
        take_file(&mut all, &words(&["a"]), "use crate::{c::C, b};");
        take_file(&mut all, &words(&["b"]), "use crate::c::C;");
        take_file(&mut all, &words(&["c"]), "fn f() {}");
        assert!(circles(&all).is_empty(), "none before {back}");
        take_file(&mut all, &words(&["c"]), &format!("#[cfg(test)] mod tests {{ {back} }}"));
        assert!(circles(&all).is_empty(), "{back} of tests");
        take_file(&mut all, &words(&["c"]), back);
        assert_eq!(circles(&all), ["a", "b", "c"], "{back}");
    }
    let mut all = Names::new();
    take_file(&mut all, &words(&["a", "x"]), "use super::super::b::B;");
    take_file(&mut all, &words(&["b"]), "mod inner { use super::super::a; }");
    assert_eq!(circles(&all), ["a", "b"], "by several steps up");
}

#[test]
fn no_crate_has_a_circle_between_its_modules() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let mut crates = 0;
    for member in manifest["workspace"]["members"].as_array().unwrap() {
        let member = member.as_str().unwrap();
        let folders = match member.strip_suffix("/*") {
            Some(folder) => {
                fs::read_dir(root().join(folder)).unwrap().flatten().map(|entry| entry.path()).collect()
            }
            None => vec![root().join(member)],
        };
        for src in folders.iter().map(|folder| folder.join("src")).filter(|src| src.is_dir()) {
            let names = names_of(&src);
            assert!(
                circles(&names).is_empty(),
                "{}: {:?} lead back to themselves",
                src.display(),
                circles(&names)
            );
            crates += usize::from(names.values().any(|names| !names.is_empty()));
        }
    }
    assert!(crates >= 15, "only {crates} crates have modules that name each other");
}
