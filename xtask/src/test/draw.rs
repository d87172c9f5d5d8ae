//! Which part of the long tests a run takes.
//!
//! They do not fit into every run. Each of the longest belongs to one of ten tenths by its name, and a run takes one tenth. Each tenth belongs to
//! one of three thirds, of which the others are taken: `tests/src/draw.rs`.

use crate::step::root;
use std::fmt;
use std::process::Command;

/// How many parts there are.
const TENTHS: u64 = 10;

/// What a run takes of the long tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Draw {
    /// All of them, each at its full length.
    All,
    /// Those of one tenth, 0 to 9.
    Tenth(u64),
}

impl Draw {
    /// The tenth that the commit's hash draws; without a repository, the first.
    pub(crate) fn of_commit() -> Self {
        let asked = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()).output();
        let hash =
            asked.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        Self::of_hash(&hash)
    }

    /// The tenth of a hash of hexadecimal digits.
    fn of_hash(hash: &str) -> Self {
        let digits: String = hash.trim().chars().take(8).collect();
        Self::Tenth(u64::from_str_radix(&digits, 16).unwrap_or(0) % TENTHS)
    }

    /// Whether it takes a third, 0 to 2, of what is long and no test; says so if it does not.
    pub(crate) fn takes(self, third: u64, what: &str) -> bool {
        let is_taken = match self {
            Self::All => true,
            Self::Tenth(tenth) => tenth % 3 == third,
        };
        if !is_taken {
            eprintln!("NOT DRAWN: {what} (tenths {third}, {}, {} run it)", third + 3, third + 6);
        }
        is_taken
    }

    /// The environment variable by which the tests know it.
    pub(crate) fn variable(self) -> (&'static str, String) {
        let value = match self {
            Self::All => "all".to_owned(),
            Self::Tenth(tenth) => tenth.to_string(),
        };
        ("DESVIO_DRAW", value)
    }
}

impl fmt::Display for Draw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all of the long tests"),
            Self::Tenth(tenth) => {
                write!(
                    f,
                    "tenth {tenth} of the longest tests (0 to {}) and third {} of the long ones",
                    TENTHS - 1,
                    tenth % 3
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_draws_one_of_ten() {
        assert_eq!(Draw::of_hash("0000000f92"), Draw::Tenth(15 % 10));
        assert_eq!(Draw::of_hash("c7aeacb46ee4"), Draw::Tenth(0xc7ae_acb4 % 10));
        assert_eq!(Draw::of_hash(""), Draw::Tenth(0));
        let drawn = (0..100).map(|number| Draw::of_hash(&format!("{number:08x}ff")));
        let all: std::collections::BTreeSet<_> = drawn.map(|draw| draw.variable().1).collect();
        assert_eq!(all.len(), 10, "each tenth is drawn by some hash");
        for third in 0..3 {
            let by = (0..TENTHS).filter(|&tenth| Draw::Tenth(tenth).takes(third, "a third")).count();
            assert!((3..=4).contains(&by) && Draw::All.takes(third, "a third"), "{third}");
        }
    }
}
