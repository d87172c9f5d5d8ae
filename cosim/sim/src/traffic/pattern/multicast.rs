//! Groups of nodes: each message of a member goes to all other members.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};
use crate::random::below;

/// Groups of nodes, no node in two. Each message of a member goes to all other members; nodes in no group send nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multicast {
    /// Groups, 1…65,535.
    pub groups: u32,
    /// Members of each group, at least 2.
    pub size: u32,
}

/// Most groups: as many as a multicast forwarding table has rows for, about.
const MOST_GROUPS: u32 = 65_535;

impl Rule for Multicast {
    const WORD: &'static str = "multicast";
    const SHAPE: Option<&'static str> = Some("{ multicast = { groups = 2, size = 4 } }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let section = field.section(&["groups", "size"])?;
        let nodes = topology.nodes().unwrap_or(u32::MAX);
        let groups = section.need("groups", "a number of groups")?.whole(1..=MOST_GROUPS)?;
        let size_field = section.need("size", "the members of a group")?;
        let size = size_field.whole(2..=nodes.max(2))?;
        if u64::from(groups) * u64::from(size) > u64::from(nodes) {
            let message =
                format!("{groups} groups of {size} members need more than the {nodes} nodes there are");
            return Err(size_field.refuse(message));
        }
        Ok(Self { groups, size })
    }

    fn write(&self) -> String {
        format!("{{ groups = {}, size = {} }}", self.groups, self.size)
    }

    /// The members are drawn as Fisher and Yates shuffle, as far as they are needed.
    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        let (nodes, Self { groups, size }) = (on.nodes(), *self);
        let members = u64::from(groups) * u64::from(size);
        if size < 2 || members > u64::from(nodes) {
            return Err(TrafficError::Groups { groups, size, nodes });
        }
        let mut order: Vec<u32> = (0..nodes).collect();
        let mut to = order.clone();
        for (place, group) in
            (0..members as usize).zip((0..groups).flat_map(|group| (0..size).map(move |_| group)))
        {
            order.swap(place, place + below(random, nodes - place as u32) as usize);
            to[order[place] as usize] = nodes + group;
        }
        Ok(Targets::Groups(to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    /// Each group has its members, no node is in two, and each node is as likely a member as any other.
    #[test]
    fn groups_are_disjoint_and_drawn_evenly() {
        let on = NodeMap::new([3, 4, 3], None, None);
        let mut seen = [0u32; 10];
        for seed in 0..2000 {
            let targets = Multicast { groups: 2, size: 3 }.targets(&on, &mut stream(seed, 0)).unwrap();
            let Targets::Groups(to) = targets else { panic!("no groups") };
            for group in [10, 11] {
                assert_eq!(to.iter().filter(|&&to| to == group).count(), 3);
            }
            for (node, &to) in (0u32..).zip(&to) {
                assert!(to == node || to >= 10);
                seen[node as usize] += u32::from(to >= 10);
            }
        }
        // 1,200 each; the standard deviation is 22.
        assert!(seen.iter().all(|&times| times.abs_diff(1200) < 110), "{seen:?}");
        let too_many = Multicast { groups: 4, size: 3 }.targets(&on, &mut stream(0, 0));
        assert_eq!(too_many.unwrap_err(), TrafficError::Groups { groups: 4, size: 3, nodes: 10 });
    }
}
