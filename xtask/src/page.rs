//! A page in Markdown: where its links are.

use std::ops::Range;

/// The places of the targets of links and pictures, what stands in `](…)`, outside blocks of code.
pub(crate) fn targets(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut at, mut is_code) = (Vec::new(), 0, false);
    for line in text.split_inclusive('\n') {
        is_code ^= line.starts_with("```");
        if !is_code {
            found.extend(targets_of_line(line).map(|range| range.start + at..range.end + at));
        }
        at += line.len();
    }
    found
}

fn targets_of_line(line: &str) -> impl Iterator<Item = Range<usize>> {
    line.match_indices("](").filter_map(|(at, begin)| {
        let begin = at + begin.len();
        let length = line[begin..].find(')')?;
        Some(begin..begin + length)
    })
}

/// Whether a target is on another host.
pub(crate) fn is_elsewhere(target: &str) -> bool {
    ["http:", "https:", "mailto:"].iter().any(|scheme| target.starts_with(scheme))
}

#[cfg(test)]
mod tests {
    use super::targets;

    #[test]
    fn targets_are_found_outside_blocks_of_code() {
        let text = "See [a](a.md) and ![b](b.svg).\n```sh\n[c](c.md)\n```\n[d](d.md#e)\n";
        let found: Vec<_> = targets(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, ["a.md", "b.svg", "d.md#e"]);
    }
}
