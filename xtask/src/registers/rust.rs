//! The register map as types of Rust.

use super::{Access, Field, Map, Register, SOURCE, Taken, camel, sentence};
use std::fmt::Write as _;

/// The files, by their paths: the list, the codes, and the types by what they are for.
pub(super) fn files(map: &Map) -> [(&'static str, String); 5] {
    let mut list = head("The registers of the switch, and the codes in frames.");
    list.push_str(
        "mod codes;\nmod readouts;\nmod setup;\nmod thresholds;\n\nuse crate::register::{Access, Entry};\n\
         pub use codes::*;\npub use readouts::*;\npub use setup::*;\npub use thresholds::*;\n",
    );
    entries(map, &mut list);
    let mut written = head("The codes in frames, and what makes a frame.");
    constants(map, &mut written);
    codes(map, &mut written);
    let types = |part, doc: &str| {
        let all = map.register.iter().filter(|register| Part::of(register) == part).collect::<Vec<_>>();
        types(&all, head(doc))
    };
    [
        ("driver/src/registers.rs", list),
        ("driver/src/registers/codes.rs", written),
        (
            "driver/src/registers/readouts.rs",
            types(Part::Readouts, "What the switch is, counts and has done."),
        ),
        (
            "driver/src/registers/setup.rs",
            types(Part::Setup, "A router's place, its table, and the commit that takes them in."),
        ),
        ("driver/src/registers/thresholds.rs", types(Part::Thresholds, "What the triggers compare with.")),
    ]
}

/// What a register is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It is read.
    Readouts,
    /// It is written, and taken in when the router starts, or by the commit of a table.
    Setup,
    /// It is written, and taken in while the router runs.
    Thresholds,
}

impl Part {
    fn of(register: &Register) -> Self {
        match register.access {
            Access::Read => Self::Readouts,
            Access::Write if register.taken == Some(Taken::Commit) && register.index.is_empty() => {
                Self::Thresholds
            }
            Access::Write => Self::Setup,
        }
    }
}

fn head(doc: &str) -> String {
    format!("//! {doc}\n//!\n//! Written from `{SOURCE}` by `cargo xtask generate`: do not edit.\n\n")
}

/// The types of some registers, and the traits that they need.
fn types(registers: &[&Register], mut text: String) -> String {
    let has = |of: fn(&Register) -> bool| registers.iter().any(|register| of(register));
    let traits = [
        ("Indexed", has(|register| !register.index.is_empty())),
        ("Register", true),
        ("Single", has(|register| register.index.is_empty())),
        ("Staged", has(|register| register.in_use.is_some())),
        ("Writable", has(|register| register.access == Access::Write)),
    ];
    let needed = traits.iter().filter(|(_, is_needed)| *is_needed).map(|(name, _)| *name).collect::<Vec<_>>();
    let _ = writeln!(text, "use crate::register::{{{}}};", needed.join(", "));
    registers.iter().for_each(|register| type_of(register, &mut text));
    text
}

fn constants(map: &Map, text: &mut String) {
    let mut constant = |doc: &str, name: &str, of: &str, value: u32| {
        let _ = writeln!(text, "/// {doc}\npub const {name}: {of} = {value:#x};");
    };
    constant("What every switch has in its register `version`.", "MAGIC", "u32", map.version.magic.into());
    constant("The map of registers that this driver knows.", "MAJOR", "u32", map.version.major.into());
    constant("How much of it.", "MINOR", "u32", map.version.minor.into());
    constant(
        "Of the checksum; the highest power is left out.",
        "POLYNOMIAL",
        "u16",
        map.frame.polynomial.into(),
    );
    constant("The checksum of nothing.", "INITIAL", "u16", map.frame.initial.into());
    constant("The command of a frame that reads.", "READ", "u8", map.frame.read.into());
    constant("The command of a frame that writes.", "WRITE", "u8", map.frame.write.into());
}

/// The enumerations of numbers that the switch answers with.
fn codes(map: &Map, text: &mut String) {
    let answers = map.answer.iter().map(|answer| (&answer.name, &answer.doc, u32::from(answer.code)));
    enumeration("Answer", "What the switch answers to a request.", answers, text);
    let outcomes = (0..).zip(&map.outcome).map(|(number, outcome)| (&outcome.name, &outcome.doc, number));
    enumeration("Outcome", "How a commit ended.", outcomes, text);
}

fn enumeration<'m>(
    name: &str,
    doc: &str,
    choices: impl Iterator<Item = (&'m String, &'m String, u32)> + Clone,
    text: &mut String,
) {
    let _ = writeln!(
        text,
        "\n/// {doc}\n#[derive(Clone, Copy, Debug, PartialEq, Eq)]\n#[cfg_attr(feature = \"defmt\", derive(defmt::Format))]\npub enum {name} {{"
    );
    for (choice, doc, _) in choices.clone() {
        let _ = writeln!(text, "/// {}\n{},", sentence(doc), camel(choice));
    }
    let _ = writeln!(text, "}}\n\nimpl {name} {{\n/// By its number; none for a number without a meaning.");
    let _ = writeln!(text, "pub const fn from_number(number: u32) -> Option<Self> {{\nmatch number {{");
    for (choice, _, number) in choices.clone() {
        let _ = writeln!(text, "{number:#x} => Some(Self::{}),", camel(choice));
    }
    let _ = writeln!(text, "_ => None,\n}}\n}}\n}}\n\nimpl core::fmt::Display for {name} {{");
    let _ = writeln!(
        text,
        "fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {{\nf.write_str(match self {{"
    );
    for (choice, doc, _) in choices {
        let _ = writeln!(text, "Self::{} => {doc:?},", camel(choice));
    }
    text.push_str("})\n}\n}\n");
}

fn type_of(register: &Register, text: &mut String) {
    let Register { name, address, reset, doc, .. } = register;
    let (of, mask) = (camel(name), register.mask());
    let _ = writeln!(
        text,
        "\n/// {doc}\n#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]\npub struct {of}(u32);\n"
    );
    let _ = writeln!(
        text,
        "impl Register for {of} {{\nconst NAME: &'static str = \"{name}\";\nconst ADDRESS: u16 = {address:#06x};\n\
         const MASK: u32 = {mask:#x};\nconst RESET: u32 = {reset:#x};\n\
         fn from_bits(bits: u32) -> Self {{\nSelf(bits)\n}}\nfn bits(self) -> u32 {{\nself.0\n}}\n}}"
    );
    if register.index.is_empty() {
        let _ = writeln!(text, "impl Single for {of} {{}}");
    } else {
        let _ = writeln!(text, "impl Indexed for {of} {{\nconst COUNT: u16 = {};\n}}", register.count());
    }
    if register.access == Access::Write {
        let _ = writeln!(text, "impl Writable for {of} {{}}");
    }
    if let Some(in_use) = register.in_use {
        let _ = writeln!(text, "impl Staged for {of} {{\nconst IN_USE: u16 = {in_use:#06x};\n}}");
    }
    let _ = writeln!(text, "\nimpl {of} {{");
    for field in &register.fields {
        getter(field, text);
        if register.access == Access::Write {
            setter(field, text);
        }
    }
    if let [first, second] = &register.index[..] {
        let (a, b, places) = (&first.name, &second.name, second.count);
        let _ = writeln!(
            text,
            "/// Its place among all of them, by {a} and {b}; none beyond the map.\n\
             pub const fn place({a}: u16, {b}: u16) -> Option<u16> {{\n\
             if {a} < {} && {b} < {places} {{ Some({a}.wrapping_mul({places}).wrapping_add({b})) }} else {{ None }}\n}}",
            first.count
        );
    }
    text.push_str("}\n");
}

fn getter(field: &Field, text: &mut String) {
    let Field { name, at, bits, doc, .. } = field;
    let doc = sentence(doc);
    let ones = u32::MAX >> (32 - bits);
    let shifted = if *at == 0 { "self.0".to_owned() } else { format!("self.0 >> {at}") };
    let (of, value) = match bits {
        1 => ("bool", format!("{shifted} & 1 == 1")),
        32 => ("u32", shifted),
        _ => ("u32", format!("{shifted} & {ones:#x}")),
    };
    let _ = writeln!(text, "/// {doc}\npub const fn {name}(self) -> {of} {{\n{value}\n}}");
}

fn setter(field: &Field, text: &mut String) {
    let Field { name, at, bits, .. } = field;
    let (of, word) = if *bits == 1 { ("bool", "value as u32") } else { ("u32", "value") };
    let others = !field.mask();
    let placed = if *at == 0 { word.to_owned() } else { format!("({word}) << {at}") };
    let value = if *bits == 32 {
        word.to_owned()
    } else {
        format!("self.0 & {others:#x} | {placed} & {:#x}", field.mask())
    };
    let cut = if *bits == 1 { "" } else { " Higher bits are cut off." };
    let _ = writeln!(
        text,
        "/// With another `{name}`.{cut}\n#[must_use]\npub const fn with_{name}(self, value: {of}) -> Self {{\nSelf({value})\n}}"
    );
}

fn entries(map: &Map, text: &mut String) {
    let _ = writeln!(
        text,
        "\n/// Every register, in the order of the map.\npub const REGISTERS: [Entry; {}] = [",
        map.register.len()
    );
    for register in &map.register {
        let Register { name, address, in_use, reset, .. } = register;
        let access = if register.access == Access::Write { "Write" } else { "Read" };
        let in_use = in_use.map_or("None".to_owned(), |address| format!("Some({address:#06x})"));
        let _ = writeln!(
            text,
            "Entry {{ name: \"{name}\", address: {address:#06x}, in_use: {in_use}, count: {}, access: Access::{access}, mask: {:#x}, reset: {reset:#x} }},",
            register.count(),
            register.mask()
        );
    }
    text.push_str("];\n");
}
