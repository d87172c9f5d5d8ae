//! A page in HTML: its links, and the elements that fragments of links name.

use std::collections::BTreeSet;

/// What a page links to, and what of it can be linked to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Page {
    /// The values of `href` and `src`.
    pub(crate) links: BTreeSet<String>,
    /// The values of `id`, and of `name` of anchors.
    pub(crate) ids: BTreeSet<String>,
    /// Whether it leads to another page at once, with the fragment.
    pub(crate) leads_on: bool,
}

/// Elements whose content is no HTML.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];

/// Reads a page.
pub(crate) fn page(text: &str) -> Page {
    let (mut page, mut rest) = (Page::default(), text);
    while let Some(begin) = rest.find('<') {
        rest = &rest[begin + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else if rest.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
            let end = rest.find(|letter: char| letter.is_whitespace() || ['>', '/'].contains(&letter));
            let name = rest[..end.unwrap_or(rest.len())].to_ascii_lowercase();
            rest = attributes(&rest[name.len()..], |key, value| page.note(&name, key, value));
            if RAW.contains(&&*name) {
                let end = rest.to_ascii_lowercase().find(&format!("</{name}"));
                rest = &rest[end.unwrap_or(rest.len())..];
            }
        }
    }
    page
}

impl Page {
    fn note(&mut self, element: &str, key: &str, value: &str) {
        match key {
            "href" | "src" => drop(self.links.insert(unescaped(value))),
            "id" => drop(self.ids.insert(unescaped(value))),
            "http-equiv" => self.leads_on |= value.eq_ignore_ascii_case("refresh"),
            "name" if element == "a" => drop(self.ids.insert(unescaped(value))),
            _ => {}
        }
    }
}

/// Calls `note` for each attribute of a tag; what is behind the tag.
fn attributes(tag: &str, mut note: impl FnMut(&str, &str)) -> &str {
    let mut rest = tag;
    loop {
        rest = rest.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '/');
        if rest.is_empty() || rest.starts_with('>') {
            return rest.get(1..).unwrap_or_default();
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || ['=', '>', '/'].contains(&letter));
        let (key, after) = rest.split_at(end.unwrap_or(rest.len()));
        let Some(value) = after.trim_start().strip_prefix('=').map(str::trim_start) else {
            rest = if key.is_empty() { after.get(1..).unwrap_or_default() } else { after };
            continue;
        };
        let (value, after) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            _ => {
                let end = value.find(|letter: char| letter.is_whitespace() || letter == '>');
                value.split_at(end.unwrap_or(value.len()))
            }
        };
        note(key, value);
        rest = after;
    }
}

/// Characters of a value that HTML writes by name.
fn unescaped(value: &str) -> String {
    let names =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"), ("&amp;", "&")];
    names.iter().fold(value.to_owned(), |value, (name, letter)| value.replace(name, letter))
}

/// Bytes that a link writes in hexadecimal.
pub(crate) fn decoded(link: &str) -> String {
    let mut parts = link.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend(&part.as_bytes()[2..]);
            }
            None => {
                bytes.push(b'%');
                bytes.extend(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_read_in_all_three_forms() {
        let text = "<A  HREF=\"no\" href='a&amp;b' hidden id = one><img src=c.png/><br/><p id=\"two\">1 < 2</p><a name=three>";
        let read = page(text);
        assert_eq!(read.links, ["a&b", "c.png/"].map(str::to_owned).into());
        assert_eq!(read.ids, ["one", "two", "three"].map(str::to_owned).into());
        assert!(!read.leads_on && page("<meta http-equiv=refresh content='0; url=b.html'>").leads_on);
    }

    #[test]
    fn bytes_in_hexadecimal_are_decoded() {
        assert_eq!(decoded("a%20b%C3%A9%"), "a bé%");
    }
}
