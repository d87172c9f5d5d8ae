//! What a target made of an input.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What a target made of an input. Two inputs with the same outcome have probably gone the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome(u64);

impl Outcome {
    /// It was taken, with this to be seen of it.
    pub fn taken(seen: impl Hash) -> Self {
        Self::of(&("taken", seen))
    }

    /// It was refused with this sentence. Numbers and quotations in it make no difference.
    pub fn refused(reason: &str) -> Self {
        let words = reason.lines().next().unwrap_or_default().split_whitespace();
        let plain = words.filter(|word| word.chars().all(|c| c.is_ascii_alphabetic() || c == ',')).take(12);
        Self::of(&("refused", plain.collect::<Vec<_>>()))
    }

    fn of(what: &impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Self(hasher.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::Outcome;

    #[test]
    fn a_reason_is_the_same_whatever_it_quotes() {
        let of = |text| Outcome::refused(text);
        assert_eq!(of("line 3: no such key `a`"), of("line 17: no such key `b`\n  | b = 1"));
        assert_ne!(of("no such key"), of("no such value"));
        assert_ne!(of(""), Outcome::taken(0));
    }
}
