//! Planes: parts of a network that no link joins, such as the rails of a cluster that were discovered into one file.

use super::content::Content;

impl Content {
    /// The plane of each router. Planes are numbered by their lowest routers.
    fn planes(&self) -> Vec<usize> {
        let mut parent: Vec<usize> = (0..self.count).collect();
        let root = |parent: &mut Vec<usize>, mut at: usize| {
            while parent[at] != at {
                parent[at] = parent[parent[at]];
                at = parent[at];
            }
            at
        };
        for edge in &self.edges {
            let (a, b) = (root(&mut parent, edge.ends.0 as usize), root(&mut parent, edge.ends.1 as usize));
            parent[a.max(b)] = a.min(b);
        }
        let mut number = vec![usize::MAX; self.count];
        let mut planes = 0;
        let mut of = Vec::with_capacity(self.count);
        for router in 0..self.count {
            let lowest = root(&mut parent, router);
            if lowest == router {
                number[router] = planes;
                planes += 1;
            }
            of.push(number[lowest]);
        }
        of
    }

    /// The plane that is asked for, alone, its routers numbered anew in their order; without a number, the only one there is.
    ///
    /// # Errors
    /// When there are several and none is asked for, or there is none of that number: the routers of each, for a message.
    pub(in crate::topology) fn plane(self, wanted: Option<u32>) -> Result<Self, Vec<String>> {
        let of = self.planes();
        let count = of.iter().max().map_or(0, |highest| highest + 1);
        let plane = wanted.map_or(0, |wanted| wanted as usize);
        if count > 1 && wanted.is_none() || plane >= count.max(1) {
            return Err((0..count.min(SHOWN))
                .map(|plane| self.shown(&of, plane))
                .chain(more(count))
                .collect());
        }
        Ok(if count > 1 { self.only(&of, plane) } else { self })
    }

    /// `leaf1, leaf2 and 3 more`
    fn shown(&self, of: &[usize], plane: usize) -> String {
        let routers: Vec<usize> = (0..self.count).filter(|&router| of[router] == plane).collect();
        let mut first: Vec<String> = routers.iter().take(SHOWN).map(|&router| self.label(router)).collect();
        if let Some(more) = routers.len().checked_sub(SHOWN + 1) {
            first.push(format!("{} more", more + 1));
        }
        format!("plane {plane}: {}", first.join(", "))
    }

    fn only(self, of: &[usize], plane: usize) -> Self {
        let stays: Vec<bool> = of.iter().map(|&of| of == plane).collect();
        self.keep(&stays)
    }

    /// Drops switches without any cable, where others have some, and says how many.
    pub(super) fn drop_unjoined(&mut self) -> usize {
        let mut stays: Vec<bool> = self.routers.iter().map(|router| !router.nodes.is_empty()).collect();
        self.edges
            .iter()
            .flat_map(|edge| [edge.ends.0, edge.ends.1])
            .for_each(|end| stays[end as usize] = true);
        let dropped = stays.iter().filter(|stays| !**stays).count();
        if dropped == 0 || dropped == stays.len() {
            return 0;
        }
        *self = std::mem::take(self).keep(&stays);
        dropped
    }

    /// Some routers, whose edges lead to each other, numbered anew in their order.
    fn keep(mut self, stays: &[bool]) -> Self {
        let mut number = vec![0; self.count];
        let mut kept = 0;
        for (_, number) in stays.iter().zip(&mut number).filter(|(stays, _)| **stays) {
            (*number, kept) = (kept, kept + 1);
        }
        let mut ports = std::mem::take(&mut self.ports).into_iter();
        let (mut edges, mut names) = (Vec::new(), Vec::new());
        for mut edge in self.edges {
            let name = ports.next();
            if stays[edge.ends.0 as usize] {
                edge.ends = (number[edge.ends.0 as usize], number[edge.ends.1 as usize]);
                edges.push(edge);
                names.extend(name);
            }
        }
        let mut routers = Vec::new();
        for (router, stays) in self.routers.into_iter().zip(stays) {
            if *stays {
                routers.push(router);
            } else {
                self.left_out.guids.insert(router.guid);
                self.left_out.lids.extend(router.nodes.iter().map(|node| node.lid).chain([router.lid]));
            }
        }
        Self { count: kept as usize, edges, ports: names, routers, ..self }
    }
}

/// How many planes there are beside those that a message names.
fn more(count: usize) -> Option<String> {
    (count > SHOWN).then(|| format!("and {} more", count - SHOWN))
}

/// How many planes, and how many routers of each, a message names.
const SHOWN: usize = 4;
