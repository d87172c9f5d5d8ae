//! The parameters of a router's routing and of its map.

use super::kinds::KindCounts;
use super::rows::Rows;
use super::written::{NotInRtl, scheme_in_rtl};
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::RoutingScheme;
use router_core::layout;
use router_core::map::AnyMap;
use router_core::map::dragonfly::Dragonfly;
use router_core::map::grid::Ties;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::route::ugal_dragonfly::{Knowledge, UgalDragonflyScheme};
use router_core::settings::{Choice, Word};

/// The parameters of the routing and of its map, for a router.
pub(super) fn routing(blueprint: &Blueprint, router: usize) -> Result<Vec<(&'static str, u32)>, NotInRtl> {
    blueprint.check_single("a router in SystemVerilog")?;
    // A routing of the program's own is refused by its name here.
    blueprint.routing()?;
    let scheme = blueprint.scenario().routing.scheme;
    let number = scheme_in_rtl("routing.algorithm", scheme, RoutingScheme::rtl)?;
    if let RoutingScheme::UgalDragonfly(UgalDragonflyScheme { knowledge, .. }) = scheme
        && matches!(knowledge, Knowledge::Credits | Knowledge::Reservation)
    {
        let (key, word) = ("routing.knowledge", knowledge.word());
        let written = "\"router\", \"group\", \"group-each-cycle\" and \"oracle\" are".to_owned();
        return Err(NotInRtl::Choice { key, word, written });
    }
    if let RoutingScheme::DimensionOrder(DimensionOrderScheme { ties }) = scheme
        && ties != Ties::Parity
    {
        let (key, word) = ("routing.ties", ties.word());
        return Err(NotInRtl::Choice { key, word, written: "\"parity\" is".to_owned() });
    }
    let topology = &blueprint.scenario().topology;
    if !scheme.rtl_on(topology.map_kind()) {
        return Err(NotInRtl::Topology { word: scheme.word(), topology: topology.word() });
    }
    let mut parameters = match blueprint.map()? {
        AnyMap::Dragonfly(map) if map.local_links() > 1 => return Err(NotInRtl::LocalLinks),
        AnyMap::Dragonfly(map) => {
            let globals = KindCounts::of(blueprint, router)?.globals;
            let has_hops = matches!(scheme, RoutingScheme::UgalDragonfly(_));
            if has_hops && map.size(0) * globals + 1 != map.groups() {
                return Err(NotInRtl::Links);
            }
            dragonfly(&map)?
        }
        AnyMap::Grid(map) => vec![
            ("GROUPS", 1),
            ("GRID_STARTS", map.starts()),
            ("GRID_LAST", map.last()),
            ("GRID_WRAPS", u32::from(map.wraps()) + u32::from(map.is_one_way())),
        ],
        AnyMap::Routes(_) => vec![("GROUPS", 1)],
        AnyMap::Distance(_) | AnyMap::Steps(_) => return Err(NotInRtl::Map),
        AnyMap::Graph(_)
        | AnyMap::Tree(_)
        | AnyMap::Levels(_)
        | AnyMap::UpDown(_)
        | AnyMap::Intervals(_)
        | AnyMap::Forwarding(_) => table(blueprint, router)?,
    };
    parameters.push(("ROUTING", number));
    scheme.rtl_parameters(&mut |name, value| parameters.push((name, value)));
    Ok(parameters)
}

/// The parameters of the routing table of a router.
fn table(blueprint: &Blueprint, router: usize) -> Result<Vec<(&'static str, u32)>, NotInRtl> {
    let Rows { mut parameters, rows } = Rows::of(blueprint, router)?;
    let (vcs, ports) = (blueprint.scenario().router.vcs.highest() as usize, blueprint.wiring().ports());
    let has_vcs = |given: &(&str, u32)| {
        given.0 == "HOP_VCS" && [layout::HOP_VCS_GIVEN, layout::HOP_VCS_KEPT].contains(&given.1)
    };
    if parameters.iter().any(has_vcs) && vcs > ports {
        return Err(NotInRtl::TableVcs { vcs, ports });
    }
    parameters.extend([("GROUPS", 1), ("TABLE_ROUTERS", rows.len() as u32)]);
    Ok(parameters)
}

fn dragonfly(map: &Dragonfly<'_>) -> Result<Vec<(&'static str, u32)>, NotInRtl> {
    let groups = map.groups();
    if (1..groups).any(|group| map.size(group) != map.size(0)) {
        return Err(NotInRtl::Groups);
    }
    Ok(vec![("GROUPS", groups), ("ARRANGEMENT", map.arrangement() as u32)])
}
