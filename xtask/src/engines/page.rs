//! Blocks of code of `docs/campaign.md`.

use crate::step::{Failure, root};

const PAGE: &str = "docs/campaign.md";

/// A block of code.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// The word behind its fence.
    pub(super) language: String,
    pub(super) text: String,
}

/// The first block under a heading of any level.
pub(super) fn commands(heading: &str) -> Result<Block, Failure> {
    let text = std::fs::read_to_string(root().join(PAGE));
    let text = text.map_err(|error| Failure::new(format!("{PAGE}: {error}")))?;
    find(&text, heading).ok_or_else(|| Failure::new(format!("{PAGE}: no block of code under `{heading}`")))
}

/// Headings end the search, but not in a block, where `#` begins a comment.
fn find(text: &str, heading: &str) -> Option<Block> {
    let mut lines = text.lines();
    lines.find(|line| line.starts_with('#') && line.trim_start_matches('#').trim() == heading)?;
    let opened = lines.find(|line| line.starts_with('#') || line.starts_with("```"))?;
    let language = opened.strip_prefix("```")?.to_owned();
    let code: Vec<&str> = lines.take_while(|line| *line != "```").collect();
    Some(Block { language, text: code.join("\n") + "\n" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_found_under_its_own_heading() {
        let text = "# Page\n## A\n## B\nwords\n```sh\n# no heading\nls\n```\n```sh\nsecond\n```\n";
        let block = Block { language: "sh".to_owned(), text: "# no heading\nls\n".to_owned() };
        assert_eq!((find(text, "B"), find(text, "A"), find(text, "C")), (Some(block), None, None));
    }
}
