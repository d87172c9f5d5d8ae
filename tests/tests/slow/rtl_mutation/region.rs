//! Where a module computes something while it runs: right-hand sides, conditions, and what instances are given.

use super::token::{Kind, Token, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// What an expression is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The right-hand side of an assignment.
    Wire,
    /// The right-hand side of the assignment of a register, with its left-hand side.
    Register(String),
    /// The condition of an `if`.
    Condition,
    /// What the input of an instance is connected with. It is written `.name`: other inputs of the same width.
    Input(Vec<String>),
}

/// An expression in a module.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    pub(crate) role: Role,
    /// Its first byte, and the first one beyond it.
    pub(crate) bytes: (usize, usize),
    /// Its tokens, by number.
    pub(crate) tokens: (usize, usize),
}

/// The input ports of each module.
pub(crate) type Inputs = BTreeMap<String, BTreeSet<String>>;

/// One file, read.
#[derive(Debug)]
pub(crate) struct Source<'t> {
    pub(crate) text: &'t str,
    pub(crate) tokens: Vec<Token<'t>>,
    /// Names that elaboration replaces by numbers.
    pub(crate) counters: BTreeSet<&'t str>,
    /// Declared names, with the text of their widths.
    widths: BTreeMap<&'t str, String>,
}

const KEYWORDS: [&str; 26] = [
    "always_comb",
    "always_ff",
    "assign",
    "automatic",
    "begin",
    "bit",
    "else",
    "end",
    "endfunction",
    "endgenerate",
    "endmodule",
    "for",
    "function",
    "generate",
    "genvar",
    "if",
    "input",
    "int",
    "localparam",
    "logic",
    "module",
    "output",
    "parameter",
    "posedge",
    "unsigned",
    "dsv_pkg",
];

impl<'t> Source<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let tokens = tokens(text);
        let mut counters = BTreeSet::new();
        for pair in tokens.windows(2) {
            if matches!(pair[0].text, "int" | "genvar") && pair[1].kind == Kind::Name {
                counters.insert(pair[1].text);
            }
        }
        let widths = widths(text, &tokens);
        Self { text, tokens, counters, widths }
    }

    /// Whether a name is one of something that changes while the design runs.
    pub(crate) fn is_signal(&self, number: usize) -> bool {
        let token = &self.tokens[number];
        let is_path = number > 0 && (self.tokens[number - 1].is("::") || self.tokens[number - 1].is("."));
        token.kind == Kind::Name
            && !token.is_constant()
            && !is_path
            && !token.text.starts_with('$')
            && !self.counters.contains(token.text)
            && !KEYWORDS.contains(&token.text)
    }

    fn text_of(&self, first: usize, end: usize) -> &'t str {
        if first == end { "" } else { &self.text[self.tokens[first].at..self.tokens[end - 1].end()] }
    }

    /// The number of the token that closes what `open` opens.
    pub(crate) fn closing(&self, open: usize) -> usize {
        let mut depth = 0;
        for (number, token) in self.tokens.iter().enumerate().skip(open) {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return number;
            }
        }
        panic!("{} is never closed", self.tokens[open].text);
    }

    /// The next token of this text from `from` on, outside of all brackets.
    fn next(&self, from: usize, text: &str) -> usize {
        let mut number = from;
        while !self.tokens[number].is(text) {
            let opens = matches!(self.tokens[number].text, "(" | "[" | "{");
            number = if opens { self.closing(number) + 1 } else { number + 1 };
        }
        number
    }

    fn region(&self, role: Role, first: usize, end: usize) -> Region {
        Region { role, bytes: (self.tokens[first].at, self.tokens[end - 1].end()), tokens: (first, end) }
    }

    /// All expressions of the module's body.
    pub(crate) fn regions(&self, inputs: &Inputs) -> Vec<Region> {
        let mut found = Vec::new();
        // Past the head of the module.
        let mut number = self.next(0, ";") + 1;
        let mut statement = number;
        while number < self.tokens.len() {
            let token = &self.tokens[number];
            match token.text {
                "function" => number = self.function(number),
                "localparam" | "logic" | "genvar" => number = self.next(number, ";"),
                "for" | "@" => number = self.closing(number + 1),
                "if" => {
                    let close = self.closing(number + 1);
                    if (number + 2..close).any(|n| self.is_signal(n)) {
                        found.push(self.region(Role::Condition, number + 2, close));
                    }
                    number = close;
                }
                "=" | "<=" | "|=" | "&=" => {
                    let end = self.next(number, ";");
                    let target = self.text_of(statement, number);
                    if !target.starts_with("unused") {
                        let role =
                            if token.is("<=") { Role::Register(target.to_owned()) } else { Role::Wire };
                        found.push(self.region(role, number + 1, end));
                    }
                    number = end;
                }
                "(" | "[" | "{" => number = self.closing(number),
                name if inputs.contains_key(name) && token.kind == Kind::Name => {
                    number = self.instance(number, &inputs[name], &mut found);
                }
                _ => {}
            }
            let ends = matches!(
                self.tokens[number].text,
                ";" | ")" | "begin" | "else" | "end" | "assign" | "generate"
            );
            if ends || token.is("if") || token.is("@") {
                statement = number + 1;
            }
            number += 1;
        }
        found
    }

    /// Where to go on behind the word `function`: in its body; behind it, where it is given whole numbers, as it is called at
    /// elaboration only, and a mutant is chosen later.
    fn function(&self, word: usize) -> usize {
        let head = self.next(word, ";");
        let is_elaborated = self.tokens[word..head].iter().any(|token| token.is("int"));
        if is_elaborated { self.next(head, "endfunction") } else { head }
    }

    /// The connections of one instance; gives the number of its last token.
    fn instance(&self, module: usize, inputs: &BTreeSet<String>, found: &mut Vec<Region>) -> usize {
        let end = self.next(module, ";");
        let Some(open) = (module..end).rev().find(|&n| self.tokens[n].is("(") && self.closing(n) == end - 1)
        else {
            return module;
        };
        let mut plain = Vec::new();
        let mut number = open + 1;
        while number < end - 1 {
            let (name, after) = (number + 1, &self.tokens[number + 2]);
            let is_input = self.tokens[number].is(".") && inputs.contains(self.tokens[name].text);
            if after.is("(") {
                let close = self.closing(number + 2);
                if is_input && (number + 3..close).any(|n| self.is_signal(n)) {
                    found.push(self.region(Role::Input(Vec::new()), number + 3, close));
                }
                number = close + 2;
            } else {
                if is_input && !matches!(self.tokens[name].text, "clk" | "rst") {
                    plain.push(name);
                }
                number += 3;
            }
        }
        for &name in &plain {
            let width = self.widths.get(self.tokens[name].text);
            let alike = plain
                .iter()
                .filter(|&&other| other != name && self.widths.get(self.tokens[other].text) == width);
            let others: Vec<_> = alike.map(|&other| self.tokens[other].text.to_owned()).collect();
            if width.is_some() && !others.is_empty() {
                found.push(self.region(Role::Input(others), name, name + 1));
            }
        }
        end
    }
}

/// `logic [W-1:0] a, b` says how wide `a` and `b` are.
fn widths<'t>(text: &str, tokens: &[Token<'t>]) -> BTreeMap<&'t str, String> {
    let mut widths = BTreeMap::new();
    for (number, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("logic")) {
        let mut at = number + 1;
        let mut width = String::new();
        if tokens[at].is("[") {
            let close = (at..tokens.len()).find(|&n| tokens[n].is("]")).unwrap_or(at);
            width = text[tokens[at].at..tokens[close].end()].split_whitespace().collect();
            at = close + 1;
        }
        while tokens[at].kind == Kind::Name {
            widths.entry(tokens[at].text).or_insert_with(|| width.clone());
            let goes_on =
                tokens[at + 1].is(",") && tokens[at + 2].kind == Kind::Name && !tokens[at + 3].is("logic");
            if !goes_on || matches!(tokens[at + 2].text, "input" | "output") {
                break;
            }
            at += 2;
        }
    }
    widths
}

/// The names of a module's input ports.
pub(crate) fn inputs_of(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    let mut names = BTreeSet::new();
    for (number, _) in tokens.iter().enumerate().filter(|(_, token)| token.is("input")) {
        let mut at = number + 2;
        while !matches!(tokens[at].text, "input" | "output" | ")") {
            if tokens[at].is("[") {
                at = (at..tokens.len()).find(|&n| tokens[n].is("]")).unwrap_or(at);
            } else if tokens[at].kind == Kind::Name {
                names.insert(tokens[at].text.to_owned());
            }
            at += 1;
        }
    }
    names
}
