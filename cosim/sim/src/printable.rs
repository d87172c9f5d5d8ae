//! Text of others as a terminal may show it.

use std::borrow::Cow;

/// The text with its control characters, marks of direction and what has no width written as `\u{1b}`. Ends of lines and tabs stay.
///
/// Names and values of a foreign file may hold what a terminal would obey: it could hide, move or forge what is shown.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_obeyed(c) { shown.extend(c.escape_unicode()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// JSON with the same characters written as JSON has them: they are inside its texts alone.
#[must_use]
pub fn json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let unit = |unit: &u16| format!("\\u{unit:04x}");
    let written = |c: char| match is_obeyed(c) {
        true => c.encode_utf16(&mut [0; 2]).iter().map(unit).collect(),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(written).collect())
}

/// A name of a foreign file: on one line, printable, and cut behind 100 characters.
#[must_use]
pub fn name(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = words.join(" ");
    let mut short: String = line.chars().take(LONGEST).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    printable(&short).into_owned()
}

/// Whether a terminal obeys a character instead of showing it, or shows nothing for it.
fn is_obeyed(c: char) -> bool {
    let is_direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_end_of_line = matches!(c, '\u{2028}' | '\u{2029}');
    let has_no_width =
        matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}');
    c.is_control() && c != '\n' && c != '\t' || is_direction || is_end_of_line || has_no_width
}

/// Characters of a name.
const LONGEST: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_written_out() {
        let hostile = "a\u{1b}[2J\u{7}b\u{9b}c\r\u{202e}d\u{7f}\n\té";
        assert_eq!(printable(hostile), "a\\u{1b}[2J\\u{7}b\\u{9b}c\\u{d}\\u{202e}d\\u{7f}\n\té");
        assert!(matches!(printable("leaf 3 → spine 1"), Cow::Borrowed(_)));
        for c in
            ['\u{61c}', '\u{200b}', '\u{2028}', '\u{2029}', '\u{2060}', '\u{2069}', '\u{feff}', '\u{e0041}']
        {
            assert_eq!(printable(&format!("a{c}b")), format!("a{}b", c.escape_unicode()));
        }
    }

    #[test]
    fn json_stays_json() {
        assert_eq!(json("{\"a\u{7f}\u{202e}\": 1}\n"), "{\"a\\u007f\\u202e\": 1}\n");
        assert_eq!(json("\"\u{e0041}\u{61c}\""), "\"\\udb40\\udc41\\u061c\"");
        assert!(matches!(json("{}"), Cow::Borrowed(_)));
    }

    #[test]
    fn a_name_is_one_short_line() {
        assert_eq!(name(" two\n\tlines\u{1b} "), "two lines\\u{1b}");
        assert_eq!(name(&"é".repeat(101)), format!("{}…", "é".repeat(100)));
    }
}
