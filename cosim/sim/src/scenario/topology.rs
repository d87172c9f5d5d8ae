//! `[topology]`: which routers there are and how they are joined.

use std::path::Path;

use router_core::map::MapKind;

use super::error::Problem;
use super::model::{Arrangement, Topology};
use super::section::{Field, Section};
use super::value::Data;
use super::word::{Kind, Word};

/// Reads the table; the file of a graph is looked for from `folder`.
pub(super) fn read(section: &Section<'_>, folder: &Path) -> Result<Topology, Problem> {
    let words: Vec<_> = Kind::WORDS.iter().map(|(word, _)| *word).collect();
    let kind: Kind = section.need("kind", &super::section::list(&words, '"'))?.word()?;
    section.only(keys(kind), &format!("of a {}", kind.word()))?;
    match kind {
        Kind::Dragonfly => dragonfly(section),
        Kind::Mesh => {
            let (dims, nodes_per_router) = grid(section)?;
            Ok(Topology::Mesh { dims, nodes_per_router })
        }
        Kind::Torus => {
            let (dims, nodes_per_router) = grid(section)?;
            Ok(Topology::Torus { dims, nodes_per_router })
        }
        Kind::Graph => graph(section, folder),
    }
}

/// The kind of a topology.
pub(super) fn kind(topology: &Topology) -> Kind {
    match topology {
        Topology::Dragonfly { .. } => Kind::Dragonfly,
        Topology::Mesh { .. } => Kind::Mesh,
        Topology::Torus { .. } => Kind::Torus,
        Topology::Graph { .. } => Kind::Graph,
    }
}

impl Topology {
    /// The kind of map that there is of it.
    pub fn map_kind(&self) -> MapKind {
        match self {
            Self::Dragonfly { .. } => MapKind::Dragonfly,
            Self::Mesh { .. } => MapKind::Mesh,
            Self::Torus { .. } => MapKind::Torus,
            Self::Graph { .. } => MapKind::Graph,
        }
    }
}

/// How many nodes there are; a graph does not know before its file is read.
pub(super) fn nodes(topology: &Topology) -> Option<u32> {
    match topology {
        Topology::Dragonfly { p, group_sizes, .. } => Some(p * group_sizes.iter().sum::<u32>()),
        Topology::Mesh { dims, nodes_per_router } | Topology::Torus { dims, nodes_per_router } => {
            Some(nodes_per_router * dims.iter().product::<u32>())
        }
        Topology::Graph { .. } => None,
    }
}

fn keys(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Dragonfly => &["kind", "p", "a", "h", "groups", "arrangement"],
        Kind::Mesh | Kind::Torus => &["kind", "dims", "nodes_per_router"],
        Kind::Graph => &["kind", "file", "nodes_per_router"],
    }
}

fn dragonfly(section: &Section<'_>) -> Result<Topology, Problem> {
    let p_field = section.need("p", "the number of nodes per router")?;
    let a_field = section.need("a", "the number of routers per group")?;
    let h_field = section.need("h", "the number of global links per router")?;
    let (p, h) = (p_field.whole(1..=62)?, h_field.whole(1..=62)?);
    let group_sizes = match &a_field.value.data {
        Data::List(_) => unequal_groups(section, &a_field, h)?,
        _ => equal_groups(section, &a_field, h)?,
    };
    let a = group_sizes.iter().copied().max().unwrap_or(1);
    let ports = p + a - 1 + h;
    if ports > MOST_PORTS {
        let largest = [(a, &a_field), (p, &p_field), (h, &h_field)].into_iter().max_by_key(|(size, _)| *size);
        let message = format!(
            "a router would need {ports} ports (p = {p} to nodes, a - 1 = {} local, h = {h} global), at most {MOST_PORTS} are possible",
            a - 1
        );
        return Err(largest.map_or(&a_field, |(_, field)| field).refuse(message));
    }
    let arrangement = section.word("arrangement", Arrangement::Palmtree)?;
    Ok(Topology::Dragonfly { p, group_sizes, h, arrangement })
}

fn equal_groups(section: &Section<'_>, a_field: &Field<'_>, h: u32) -> Result<Vec<u32>, Problem> {
    if !matches!(a_field.value.data, Data::Integer(_)) {
        return Err(a_field.wrong("a whole number from 1 to 64 or a list of them, one per group"));
    }
    let a: u32 = a_field.whole(1..=64)?;
    let most = a * h + 1;
    let Some(field) = section.get("groups") else { return Ok(vec![a; most as usize]) };
    let groups: u32 = field.whole(2..=MOST_GROUPS)?;
    if groups > most {
        return Err(field.refuse(format!(
            "{groups} groups cannot be joined in pairs: a group of a = {a} routers with h = {h} global links each \
             reaches {} others, so groups must be at most {most}",
            most - 1
        )));
    }
    Ok(vec![a; groups as usize])
}

fn unequal_groups(section: &Section<'_>, a_field: &Field<'_>, h: u32) -> Result<Vec<u32>, Problem> {
    let sizes = a_field.list("a whole number from 1 to 64 or a list of them, one per group")?;
    let groups = u32::try_from(sizes.len()).unwrap_or(u32::MAX);
    if !(2..=MOST_GROUPS).contains(&groups) {
        return Err(
            a_field.refuse(format!("`topology.a` lists {groups} groups, expected from 2 to {MOST_GROUPS}"))
        );
    }
    if let Some(field) = section.get("groups")
        && field.whole(2..=MOST_GROUPS)? != groups
    {
        return Err(field.wrong(format!("{groups}, as many groups as `topology.a` lists")));
    }
    let size = |field: Field<'_>| {
        let a: u32 = field.whole(1..=64)?;
        if a * h < groups - 1 {
            return Err(field.refuse(format!(
                "a group of {a} routers with h = {h} global links each reaches {} others, but there are {} others",
                a * h,
                groups - 1
            )));
        }
        Ok(a)
    };
    sizes.into_iter().map(size).collect()
}

fn grid(section: &Section<'_>) -> Result<(Vec<u32>, u32), Problem> {
    let expected = "a list of 1 to 8 dimensions such as [8, 8]";
    let field = section.need("dims", expected)?;
    let fields = field.list(expected)?;
    if fields.len() > 8 {
        return Err(
            field.refuse(format!("`topology.dims` lists {} dimensions, expected 1 to 8", fields.len()))
        );
    }
    let dims: Vec<u32> =
        fields.iter().map(|field| field.whole(2..=1 << MOST_BITS)).collect::<Result<_, _>>()?;
    let bits: u32 = dims.iter().map(|k| k.next_power_of_two().trailing_zeros()).sum();
    if bits > MOST_BITS {
        return Err(field.refuse(format!(
            "the network is too large: its routers' coordinates need {bits} bits, at most {MOST_BITS} are possible"
        )));
    }
    let nodes_per_router = section.whole("nodes_per_router", 1..=62, 1)?;
    let ports = nodes_per_router + 2 * u32::try_from(dims.len()).unwrap_or(u32::MAX / 4);
    if ports > MOST_PORTS {
        let blamed = section.get("nodes_per_router").unwrap_or(field);
        return Err(blamed.refuse(format!(
            "a router would need {ports} ports ({nodes_per_router} to nodes, two per dimension), at most {MOST_PORTS} are possible"
        )));
    }
    Ok((dims, nodes_per_router))
}

/// The path is made absolute, so that a scenario that is written elsewhere still finds the file.
fn graph(section: &Section<'_>, folder: &Path) -> Result<Topology, Problem> {
    let expected = "the name of a file with one edge per line";
    let field = section.need("file", expected)?;
    let name = field.text(expected)?;
    if name.is_empty() || name.contains('\0') {
        return Err(field.wrong(expected));
    }
    let file = folder.join(name);
    let file = std::path::absolute(&file).unwrap_or(file);
    let nodes_per_router = section.whole("nodes_per_router", 1..=62, 1)?;
    Ok(Topology::Graph { file, nodes_per_router })
}

/// What a router of this workspace can have.
const MOST_PORTS: u32 = 64;
/// With 64 routers each: 262144 routers.
const MOST_GROUPS: u32 = 4096;
/// Of the number of a router: 262144 routers.
const MOST_BITS: u32 = 18;
