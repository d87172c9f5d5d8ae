//! Mutants that change nothing, with a proof by Yosys that they do not: in each configuration that was tried, the module with the
//! mutant in it, or one that holds it, is the same circuit.

use super::circuit::{self, Circuit, Derived};
use super::contract::within;
use super::schema::{Modules, with_one};
use super::site::Site;
use desvio_tests::rtl::{copy, source};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use tempfile::TempDir;

/// What a proof gave.
pub(crate) enum Verdict {
    /// The mutant is the same circuit: of which modules it was proven.
    Equivalent(String),
    /// It may be another.
    Open,
}

/// A configuration, and its router as Yosys reads it.
struct Configured {
    name: &'static str,
    parameters: Vec<(&'static str, u32)>,
    gold: OnceLock<Option<(TempDir, Circuit)>>,
}

/// The configurations in which a mutant was not found.
pub(crate) struct Prover<'m> {
    modules: &'m Modules,
    configurations: Vec<Configured>,
}

/// What a mutant is in one form of its module, the parameters of some places.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InForm {
    /// Not there: nor is what turns each of its bits round.
    Absent,
    /// The same circuit.
    Same,
    /// Another circuit, or it may be.
    Other,
}

impl<'m> Prover<'m> {
    pub(crate) fn new(
        modules: &'m Modules,
        configurations: impl Iterator<Item = (&'static str, Vec<(&'static str, u32)>)>,
    ) -> Self {
        let with = |(name, parameters)| Configured { name, parameters, gold: OnceLock::new() };
        Self { modules, configurations: configurations.map(with).collect() }
    }

    /// Proves that a mutant is the same circuit in each configuration that has it; one that none has is open.
    pub(crate) fn prove(&self, site: &Site) -> Verdict {
        // Yosys reads one on one core, and the first proof needs all of them.
        self.configurations.par_iter().for_each(|configured| {
            self.gold(configured);
        });
        let (mut of, mut forms, mut left) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
        for configured in &self.configurations {
            match self.in_forms(configured, site, &mut forms) {
                Some(true) => of.extend([site.module.clone()]),
                Some(false) => {}
                None => left.push(configured),
            }
        }
        let proofs = left.into_par_iter().map(|configured| {
            self.same(configured, site)
                .inspect_err(|reason| println!("{reason}, {}: {site}", configured.name))
                .ok()
        });
        match proofs.collect::<Option<Vec<_>>>() {
            Some(proven) => of.extend(proven.into_iter().flatten()),
            None => return Verdict::Open,
        }
        if of.is_empty() {
            println!("in no configuration: {site}");
            return Verdict::Open;
        }
        let of = Vec::from_iter(of).join(", ");
        Verdict::Equivalent(format!("the same circuit in each configuration, proven by Yosys of: {of}"))
    }

    /// Whether the forms that the module has in a configuration have the mutant in them, and are the same with it; nothing where one of
    /// them may be another. Configurations share forms.
    fn in_forms(
        &self,
        configured: &Configured,
        site: &Site,
        known: &mut BTreeMap<Derived, InForm>,
    ) -> Option<bool> {
        let (_, gold) = self.gold(configured)?;
        let mut is_there = false;
        for form in gold.forms(&site.module) {
            let found = match known.get(form) {
                Some(found) => *found,
                None => self.in_form(gold, form, site).unwrap_or(InForm::Other),
            };
            known.insert(form.clone(), found);
            match found {
                InForm::Absent => {}
                InForm::Same => is_there = true,
                InForm::Other => return None,
            }
        }
        Some(is_there)
    }

    fn in_form(&self, router: &Circuit, form: &Derived, site: &Site) -> Option<InForm> {
        let read = |site: Option<&Site>| {
            let folder = self.folder(site);
            Some((router.read_form(folder.path(), form)?, folder))
        };
        let (gold, gate) = (read(None)?, read(Some(site))?);
        let changed = gold.0.changed(&gate.0, &site.module);
        let Some(top) = changed.first() else {
            let turned = read(Some(&self.turned(site)))?;
            let is_there = !gold.0.changed(&turned.0, &site.module).is_empty();
            return Some(if is_there { InForm::Same } else { InForm::Absent });
        };
        let is_same = circuit::yosys(gold.1.path(), &script([gold.1.path(), gate.1.path()], top));
        Some(if is_same { InForm::Same } else { InForm::Other })
    }

    /// Another constant may stand for the same: then what turns each bit round is another circuit.
    fn turned(&self, site: &Site) -> Site {
        let (start, end) = site.bytes;
        Site { mutant: format!("~({})", &self.modules[&site.module][start..end]), ..site.clone() }
    }

    /// Of which modules it is proven that the mutant in them changes nothing; of none where the configuration does without.
    fn same(&self, configured: &Configured, site: &Site) -> Result<BTreeSet<String>, &'static str> {
        let unreadable = "not read by Yosys";
        let (gold_folder, gold) = self.gold(configured).ok_or(unreadable)?;
        let (gate_folder, gate) = self.read(configured, Some(site)).ok_or(unreadable)?;
        let changed = gold.changed(&gate, &site.module);
        if !changed.is_empty() {
            return gold.same(&gate, [gold_folder.path(), gate_folder.path()], changed).ok_or("no proof");
        }
        let (_, turned) = self.read(configured, Some(&self.turned(site))).ok_or(unreadable)?;
        let is_there = !gold.changed(&turned, &site.module).is_empty();
        Ok(is_there.then(|| site.module.clone()).into_iter().collect())
    }

    fn gold<'c>(&self, configured: &'c Configured) -> Option<&'c (TempDir, Circuit)> {
        configured.gold.get_or_init(|| self.read(configured, None)).as_ref()
    }

    /// The router, with the mutant if there is one.
    fn read(&self, configured: &Configured, site: Option<&Site>) -> Option<(TempDir, Circuit)> {
        let folder = self.folder(site);
        let circuit = Circuit::read(folder.path(), &configured.parameters)?;
        Some((folder, circuit))
    }

    /// The sources, with the mutant if there is one, and with what each module may expect of the others.
    fn folder(&self, site: Option<&Site>) -> TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        copy(folder.path());
        for (module, text) in self.modules {
            let text = match site {
                Some(site) if site.module == *module => with_one(text, site),
                _ => text.clone(),
            };
            fs::write(source(folder.path(), module), within(module, &text)).expect("a module");
        }
        folder
    }
}

/// The script that fails unless two readings of a module are the same circuit, register for register.
pub(crate) fn script(folders: [&Path; 2], module: &Derived) -> String {
    let read = |name: &str, folder: &Path| {
        format!(
            "read_rtlil {}/{}; hierarchy -top {module}; flatten; memory_collect; memory_map; opt_expr; opt_clean; \
             dffunmap; expose -dff -evert-dff; rename -top {name}; design -stash {name}; ",
            folder.display(),
            Circuit::FILE
        )
    };
    let copies = "design -copy-from gold -as gold gold; design -copy-from gate -as gate gate; ";
    let proof = "miter -equiv -flatten gold gate both; hierarchy -top both; opt -full; \
                 sat -verify -set-assumes -timeout 100 -prove trigger 0 both";
    format!("{}{}{copies}{proof}", read("gold", folders[0]), read("gate", folders[1]))
}

/// Of the sample in CI every mutant is found: what proves the others is asked here.
#[test]
fn a_proof_tells_the_same_circuit_from_another() {
    let hdl = desvio_tests::rtl::hdl();
    let modules = super::worlds::modules(&hdl);
    let plan = &super::plans::PLANS[0];
    let blueprint = super::plans::blueprint(plan, Path::new(""));
    let parameters = plan.shape(&blueprint).expect("a shape").parameters;
    let prover = Prover::new(&modules, std::iter::once((plan.name, parameters)));
    let Some((_, router)) = prover.gold(&prover.configurations[0]) else { return };
    let form = router.forms("lfsr").next().expect("each router draws");
    let slip = |to| super::planted::site(&modules, "operator", "lfsr", "right ^ (right << 5)", to);
    let in_form = |to| prover.in_form(router, form, &slip(to));
    assert!(matches!(in_form("(right << 5) ^ right"), Some(InForm::Same)));
    assert!(matches!(in_form("right | (right << 5)"), Some(InForm::Other)));
}
