//! Layered shortest routes: one shortest route for each router and destination, and a VC for each pair of routers that their packets
//! keep. For any graph.
//!
//! The layers are part of the tables. They are chosen so that the channel dependency graph of no layer has a cycle; that excludes
//! deadlock with any flow control.
//! Source: LASH (Skeie, Lysne and Theiss, IPDPS 2002); DFSSSP (Domke, Hoefler and Nagel, IPDPS 2011).

use super::forwarding::ForwardingScheme;
use super::{Scheme, Vcs};
use crate::layout;
use crate::map::forwarding::ForwardingTable;
use crate::map::{AnyMap, MapKind};

/// Shortest routes, each on a VC of its own choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LayeredScheme;

crate::no_settings!(LayeredScheme);

impl Scheme for LayeredScheme {
    const WORD: &'static str = "layered";
    const RTL: Option<u32> = Some(layout::ROUTING_TABLE);
    type Routing<'m> = ForwardingTable<'m>;

    fn map(on: MapKind) -> Option<MapKind> {
        ForwardingScheme::map(on)
    }

    fn build<'m>(&self, map: &AnyMap<'m>, vcs: Vcs) -> Option<ForwardingTable<'m>> {
        ForwardingScheme.build(map, vcs)
    }
}
