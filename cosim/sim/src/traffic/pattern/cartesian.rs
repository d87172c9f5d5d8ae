//! A transform of each coordinate.

use super::permutation::derangement;
use super::{Field, NodeMap, Problem, Rule, Stream, Targets, Topology, TrafficError};
use crate::document::write::{list, quoted};
use crate::document::{Data, listed};

/// A transform of each coordinate of a grid's routers, the index of the node at its router kept; or of each coordinate of the
/// nodes' numbers, where sides are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cartesian {
    /// Sides of the box that the nodes are lined up in, the first counting fastest; empty: the coordinates are those of the
    /// routers of a mesh or torus.
    pub sides: Vec<u32>,
    /// One for each coordinate, the first first.
    pub transforms: Vec<Transform>,
}

/// What happens to a coordinate, 0…k − 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transform {
    /// It stays.
    Identity,
    /// `x` becomes k − 1 − `x`.
    Complement,
    /// A random permutation without fixed points, drawn once.
    Permutation,
    /// ⌈k / 2⌉ − 1 further, modulo k.
    Tornado,
    /// So much further, modulo k.
    Shift(u32),
}

/// The transforms that are a word.
const WORDS: [(&str, Transform); 4] = [
    ("identity", Transform::Identity),
    ("complement", Transform::Complement),
    ("permutation", Transform::Permutation),
    ("tornado", Transform::Tornado),
];

impl Rule for Cartesian {
    const WORD: &'static str = "cartesian";
    const SHAPE: Option<&'static str> = Some("{ cartesian = [\"complement\", { shift = 1 }] }");

    fn read(field: &Field<'_>, topology: &Topology) -> Result<Self, Problem> {
        let Data::Table(_) = field.value.data else {
            let dims = topology.dims().ok_or_else(|| {
                field.refuse("the pattern `cartesian` needs a mesh or a torus, or its own `sides`")
            })?;
            return Ok(Self { sides: Vec::new(), transforms: transforms(field, &dims)? });
        };
        let table = field.section(&["sides", "transforms"])?;
        let expected = "a list of sides such as [8, 9]";
        let sides_at = table.need("sides", expected)?;
        let sides = sides_at.list(expected)?.into_iter().map(|side| side.whole(2..=MOST));
        let sides = sides.collect::<Result<Vec<_>, _>>()?;
        match (topology.nodes(), volume(&sides)) {
            (Some(nodes), volume) if volume != Some(nodes) => {
                let message =
                    format!("the product of `{}` must be the number of nodes, {nodes}", sides_at.path);
                return Err(sides_at.refuse(message));
            }
            _ => {}
        }
        let transforms = transforms(&table.need("transforms", "a transform of each coordinate")?, &sides)?;
        Ok(Self { sides, transforms })
    }

    fn write(&self) -> String {
        let transforms =
            format!("[{}]", self.transforms.iter().map(Transform::write).collect::<Vec<_>>().join(", "));
        if self.sides.is_empty() {
            return transforms;
        }
        format!("{{ sides = {}, transforms = {transforms} }}", list(&self.sides))
    }

    fn targets(&self, on: &NodeMap, random: &mut Stream) -> Result<Targets, TrafficError> {
        let are_routers = self.sides.is_empty();
        let sides = if are_routers { on.dims(Self::WORD)? } else { self.sides.as_slice() };
        if self.transforms.len() != sides.len() {
            return Err(TrafficError::Coordinates { transforms: self.transforms.len(), sides: sides.len() });
        }
        if !are_routers && volume(sides) != Some(on.nodes()) {
            return Err(TrafficError::Sides(on.nodes()));
        }
        let all = self.transforms.iter().zip(sides);
        let tables: Vec<_> =
            all.map(|(transform, &side)| transform.table(side, random)).collect::<Result<_, _>>()?;
        if !are_routers {
            return Ok(Targets::Fixed((0..on.nodes()).map(|node| moved(node, &tables)).collect()));
        }
        on.alike(Self::WORD)?;
        let nodes = (0..on.routers()).flat_map(|router| on.at(moved(router, &tables)).nodes());
        Ok(Targets::Fixed(nodes.collect()))
    }
}

impl Transform {
    fn read(field: &Field<'_>, side: u32) -> Result<Self, Problem> {
        match &field.value.data {
            Data::Table(_) => {
                let shift = field.section(&["shift"])?.need("shift", "a whole number")?;
                Ok(Self::Shift(shift.whole(0..=side.saturating_sub(1))?))
            }
            Data::Text(_) => {
                let word = field.one_of(&WORDS.map(|(word, _)| word))?;
                let found = WORDS.iter().find(|(other, _)| *other == word);
                Ok(found.map_or(Self::Identity, |(_, transform)| *transform))
            }
            _ => {
                let words = listed(&WORDS.map(|(word, _)| word), '"');
                Err(field.wrong(format!("one of {words}, or {{ shift = 1 }}")))
            }
        }
    }

    fn write(&self) -> String {
        match (self, WORDS.iter().find(|(_, other)| other == self)) {
            (Self::Shift(by), _) => format!("{{ shift = {by} }}"),
            (_, Some((word, _))) => quoted(word),
            (_, None) => String::new(),
        }
    }

    /// Where each of the coordinates 0…`side` − 1 goes.
    fn table(self, side: u32, random: &mut Stream) -> Result<Vec<u32>, TrafficError> {
        let further = |by: u32| {
            (0..side).map(|x| (u64::from(x) + u64::from(by)) % u64::from(side)).map(|x| x as u32).collect()
        };
        match self {
            Self::Identity => Ok(further(0)),
            Self::Complement => Ok((0..side).rev().collect()),
            Self::Permutation => {
                derangement(side, random).ok_or(TrafficError::NothingToPermute(Cartesian::WORD))
            }
            Self::Tornado => Ok(further(side.div_ceil(2).saturating_sub(1))),
            Self::Shift(by) => Ok(further(by)),
        }
    }
}

/// One transform for each side.
fn transforms(field: &Field<'_>, sides: &[u32]) -> Result<Vec<Transform>, Problem> {
    let parts = field.list("a list with a transform of each coordinate")?;
    if parts.len() != sides.len() {
        let (has, needed) = (parts.len(), sides.len());
        return Err(field.refuse(format!(
            "`{}` lists {has} transforms, expected {needed}: one for each coordinate",
            field.path
        )));
    }
    parts.iter().zip(sides).map(|(part, &side)| Transform::read(part, side)).collect()
}

/// The number whose coordinates are those of `number`, each changed by its table.
fn moved(number: u32, tables: &[Vec<u32>]) -> u32 {
    let (mut to, mut stride, mut rest) = (0, 1, number);
    for table in tables {
        let side = table.len() as u32;
        to += table[(rest % side) as usize] * stride;
        stride *= side;
        rest /= side;
    }
    to
}

/// How many a box of these sides holds, if it can be counted.
fn volume(sides: &[u32]) -> Option<u32> {
    sides.iter().try_fold(1u32, |product, &side| product.checked_mul(side))
}

/// Longest side.
const MOST: u32 = 1 << 24;
