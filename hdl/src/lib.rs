#![doc = include_str!("../README.md")]
#![no_std]

/// One source file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct File {
    /// Where it is below the folder of the RTL.
    pub path: &'static str,
    /// What it says.
    pub text: &'static str,
}

impl File {
    /// Whether the design is whole without it: it only makes registers visible.
    #[must_use]
    pub fn is_probe(&self) -> bool {
        self.path.starts_with("probe/")
    }

    /// Whether other files include it: no tool is given it by name, but [`INCLUDE`] to look in.
    #[must_use]
    pub fn is_included(&self) -> bool {
        self.path.starts_with(INCLUDE)
    }

    /// What is in it, in the words of `desvio-core`: `credit` for the module `dsv_credit`, `pkg` for the package `dsv_pkg`.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let stem = name.split('.').next().unwrap_or_default();
        stem.strip_prefix(PREFIX).unwrap_or(stem)
    }
}

/// What every name of a module or package begins with, so that no other design's `router` is ours.
pub const PREFIX: &str = "dsv_";

/// The folder of the included files, below the folder of the RTL.
pub const INCLUDE: &str = "include";

/// Verilator's waivers, what is included, then every source in the order of `files.f`: packages first.
pub const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file of the module, package or list of parameters with this noun.
#[must_use]
pub fn file(noun: &str) -> Option<&'static File> {
    FILES.iter().find(|file| file.noun() == noun)
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::string::{String, ToString as _};
    use std::vec::Vec;

    /// Every source below a folder that is not a proof, which other tools read.
    fn sources(folder: &Path, into: &mut BTreeSet<String>) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let entries: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        for path in entries {
            if path.is_dir() && !path.ends_with("formal") && !path.ends_with("target") {
                sources(&path, into);
            } else if path
                .extension()
                .is_some_and(|end| ["sv", "svh", "vlt"].iter().any(|known| end == *known))
            {
                into.insert(path.strip_prefix(root).unwrap().to_string_lossy().to_string());
            }
        }
    }

    #[test]
    fn a_module_is_in_the_file_of_its_name() {
        for file in FILES.iter().filter(|file| file.path.starts_with("rtl/") || file.path.starts_with("pkg/"))
        {
            let kind = if file.path.starts_with("pkg/") { "package" } else { "module" };
            let begins = std::format!("\n{kind} {PREFIX}{}", file.noun());
            assert!(file.text.contains(&begins), "{}", file.path);
        }
    }

    #[test]
    fn the_list_names_every_file_once() {
        let mut found = BTreeSet::new();
        sources(Path::new(env!("CARGO_MANIFEST_DIR")), &mut found);
        let listed: BTreeSet<_> = FILES.iter().map(|file| file.path.to_string()).collect();
        assert_eq!(found, listed);
        assert_eq!(FILES.len(), listed.len());
        let nouns: BTreeSet<_> = FILES.iter().map(File::noun).collect();
        assert_eq!(nouns.len(), FILES.len(), "a noun stands for one file");
    }
}
