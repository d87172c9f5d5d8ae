//! `cargo xtask package`: the packages as a registry gets them.

use crate::step::{Failure, cargo};

/// Members of the workspace that are not published.
pub(crate) const KEPT: [&str; 6] =
    ["desvio-benches", "desvio-fuzz", "desvio-tests", "desvio-tile", "desvio-web", "xtask"];

/// Packs every package that is published and compiles each from what is in its file, with the others from theirs.
pub(crate) fn package() -> Result<(), Failure> {
    let excluded = KEPT.iter().flat_map(|package| ["--exclude", package]);
    let arguments: Vec<&str> =
        ["package", "--workspace", "--locked", "--allow-dirty"].into_iter().chain(excluded).collect();
    cargo(&arguments, &[])
}

#[cfg(test)]
mod tests {
    use super::KEPT;
    use crate::step::root;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;
    use std::process::Command;
    use toml::Table;

    /// Folders of packages, those of `cosim/`, `firmware/` and `fuzz/` one level deeper.
    fn manifests() -> Vec<(PathBuf, Table)> {
        let folders = ["", "cosim", "firmware", "fuzz"].map(|folder| root().join(folder));
        let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
        let found = entries.map(|entry| entry.unwrap().path()).filter_map(|folder| {
            let text = fs::read_to_string(folder.join("Cargo.toml")).ok()?;
            let manifest: Table = text.parse().unwrap();
            manifest.contains_key("package").then_some((folder, manifest))
        });
        found.collect()
    }

    fn name(manifest: &Table) -> &str {
        manifest["package"]["name"].as_str().unwrap()
    }

    fn is_published(manifest: &Table) -> bool {
        manifest["package"].get("publish").is_none_or(|publish| publish.as_bool() != Some(false))
    }

    /// The files of a package, as `cargo package` takes them.
    fn files(package: &str) -> BTreeSet<String> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let list = ["package", "--list", "--offline", "--allow-dirty", "--package", package];
        let output = Command::new(cargo).args(list).current_dir(root()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().map(|line| line.replace('\\', "/")).collect()
    }

    #[test]
    fn a_package_carries_its_own_readme_and_both_licences() {
        let mut published = 0;
        for (folder, manifest) in manifests() {
            let package = name(&manifest);
            if !is_published(&manifest) {
                continue;
            }
            published += 1;
            let files = files(package);
            for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "Cargo.toml"] {
                assert!(files.contains(file), "{package} has no {file}");
            }
            let carries_the_font = ["desvio", "desvio-report"].contains(&package);
            assert_eq!(files.contains("THIRD-PARTY.md"), carries_the_font, "{package}");
            let readme = fs::read_to_string(folder.join("README.md")).unwrap();
            assert!(readme.contains(package), "the README of {package} does not name it");
            for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
                let [own, common] = [&folder, &root()].map(|at| fs::read(at.join(licence)).unwrap());
                assert_eq!(own, common, "{package}: {licence}");
            }
        }
        assert!(published > 0);
    }

    #[test]
    fn a_package_says_what_it_is_in_words_of_its_own() {
        let mut seen = BTreeSet::new();
        for (_, manifest) in manifests().iter().filter(|(_, manifest)| is_published(manifest)) {
            let package = manifest["package"].as_table().unwrap();
            for key in ["description", "documentation", "readme", "keywords", "categories"] {
                assert!(package[key].as_table().is_none(), "{key} of {} is inherited", name(manifest));
            }
            assert!(package["keywords"].as_array().unwrap().len() <= 5, "{}", name(manifest));
            assert!(package["description"].as_str().unwrap().len() <= 160, "{}", name(manifest));
            assert!(seen.insert(package["description"].clone().to_string()));
            assert!(seen.insert(package["keywords"].clone().to_string()));
        }
    }

    #[test]
    fn what_is_not_published_is_not_packed() {
        let kept: BTreeSet<String> = manifests()
            .iter()
            .filter(|(_, manifest)| !is_published(manifest))
            .map(|(_, manifest)| name(manifest).to_owned())
            .collect();
        // The boards, what decodes their events, their template and the programs of libFuzzer are in workspaces of their own.
        let elsewhere = ["desvio-board", "desvio-events", "desvio-libfuzzer", "{{project-name}}"];
        let expected = KEPT.iter().copied().chain(elsewhere).map(str::to_owned).collect();
        assert_eq!(kept, expected);
    }

    #[test]
    fn interfaces_are_compared_of_what_is_published() {
        let script = fs::read_to_string(root().join(".ci/semver")).unwrap();
        assert!(script.contains(&format!("for package in {}; do", KEPT.join(" "))), "{script}");
    }

    #[test]
    fn the_package_of_the_rtl_carries_every_source() {
        let files = files("desvio-hdl");
        assert!(files.contains("files.f"));
        for file in desvio_hdl::FILES {
            assert!(files.contains(file.path), "{}", file.path);
        }
        assert!(desvio_hdl::FILES.len() > 10);
    }
}
