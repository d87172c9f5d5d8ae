//! The crates that are published: rustdoc of each, and the page of the book that lists them.

use crate::package::KEPT;
use crate::step::{Failure, cargo, root};
use crate::web::target;
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Documents the crates; where the pages are.
pub(crate) fn document() -> Result<PathBuf, Failure> {
    let folder = target().join("doc");
    // What is there may be of crates that are no more.
    let _ = fs::remove_dir_all(&folder);
    let kept = KEPT.iter().flat_map(|package| ["--exclude", package]);
    let arguments: Vec<&str> =
        ["doc", "--workspace", "--lib", "--no-deps", "--locked"].into_iter().chain(kept).collect();
    cargo(&arguments, &[])?;
    Ok(folder)
}

/// The page that lists them; `api` is where rustdoc's pages are, from this page.
pub(crate) fn list(api: &str) -> Result<String, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    let output = Command::new(cargo).args(metadata).current_dir(root()).output();
    let output = output.map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let metadata: Json = serde_json::from_slice(&output.stdout)
        .map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    Ok(page(&metadata, api))
}

fn page(metadata: &Json, api: &str) -> String {
    let mut text = "# Crates\n\nThe documentation of the libraries, by rustdoc.\n\n| crate | what it is |\n|---|---|\n".to_owned();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let word = |of: &Json, key: &str| of[key].as_str().unwrap_or_default().to_owned();
        let (name, what) = (word(package, "name"), word(package, "description"));
        let targets = package["targets"].as_array().into_iter().flatten();
        let library = targets.into_iter().find(|target| target["kind"][0] == "lib");
        if let Some(library) = library.filter(|_| !KEPT.contains(&&*name)) {
            let _ = writeln!(text, "| [{name}]({api}/{}/index.html) | {what} |", word(library, "name").replace('-', "_"));
        }
    }
    text
}

/// Copies a folder and what is in it.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", from.display()));
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::page;
    use serde_json::json;

    #[test]
    fn a_library_that_is_published_has_a_row() {
        let package = |name: &str, kind: &str, target: &str| {
            json!({ "name": name, "description": "What it is", "targets": [{ "kind": [kind], "name": target }] })
        };
        let metadata = json!({ "packages": [
            package("desvio-core", "lib", "router_core"),
            package("xtask", "bin", "xtask"),
            package("desvio-tests", "lib", "desvio_tests"),
        ] });
        let text = page(&metadata, "../api");
        assert!(text.ends_with("|---|---|\n| [desvio-core](../api/router_core/index.html) | What it is |\n"), "{text}");
    }
}
