//! `docs/extend.md` is true: its code, added to a copy of the sources, is one new file and one line each, for a router option
//! one line and its use. It compiles without a warning, and works.
//!
//! The code runs in routers that are wired by hand and in whole networks (`extend/guest.rs`).

#![allow(clippy::unwrap_used)]

use desvio_tests::draw::third;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A block of code of the page.
#[derive(Debug)]
enum Block {
    /// A file.
    File { path: String, text: String },
    /// Lines of a list in a file.
    Lines { path: String, list: String, text: String },
    /// What uses a line of a list, behind a line of a file that begins with some words.
    Use { path: String, behind: String, text: String },
}

/// The blocks of Rust; each begins with a comment that says where it belongs.
fn blocks() -> Vec<Block> {
    let page = fs::read_to_string(root().join("docs/extend.md")).unwrap();
    let parts = page.split("```rust\n").skip(1);
    let blocks = parts.map(|part| part.split("```").next().unwrap().split_once('\n').unwrap());
    let block = |(place, text): (&str, &str)| {
        let place = place.strip_prefix("// ").unwrap_or_else(|| panic!("a block without a place: {place}"));
        let text = text.to_owned();
        match place.split_once(": ") {
            Some((path, at)) => match at.strip_prefix("behind ") {
                Some(words) => Block::Use { path: path.to_owned(), behind: words.to_owned(), text },
                None => Block::Lines { path: path.to_owned(), list: at.to_owned(), text },
            },
            None => Block::File { path: place.to_owned(), text },
        }
    };
    blocks.map(block).collect()
}

impl Block {
    fn add_to(&self, folder: &Path) {
        match self {
            Self::File { path, text } => fs::write(folder.join(path), text).unwrap(),
            Self::Lines { path, list, text } => {
                let path = folder.join(path);
                let source = fs::read_to_string(&path).unwrap();
                let begin = format!("\n{list} {{\n");
                let (before, rest) = source.split_once(&begin).unwrap_or_else(|| panic!("no {list}"));
                let (lines, after) = rest.split_once("\n}\n").unwrap();
                fs::write(&path, format!("{before}{begin}{lines}\n{text}}}\n{after}")).unwrap();
            }
            Self::Use { path, behind, text } => {
                let path = folder.join(path);
                let source = fs::read_to_string(&path).unwrap();
                let mut lines: Vec<_> = source.split_inclusive('\n').collect();
                let is_it = |line: &&str| line.trim_start().starts_with(behind.as_str());
                let at = lines.iter().position(is_it).unwrap_or_else(|| panic!("no line {behind}"));
                lines.insert(at + 1, text);
                fs::write(&path, lines.concat()).unwrap();
            }
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Every file below a folder, by its path in it.
fn files(folder: &Path, at: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    for entry in fs::read_dir(folder.join(at)).unwrap() {
        let entry = entry.unwrap();
        let path = at.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            let skipped = ["target", "results", ".git"].iter().any(|name| entry.file_name() == *name);
            if !skipped {
                files(folder, &path, found);
            }
        } else {
            found.insert(path.clone(), fs::read(folder.join(path)).unwrap());
        }
    }
}

/// The files of some parts of the workspace.
fn parts(folder: &Path, parts: &[&str]) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for part in parts {
        if folder.join(part).is_dir() {
            files(folder, Path::new(part), &mut found);
        } else {
            found.insert(part.into(), fs::read(folder.join(part)).unwrap());
        }
    }
    found
}

/// A copy of some parts of the workspace with all that the page adds. What is new and what has changed is counted.
fn copy_with_guests(name: &str, copied: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    for part in copied {
        let _ = fs::remove_dir_all(folder.join(part));
    }
    let before = parts(&root(), copied);
    for (path, text) in &before {
        fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        fs::write(folder.join(path), text).unwrap();
    }
    let blocks = blocks();
    blocks.iter().for_each(|block| block.add_to(&folder));
    let after = parts(&folder, copied);
    let new: Vec<_> = after.keys().filter(|path| !before.contains_key(*path)).collect();
    let changed: Vec<_> = before.iter().filter(|(path, text)| after[*path] != **text).collect();
    println!("new: {new:?}; changed: {:?}", changed.iter().map(|(path, _)| path).collect::<Vec<_>>());
    let counted = (new.len(), changed.len(), blocks.len());
    assert_eq!(counted, (5, 7, 12), "a file and a line each; for the option a line and its use");
    for (path, text) in changed {
        let (text, now) = (String::from_utf8_lossy(text), String::from_utf8_lossy(&after[path]));
        let (old, mut rest): (Vec<_>, Vec<_>) = (text.lines().collect(), now.lines().collect());
        assert_eq!(rest.len(), old.len() + 1, "one line in {}", path.display());
        let at = old.iter().zip(&rest).position(|(old, new)| old != new).unwrap();
        rest.remove(at);
        assert_eq!(rest, old, "one new line in {} and no other", path.display());
    }
    folder
}

/// What is copied runs so shortly that it is not optimised. It must not be compiled as the workspace compiles it: cargo would put the copy in
/// the place of what the other tests are built of.
const PLAIN: [&str; 4] = ["desvio-core", "desvio-paths", "desvio-sim", "guest"];

/// Beside the tests themselves: what both depend on is compiled once.
fn cargo(folder: &Path, arguments: &[&str]) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("..");
    let made = Command::new(env!("CARGO"))
        .current_dir(folder)
        .args(arguments)
        .args(["--offline", "--target-dir"])
        .arg(target)
        .args(PLAIN.map(|package| format!("--config=profile.dev.package.{package}.opt-level=0")))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&made.stderr);
    assert!(made.status.success(), "cargo {arguments:?}\n{told}\n{}", String::from_utf8_lossy(&made.stdout));
    assert!(!told.contains("warning"), "{told}");
}

#[test]
fn guests_are_a_file_and_a_line_each() {
    if !third("guests in a copy of the crates") {
        return;
    }
    let folder =
        copy_with_guests("extend", &["router-core", "cosim/paths", "cosim/sim", "Cargo.toml", "Cargo.lock"]);
    let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let lines =
        manifest.lines().filter(|line| !line.contains("default-members") && !line.starts_with("exclude"));
    let lines = lines.map(|line| match line.starts_with("members = ") {
        true => "members = [\"router-core\", \"cosim/paths\", \"cosim/sim\", \"guest\"]",
        false => line,
    });
    fs::write(folder.join("Cargo.toml"), lines.collect::<Vec<_>>().join("\n")).unwrap();
    fs::create_dir_all(folder.join("guest/src")).unwrap();
    let guest = "[package]\nname = \"guest\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                 [dependencies]\ndesvio-sim.workspace = true\nrouter-core.workspace = true\n";
    fs::write(folder.join("guest/Cargo.toml"), guest).unwrap();
    fs::write(folder.join("guest/src/main.rs"), include_str!("extend/guest.rs")).unwrap();
    cargo(&folder, &["run", "--quiet", "--package", "guest"]);
}
