//! A copy of the model's crate, and what the compiler says of it.

use super::site::{Kind, Site};
use super::{Source, schema};
use crate::step::{Failure, root};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// The folder of the copy, with everything that is built of it.
pub(crate) fn folder() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("model-mutants")
}

/// What `cargo --message-format=json` says, as far as it is read here.
#[derive(Debug, Deserialize)]
struct Line {
    reason: String,
    message: Option<Message>,
    executable: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct Message {
    level: String,
    message: String,
    spans: Vec<Place>,
    children: Vec<Message>,
}

#[derive(Debug, Deserialize)]
struct Place {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

/// Writes a workspace that has the model in it alone. Sources that are as they were are not touched: cargo looks at their time.
pub(crate) fn write(sources: &[Source], changed: &BTreeMap<String, String>) -> Result<(), Failure> {
    let to = folder();
    let failed = |error: io::Error| Failure::new(format!("{}: {error}", to.display()));
    let core = root().join("router-core");
    let manifest = |path: &Path| fs::read_to_string(path).map_err(failed);
    let workspace = manifest(&root().join("Cargo.toml"))?;
    let members = workspace.lines().map(|line| match line {
        line if line.starts_with("members = ") => "members = [\"router-core\"]",
        line if line.starts_with("default-members") || line.starts_with("exclude") => "",
        line => line,
    });
    let workspace = members.collect::<Vec<_>>().join("\n");
    let workspace = workspace.split("[profile.dev.package]").next().unwrap_or_default().to_owned();
    let own = manifest(&core.join("Cargo.toml"))?;
    let own = own.split("[lints").next().unwrap_or_default().replacen(
        "[package]",
        "[package]\nautotests = false",
        1,
    );
    let own = own + "[[test]]\nname = \"all\"\npath = \"tests/all.rs\"\n";
    put(&to.join("Cargo.toml"), &workspace).map_err(failed)?;
    put(&to.join("router-core/Cargo.toml"), &own).map_err(failed)?;
    for name in ["README.md", "Cargo.lock"] {
        let from = if name == "README.md" { core.join(name) } else { root().join(name) };
        let to = if name == "README.md" { to.join("router-core").join(name) } else { to.join(name) };
        if !to.exists() {
            put(&to, &manifest(&from)?).map_err(failed)?;
        }
    }
    for Source { name, text, .. } in sources {
        let text = changed.get(name).unwrap_or(text);
        let text = if name == "lib.rs" { library(text) } else { text.clone() };
        put(&to.join("router-core/src").join(name), &text).map_err(failed)?;
    }
    copy_tree(&core.join("tests"), &to.join("router-core/tests")).map_err(failed)?;
    put(&to.join("router-core/tests/all.rs"), &all_tests(&core.join("tests")).map_err(failed)?)
        .map_err(failed)
}

/// All files of tests as modules of one program, which takes a fraction of the time to compile.
fn all_tests(folder: &Path) -> io::Result<String> {
    let mut text = String::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let (Some(name), Some(file)) = (path.file_stem(), path.file_name()) else { continue };
        let inside = if path.is_dir() { "/main.rs" } else { "" };
        text += &format!("#[path = \"{}{inside}\"]\nmod {};\n", file.display(), name.display());
    }
    let mut lines: Vec<_> = text.split_inclusive(";\n").collect();
    lines.sort_unstable();
    Ok(lines.concat())
}

/// The root of the library, with the switch in it. It reads an environment variable, and so needs the standard library.
fn library(text: &str) -> String {
    let text = text.replace("#![cfg_attr(not(test), no_std)]", "");
    let (documentation, rest) = text.split_once('\n').unwrap_or_default();
    let switch = "#![feature(core_intrinsics, const_eval_select)]\n#![allow(internal_features)]";
    format!("{documentation}\n{switch}\n{rest}\n{}", schema::MODULE)
}

fn put(path: &Path, text: &str) -> io::Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, text)
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let mut kept = BTreeSet::new();
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let Some(name) = path.file_name() else { continue };
        kept.insert(name.to_owned());
        if path.is_dir() {
            copy_tree(&path, &to.join(name))?;
        } else {
            put(&to.join(name), &fs::read_to_string(&path)?)?;
        }
    }
    for entry in fs::read_dir(to)? {
        let path = entry?.path();
        if path.file_name().is_some_and(|name| name != "all.rs" && !kept.contains(name)) {
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    Ok(())
}

fn cargo(arguments: &[&str]) -> Result<Vec<Line>, Failure> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(arguments)
        .args(["--message-format=json", "--quiet", "-p", "desvio-core"])
        .current_dir(folder());
    // The switch is a feature of the compiler that is not stable, of this copy alone.
    command
        .env("RUSTC_BOOTSTRAP", "desvio_core")
        .env("RUSTFLAGS", "-Awarnings")
        .env("CARGO_PROFILE_DEV_DEBUG", "false");
    command.env("CARGO_TARGET_DIR", folder().join("target")).stderr(Stdio::null());
    let output = command.output().map_err(|error| Failure::new(format!("cargo: {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// The numbers of the slips that do not compile; an empty set when all do.
fn rejected(
    sources: &[Source],
    changed: &BTreeMap<String, String>,
    placed: &[(usize, &Site)],
) -> Result<BTreeSet<usize>, Failure> {
    write(sources, changed)?;
    let lines = cargo(&["check", "--lib"])?;
    let errors = lines.into_iter().filter_map(|line| line.message).filter(|message| message.level == "error");
    let errors: Vec<_> = errors.filter(|message| message.spans.iter().any(|span| span.is_primary)).collect();
    let mut numbers = BTreeSet::new();
    for error in &errors {
        let found = blamed(error, changed, placed);
        if found.is_empty() {
            return Err(Failure::new(format!(
                "no slip is to blame for: {} {:?}",
                error.message, error.spans
            )));
        }
        numbers.extend(found);
    }
    Ok(numbers)
}

/// The slips around an error, or those of the same function where there is none.
fn blamed(error: &Message, changed: &BTreeMap<String, String>, placed: &[(usize, &Site)]) -> BTreeSet<usize> {
    let spans = || error.spans.iter().chain(error.children.iter().flat_map(|child| &child.spans));
    let mut found = BTreeSet::new();
    for span in spans().filter(|span| span.is_primary) {
        let Some((name, text)) = file_of(span, changed) else { continue };
        let around = |(number, _): &&(usize, &Site)| {
            let mark = format!("crate::mutant::is({number})");
            text.find(&mark).is_some_and(|at| {
                branch(text, at).is_some_and(|(start, end)| start <= span.byte_start && span.byte_end <= end)
            })
        };
        let mut here: Vec<_> = placed.iter().filter(|(_, site)| site.file == *name).filter(around).collect();
        // The innermost.
        here.sort_by_key(|(_, site)| site.whole.end - site.whole.start);
        found.extend(here.first().map(|(number, _)| *number));
    }
    if found.is_empty() {
        for span in spans() {
            let Some((name, text)) = file_of(span, changed) else { continue };
            let from = text[..span.byte_start]
                .rfind("\n    fn ")
                .or(text[..span.byte_start].rfind("fn "))
                .unwrap_or(0);
            let to = text[span.byte_end..].find("fn ").map_or(text.len(), |at| at + span.byte_end);
            let in_function = |(number, site): &&(usize, &Site)| {
                let mark = format!("crate::mutant::is({number})");
                site.file == *name && text.find(&mark).is_some_and(|at| from <= at && at <= to)
            };
            found.extend(placed.iter().filter(in_function).map(|(number, _)| *number));
        }
    }
    found
}

fn file_of<'c>(span: &Place, changed: &'c BTreeMap<String, String>) -> Option<(&'c String, &'c String)> {
    let name = span.file_name.split_once("src/")?.1;
    changed.get_key_value(name)
}

/// From the `if` before a mark to the end of its first branch.
fn branch(text: &str, at: usize) -> Option<(usize, usize)> {
    let open = at + text[at..].find('{')?;
    let mut depth = 0;
    for (offset, sign) in text[open..].char_indices() {
        match sign {
            '{' => depth += 1,
            '}' if depth == 1 => return Some((at.saturating_sub(6), open + offset + 1)),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A program of tests.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) path: PathBuf,
}

/// Slips with their numbers.
pub(crate) type Placed<'s> = Vec<(usize, &'s Site)>;

/// The slips that compile, of those given, with numbers from 1; their programs of tests.
pub(crate) fn build<'s>(
    sources: &[Source],
    drawn: &[&'s Site],
    count: usize,
) -> Result<(Placed<'s>, Vec<Program>), Failure> {
    let mut placed: Vec<_> = (1..).zip(drawn.iter().copied()).collect();
    for round in 0.. {
        let changed = changed(sources, &placed);
        let out = rejected(sources, &changed, &placed)?;
        eprintln!("   {} slips placed, {} of them do not compile", placed.len(), out.len());
        if out.is_empty() {
            break;
        }
        if round > 40 {
            return Err(Failure::new("the copy does not compile"));
        }
        placed.retain(|(number, _)| !out.contains(number));
    }
    placed.truncate(count);
    write(sources, &changed(sources, &placed))?;
    Ok((placed, tests()?))
}

/// The files with slips in them.
fn changed(sources: &[Source], placed: &[(usize, &Site)]) -> BTreeMap<String, String> {
    let mut changed = BTreeMap::new();
    for Source { name, text, .. } in sources {
        let here: Vec<_> = placed.iter().filter(|(_, site)| site.file == *name).copied().collect();
        if !here.is_empty() {
            changed.insert(name.clone(), schema::with_all(text, &here));
        }
    }
    changed
}

/// Compiles the copy with one slip that is a constant; nothing where the compiler finds it.
pub(crate) fn build_one(sources: &[Source], site: &Site) -> Result<Option<Vec<Program>>, Failure> {
    debug_assert_eq!(site.kind, Kind::Constant);
    let text = sources.iter().find(|source| source.name == site.file).map(|source| source.text.as_str());
    let changed = BTreeMap::from([(site.file.clone(), schema::with_one(text.unwrap_or_default(), site))]);
    write(sources, &changed)?;
    Ok(tests().ok())
}

/// Compiles the tests of the copy.
fn tests() -> Result<Vec<Program>, Failure> {
    let lines = cargo(&["test", "--no-run", "--lib", "--tests"])?;
    if let Some(error) =
        lines.iter().filter_map(|line| line.message.as_ref()).find(|message| message.level == "error")
    {
        return Err(Failure::new(format!("the copy does not compile: {} {:?}", error.message, error.spans)));
    }
    let programs = lines.into_iter().filter(|line| line.reason == "compiler-artifact");
    let programs = programs.filter_map(|line| Some(Program { path: line.executable? }));
    Ok(programs.collect())
}
