//! Dragonfly: groups of fully connected routers, fully connected among each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use router_core::map::dragonfly::{Arrangement, Dragonfly as DragonflyMap, MapError, Place};
use router_core::map::{AnyMap, MapKind};
use router_core::units::{PortClass, PortSet};

use super::layout::{Defaults, Layout};
use super::{Hops, Known, MOST_PORTS, Peer, TopologyError, Wiring};
use crate::document::write::{list, word};
use crate::document::{Data, Field, Lines, Problem, Section};

/// A Dragonfly whose groups may differ in size.
///
/// Routers are numbered group by group, nodes router by router. Ports: `p` nodes, then one local port to every other
/// router of the largest group, then `h` global ports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dragonfly {
    /// Nodes per router, 1…62.
    pub p: u8,
    /// Routers of each group, 1…64 each; as long as the number of groups.
    pub group_sizes: Vec<u8>,
    /// Global links per router, 1…62.
    pub h: u8,
    /// Parallel local links between any two routers of a group, 1…62.
    pub local_links: u8,
    /// Which global port leads to which group.
    pub arrangement: Arrangement,
}

impl Dragonfly {
    /// Its map.
    ///
    /// # Errors
    /// When the numbers make no Dragonfly.
    pub fn map(&self) -> Result<DragonflyMap<'_>, MapError> {
        let map = DragonflyMap::new(self.p, self.h, &self.group_sizes, self.arrangement)?;
        if self.local_links == 1 { Ok(map) } else { map.with_local_links(self.local_links) }
    }

    /// Routers of one group, when the next group is wired like it with every group number one higher.
    fn representatives(&self) -> Option<usize> {
        let size = *self.group_sizes.first()?;
        let alike = self.group_sizes.iter().all(|&other| other == size);
        (alike && self.arrangement != Arrangement::Absolute).then_some(size.into())
    }
}

impl Layout for Dragonfly {
    const WORD: &'static str = "dragonfly";
    const KEYS: &'static [&'static str] = &["p", "a", "h", "groups", "local_links", "arrangement"];
    const ROUTING: &'static str = "olm";
    const MAP: MapKind = MapKind::Dragonfly;

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let p_field = section.need("p", "the number of nodes per router")?;
        let a_field = section.need("a", "the number of routers per group")?;
        let h_field = section.need("h", "the number of global links per router")?;
        let (p, h): (u8, u8) = (p_field.whole(1..=62)?, h_field.whole(1..=62)?);
        let group_sizes = match &a_field.value.data {
            Data::List(_) => unequal_groups(section, &a_field, h.into())?,
            _ => equal_groups(section, &a_field, h.into())?,
        };
        let a = group_sizes.iter().copied().max().unwrap_or(1);
        let links_field = section.get("local_links");
        let local_links: u8 = links_field.as_ref().map_or(Ok(1), |field| field.whole(1..=62))?;
        let locals = (u32::from(a) - 1) * u32::from(local_links);
        let ports = u32::from(p) + locals + u32::from(h);
        if ports > MOST_PORTS {
            let sizes = [
                (a, Some(&a_field)),
                (p, Some(&p_field)),
                (h, Some(&h_field)),
                (local_links, links_field.as_ref()),
            ];
            let largest =
                sizes.into_iter().filter(|(_, field)| field.is_some()).max_by_key(|(size, _)| *size);
            let names = if local_links == 1 { "a - 1" } else { "(a - 1) * local_links" };
            let message = format!(
                "a router would need {ports} ports (p = {p} to nodes, {names} = {locals} local, h = {h} global), at most {MOST_PORTS} are possible"
            );
            return Err(largest.and_then(|(_, field)| field).unwrap_or(&a_field).refuse(message));
        }
        let arrangement = section.word("arrangement", Arrangement::Palmtree)?;
        Ok(Self { p, group_sizes, h, local_links, arrangement })
    }

    fn write(&self) -> Lines {
        let a = match self.group_sizes.as_slice() {
            [first, rest @ ..] if rest.iter().all(|size| size == first) => first.to_string(),
            sizes => list(sizes),
        };
        let links = (self.local_links > 1).then(|| ("local_links", self.local_links.to_string()));
        let sizes = [("p", self.p.to_string()), ("a", a), ("h", self.h.to_string())];
        let groups = [("groups", self.group_sizes.len().to_string())];
        let arrangement = [("arrangement", word(self.arrangement))];
        sizes.into_iter().chain(groups).chain(links).chain(arrangement).collect()
    }

    fn classes(&self) -> &'static [&'static str] {
        &["node", "local", "global"]
    }

    fn has(&self, class: PortClass) -> bool {
        class != PortClass::LOCAL || self.group_sizes.iter().any(|&size| size > 1)
    }

    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[32, 32, 256], latency: &[1, 10, 100] }
    }

    fn nodes(&self) -> Option<u32> {
        Some(u32::from(self.p) * self.group_sizes.iter().map(|&a| u32::from(a)).sum::<u32>())
    }

    fn groups(&self) -> Option<Vec<u32>> {
        Some(self.group_sizes.iter().map(|&a| a.into()).collect())
    }

    fn restricted(&self) -> Option<PortClass> {
        Some(PortClass::GLOBAL)
    }

    fn group_exits(&self, router: u32) -> PortSet {
        self.map().map_or(PortSet::EMPTY, |map| map.group_exits(Place::of(router)))
    }

    fn map_of(&self) -> Result<Option<AnyMap<'_>>, TopologyError> {
        Ok(Some(AnyMap::Dragonfly(self.map()?)))
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        let map = self.map()?;
        let known = Known { representatives: self.representatives(), ..Known::default() };
        let mut wiring = Wiring::collect(&map, self.classes(), known)?;
        wiring.known.minimal_hops = minimal_hops(&wiring, &self.group_sizes);
        Ok(wiring)
    }
}

fn equal_groups(section: &Section<'_>, a_field: &Field<'_>, h: u32) -> Result<Vec<u8>, Problem> {
    if !matches!(a_field.value.data, Data::Integer(_)) {
        return Err(a_field.wrong("a whole number from 1 to 64 or a list of them, one per group"));
    }
    let a: u8 = a_field.whole(1..=64)?;
    let most = u32::from(a) * h + 1;
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

fn unequal_groups(section: &Section<'_>, a_field: &Field<'_>, h: u32) -> Result<Vec<u8>, Problem> {
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
        let a: u8 = field.whole(1..=64)?;
        let links = u32::from(a) * h;
        if links < groups - 1 {
            return Err(field.refuse(format!(
                "a group of {a} routers with h = {h} global links each reaches {links} others, but there are {} others",
                groups - 1
            )));
        }
        Ok(a)
    };
    sizes.into_iter().map(size).collect()
}

/// Mean local and global hops of the shortest local–global–local route between two nodes.
fn minimal_hops(wiring: &Wiring, group_sizes: &[u8]) -> Option<Hops> {
    let size = |group: usize| u64::from(group_sizes[group]);
    let (mut local, mut global) = (0, 0);
    for group in 0..group_sizes.len() {
        local += size(group) * (size(group) - 1);
    }
    for ((from, to), ends) in links_between_groups(wiring, group_sizes) {
        let exits = ends.iter().map(|end| end.0).collect::<BTreeSet<_>>().len() as u64;
        let entries = ends.iter().map(|end| end.1).collect::<BTreeSet<_>>().len() as u64;
        // Two local hops, one fewer where the route starts at an exit or stops at an entry, none along one link.
        let at_neither = (size(from) - exits) * (size(to) - entries);
        local += size(from) * size(to) + at_neither - ends.len() as u64;
        global += size(from) * size(to);
    }
    let (nodes, routers) = (wiring.nodes() as f64, wiring.routers() as f64);
    let per_pair_of_routers = (nodes / routers).powi(2) / (nodes * (nodes - 1.0));
    (nodes > 1.0).then_some(Hops {
        local: local as f64 * per_pair_of_routers,
        global: global as f64 * per_pair_of_routers,
    })
}

/// The routers at both ends of the links between each pair of groups, parallel links once.
fn links_between_groups(
    wiring: &Wiring,
    group_sizes: &[u8],
) -> BTreeMap<(usize, usize), BTreeSet<(usize, usize)>> {
    let sizes = group_sizes.iter().enumerate();
    let group: Vec<usize> = sizes.flat_map(|(group, &a)| std::iter::repeat_n(group, a.into())).collect();
    let mut found = BTreeMap::<_, BTreeSet<_>>::new();
    for from in 0..wiring.routers() {
        for port in (0..wiring.ports()).filter(|&port| wiring.class(from, port) == PortClass::GLOBAL) {
            if let Some(Peer::Router { router: to, .. }) = wiring.peer(from, port) {
                let to = to as usize;
                found.entry((group[from], group[to])).or_default().insert((from, to));
            }
        }
    }
    found
}

/// With 64 routers each: 262144 routers.
const MOST_GROUPS: u32 = 4096;
