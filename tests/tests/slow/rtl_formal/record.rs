//! What was proven, as data: `proofs.toml`.

use super::proof::Proven;
use std::fmt::Write as _;

/// One table for each proof, in the order of the list.
pub(crate) fn table(proven: &[Proven]) -> String {
    let list = |names: &[String]| {
        let quoted: Vec<_> = names.iter().map(|name| format!("{name:?}")).collect();
        format!("[{}]", quoted.join(", "))
    };
    let mut text = String::from("# Written by tests/tests/slow/rtl_formal.rs.\n");
    for proof in proven {
        let parameters: Vec<_> =
            proof.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let _ = write!(
            text,
            "\n[[proof]]\nmodule = {:?}\nparameters = {{ {} }}\nreach = \"{}\"\nproperties = {}\nassumed = {}\ninvariants = {}\ncovers = {}\n",
            proof.module,
            parameters.join(", "),
            proof.reach,
            list(&proof.properties),
            list(&proof.assumed),
            list(&proof.invariants),
            list(&proof.covers),
        );
    }
    text
}
