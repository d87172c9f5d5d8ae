//! The node of the same index in another group.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, groups};

/// The node of the same index in the group so many further, wrapping where that group is smaller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdversarialIndex(pub u32);

impl Rule for AdversarialIndex {
    const WORD: &'static str = "adversarial-index";
    const SHAPE: Option<&'static str> = Some("{ adversarial-index = 1 }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let further = groups::further(field, Self::WORD, groups::count(topology), "groups")?;
        let sizes = topology.groups().unwrap_or_default();
        if sizes.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(field.refuse(format!("the pattern `{}` needs groups of one size", Self::WORD)));
        }
        Ok(Self(further))
    }

    fn write(&self) -> String {
        self.0.to_string()
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let groups = on.groups(Self::WORD)?;
        let targets = groups.iter().enumerate().flat_map(|(g, group)| {
            let target = on.nodes_of(&groups[groups::after(g, self.0, groups.len())]);
            (0..on.nodes_of(group).len).map(move |index| target.first + index % target.len)
        });
        Ok(Targets::Fixed(targets.collect()))
    }
}
