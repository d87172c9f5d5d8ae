//! The traffics of a survey.

use desvio_sim::topology::Wiring;

/// A traffic of a survey.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Uniform,
    /// A candidate for the worst case, and its word.
    Hard(&'static str),
}

impl Kind {
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Hard(word) => word,
        }
    }
}

/// The patterns, as a scenario writes them. Not every network can have each.
pub(super) fn all(wiring: &Wiring) -> Vec<(Kind, String)> {
    let pairs: Vec<_> = wiring.far_pairs().iter().map(|(from, to)| format!("[{from}, {to}]")).collect();
    let words = ["permutation", "switch-permutation", "bit-complement", "transpose", "tornado"];
    let mut all = vec![(Kind::Uniform, "\"uniform\"".to_owned())];
    all.push((Kind::Hard("far pairs"), format!("{{ pairs = [{}] }}", pairs.join(", "))));
    all.extend(words.map(|word| (Kind::Hard(word), format!("\"{word}\""))));
    all.push((Kind::Hard("next group"), "{ adversarial = 1 }".to_owned()));
    all
}
