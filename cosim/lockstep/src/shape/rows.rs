//! The routing table of a router in SystemVerilog: its rows, and the parameters that say what they are for.

use super::written::NotInRtl;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::RoutingScheme;
use router_core::header::{Address, Header};
use router_core::layout;
use router_core::map::AnyMap;
use router_core::map::forwarding::{ForwardingTable, VcRule};
use router_core::map::intervals::IntervalTable;
use router_core::map::up_down::UpDownTable;
use router_core::route::up_down::{Ascent, UpDown};
use router_core::route::{Arrival, Route, Routing};
use router_core::units::{PortId, PortSet};

/// The table of one router.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    /// Parameters of the module, by name.
    pub(crate) parameters: Vec<(&'static str, u32)>,
    /// Row by row; empty where its routing needs none.
    pub(crate) rows: Vec<u64>,
}

impl Rows {
    /// That of router number `router` of a network.
    pub(crate) fn of(blueprint: &Blueprint, router: usize) -> Result<Self, NotInRtl> {
        let here = blueprint.here(router).router;
        let routers = blueprint.wiring().routers() as u32;
        Ok(match blueprint.map()? {
            AnyMap::Graph(table) => Self {
                rows: (0..routers).map(|there| bits(table.ports(here, there))).collect(),
                ..Self::default()
            },
            AnyMap::UpDown(table) => Self::of_legs(table, here, routers),
            AnyMap::Forwarding(table) => {
                Self::of_entries(table, here, (routers, blueprint.wiring().ports()))?
            }
            AnyMap::Intervals(table) => Self::of_intervals(table, here, routers),
            AnyMap::Tree(_) | AnyMap::Levels(_) => Self::of_levels(blueprint, router)?,
            _ => Self::default(),
        })
    }

    /// Up, then down, in any graph.
    fn of_legs(table: UpDownTable<'_>, here: u32, routers: u32) -> Self {
        let leg = |gone_down| (0..routers).map(move |there| bits(table.ports(here, there, gone_down)));
        Self {
            parameters: vec![("TABLE_BY", layout::TABLE_BY_LEG)],
            rows: leg(false).chain(leg(true)).chain([bits(table.up(here))]).collect(),
        }
    }

    /// Forwarding tables: the ports, then the VCs, or the lanes of service levels.
    fn of_entries(
        table: ForwardingTable<'_>,
        here: u32,
        (routers, ports): (u32, usize),
    ) -> Result<Self, NotInRtl> {
        if let Some(each) = table.ports_by_node() {
            return Ok(Self::of_nodes(table, here, (routers, each)).with_lanes(table, here, ports));
        }
        if !table.is_by_router() {
            return Err(NotInRtl::TablesByNode);
        }
        let entry = |there| table.entry(here, Address { router: there, port: 0 });
        let rows = (0..routers).map(|there| bits(entry(there).ports()));
        if table.lanes().is_some() {
            let by_router = Self { rows: rows.collect(), ..Self::default() };
            return Ok(by_router.with_lanes(table, here, ports));
        }
        let vcs = (0..routers).map(|there| entry(there).vcs.bits().into());
        let rule = match table.rule() {
            VcRule::PerHop => layout::HOP_VCS_GIVEN,
            VcRule::PerRoute => layout::HOP_VCS_KEPT,
        };
        Ok(Self { parameters: vec![("HOP_VCS", rule)], rows: rows.chain(vcs).collect() })
    }

    /// Forwarding tables, and behind them the tables from service levels to lanes, if there are any: for each input and level, a row for
    /// each bit of the lane.
    fn with_lanes(mut self, table: ForwardingTable<'_>, here: u32, ports: usize) -> Self {
        let Some(of) = table.lanes() else { return self };
        self.parameters.retain(|(name, _)| *name != "HOP_VCS");
        self.parameters.push(("HOP_VCS", layout::HOP_VCS_LEVEL));
        let port = |number: usize| PortId::new(number as u8);
        for input in 0..ports {
            let lanes: Vec<_> = (0..ports).map(|output| of.lanes(here, port(input), port(output))).collect();
            let row = |bit: u32| {
                lanes.iter().zip(0..).fold(0, |row, (lanes, output)| row | (lanes >> bit & 1) << output)
            };
            self.rows.extend((0..layout::LANE_ROWS).map(row));
        }
        self
    }

    /// Forwarding tables of ports for each node: `each` of them at every router from 0 on that has any.
    fn of_nodes(table: ForwardingTable<'_>, here: u32, (routers, each): (u32, u32)) -> Self {
        let all = (0..routers).filter(|router| table.has(Address { router: *router, port: 0 }));
        let nodes = all.flat_map(|router| (0..each as u8).map(move |port| Address { router, port }));
        let port = |node| bits(table.entry(here, node).ports());
        Self {
            parameters: vec![
                ("TABLE_BY", layout::TABLE_BY_NODE),
                ("TABLE_NODES", each),
                ("HOP_VCS", layout::HOP_VCS_ANY),
            ],
            rows: nodes.map(port).collect(),
        }
    }

    /// Intervals of labels: bit `b` of where that of each port begins in row `b`, then the ports that have one.
    fn of_intervals(table: IntervalTable<'_>, here: u32, routers: u32) -> Self {
        let label_bits = (u32::BITS - (routers - 1).leading_zeros()).max(1);
        let having = |what: &dyn Fn(u32) -> bool| {
            let ports = table.intervals(here).filter(|&(_, start)| what(start));
            ports.fold(0, |all, (port, _)| all | 1 << port.number())
        };
        let starts = (0..label_bits).map(|bit| having(&|start| start >> bit & 1 == 1));
        Self {
            parameters: vec![("TABLE_BY", layout::TABLE_BY_INTERVAL), ("TABLE_LABELS", routers)],
            rows: starts.chain([having(&|_| true)]).collect(),
        }
    }

    /// Up, then down, in a network of levels: towards leaves, or towards each of their nodes.
    fn of_levels(blueprint: &Blueprint, router: usize) -> Result<Self, NotInRtl> {
        let by = match blueprint.scenario().routing.scheme {
            RoutingScheme::UpDown(scheme) => scheme.ascent.rtl(),
            _ => layout::TABLE_BY_ROUTER,
        };
        let routing = match blueprint.routing()? {
            // Every port of a choice: the one that was drawn is in the header.
            Routing::UpDown(drawn) if by == layout::TABLE_BY_DRAWN => {
                Routing::UpDown(UpDown { ascent: Ascent::Adaptive, ..drawn })
            }
            other => other,
        };
        let here = blueprint.here(router);
        let nodes = || (0..blueprint.wiring().nodes()).map(|node| blueprint.address(node));
        let leaves = nodes().map(|node| node.router + 1).max().unwrap_or(0);
        let each = nodes().map(|node| node.port + 1).max().unwrap_or(0);
        let row = |router, port| {
            let header = Header { to: Address { router, port }, ..Header::default() };
            let offered = routing.offer(&here, Arrival::default(), &header).unwrap_or_default();
            if router == here.router { 0 } else { bits(offered.ports()) }
        };
        let told_apart = if by == layout::TABLE_BY_NODE { each } else { 1 };
        let rows = (0..leaves).flat_map(|leaf| (0..told_apart).map(move |port| (leaf, port)));
        Ok(Self {
            parameters: vec![("TABLE_BY", by), ("TABLE_NODES", each.into())],
            rows: rows.map(|(leaf, port)| row(leaf, port)).collect(),
        })
    }
}

fn bits(ports: PortSet) -> u64 {
    ports.bits() as u64
}
