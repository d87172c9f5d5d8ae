//! Which of many things have work to do.

/// A set of numbers below a bound, in two levels of bits: going through it costs what it holds, not the bound.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    words: Vec<u64>,
    /// Bit `w` is set when `words[w]` is not 0.
    summary: Vec<u64>,
}

impl ActiveSet {
    pub(crate) fn new(bound: usize) -> Self {
        let words = bound.div_ceil(64);
        Self { words: vec![0; words], summary: vec![0; words.div_ceil(64)] }
    }

    #[inline]
    pub(crate) fn insert(&mut self, n: usize) {
        self.words[n >> 6] |= 1 << (n & 63);
        self.summary[n >> 12] |= 1 << (n >> 6 & 63);
    }

    #[inline]
    pub(crate) fn remove(&mut self, n: usize) {
        let word = &mut self.words[n >> 6];
        *word &= !(1 << (n & 63));
        if *word == 0 {
            self.summary[n >> 12] &= !(1 << (n >> 6 & 63));
        }
    }

    /// Calls `visit` for each number, in ascending order, and drops those for which it says `false`. Says whether there
    /// was any.
    #[inline]
    pub(crate) fn retain(&mut self, mut visit: impl FnMut(usize) -> bool) -> bool {
        let mut any = false;
        for s in 0..self.summary.len() {
            let mut summary = self.summary[s];
            any |= summary != 0;
            while summary != 0 {
                let w = s << 6 | summary.trailing_zeros() as usize;
                summary &= summary - 1;
                let mut word = self.words[w];
                while word != 0 {
                    let n = w << 6 | word.trailing_zeros() as usize;
                    word &= word - 1;
                    if !visit(n) {
                        self.remove(n);
                    }
                }
            }
        }
        any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    proptest::proptest! {
        #[test]
        fn agrees_with_a_tree(ops in proptest::collection::vec((0usize..9000, proptest::bool::ANY), 0..400)) {
            let (mut set, mut tree) = (ActiveSet::new(9000), BTreeSet::new());
            for (n, insert) in ops {
                if insert { set.insert(n); tree.insert(n); } else { set.remove(n); tree.remove(&n); }
            }
            let mut seen = Vec::new();
            set.retain(|n| { seen.push(n); n % 3 != 0 });
            proptest::prop_assert_eq!(&seen, &tree.iter().copied().collect::<Vec<_>>());
            seen.clear();
            set.retain(|n| { seen.push(n); true });
            tree.retain(|n| n % 3 != 0);
            proptest::prop_assert_eq!(seen, tree.into_iter().collect::<Vec<_>>());
        }
    }
}
