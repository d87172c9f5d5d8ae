//! Looks through preprocessed Verilog for what reaches out of the simulation.

/// A word that reaches out.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// In its file, from 1.
    pub(super) line: usize,
    /// The line as it was scanned.
    pub(super) text: String,
    pub(super) word: String,
    pub(super) why: &'static str,
}

/// What a preprocessed text holds.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// The files that it was made of.
    pub(super) files: Vec<String>,
    /// The first word that reaches out, with its file.
    pub(super) found: Option<(String, Found)>,
}

/// Scans what the preprocessor gives; `` `line `` says which file and line a part comes from.
pub(super) fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    let (mut number, mut lexer) = (1, Lexer::default());
    for line in text.lines() {
        if let Some((next, file)) = directive(line) {
            number = next;
            scan.files.push(file.to_owned());
            continue;
        }
        if let (None, Some((word, why))) = (&scan.found, lexer.line(line)) {
            let file = scan.files.last().cloned().unwrap_or_default();
            scan.found = Some((file, Found { line: number, text: line.to_owned(), word, why }));
        }
        number += 1;
    }
    scan
}

/// The first line of a source that names another file.
pub(super) fn line_directive(source: &str) -> Option<Found> {
    let (at, text) = source.lines().enumerate().find(|(_, line)| line.contains("`line"))?;
    let why = "gives what follows the name of another file";
    Some(Found { line: at + 1, text: text.to_owned(), word: "`line".to_owned(), why })
}

/// Reads `` `line 12 "file.v" 1 ``.
fn directive(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("`line ")?.split_once(' ')?;
    let (file, _) = rest.strip_prefix('"')?.rsplit_once('"')?;
    Some((number.parse().ok()?, file))
}

/// What is open at the end of a line.
#[derive(Debug, Default)]
struct Lexer {
    inside: Inside,
    /// The last word was `import`, and a language may follow.
    is_import: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Inside {
    #[default]
    Code,
    Text,
    Comment,
}

impl Lexer {
    /// The first word of a line that reaches out, and why.
    fn line(&mut self, line: &str) -> Option<(String, &'static str)> {
        let mut rest = line;
        while !rest.is_empty() {
            let length = match self.inside {
                Inside::Comment => self.until(rest, "*/"),
                Inside::Text => self.text(rest),
                Inside::Code => {
                    let length = self.code(rest);
                    let word = rest.get(..length).unwrap_or_default();
                    if let Some(why) = reaches(word) {
                        return Some((word.to_owned(), why));
                    }
                    if let (true, Some(language)) = (self.is_import, language(rest)) {
                        return Some((language.to_owned(), "imports functions that are not Verilog"));
                    }
                    let is_between = word.trim().is_empty() || word.starts_with('/');
                    self.is_import = word == "import" || self.is_import && is_between;
                    length
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        None
    }

    /// The length of the next word, sign or blank; opens comments and texts.
    fn code(&mut self, rest: &str) -> usize {
        let blank = |c: char| c.is_whitespace();
        let first = rest.chars().next().unwrap_or(' ');
        if rest.starts_with("//") {
            return rest.len();
        }
        if rest.starts_with("/*") {
            self.inside = Inside::Comment;
            return 2;
        }
        match first {
            '"' if rest.starts_with(LONG) => LONG.len(),
            '"' => {
                self.inside = Inside::Text;
                1
            }
            // An escaped name goes up to the next blank.
            '\\' => rest.find(blank).unwrap_or(rest.len()),
            '$' | '`' => {
                1 + rest.get(1..).unwrap_or_default().find(|c| !is_of_word(c)).unwrap_or(rest.len() - 1)
            }
            first if is_of_word(first) => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        }
    }

    fn until(&mut self, rest: &str, end: &str) -> usize {
        let Some(at) = rest.find(end) else { return rest.len() };
        self.inside = Inside::Code;
        at + end.len()
    }

    /// The length of a text, with the quotation mark that ends it.
    fn text(&mut self, rest: &str) -> usize {
        let mut escaped = false;
        for (at, c) in rest.char_indices() {
            match c {
                '"' if !escaped => {
                    self.inside = Inside::Code;
                    return at + 1;
                }
                _ => escaped = c == '\\' && !escaped,
            }
        }
        rest.len()
    }
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The foreign language whose name, in quotation marks, begins here.
fn language(rest: &str) -> Option<&'static str> {
    ["\"DPI-C\"", "\"DPI\""].into_iter().find(|name| rest.starts_with(name))
}

/// What a text of newer Verilog begins with, in which a single quotation mark ends nothing.
const LONG: &str = "\"\"\"";

/// Why a word reaches out of the simulation.
fn reaches(word: &str) -> Option<&'static str> {
    if word.starts_with("`systemc_") {
        return Some("is followed by C++");
    }
    if word == LONG {
        return Some("begins a text that is not looked into");
    }
    match word.strip_prefix('$')? {
        "system" => Some("runs a program"),
        "cpure" => Some("is C++"),
        "fopen" | "writememb" | "writememh" | "dumpfile" | "dumpvars" => Some("writes files"),
        c => {
            c.strip_prefix('c').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit())).map(|_| "is C++")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{line_directive, scan};

    /// The line and the word that are found, after a first line that says where this comes from.
    fn found(text: &str) -> Option<(usize, String)> {
        let scan = scan(&format!("`line 7 \"a \\\"b.v\" 1\n{text}"));
        scan.found.map(|(_, found)| (found.line, found.word))
    }

    #[test]
    fn what_reaches_out_is_found_where_it_is() {
        for (text, line, word) in [
            ("initial $system(\"id\");", 7, "$system"),
            ("\n  x = y +$c(\"z\");", 8, "$c"),
            ("$c32(\"z\")", 7, "$c32"),
            ("if (a) $fopen(\"f\")", 7, "$fopen"),
            ("`systemc_header\n#include <x>", 7, "`systemc_header"),
            ("import \"DPI-C\" function int system(input string s);", 7, "\"DPI-C\""),
            ("import\n /* so */ \"DPI-C\" pure function int f();", 8, "\"DPI-C\""),
            ("$display(\"\"\"a\"b\"\"\"); $system", 7, "\"\"\""),
            ("$display(\"a \\\\\"); $system(\"id\")", 7, "$system"),
            ("\"a text\n that goes on\" $writememh", 8, "$writememh"),
            ("/* a \" comment */ $system", 7, "$system"),
            ("\\escaped $system", 7, "$system"),
        ] {
            assert_eq!(found(text), Some((line, word.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_not() {
        for text in [
            "$display(\"$system\");",
            "$display(\"a \\\" $system\");",
            "// $system",
            "/* $c(\"x\")\n $system */",
            "\\$system = 1;",
            "a$system = $clog2(3) + $countones(b) + $cast(c);",
            "$systemverilog; $fopened",
            "import package::*; x = \"DPI-C\";",
            "export \"DPI-C\"",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn files_are_named_by_the_preprocessor_alone() {
        assert_eq!(scan("`line 1 \"a.v\" 1\n\n`line 3 \"b c.v\" 0\n").files, ["a.v", "b c.v"]);
        let found = line_directive("module a;\n `line 1 \"b.v\" 0\n").unwrap();
        assert_eq!((found.line, found.word.as_str()), (2, "`line"));
    }
}
