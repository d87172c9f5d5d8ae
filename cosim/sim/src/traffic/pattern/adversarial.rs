//! A random node of another group.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, groups};

/// A random node of the group so many further. If that is the sender's own group: of the others in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adversarial(pub u32);

impl Rule for Adversarial {
    const WORD: &'static str = "adversarial";
    const SHAPE: Option<&'static str> = Some("{ adversarial = 1 }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        groups::further(field, Self::WORD, groups::count(topology), "groups").map(Self)
    }

    fn write(&self) -> String {
        self.0.to_string()
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let groups = on.groups(Self::WORD)?;
        let targets = groups.iter().enumerate().flat_map(|(g, group)| {
            let target = on.nodes_of(&groups[groups::after(g, self.0, groups.len())]);
            on.nodes_of(group).nodes().map(move |_| target)
        });
        Ok(Targets::Spread(targets.collect()))
    }
}
