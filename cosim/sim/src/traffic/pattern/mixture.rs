//! Several patterns at once, each with its share of the packets.

use super::{Field, NodeMap, Pattern, Problem, Rule, Stream, Targets, Topology, TrafficError};
use crate::document::write::number;

/// Several patterns at once, each with its share of the packets. A node that one of them maps to itself divides its packets among
/// the others, in the ratio of their shares.
#[derive(Debug, Clone, PartialEq)]
pub struct Mixture(pub Vec<PatternShare>);

/// A pattern, and how many of the packets follow it.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternShare {
    /// Share of the packets, above 0 and at most 1. All together are 1.
    pub share: f64,
    /// Who sends to whom; the same at all times.
    pub pattern: Pattern,
}

impl Rule for Mixture {
    const WORD: &'static str = "mixture";
    const SHAPE: Option<&'static str> = Some("{ mixture = [{ share = 0.5, pattern = \"uniform\" }, …] }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let shares: Vec<_> =
            field.list(EXPECTED)?.iter().map(|part| read(part, topology)).collect::<Result<_, _>>()?;
        let sum: f64 = shares.iter().map(|one| one.share).sum();
        if (sum - 1.0).abs() > ROUNDING {
            return Err(field.refuse(format!("the shares of all patterns must add up to 1, not to {sum}")));
        }
        Ok(Self(shares))
    }

    fn write(&self) -> String {
        let one = |PatternShare { share, pattern }: &PatternShare| {
            format!("{{ share = {}, pattern = {} }}", number(share), pattern.write())
        };
        format!("[{}]", self.0.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        let mut part =
            |PatternShare { share, pattern }: &PatternShare| match pattern.phases(on, random)?.as_slice() {
                [phase] if *share > 0.0 => Ok((*share, phase.targets.clone())),
                [_] => Err(TrafficError::PatternShare(*share)),
                _ => Err(TrafficError::MixtureChanges),
            };
        self.0.iter().map(&mut part).collect::<Result<_, _>>().map(Targets::Choice)
    }
}

/// One pattern with its share. What a mixture inside a mixture says can be said by one; a change of patterns concerns all of them.
fn read(part: &Field<'_>, topology: &Topology) -> Result<PatternShare, Problem> {
    let table = part.section(&["share", "pattern"])?;
    let field = table.need("share", "a share of the packets")?;
    let share = field.real().filter(|share| *share > 0.0 && *share <= 1.0);
    let share = share.ok_or_else(|| field.wrong("a share above 0 and at most 1"))?;
    let field = table.need("pattern", "a pattern")?;
    match Pattern::read(&field, topology)? {
        Pattern::SwitchAt { .. } => {
            Err(field
                .refuse("a mixture changes as a whole: it can be in `switch-at`, not the other way round"))
        }
        Pattern::Mixture(_) => Err(field.refuse("a mixture is made of patterns that are none")),
        pattern => Ok(PatternShare { share, pattern }),
    }
}

const EXPECTED: &str =
    "a list such as [{ share = 0.5, pattern = \"uniform\" }, { share = 0.5, pattern = \"tornado\" }]";
/// How far the shares of all patterns may be from 1 together.
const ROUNDING: f64 = 1e-6;
