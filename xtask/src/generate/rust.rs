//! What both languages agree on, as Rust: bits, choices and configurations, a file each.

use super::{Constant, SOURCE, Switch};
use crate::step::Failure;
use std::fmt::Write as _;

/// The files, by their paths.
pub(super) fn files(constants: &[Constant], switch: &Switch) -> Result<[(&'static str, String); 4], Failure> {
    let mut all =
        head("What Rust and SystemVerilog agree on: bits of the header, numbers of choices, configurations.");
    all.push_str("mod bits;\nmod choices;\nmod configurations;\n\npub use bits::*;\npub use choices::*;\npub use configurations::*;\n");
    let mut bits = head("Bits of the header and of other words.");
    numbers(constants, false, &mut bits);
    Ok([
        ("router-core/src/layout.rs", all),
        ("router-core/src/layout/bits.rs", bits),
        ("router-core/src/layout/choices.rs", choices(constants, switch)?),
        ("router-core/src/layout/configurations.rs", configurations(switch)?),
    ])
}

fn head(doc: &str) -> String {
    format!("//! {doc}\n//!\n//! Written from `{SOURCE}` by `cargo xtask generate`: do not edit.\n\n")
}

fn numbers(constants: &[Constant], is_choice: bool, text: &mut String) {
    for Constant { name, value, doc, .. } in
        constants.iter().filter(|constant| constant.is_choice == is_choice)
    {
        let _ = writeln!(text, "/// {doc}\npub const {name}: u32 = {value};");
    }
}

/// The numbers and words of choices, and what each routing offers.
fn choices(constants: &[Constant], switch: &Switch) -> Result<String, Failure> {
    let mut text = head("Choices by their numbers and words, and what each routing offers.");
    numbers(constants, true, &mut text);
    for (name, choices) in &switch.enums {
        let (upper, quoted) = (name.to_uppercase(), choices.iter().map(|c| format!("    \"{c}\",\n")));
        let _ = write!(
            text,
            "/// The choices of `{name}`, by number.\npub const {upper}_NAMES: [&str; {}] = [\n{}];\n",
            choices.len(),
            quoted.collect::<String>()
        );
    }
    let kinds = switch.offers()?.into_iter().map(|(kinds, _)| format!("&{kinds:?}")).collect::<Vec<_>>();
    let _ = write!(
        text,
        "/// The kinds of hop of each routing's sets, in offer order; by number of the routing.\npub const ROUTING_KINDS: [&[u32]; {}] = [{}];\n",
        kinds.len(),
        kinds.join(", ")
    );
    Ok(text)
}

/// The parameters of a router, and the named ones.
fn configurations(switch: &Switch) -> Result<String, Failure> {
    let mut text = head("The parameters of named routers.");
    let keys = switch.parameters.names();
    text.push_str("\n/// The parameters of one named router.\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\npub struct Configuration {\n    /// Its name.\n    pub name: &'static str,\n");
    for key in &keys {
        let _ = writeln!(
            text,
            "    /// Parameter `{}` of the module `router`.\n    pub {key}: u32,",
            key.to_uppercase()
        );
    }
    text.push_str("}\n\nimpl Configuration {\n    /// All parameters of the module `router`, by name.\n    pub const fn parameters(&self) -> [(&'static str, u32); PARAMETERS] {\n        [\n");
    for key in &keys {
        let _ = writeln!(text, "            (\"{}\", self.{key}),", key.to_uppercase());
    }
    let _ = write!(
        text,
        "        ]\n    }}\n}}\n\n/// How many parameters there are.\npub const PARAMETERS: usize = {};\n",
        keys.len()
    );
    for name in switch.configurations.keys() {
        let _ = writeln!(
            text,
            "\n/// The configuration `{name}`.\npub const {}: Configuration = Configuration {{\n    name: \"{name}\",",
            name.to_uppercase()
        );
        for (key, value) in switch.configuration(name)? {
            let _ = writeln!(text, "    {key}: {value},");
        }
        text.push_str("};\n");
    }
    Ok(text)
}
