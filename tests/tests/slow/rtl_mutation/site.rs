//! Typical slips, at every place of a module where one can be made.

use super::region::{Inputs, Region, Role, Source};
use super::token::{Kind, Token};
use std::fmt;

/// One slip: an expression, and what it is replaced by.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// Without `.sv`.
    pub(crate) module: String,
    pub(crate) line: usize,
    /// What kind of slip.
    pub(crate) slip: &'static str,
    /// Where the expression stands.
    pub(crate) bytes: (usize, usize),
    /// The expression, with the slip.
    pub(crate) mutant: String,
    /// The connection is written `.name`: what has to precede it.
    pub(crate) is_short: bool,
    /// The line before and after, without indentation.
    pub(crate) before: String,
    pub(crate) after: String,
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { module, line, slip, before, after, .. } = self;
        write!(f, "dsv_{module}.sv:{line}: {slip}\n      {before}\n   -> {after}")
    }
}

/// A replacement inside an expression.
struct Edit {
    slip: &'static str,
    bytes: (usize, usize),
    text: String,
}

/// Signs that are easily taken for another.
const TWINS: [(&str, &str); 15] = [
    ("&&", "||"),
    ("||", "&&"),
    ("==", "!="),
    ("!=", "=="),
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("&", "|"),
    ("|", "&"),
    ("<<", ">>"),
    (">>", "<<"),
];

/// Signals, and inputs that decide in the same cycle what they will be: connected with them they are a loop without a register, which
/// Verilator refuses.
const LOOPS: [(&str, &[&str]); 4] = [
    ("chosen", &["next_minimal"]),
    ("exhausted", &["drop", "grant"]),
    ("grant_output", &["accepts", "exits", "held", "wired"]),
    (
        "seized",
        &[
            "credited",
            "credited_thrice",
            "credited_twice",
            "free",
            "granted_vcs",
            "stalled",
            "taken_vcs",
            "vacant",
        ],
    ),
];

/// Signals, and inputs to which they say the same: proven of the module alone (`ROOM_IS_OPEN` of `hdl/formal/admit_contract.sv`), where it
/// takes a second, and not in a router, where it takes minutes. Where it is not the same, with overlapping sets in a pipeline of six,
/// no mutant is looked for.
const SAME: [(&str, &[&str]); 1] = [("open", &["fits"])];

/// All sites of a module, in the order of its text.
pub(crate) fn sites(module: &str, text: &str, inputs: &Inputs) -> Vec<Site> {
    let source = Source::new(text);
    let mut found = Vec::new();
    for region in source.regions(inputs) {
        for edit in edits(&source, &region) {
            found.push(site(module, text, &region, edit));
        }
    }
    found
}

fn site(module: &str, text: &str, region: &Region, edit: Edit) -> Site {
    let (start, end) = region.bytes;
    let mutant = format!("{}{}{}", &text[start..edit.bytes.0], edit.text, &text[edit.bytes.1..end]);
    let is_short = matches!(&region.role, Role::Input(others) if !others.is_empty());
    let (from, to) = edit.bytes;
    let line_start = text[..from].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[to..].find('\n').map_or(text.len(), |at| to + at);
    let shown = if is_short { format!("{}({})", &text[from..to], edit.text) } else { edit.text };
    let flat = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    Site {
        module: module.to_owned(),
        line: text[..from].matches('\n').count() + 1,
        slip: edit.slip,
        bytes: region.bytes,
        mutant,
        is_short,
        before: flat(text[line_start..line_end].to_owned()),
        after: flat(format!("{}{shown}{}", &text[line_start..from], &text[to..line_end])),
    }
}

fn edits(source: &Source<'_>, region: &Region) -> Vec<Edit> {
    let mut found = Vec::new();
    let whole = |slip, text: &str| Edit { slip, bytes: region.bytes, text: text.to_owned() };
    match &region.role {
        Role::Input(others) if !others.is_empty() => {
            let name = source.tokens[region.tokens.0].text;
            let is_left_out = |other: &str| {
                LOOPS.iter().chain(&SAME).any(|(signal, of)| *signal == other && of.contains(&name))
            };
            let others = others.iter().filter(|other| !is_left_out(other));
            found.extend(others.map(|other| whole("another signal connected", other)));
            return found;
        }
        Role::Condition => {
            let is_reset = region.tokens.1 == region.tokens.0 + 1 && source.tokens[region.tokens.0].is("rst");
            found.push(whole(if is_reset { "no reset" } else { "branch never taken" }, "1'b0"));
        }
        Role::Register(target) => found.push(whole("register keeps its value", target)),
        Role::Wire | Role::Input(_) => {}
    }
    for number in region.tokens.0..region.tokens.1 {
        found.extend(at(source, region, number));
        found.extend(dropped_operand(source, region, number));
    }
    found
}

/// Signs between operands, the loosest first.
const LOOSENESS: [&[&str]; 4] = [&["||"], &["&&"], &["|"], &["&"]];

/// `a & b` becomes `a`.
fn dropped_operand(source: &Source<'_>, region: &Region, number: usize) -> Option<Edit> {
    let own = LOOSENESS.iter().position(|signs| signs.contains(&source.tokens[number].text))?;
    let left = source.tokens[number.checked_sub(1).filter(|&left| left >= region.tokens.0)?];
    let is_binary = left.kind != Kind::Sign || matches!(left.text, ")" | "]" | "}");
    let mut end = number + 1;
    while end < region.tokens.1 {
        match source.tokens[end].text {
            "(" | "[" | "{" => end = source.closing(end),
            ")" | "]" | "}" | "," | "?" | ":" => break,
            sign if LOOSENESS[..=own].iter().any(|signs| signs.contains(&sign)) && end > number + 1 => break,
            _ => {}
        }
        end += 1;
    }
    let bytes = (left.end(), source.tokens[end - 1].end());
    (is_binary && !is_index(source, region, number)).then(|| Edit {
        slip: "operand dropped",
        bytes,
        text: String::new(),
    })
}

/// What can go wrong at one token.
fn at(source: &Source<'_>, region: &Region, number: usize) -> Option<Edit> {
    let token = source.tokens[number];
    let other = |step: isize| -> Option<(usize, Token<'_>)> {
        let number = number.checked_add_signed(step)?;
        (region.tokens.0..region.tokens.1).contains(&number).then(|| (number, source.tokens[number]))
    };
    let (before, after) = (other(-1), other(1));
    let replace =
        |slip, text: &str| Some(Edit { slip, bytes: (token.at, token.end()), text: text.to_owned() });
    match token.kind {
        Kind::Number => number_slip(source, region, number, token),
        Kind::Name if token.is("rst") && region.tokens.1 > region.tokens.0 + 1 => replace("no reset", "1'b0"),
        Kind::Name if source.counters.contains(token.text) && before.is_some_and(|(_, t)| t.is("[")) => {
            // `g_pass[k-1]` is no vector, and has no member before the first.
            let is_vector =
                after.is_some_and(|(_, t)| !t.is("-")) && !source.tokens[number - 2].text.starts_with("g_");
            is_vector.then(|| replace("wrong index", "0"))?
        }
        Kind::Name if token.is_constant() && is_cast(before, after, source, number) => {
            replace("constant off by one", &format!("{} + 1", token.text))
        }
        Kind::Sign if token.is("~") || token.is("!") => replace("negation dropped", ""),
        Kind::Sign if token.is("?") => swapped_arms(source, region, number),
        Kind::Sign => {
            let (_, left) = before?;
            let is_binary = left.kind != Kind::Sign || matches!(left.text, ")" | "]" | "}");
            let (_, right) = after?;
            // Both sides are numbers: elaboration alone computes that.
            let is_fixed = left.is_constant() && right.is_constant();
            let twin = TWINS.iter().find(|(sign, _)| token.is(sign)).filter(|_| is_binary && !is_fixed)?;
            (!is_index(source, region, number)).then(|| replace("another operator", twin.1))?
        }
        Kind::Name => None,
    }
}

/// `W'(CONSTANT` or `W'(package::CONSTANT`.
fn is_cast(
    before: Option<(usize, Token<'_>)>,
    after: Option<(usize, Token<'_>)>,
    source: &Source<'_>,
    number: usize,
) -> bool {
    let is = |number: usize, text: &str| source.tokens.get(number).is_some_and(|token| token.is(text));
    let closes = after.is_some_and(|(_, token)| token.is(")"));
    let opens = before.is_some_and(|(_, token)| {
        token.is("(") && is(number.wrapping_sub(2), "'")
            || token.is("::") && is(number.wrapping_sub(3), "(") && is(number.wrapping_sub(4), "'")
    });
    opens && closes
}

/// Whether a token stands between square brackets that begin with a number known to elaboration.
fn is_index(source: &Source<'_>, region: &Region, number: usize) -> bool {
    (region.tokens.0..number).any(|open| source.tokens[open].is("[") && source.closing(open) > number)
}

fn number_slip(source: &Source<'_>, region: &Region, number: usize, token: Token<'_>) -> Option<Edit> {
    let replace =
        |slip, text: &str| Some(Edit { slip, bytes: (token.at, token.end()), text: text.to_owned() });
    match token.text {
        "'0" => return replace("another constant", "'1"),
        "'1" => return replace("another constant", "'0"),
        "1'b0" => return replace("another constant", "1'b1"),
        "1'b1" => return replace("another constant", "1'b0"),
        _ => {}
    }
    let is = |number: usize, text: &str| source.tokens.get(number).is_some_and(|token| token.is(text));
    let follows = |signs: &[&str]| number > 0 && signs.iter().any(|sign| is(number - 1, sign));
    let in_cast = follows(&["("]) && is(number.wrapping_sub(2), "'") && is(number + 1, ")");
    let compared = follows(&["==", "!=", "<", ">", "<=", ">=", "<<", ">>"]);
    // A size, as in 2'(…), is no operand.
    let is_size = is(number + 1, "'");
    let value: u64 = token.text.parse().ok()?;
    let fits = !is_size && (in_cast || compared) && !is_index(source, region, number);
    fits.then(|| replace("constant off by one", &(value + 1).to_string()))?
}

/// `c ? a : b` becomes `c ? b : a`.
fn swapped_arms(source: &Source<'_>, region: &Region, question: usize) -> Option<Edit> {
    let mut depth = 0;
    let (mut colon, mut end) = (None, region.tokens.1);
    let mut number = question + 1;
    while number < region.tokens.1 {
        match source.tokens[number].text {
            "(" | "[" | "{" => number = source.closing(number),
            ")" | "]" | "}" | "," => {
                end = number;
                break;
            }
            "?" if colon.is_none() => depth += 1,
            ":" if colon.is_none() && depth == 0 => colon = Some(number),
            ":" if colon.is_none() => depth -= 1,
            _ => {}
        }
        number += 1;
    }
    let colon = colon?;
    let text = |first: usize, end: usize| &source.text[source.tokens[first].at..source.tokens[end - 1].end()];
    let (yes, no) = (text(question + 1, colon), text(colon + 1, end));
    let bytes = (source.tokens[question + 1].at, source.tokens[end - 1].end());
    Some(Edit { slip: "arms swapped", bytes, text: format!("({no}) : ({yes})") })
}
