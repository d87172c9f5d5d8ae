//! Which of many things have work to do.

/// A set of numbers below a bound, a byte for each and one for each 64: going through it costs what it holds, not the bound.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    members: Vec<[u8; 64]>,
    /// Whether there may be any among 64.
    blocks: Vec<u8>,
}

impl ActiveSet {
    pub(crate) fn new(bound: usize) -> Self {
        let blocks = bound.div_ceil(64);
        Self { members: vec![[0; 64]; blocks], blocks: vec![0; blocks] }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, n: usize) {
        self.members[n / 64][n % 64] = 1;
        self.blocks[n / 64] = 1;
    }

    /// Calls `visit` for each number, in ascending order, and drops those for which `visit` returns `false`. Returns
    /// whether there was any.
    #[inline]
    pub(crate) fn retain(&mut self, mut visit: impl FnMut(usize) -> bool) -> bool {
        let mut any = false;
        let blocks = self.members.iter_mut().zip(&mut self.blocks).enumerate();
        for (block, (members, some)) in blocks.filter(|(_, (_, some))| **some != 0) {
            let mut left = false;
            for (eight, bytes) in members.as_chunks_mut::<8>().0.iter_mut().enumerate() {
                let mut word = u64::from_le_bytes(*bytes);
                while word != 0 {
                    let n = (word.trailing_zeros() / 8) as usize;
                    word &= word - 1;
                    let stays = visit(block * 64 + eight * 8 + n);
                    bytes[n] = stays.into();
                    (any, left) = (true, left | stays);
                }
            }
            *some = left.into();
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
                if insert { set.insert(n); tree.insert(n); } else { set.retain(|m| m != n); tree.remove(&n); }
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
