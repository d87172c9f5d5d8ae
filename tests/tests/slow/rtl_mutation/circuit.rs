//! A router, or a module of it, as Yosys reads it: each module with the parameters of each place where it is.

use super::proof::script;
use desvio_hdl::{FILES, INCLUDE, PREFIX};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A module with the parameters of a place, as Yosys calls it.
pub(crate) type Derived = String;

/// What is in a module.
#[derive(Default)]
struct Content {
    /// Names and values.
    parameters: Vec<(String, String)>,
    /// Without the numbers that Yosys gives.
    lines: Vec<String>,
    holds: BTreeSet<Derived>,
}

/// A router, or one of its modules with all that is in it.
pub(crate) struct Circuit(BTreeMap<Derived, Content>);

impl Circuit {
    /// Where it is written, in the folder of its sources.
    pub(crate) const FILE: &str = "router.il";

    /// Reads the router in a folder.
    pub(crate) fn read(folder: &Path, parameters: &[(&str, u32)]) -> Option<Self> {
        let attached = |path: &str| path.starts_with("check/") || path.starts_with("probe/");
        let set = parameters.iter().map(|(name, value)| format!(" -set {name} {value}")).collect();
        Self::elaborate(folder, "router", set, |path| !attached(path))
    }

    /// Reads one form of a module of this circuit in a folder, with the modules in it alone.
    pub(crate) fn read_form(&self, folder: &Path, form: &Derived) -> Option<Self> {
        let within = self.within(form);
        let is_needed = |path: &str| {
            let stem = path.rsplit('/').next().and_then(|file| file.strip_suffix(".sv"));
            path.starts_with("pkg/")
                || stem
                    .is_some_and(|stem| within.iter().any(|inner| format!("{PREFIX}{}", noun(inner)) == stem))
        };
        let parameters = &self.0.get(form)?.parameters;
        let set = parameters.iter().map(|(name, value)| format!(" -set {name} {value}")).collect();
        Self::elaborate(folder, noun(form), set, is_needed)
    }

    fn elaborate(folder: &Path, noun: &str, set: String, is_needed: impl Fn(&str) -> bool) -> Option<Self> {
        let files =
            FILES.iter().map(|file| file.path).filter(|path| path.ends_with(".sv") && is_needed(path));
        let top = format!("{PREFIX}{noun}");
        let script = format!(
            "read_verilog -sv -formal -I{INCLUDE} {}; chparam{set} {top}; hierarchy -check -top {top}; proc; write_rtlil {}",
            Vec::from_iter(files).join(" "),
            Self::FILE
        );
        yosys(folder, &script)
            .then(|| Self::of(&fs::read_to_string(folder.join(Self::FILE)).expect("a circuit")))
    }

    /// The forms of a module, each with the parameters of some places.
    pub(crate) fn forms(&self, module: &str) -> impl Iterator<Item = &Derived> {
        self.0.keys().filter(move |name| noun(name) == module)
    }

    /// A form and all that is in it.
    fn within(&self, form: &Derived) -> BTreeSet<Derived> {
        let mut found = BTreeSet::from([form.clone()]);
        let mut open = vec![form];
        while let Some(content) = open.pop().and_then(|next| self.0.get(next)) {
            for inner in content.holds.iter().filter(|inner| self.0.contains_key(*inner)) {
                if found.insert(inner.clone()) {
                    open.push(inner);
                }
            }
        }
        found
    }

    fn of(text: &str) -> Self {
        let mut modules: BTreeMap<Derived, Content> = BTreeMap::new();
        let mut within = None;
        for line in text.lines() {
            if let Some(name) = line.strip_prefix("module ") {
                within = Some(modules.entry(name.to_owned()).or_default());
            } else if let Some(content) = &mut within {
                let words: Vec<&str> = line.split_whitespace().collect();
                match words[..] {
                    ["cell", of, _] => _ = content.holds.insert(of.to_owned()),
                    // Those of cells are further in.
                    ["parameter", name, value] if !line.starts_with("    ") => {
                        let name = name.trim_start_matches('\\').to_owned();
                        content.parameters.push((name, value.to_owned()));
                    }
                    _ => {}
                }
                if !line.contains("attribute ") {
                    content.lines.push(unnumbered(line));
                }
            }
        }
        for content in modules.values_mut() {
            content.lines.sort_unstable();
        }
        Self(modules)
    }

    /// The forms of a module that are written otherwise in another circuit.
    pub(crate) fn changed(&self, other: &Self, module: &str) -> BTreeSet<Derived> {
        let forms = self.0.iter().filter(|(name, _)| noun(name) == module);
        let changed = forms.filter(|(name, content)| {
            other
                .0
                .get(*name)
                .is_none_or(|theirs| theirs.lines != content.lines || theirs.holds != content.holds)
        });
        changed.map(|(name, _)| name.clone()).collect()
    }

    /// Of which modules it is proven that they are the same circuits: the changed ones, or those that hold them. A proof about the whole
    /// router takes Yosys hours: there both have to be written the same once what nothing reads is swept.
    pub(crate) fn same(
        &self,
        other: &Self,
        folders: [&Path; 2],
        changed: BTreeSet<Derived>,
    ) -> Option<BTreeSet<String>> {
        let mut proven = BTreeSet::new();
        let mut open = changed;
        while !open.is_empty() {
            let mut above = BTreeSet::new();
            for module in open {
                if noun(&module) == "router" {
                    if swept(folders[0], &module)? != swept(folders[1], &module)? {
                        return None;
                    }
                    proven.insert("router, swept".to_owned());
                    continue;
                }
                if other.0.contains_key(&module) && yosys(folders[0], &script(folders, &module)) {
                    proven.insert(noun(&module).to_owned());
                    continue;
                }
                let holders = self.0.iter().filter(|(_, content)| content.holds.contains(&module));
                above.extend(holders.map(|(name, _)| name.clone()));
            }
            open = above;
        }
        Some(proven)
    }
}

/// A router as a whole, without what nothing reads, line by line. That of a configuration is asked for by several proofs, and swept once.
fn swept(folder: &Path, router: &Derived) -> Option<Vec<String>> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let path = folder.join("swept.il");
    if !path.exists() {
        // What another proof may read is there as a whole.
        let to = format!("swept-{}.il", NUMBER.fetch_add(1, Ordering::Relaxed));
        let script = format!(
            "read_rtlil {}; hierarchy -top {router}; flatten; opt_expr; opt_clean -purge; write_rtlil {to}",
            Circuit::FILE
        );
        if !yosys(folder, &script) {
            return None;
        }
        fs::rename(folder.join(to), &path).expect("a name");
    }
    let text = fs::read_to_string(path).expect("a circuit");
    let mut lines: Vec<_> =
        text.lines().filter(|line| !line.contains("attribute ")).map(unnumbered).collect();
    lines.sort_unstable();
    Some(lines)
}

/// The noun of a module in Yosys' name for one of its forms.
fn noun(name: &str) -> &str {
    let at = name.find(&format!("\\{PREFIX}")).map_or(0, |at| at + 1 + PREFIX.len());
    let rest = &name[at..];
    rest.find('\\').map_or(rest, |end| &rest[..end])
}

/// A line without the numbers of what has no name.
fn unnumbered(line: &str) -> String {
    let mut kept = String::new();
    let mut skips = false;
    for letter in line.chars() {
        skips = letter == '$' || skips && letter.is_ascii_digit();
        if letter == '$' || !skips {
            kept.push(letter);
        }
    }
    kept
}

pub(crate) fn yosys(folder: &Path, script: &str) -> bool {
    let output =
        Command::new("timeout").args(["120", "yosys", "-q", "-p", script]).current_dir(folder).output();
    match output {
        Ok(output) => output.status.success(),
        Err(error) if !desvio_tests::rtl::insists() => {
            println!("no proof: yosys: {error}");
            false
        }
        Err(error) => panic!("yosys: {error}"),
    }
}
