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
///
/// Words are found wherever they stand, also in texts: what is a text depends on who reads it, and the preprocessor, the parser and
/// this do not agree in every case. Comments are not in what the preprocessor gives.
pub(super) fn scan(text: &str) -> Scan {
    let mut scan = Scan::default();
    let mut number = 1;
    for line in text.lines() {
        if let Some((next, file)) = directive(line) {
            number = next;
            scan.files.push(file.to_owned());
            continue;
        }
        if let (None, Some((word, why))) = (&scan.found, reaching(line)) {
            let file = scan.files.last().cloned().unwrap_or_default();
            scan.found =
                Some((file, Found { line: number, text: line.to_owned(), word: word.to_owned(), why }));
        }
        number += 1;
    }
    scan
}

/// The first line of a source that keeps what follows from being looked at as it is.
pub(super) fn hiding(source: &str) -> Option<Found> {
    // Verilator drops these characters before it reads.
    let source = source.replace(['\r', '\0'], "");
    let hides = |line: &str| DIRECTIVES.into_iter().find(|(word, _)| line.contains(word));
    let (at, text, (word, why)) =
        source.lines().enumerate().find_map(|(at, line)| Some((at, line, hides(line)?)))?;
    Some(Found { line: at + 1, text: text.to_owned(), word: word.to_owned(), why })
}

const DIRECTIVES: [(&str, &str); 2] = [
    ("`line", "gives what follows the name of another file"),
    ("`pragma", "can hide what follows from the preprocessor"),
];

/// Reads `` `line 12 "file.v" 1 ``.
fn directive(line: &str) -> Option<(usize, &str)> {
    let (number, rest) = line.strip_prefix("`line ")?.split_once(' ')?;
    let (file, _) = rest.strip_prefix('"')?.rsplit_once('"')?;
    Some((number.parse().ok()?, file))
}

/// The first word of a line that reaches out, and why.
fn reaching(line: &str) -> Option<(&str, &'static str)> {
    line.match_indices(['$', '`', '"']).find_map(|(at, _)| {
        let rest = line.get(at..)?;
        let end = rest.bytes().skip(1).position(|byte| !is_of_word(byte)).map_or(rest.len(), |end| end + 1);
        let word = rest.get(..end)?;
        reaches(word).map(|why| (word, why))
    })
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// Why a word reaches out of the simulation.
fn reaches(word: &str) -> Option<&'static str> {
    if word.starts_with("`systemc_") {
        return Some("is followed by C++");
    }
    if word.starts_with("\"DPI") {
        return Some("names functions that are not Verilog");
    }
    match word.strip_prefix('$')? {
        "system" => Some("runs a program"),
        "cpure" => Some("is C++"),
        "fopen" | "writememb" | "writememh" | "dumpfile" | "dumpvars" | "dumpports" => Some("writes files"),
        c => {
            c.strip_prefix('c').filter(|digits| digits.bytes().all(|b| b.is_ascii_digit())).map(|_| "is C++")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{hiding, scan};

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
            ("import \"DPI-C\" function int system(input string s);", 7, "\"DPI"),
            ("import `celldefine\n \"DPI\" pure function int f();", 8, "\"DPI"),
            ("export \"DPI-C\" f", 7, "\"DPI"),
            ("initial #1$system(\"id\");", 7, "$system"),
            ("$display(\"a \\\\\"); $system(\"id\")", 7, "$system"),
            ("\"a text\n that goes on\" $writememh", 8, "$writememh"),
            ("(* a = \" *) initial $system(cmd); //\"", 7, "$system"),
            ("\\a\u{b}\" $system(\"id\")", 7, "$system"),
            ("$display(\"$system\");", 7, "$system"),
        ] {
            assert_eq!(found(text), Some((line, word.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_it_is_not() {
        for text in [
            "a = $clog2(3) + $countones(b) + $cast(c);",
            "$systemverilog; $fopened; $system$x; $system_x",
            "x = \"DP\"; y = \"a DPI-C\";",
            "system(c);",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }

    #[test]
    fn files_are_named_by_the_preprocessor_alone() {
        assert_eq!(scan("`line 1 \"a.v\" 1\n\n`line 3 \"b c.v\" 0\n").files, ["a.v", "b c.v"]);
        let found = hiding("module a;\n `li\rne 1 \"b.v\" 0\n").unwrap();
        assert_eq!((found.line, found.word.as_str()), (2, "`line"));
        assert_eq!(hiding("`pragma x /*").unwrap().word, "`pragma");
        assert_eq!(hiding("`timescale 1ns / 1ps\n`define line 3"), None);
    }
}
