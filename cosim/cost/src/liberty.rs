//! The Liberty format: groups in groups, with attributes.

/// A group, such as `cell (NAND2X1) { … }`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Group {
    /// What it is.
    pub(super) kind: String,
    /// What stands in its parentheses.
    pub(super) names: Vec<String>,
    /// `key : value;` and `key (value, …);`, in the order of the file.
    pub(super) attributes: Vec<(String, Vec<String>)>,
    /// Groups inside.
    pub(super) groups: Vec<Group>,
}

/// Groups nest no deeper than this in any library.
const DEEPEST: usize = 32;

impl Group {
    /// Reads a library; what is wrong with it, where it is none.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut reader = Reader { tokens: tokens(text), next: 0 };
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
        self.groups.iter().filter(move |group| group.kind == kind)
    }

    /// The values of an attribute.
    pub(super) fn values(&self, key: &str) -> Option<&[String]> {
        self.attributes.iter().find(|(other, _)| other == key).map(|(_, values)| values.as_slice())
    }

    /// The only value of an attribute.
    pub(super) fn value(&self, key: &str) -> Option<&str> {
        self.values(key)?.first().map(String::as_str)
    }

    /// The same as a number.
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
enum Token {
    Word(String),
    Sign(char),
    Newline,
}

/// Words, signs and ends of lines; comments and continued lines are gone.
fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let mut length = first.len_utf8();
        if rest.starts_with("/*") {
            length = rest.find("*/").map_or(rest.len(), |at| at + 2);
        } else if rest.starts_with("//") {
            length = rest.find('\n').unwrap_or(rest.len());
        } else if first == '"' {
            let inside = rest.get(1..).unwrap_or_default();
            let end = inside.find('"').unwrap_or(inside.len());
            found.push(Token::Word(
                inside.get(..end).unwrap_or_default().replace("\\\r\n", "").replace("\\\n", ""),
            ));
            length = (end + 2).min(rest.len());
        } else if first == '\n' {
            found.push(Token::Newline);
        } else if first == '\\' {
            length = rest.find('\n').map_or(rest.len(), |at| at + 1);
        } else if SIGNS.contains(first) {
            found.push(Token::Sign(first));
        } else if !first.is_whitespace() {
            let ends = |c: char| c.is_whitespace() || c == '"' || c == '\\' || SIGNS.contains(c);
            length = rest.find(ends).unwrap_or(rest.len());
            found.push(Token::Word(rest.get(..length).unwrap_or_default().to_owned()));
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

const SIGNS: &str = "{}():;,";

struct Reader {
    tokens: Vec<Token>,
    next: usize,
}

impl Reader {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    fn skip(&mut self, what: &[Token]) {
        while self.peek().is_some_and(|token| what.contains(token)) {
            self.next += 1;
        }
    }

    /// A word and, in parentheses, its names.
    fn head(&mut self) -> Result<(String, Vec<String>), String> {
        self.skip(&[Token::Newline, Token::Sign(';')]);
        let Some(Token::Word(word)) = self.next() else { return Err("a word is missing".to_owned()) };
        self.skip(&[Token::Newline]);
        let mut names = Vec::new();
        if self.peek() == Some(&Token::Sign('(')) {
            self.next += 1;
            loop {
                match self.next() {
                    Some(Token::Word(name)) => names.push(name),
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
                    self.next += 1;
                    return Ok(group);
                }
                None => return Err(format!("`{} ({})` does not end", group.kind, group.name())),
                Some(_) => {}
            }
            let (key, values) = self.head()?;
            match self.peek() {
                Some(Token::Sign('{')) => {
                    self.next += 1;
                    group.groups.push(self.body(key, values, depth + 1)?);
                }
                Some(Token::Sign(':')) => {
                    self.next += 1;
                    let value = self.rest_of_value();
                    group.attributes.push((key, vec![value]));
                }
                _ => group.attributes.push((key, values)),
            }
        }
    }

    /// The words up to a semicolon, which some libraries leave out at the end of a line.
    fn rest_of_value(&mut self) -> String {
        let mut words = Vec::new();
        while let Some(token) = self.peek() {
            match token {
                Token::Newline | Token::Sign(';' | '}') => break,
                Token::Word(word) => words.push(word.clone()),
                Token::Sign(sign) => words.push(sign.to_string()),
            }
            self.next += 1;
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_attributes_and_continued_lines_are_read() {
        let text = "/* (typ) */\nlibrary(l) {\n time_unit : \"1ns\";\n unit (1,pf);\n cell (\"A B\") { area : 2 * 3\n\
                    pin(Y) { values ( \\\n \"1, 2\", \\\n \"3, 4\"); } } }";
        let library = Group::read(text).unwrap();
        assert_eq!(library.value("time_unit"), Some("1ns"));
        assert_eq!(library.values("unit").unwrap(), ["1", "pf"]);
        let cell = library.of("cell").next().unwrap();
        assert_eq!((cell.name(), cell.value("area")), ("A B", Some("2 * 3")));
        assert_eq!(cell.of("pin").next().unwrap().values("values").unwrap(), ["1, 2", "3, 4"]);
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
