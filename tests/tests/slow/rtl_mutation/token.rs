//! SystemVerilog in pieces: names, numbers, operators. Comments and blanks are left out.

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or the name of anything.
    Name,
    /// A number, with its size and base.
    Number,
    /// An operator, a bracket, or any other sign.
    Sign,
}

/// One piece of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) kind: Kind,
    pub(crate) text: &'t str,
    /// Where it begins.
    pub(crate) at: usize,
}

impl Token<'_> {
    pub(crate) const fn end(&self) -> usize {
        self.at + self.text.len()
    }

    pub(crate) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// A name in capitals: a parameter.
    pub(crate) fn is_constant(&self) -> bool {
        self.kind == Kind::Number
            || self.kind == Kind::Name && !self.text.contains(|c: char| c.is_ascii_lowercase())
    }
}

/// Longest first.
const SIGNS: [&str; 24] = [
    "<<<", ">>>", "===", "!==", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+:", "-:", "::", "|=", "&=",
    "^=", "+=", "-=", "~^", "++", "--", "->",
];

/// All pieces of a text.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let len = if first.is_whitespace() || !first.is_ascii() {
            first.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let (kind, len) = piece(rest, first);
            found.push(Token { kind, text: &rest[..len], at });
            len
        };
        at += len;
    }
    found
}

fn piece(rest: &str, first: char) -> (Kind, usize) {
    let word = |text: &str| {
        text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).unwrap_or(text.len())
    };
    if first.is_ascii_digit() {
        let digits = word(rest);
        // 8'hff, but not 2'(…), which is a cast.
        let based = rest[digits..].strip_prefix('\'').map(word).filter(|&len| len > 0);
        return (Kind::Number, digits + based.map_or(0, |len| len + 1));
    }
    if first == '\'' && rest[1..].starts_with(['0', '1']) {
        return (Kind::Number, 2);
    }
    if first.is_ascii_alphabetic() || first == '_' || first == '$' {
        return (Kind::Name, word(rest));
    }
    (Kind::Sign, SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(1, |sign| sign.len()))
}
