//! The crates that are published: rustdoc of each, and the page of the book that lists them.

use crate::package::KEPT;
use crate::step::{Failure, cargo, root};
use crate::web::target;
use serde_json::Value as Json;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A library that is published.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Library {
    package: String,
    description: String,
    /// The name of its folder in the documentation.
    folder: String,
}

/// The libraries of the workspace, by the names of their packages.
pub(crate) fn libraries() -> Result<Vec<Library>, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let metadata = ["metadata", "--format-version", "1", "--no-deps", "--locked"];
    let output = Command::new(cargo).args(metadata).current_dir(root()).output();
    let output = output.map_err(|error| Failure::new(format!("cargo metadata: {error}")))?;
    let metadata = serde_json::from_slice(&output.stdout);
    Ok(published(&metadata.map_err(|error| Failure::new(format!("cargo metadata: {error}")))?))
}

fn published(metadata: &Json) -> Vec<Library> {
    let text = |of: &Json, key: &str| of[key].as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let library = |package: &Json| {
        let targets = package["targets"].as_array().into_iter().flatten();
        let library = targets.into_iter().find(|target| target["kind"][0] == "lib")?;
        let (name, description) = (text(package, "name"), text(package, "description"));
        Some(Library { package: name, description, folder: text(library, "name").replace('-', "_") })
    };
    let mut found: Vec<_> =
        packages.filter_map(library).filter(|library| !KEPT.contains(&&*library.package)).collect();
    found.sort_by(|one, other| one.package.cmp(&other.package));
    found
}

/// Documents the libraries; where the pages are.
pub(crate) fn document(libraries: &[Library]) -> Result<PathBuf, Failure> {
    let folder = target().join("doc");
    // What is there may be of crates that are no more.
    let _ = fs::remove_dir_all(&folder);
    // A crate is linked to where its folder is there already, and cargo documents them in no order.
    for library in libraries {
        let folder = folder.join(&library.folder);
        fs::create_dir_all(&folder)
            .map_err(|error| Failure::new(format!("{}: {error}", folder.display())))?;
    }
    let kept = KEPT.iter().flat_map(|package| ["--exclude", package]);
    let arguments: Vec<&str> =
        ["doc", "--workspace", "--lib", "--no-deps", "--locked"].into_iter().chain(kept).collect();
    cargo(&arguments, &[])?;
    Ok(folder)
}

/// The page that lists them; `api` is where rustdoc's pages are, from this page.
pub(crate) fn page(libraries: &[Library], api: &str) -> String {
    let mut text =
        "# Crates\n\nThe documentation of the libraries, by rustdoc.\n\n| crate | what it is |\n|---|---|\n"
            .to_owned();
    for Library { package, description, folder } in libraries {
        let _ = writeln!(text, "| [{package}]({api}/{folder}/index.html) | {description} |");
    }
    text
}

/// Copies a folder and what is in it, but for hidden files: rustdoc's lock is one.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", from.display()));
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
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
    use super::{page, published};
    use serde_json::json;

    #[test]
    fn a_library_that_is_published_has_a_row() {
        let package = |name: &str, kind: &str, target: &str| json!({ "name": name, "description": "What it is", "targets": [{ "kind": [kind], "name": target }] });
        let metadata = json!({ "packages": [
            package("desvio-sim", "lib", "desvio_sim"),
            package("xtask", "bin", "xtask"),
            package("desvio-core", "lib", "desvio_core"),
            package("desvio-tests", "lib", "desvio_tests"),
        ] });
        let text = page(&published(&metadata), "../api");
        let rows = "|---|---|\n| [desvio-core](../api/desvio_core/index.html) | What it is |\n\
                    | [desvio-sim](../api/desvio_sim/index.html) | What it is |\n";
        assert!(text.ends_with(rows), "{text}");
    }
}
