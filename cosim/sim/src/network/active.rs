//! Which of many things have work to do.

/// A set of numbers below a bound, a byte for each and one for each 64: going through it costs what it holds, not the bound.
#[derive(Debug, Clone)]
pub(crate) struct ActiveSet {
    blocks: Vec<Block>,
}

/// 64 numbers.
#[derive(Debug, Clone, Copy)]
struct Block {
    members: [u8; 64],
    /// Whether there may be any.
    some: bool,
}

impl ActiveSet {
    pub(crate) fn new(bound: usize) -> Self {
        Self { blocks: vec![Block { members: [0; 64], some: false }; bound.div_ceil(64)] }
    }

    #[inline(always)]
    pub(crate) fn insert(&mut self, n: usize) {
        let block = &mut self.blocks[n / 64];
        block.members[n % 64] = 1;
        block.some = true;
    }

    /// Calls `visit` for each number, in ascending order, and drops those for which `visit` returns `false`. Returns
    /// whether there was any.
    #[inline]
    pub(crate) fn retain(&mut self, mut visit: impl FnMut(usize) -> bool) -> bool {
        let mut any = false;
        let blocks = self.blocks.iter_mut().enumerate();
        for (block, Block { members, some }) in blocks.filter(|(_, block)| block.some) {
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
            *some = left;
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
