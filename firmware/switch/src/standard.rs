//! The routers that costs are measured for.

use router_core::layout::{self, Configuration};
use router_core::links::{PortSizes, VcOrder};
use router_core::map::dragonfly::Arrangement;
use router_core::map::grid::Ties;
use router_core::options::Options;
use router_core::plan::CountAt;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::route::olm::{OlmScheme, Policy, Rules, Scope};
use router_core::route::{Here, RoutingScheme};
use router_core::select::contention::ContentionTrigger;
use router_core::select::{Preference, Selection};
use router_core::units::PortSet;
use tether::setup::{DragonflyMap, GridMap, MAX_DIMENSIONS, MapSetup, Setup};

/// Flits of each buffer.
pub const BUFFER: u16 = 32;
/// Flits of an output FIFO.
pub const FIFO: u16 = 4;
/// Flits of each packet.
pub const PACKET: u16 = 8;

/// Packets with the same minimal output from which on that output is contended.
const THRESHOLD: u16 = 3;

/// A router of five ports in the middle of a mesh of 4 × 4: one node and four neighbours, dimension order, 2 VCs.
pub const fn mesh() -> Setup {
    let sizes = PortSizes { vcs: 2, buffer: BUFFER };
    let mut along = [0; MAX_DIMENSIONS];
    let [x, y, ..] = &mut along;
    (*x, *y) = (4, 4);
    Setup {
        nodes: 1,
        locals: 4,
        globals: 0,
        node: sizes,
        local: sizes,
        global: sizes,
        reserved: [BUFFER; 2],
        selection: Selection::NEVER,
        scheme: RoutingScheme::DimensionOrder(DimensionOrderScheme { ties: Ties::Parity }),
        map: MapSetup::Grid(GridMap { sizes: along, wraps: false }),
        // Column 1, row 1.
        here: Here {
            router: 0b0101,
            wired: PortSet::const_first_n(5),
            group_exits: PortSet::EMPTY,
            channels: PortSet::EMPTY,
        },
        ..dragonfly(&layout::PAPER)
    }
}

/// A router of the Dragonfly `paper`: seven ports, OLM, the contention trigger.
pub const fn paper() -> Setup {
    dragonfly(&layout::PAPER)
}

/// A router of the Dragonfly `wide`: fifteen ports.
pub const fn wide() -> Setup {
    dragonfly(&layout::WIDE)
}

/// The first router of a Dragonfly, with buffers of [`BUFFER`] flits at all ports.
const fn dragonfly(of: &Configuration) -> Setup {
    let (nodes, locals, globals) = (of.nodes as usize, of.locals as usize, of.globals as usize);
    let first_global = nodes.saturating_add(locals);
    Setup {
        nodes: of.nodes as u8,
        locals: of.locals as u8,
        globals: of.globals as u8,
        node: sizes(of.node_vcs),
        local: sizes(of.local_vcs),
        global: sizes(of.global_vcs),
        reserved: [BUFFER; 2],
        shortest: PACKET,
        options: Options {
            speedup: of.speedup,
            output_flits: FIFO as u32,
            iterations: of.iterations,
            ..Options::DEFAULT
        },
        vc_order: VcOrder::Ascending,
        count_at: CountAt::Head,
        selection: Selection::Contention(ContentionTrigger { threshold: THRESHOLD }),
        preference: Preference::RANDOM,
        scheme: RoutingScheme::Olm(OlmScheme {
            rules: Rules::Restricted,
            policy: Policy::Mm,
            local_misrouting: true,
            limit: of.limit as u8,
            scope: Scope::Group,
        }),
        map: MapSetup::Dragonfly(DragonflyMap {
            groups: of.groups as u8,
            routers: (of.locals as u8).saturating_add(1),
            arrangement: Arrangement::Palmtree,
        }),
        here: Here {
            router: 0,
            wired: PortSet::const_first_n(first_global.saturating_add(globals)),
            group_exits: PortSet::const_range(nodes, first_global),
            channels: PortSet::EMPTY,
        },
        number: 0,
        seed: 1,
    }
}

const fn sizes(vcs: u32) -> PortSizes {
    PortSizes { vcs: vcs as u8, buffer: BUFFER }
}
