//! Lists in chunks of one shared memory, with a free list of chunks. Chunks are reused last-in first-out, so a chunk is
//! usually still in cache; the memory is as large as the lists together ever were.

/// Lists of `T`, in chunks of `N`.
#[derive(Debug, Clone)]
pub(crate) struct Pool<T, const N: usize> {
    /// Chunk after chunk.
    items: Vec<T>,
    /// The chunk that follows a chunk in its list, or among the free ones.
    next: Vec<u32>,
    /// The first free chunk.
    free: Option<u32>,
}

/// One list of a pool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct List {
    /// Its first chunk.
    first: u32,
    /// The place behind its last item; 0 when there is none.
    end: u32,
}

impl List {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.end == 0
    }
}

impl<T: Copy + Default, const N: usize> Pool<T, N> {
    #[inline(always)]
    pub(crate) fn push(&mut self, list: &mut List, item: T) {
        let mut at = list.end as usize;
        if at.is_multiple_of(N) {
            at = self.extend(list);
        }
        self.items[at] = item;
        list.end = at as u32 + 1;
    }

    /// Another chunk for a list whose last one is full: its first place.
    #[inline(never)]
    fn extend(&mut self, list: &mut List) -> usize {
        let chunk = match self.free {
            Some(chunk) => {
                let next = self.next[chunk as usize];
                self.free = (next != chunk).then_some(next);
                chunk
            }
            None => {
                self.next.push(0);
                self.items.resize(self.items.len() + N, T::default());
                self.next.len() as u32 - 1
            }
        };
        if list.is_empty() {
            list.first = chunk;
        } else {
            self.next[Self::last(*list)] = chunk;
        }
        chunk as usize * N
    }

    /// The last chunk of a list that is not empty.
    #[inline(always)]
    fn last(list: List) -> usize {
        (list.end as usize - 1) / N
    }

    /// The places of the items in a list's first chunk.
    #[inline(always)]
    pub(crate) fn first(&self, list: List) -> std::ops::Range<usize> {
        let start = list.first as usize * N;
        if list.is_empty() {
            return 0..0;
        }
        let end = if Self::last(list) == list.first as usize { list.end as usize } else { start + N };
        start..end
    }

    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> T {
        self.items[at]
    }

    /// Frees the first chunk of a list that is not empty.
    #[inline]
    pub(crate) fn drop_first(&mut self, list: &mut List) {
        let chunk = list.first;
        let is_last = Self::last(*list) == chunk as usize;
        let next = &mut self.next[chunk as usize];
        if is_last {
            *list = List::default();
        } else {
            list.first = *next;
        }
        // The last free chunk is followed by itself.
        *next = self.free.unwrap_or(chunk);
        self.free = Some(chunk);
    }

    pub(crate) fn iter(&self, mut list: List) -> impl Iterator<Item = &T> {
        let chunks = std::iter::from_fn(move || {
            let places = self.first(list);
            if places.is_empty() {
                return None;
            }
            let chunk = list.first as usize;
            if Self::last(list) == chunk {
                list = List::default();
            } else {
                list.first = self.next[chunk];
            }
            Some(&self.items[places])
        });
        chunks.flatten()
    }

    /// Changes a list as if it were a vector. Not for the hot loop: it copies the list.
    pub(crate) fn edit<R>(&mut self, list: &mut List, change: impl FnOnce(&mut Vec<T>) -> R) -> R {
        let mut items: Vec<T> = self.iter(*list).copied().collect();
        while !list.is_empty() {
            self.drop_first(list);
        }
        let result = change(&mut items);
        items.into_iter().for_each(|item| self.push(list, item));
        result
    }
}

impl<T, const N: usize> Default for Pool<T, N> {
    fn default() -> Self {
        Self { items: Vec::new(), next: Vec::new(), free: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        /// Lists that grow and are emptied in any order are those that vectors would be, and need no more chunks than
        /// they fill.
        #[test]
        fn agrees_with_vectors(ops in proptest::collection::vec((0usize..5, 0usize..40), 0..200)) {
            let (mut pool, mut lists) = (Pool::<usize, 4>::default(), [List::default(); 5]);
            let mut vectors = vec![Vec::new(); 5];
            let mut most = 0;
            for (which, count) in ops {
                if count < 20 {
                    for n in 0..count {
                        pool.push(&mut lists[which], n);
                        vectors[which].push(n);
                    }
                } else {
                    let mut list = std::mem::take(&mut lists[which]);
                    let mut seen = Vec::new();
                    while !list.is_empty() {
                        seen.extend(pool.first(list).map(|at| pool.get(at)));
                        pool.drop_first(&mut list);
                    }
                    proptest::prop_assert_eq!(seen, std::mem::take(&mut vectors[which]));
                }
                for (list, vector) in lists.iter().zip(&vectors) {
                    proptest::prop_assert!(pool.iter(*list).eq(vector));
                    proptest::prop_assert_eq!(list.is_empty(), vector.is_empty());
                }
                most = most.max(vectors.iter().map(|vector| vector.len().div_ceil(4)).sum());
                proptest::prop_assert_eq!(pool.next.len(), most);
            }
        }
    }
}
