//! The Liberty format: groups in groups, with attributes, of which only those are kept that are read: a library is mostly something else.

use std::borrow::Cow;

/// A group, such as `cell (NAND2X1) { … }`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// What it is.
    pub(super) kind: String,
    /// What stands in its parentheses.
    pub(super) names: Vec<String>,
    /// `key : value;` and `key (value, …);`, in the order of the file, the first of each key.
    pub(super) attributes: Vec<(String, Vec<String>)>,
    /// Groups inside.
    pub(super) groups: Vec<Group>,
}

/// Groups nest no deeper than this in any library.
const DEEPEST: usize = 32;

/// The groups and attributes that are read.
const READ: [&str; 24] = [
    "area",
    "capacitance",
    "cell",
    "cell_fall",
    "cell_rise",
    "direction",
    "fall_capacitance",
    "fall_constraint",
    "fall_transition",
    "index_1",
    "index_2",
    "lu_table_template",
    "pin",
    "related_pin",
    "rise_capacitance",
    "rise_constraint",
    "rise_transition",
    "time_unit",
    "timing",
    "timing_sense",
    "timing_type",
    "values",
    "variable_1",
    "variable_2",
];

impl Group {
    /// Reads a library; what is wrong with it, where it is none.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text, ahead: None };
        let (kind, names) = reader.head()?;
        match reader.next() {
            Some(Token::Sign('{')) if kind == "library" => reader.body(kind, names, 0),
            _ => Err(format!("a library in the Liberty format does not begin with `{kind}`")),
        }
    }

    /// What it is called.
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or("", String::as_str)
    }

    /// The groups inside that are of a kind.
    pub(super) fn of<'g>(&'g self, kind: &'g str) -> impl Iterator<Item = &'g Self> {
        debug_assert!(READ.contains(&kind), "{kind}");
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The values of an attribute.
    pub(super) fn values(&self, key: &str) -> Option<&[String]> {
        debug_assert!(READ.contains(&key), "{key}");
        self.attributes.iter().find(|(other, _)| other == key).map(|(_, values)| values.as_slice())
    }

    /// An attribute, if it is the first of its key and read.
    fn keep(&mut self, key: String, values: Vec<String>) {
        if READ.contains(&key.as_str()) && self.values(&key).is_none() {
            self.attributes.push((key, values));
        }
    }

    /// The only value of an attribute.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.values(key)?.first().map(String::as_str)
    }

    /// The only value of an attribute, a number.
    pub(super) fn number(&self, key: &str) -> Result<Option<f64>, String> {
        let wrong = |reason: String| format!("`{key}` of {} `{}`: {reason}", self.kind, self.name());
        self.value(key).map(number).transpose().map_err(wrong)
    }

    /// All numbers of an attribute, whose values are lists of them; none, where there is no such attribute.
    pub(super) fn numbers(&self, key: &str) -> Result<Vec<f64>, String> {
        let wrong = |reason: String| format!("`{key}` of {} `{}`: {reason}", self.kind, self.name());
        let lists = self.values(key).unwrap_or_default().iter();
        let parts = lists.flat_map(|text| text.split([',', ' ', '\t', '\r', '\n']));
        parts.filter(|part| !part.is_empty()).map(number).collect::<Result<_, _>>().map_err(wrong)
    }
}

/// A number that can be calculated with.
fn number(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    number.filter(|number| number.is_finite()).ok_or_else(|| format!("`{text}` is not a number"))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'t> {
    Word(Cow<'t, str>),
    Sign(char),
    Newline,
}

const SIGNS: &str = "{}():;,";

/// Reads words, signs and ends of lines, one after the other: all of them at once would take many times the memory of the text.
struct Reader<'t> {
    rest: &'t str,
    ahead: Option<Token<'t>>,
}

impl<'t> Reader<'t> {
    /// Comments and continued lines are gone.
    fn token(&mut self) -> Option<Token<'t>> {
        loop {
            let (rest, first) = (self.rest, self.rest.chars().next()?);
            let (length, token) = if rest.starts_with("/*") {
                (rest.find("*/").map_or(rest.len(), |at| at + 2), None)
            } else if rest.starts_with("//") {
                (rest.find('\n').unwrap_or(rest.len()), None)
            } else if first == '"' {
                let inside = rest.get(1..).unwrap_or_default();
                let inside = inside.get(..inside.find('"').unwrap_or(inside.len())).unwrap_or_default();
                ((inside.len() + 2).min(rest.len()), Some(Token::Word(joined(inside))))
            } else if first == '\n' {
                (1, Some(Token::Newline))
            } else if first == '\\' {
                (rest.find('\n').map_or(rest.len(), |at| at + 1), None)
            } else if SIGNS.contains(first) {
                (1, Some(Token::Sign(first)))
            } else if first.is_whitespace() {
                (first.len_utf8(), None)
            } else {
                let ends = |c: char| c.is_whitespace() || c == '"' || c == '\\' || SIGNS.contains(c);
                let length = rest.find(ends).unwrap_or(rest.len());
                (length, rest.get(..length).map(|word| Token::Word(word.into())))
            };
            self.rest = rest.get(length..).unwrap_or_default();
            if token.is_some() {
                return token;
            }
        }
    }

    fn peek(&mut self) -> Option<&Token<'t>> {
        if self.ahead.is_none() {
            self.ahead = self.token();
        }
        self.ahead.as_ref()
    }

    fn next(&mut self) -> Option<Token<'t>> {
        self.ahead.take().or_else(|| self.token())
    }

    fn skip(&mut self, what: &[Token<'_>]) {
        while self.peek().is_some_and(|token| what.contains(token)) {
            self.ahead = None;
        }
    }

    /// A word and, in parentheses, its names.
    fn head(&mut self) -> Result<(String, Vec<String>), String> {
        self.skip(&[Token::Newline, Token::Sign(';')]);
        let Some(Token::Word(word)) = self.next() else { return Err("a word is missing".to_owned()) };
        let word = word.into_owned();
        self.skip(&[Token::Newline]);
        let mut names = Vec::new();
        if self.peek() == Some(&Token::Sign('(')) {
            self.ahead = None;
            loop {
                match self.next() {
                    Some(Token::Word(name)) => names.push(name.into_owned()),
                    Some(Token::Sign(')')) => break,
                    Some(Token::Sign(_) | Token::Newline) => {}
                    None => return Err(format!("`{word} (` does not end")),
                }
            }
            self.skip(&[Token::Newline]);
        }
        Ok((word, names))
    }

    /// What stands between braces, the first of which was read.
    fn body(&mut self, kind: String, names: Vec<String>, depth: usize) -> Result<Group, String> {
        let mut group = Group { kind, names, ..Group::default() };
        if depth > DEEPEST {
            return Err(format!("groups nest deeper than {DEEPEST}"));
        }
        loop {
            self.skip(&[Token::Newline, Token::Sign(';')]);
            match self.peek() {
                Some(Token::Sign('}')) => {
                    self.ahead = None;
                    return Ok(group);
                }
                None => return Err(format!("`{} ({})` does not end", group.kind, group.name())),
                Some(_) => {}
            }
            let (key, values) = self.head()?;
            match self.peek() {
                Some(Token::Sign('{')) => {
                    self.ahead = None;
                    let inner = self.body(key, values, depth + 1)?;
                    if READ.contains(&inner.kind.as_str()) {
                        group.groups.push(inner);
                    }
                }
                Some(Token::Sign(':')) => {
                    self.ahead = None;
                    let value = self.rest_of_value();
                    group.keep(key, vec![value]);
                }
                _ => group.keep(key, values),
            }
        }
    }

    /// The words up to a semicolon, which some libraries leave out at the end of a line.
    fn rest_of_value(&mut self) -> String {
        let mut words = String::new();
        while let Some(token) = self.peek() {
            if matches!(token, Token::Newline | Token::Sign(';' | '}')) {
                break;
            }
            if !words.is_empty() {
                words.push(' ');
            }
            match token {
                Token::Word(word) => words.push_str(word),
                Token::Sign(sign) => words.push(*sign),
                Token::Newline => {}
            }
            self.ahead = None;
        }
        words
    }
}

/// What stands in quotes, with its lines joined.
fn joined(text: &str) -> Cow<'_, str> {
    if text.contains("\\\n") || text.contains("\\\r\n") {
        text.replace("\\\r\n", "").replace("\\\n", "").into()
    } else {
        text.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_attributes_and_continued_lines_are_read() {
        let text = "/* (typ) */\nlibrary(l) {\n time_unit : \"1ns\";\n index_1 (1,pf);\n cell (\"A B\") { area : 2 * 3\n\
                    pin(Y) { values ( \\\n \"1, 2\", \\\n \"3, 4\"); } } }";
        let library = Group::read(text).unwrap();
        assert_eq!(library.value("time_unit"), Some("1ns"));
        assert_eq!(library.values("index_1").unwrap(), ["1", "pf"]);
        let cell = library.of("cell").next().unwrap();
        assert_eq!((cell.name(), cell.value("area")), ("A B", Some("2 * 3")));
        assert_eq!(cell.of("pin").next().unwrap().values("values").unwrap(), ["1, 2", "3, 4"]);
    }

    #[test]
    fn what_is_not_read_is_not_kept() {
        let text = "library (l) { cell (A) { area : 1; area : 2; leakage : 3; ff (Q) { area : 4; } pin (B) { power () { values (5); } } } \
                    ocv () { cell (C) { } } }";
        let library = Group::read(text).unwrap();
        let [cell] = library.groups.as_slice() else { panic!("{library:?}") };
        assert_eq!((cell.number("area"), cell.attributes.len()), (Ok(Some(1.0)), 1));
        let [pin] = cell.groups.as_slice() else { panic!("{cell:?}") };
        assert_eq!((pin.name(), pin.groups.len()), ("B", 0));
    }

    #[test]
    fn what_is_no_library_is_refused() {
        for text in
            ["", "module m; endmodule", "library (l) {", "library (l) { cell (", "library (l) { { } }"]
        {
            assert!(Group::read(text).is_err(), "{text}");
        }
        assert!(Group::read(&"library (l) {".repeat(40)).unwrap_err().contains("deeper"));
    }
}
