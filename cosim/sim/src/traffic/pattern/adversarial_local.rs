//! A random node of another router of the group.

use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError, groups};

/// A random node of the router so many further in the group. If that is the sender's own router: of the others at it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdversarialLocal(pub u32);

impl Rule for AdversarialLocal {
    const WORD: &'static str = "adversarial-local";
    const SHAPE: Option<&'static str> = Some("{ adversarial-local = 1 }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let smallest = topology.groups().and_then(|groups| groups.into_iter().min());
        groups::further(field, Self::WORD, smallest, "routers in each group").map(Self)
    }

    fn write(&self) -> String {
        self.0.to_string()
    }

    fn targets(&self, on: &NodeMap, _random: &mut Stream) -> Result<Targets, TrafficError> {
        let groups = on.groups(Self::WORD)?;
        let targets = groups.iter().flat_map(|group| {
            group.clone().flat_map(move |router| {
                let index = groups::after((router - group.start) as usize, self.0, group.len());
                let target = on.at(group.start + index as u32);
                on.at(router).nodes().map(move |_| target)
            })
        });
        Ok(Targets::Spread(targets.collect()))
    }
}
