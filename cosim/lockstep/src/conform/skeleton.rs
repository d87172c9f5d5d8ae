//! The beginning of a map, written from the ports of a module: what their names and widths suggest.
//!
//! A name is taken apart into its words. The role of a signal follows from them and from its direction. A `valid` that is an input of the
//! module belongs to the flits that come in, a `ready` that is an input to those that go out. What is only likely ends in `# ?`.

use super::bits::bits_for;
use super::family::{Family, families, port_names};
use std::cmp::Reverse;
use std::fmt::Write as _;
use verilated::{Direction, PortInfo};

/// What a signal is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Clock,
    Reset,
    Valid,
    Ready,
    Credit,
    CreditVc,
    Vc,
    Head,
    Tail,
    Flit,
    Error,
    Unknown,
}

/// Words by which a role is known; the first that fits counts.
const WORDS: [(Role, &[&str]); 9] = [
    (Role::Credit, &["credit", "credits", "crd", "cred", "return", "freed", "release"]),
    (Role::Ready, &["ready", "rdy", "tready", "accept"]),
    (Role::Valid, &["valid", "vld", "tvalid", "strobe", "stb", "push", "wr", "write"]),
    (Role::Tail, &["tail", "last", "tlast", "eop", "eof"]),
    (Role::Head, &["head", "first", "sop", "sof"]),
    (Role::Vc, &["vc", "vch", "lane", "vcid"]),
    (Role::Error, &["error", "err", "fault", "overflow"]),
    (Role::Flit, &["flit", "data", "tdata", "dat", "din", "dout", "word", "payload", "channel", "phit"]),
    // Besides the data, an AXI stream carries these from end to end.
    (Role::Flit, &["tdest", "tid", "tuser", "tkeep", "tstrb"]),
];

impl Role {
    fn of(family: &Family) -> Self {
        let words = family.words();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        if family.direction == Direction::Input && family.bits == 1 && !family.is_per_port() {
            if words.iter().any(|word| ["clk", "clock", "ck", "aclk"].contains(&word.as_str())) {
                return Self::Clock;
            }
            if words.iter().any(|word| word.contains("rst") || word.contains("reset")) {
                return Self::Reset;
            }
        }
        let found = WORDS.iter().find(|(_, list)| has(list)).map_or(Self::Unknown, |(role, _)| *role);
        match found {
            Self::Credit if has(&["vc", "vcid", "lane"]) => Self::CreditVc,
            Self::Error if family.direction == Direction::Input => Self::Unknown,
            found => found,
        }
    }

    /// Its key in `[input]` and `[output]`, and whether it travels against the flits; none outside of these tables.
    fn key(self) -> Option<(&'static str, bool)> {
        match self {
            Self::Valid => Some(("valid", false)),
            Self::Flit => Some(("flit", false)),
            Self::Vc => Some(("vc", false)),
            Self::Head => Some(("head", false)),
            Self::Tail => Some(("tail", false)),
            Self::Credit => Some(("credit", true)),
            Self::CreditVc => Some(("credit_vc", true)),
            Self::Ready => Some(("ready", true)),
            Self::Clock | Self::Reset | Self::Error | Self::Unknown => None,
        }
    }
}

/// The beginning of a map for a module with these ports, in the place of a router with `count` ports of `vcs` VCs at most.
pub(super) fn skeleton(top: &str, ports: &[PortInfo], count: usize, vcs: usize) -> String {
    let names = port_names(ports, count);
    let mut found: Vec<_> =
        families(ports, &names, vcs).into_iter().map(|family| (Role::of(&family), family)).collect();
    // Of the signals that make up a flit, data before what goes beside them, alike for both directions.
    found.sort_by_cached_key(|(role, family)| {
        (*role == Role::Flit).then(|| (Reverse(family.bits), family.words()))
    });
    let mut text = format!(
        "# A map of module {top}, from the names and widths of its ports: look at each line that ends in `# ?`. docs/conform.md explains\n\
         # each key.\n\n"
    );
    clock_and_reset(&mut text, &found);
    match names.first() {
        Some(first) if first.parse::<usize>().is_err() => {
            let names: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
            let _ = writeln!(text, "ports = [{}]   # ? as the scenario counts its own", names.join(", "));
        }
        _ => {
            let _ = writeln!(text, "ports = {count}");
        }
    }
    constants(&mut text, &found, count);
    for (table, direction) in [("input", Direction::Input), ("output", Direction::Output)] {
        side(&mut text, &found, table, direction);
    }
    fields(&mut text, &found, count, vcs);
    text
}

fn clock_and_reset(text: &mut String, found: &[(Role, Family)]) {
    let of = |role| found.iter().find(move |(is, _)| *is == role).map(|(_, family)| family);
    let _ = match of(Role::Clock) {
        Some(family) => writeln!(text, "clock = \"{}\"", family.name),
        None => writeln!(text, "clock = \"\"   # ? no input of one bit is called clk, clock or ck"),
    };
    if let Some(family) = of(Role::Reset) {
        let words = family.words();
        let is_low = words.iter().any(|word| {
            let says =
                ["rstn", "rstb", "rstl", "resetn", "resetb", "resetl"].iter().any(|end| word.ends_with(end));
            says || ["n", "ni", "b", "l"].contains(&word.as_str()) || word.starts_with("nr")
        });
        let level = if is_low { "low" } else { "high" };
        let _ = writeln!(text, "reset = {{ name = \"{}\", active = \"{level}\" }}", family.name);
    }
    let errors: Vec<_> = found.iter().filter(|(role, _)| *role == Role::Error).collect();
    let names: Vec<_> = errors.iter().map(|(_, family)| format!("\"{}\"", family.name)).collect();
    if !names.is_empty() {
        let _ = writeln!(text, "error = [{}]   # ? outputs that must stay 0", names.join(", "));
    }
}

/// Inputs that nothing is known of: perhaps what the scenario knows about the place.
fn constants(text: &mut String, found: &[(Role, Family)], count: usize) {
    // A second clock or reset is left over, too.
    let first = |role| found.iter().position(|(is, _)| *is == role);
    let is_left = |(at, (role, family)): &(usize, &(Role, Family))| match role {
        Role::Unknown => family.direction == Direction::Input,
        Role::Clock | Role::Reset => first(*role) != Some(*at),
        _ => false,
    };
    let left: Vec<_> = found.iter().enumerate().filter(is_left).map(|(_, (_, family))| family).collect();
    if left.is_empty() {
        return;
    }
    text.push_str("\n[constants]   # inputs that keep one value\n");
    for family in left {
        let words = family.words();
        let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
        let value = if has(&["id", "address", "addr", "coord"]) {
            "{ from = \"address\" }".to_owned()
        } else if has(&["table", "route", "routes", "lut"]) {
            format!("{{ from = \"next-port\", bits = {} }}", bits_for(count as u64))
        } else if has(&["host", "hosts", "node", "nodes"]) {
            "{ from = \"node-ports\" }".to_owned()
        } else {
            "0".to_owned()
        };
        let name = if family.is_per_port() {
            format!("{}[{}:0]", family.name, family.bits - 1)
        } else {
            family.name.clone()
        };
        let key = if name.contains(['[', '{']) { format!("\"{name}\"") } else { name };
        let _ = writeln!(text, "{key} = {value}   # ? {} bits", family.bits);
    }
}

/// One of the tables of signals.
fn side(text: &mut String, found: &[(Role, Family)], table: &str, direction: Direction) {
    let _ = writeln!(text, "\n[{table}]");
    let mut has_flow = false;
    for (key, against) in KEYS {
        let ours = found.iter().filter(|(role, family)| {
            role.key() == Some((key, against)) && (family.direction == direction) != against
        });
        let names: Vec<_> = ours.map(|(_, family)| format!("\"{}\"", family.name)).collect();
        has_flow |= against && !names.is_empty();
        let _ = match (names.as_slice(), key) {
            ([], "valid" | "flit") => writeln!(text, "{key} = \"\"   # ? no such name"),
            ([], _) => Ok(()),
            ([only], _) => writeln!(text, "{key} = {only}"),
            (_, "flit") => {
                writeln!(
                    text,
                    "{key} = [{}]   # ? the first holds the lowest bits of a flit",
                    names.join(", ")
                )
            }
            ([first, ..], _) => writeln!(text, "{key} = {first}   # ? or {}", names[1..].join(", ")),
        };
    }
    if !has_flow {
        text.push_str("credit = \"\"   # ? or ready: no such name\n");
    }
}

/// Keys of a side in the order of the page, and whether they travel against the flits.
const KEYS: [(&str, bool); 8] = [
    ("valid", false),
    ("flit", false),
    ("vc", false),
    ("head", false),
    ("tail", false),
    ("credit", true),
    ("credit_vc", true),
    ("ready", true),
];

/// The places of a flit's fields: where they could be, one behind the other.
fn fields(text: &mut String, found: &[(Role, Family)], count: usize, vcs: usize) {
    let beside = |wanted: Role| {
        found.iter().any(|(role, family)| *role == wanted && family.direction == Direction::Input)
    };
    let flit =
        found.iter().filter(|(role, family)| *role == Role::Flit && family.direction == Direction::Input);
    let width = |family: &Family| if family.is_per_port() { family.bits } else { family.bits / count as u32 };
    let pieces: Vec<_> = flit.map(|(_, family)| (family.name.as_str(), width(family))).collect();
    let bits: u32 = pieces.iter().map(|(_, bits)| bits).sum();
    let _ = writeln!(text, "\n[flit]   # {bits} bits");
    let mut low = 0;
    if pieces.len() > 1 {
        for (name, bits) in &pieces {
            let _ = writeln!(text, "# {}:{low} {name}", low + bits - 1);
            low += bits;
        }
    }
    payload(text, &pieces);
    text.push_str("# to_router = \"\"   # ? the destination's address, if head flits have one\n");
    text.push_str("# to_port = \"\"     # ? its port there\n");
    if !beside(Role::Tail) {
        text.push_str("# head = 0         # ? or kind: how the first and the last flit are known\n# tail = 1         # ?\n");
    }
    let tid = pieces.iter().find(|(name, _)| name.to_lowercase().ends_with("tid"));
    if let Some((name, _)) = tid.filter(|_| vcs > 1) {
        let _ = writeln!(text, "# ? {name} may be the VC: then it is `vc` of [input], not part of the flit");
    }
    if vcs > 1 && !beside(Role::Vc) {
        text.push_str("# vc = 2           # ? if the VC's number is in the flit\n");
    }
}

/// Where the payload is by which flits are followed: in the signal that comes first, that of the data, if it has as many bits.
fn payload(text: &mut String, pieces: &[(&str, u32)]) {
    let (name, bits) = pieces.first().copied().unwrap_or(("", 0));
    match bits.checked_sub(INDEX).filter(|rest| *rest >= LEAST) {
        Some(rest) => {
            let number = rest.min(MOST);
            let _ = writeln!(
                text,
                "{:<18} # ? bits that the switch carries and does not read",
                format!("number = \"{}:0\"", number - 1)
            );
            let _ =
                writeln!(text, "{:<18} # ? the same", format!("index = \"{}:{number}\"", number + INDEX - 1));
        }
        None => {
            let _ = writeln!(
                text,
                "number = \"\"        # ? `{name}` has {bits} bits, too few: at least {LEAST} that the switch carries and does not read"
            );
            text.push_str("index = \"\"         # ? as many as count the flits of the longest packet\n");
        }
    }
}

/// Bits of an index that counts to eight, and of numbers, at least and as suggested.
const INDEX: u32 = 3;
const LEAST: u32 = 8;
const MOST: u32 = 16;
