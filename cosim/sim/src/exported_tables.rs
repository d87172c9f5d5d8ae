//! The tables of a deterministic routing as a CSV file, which `routing.tables` reads.

use std::collections::BTreeMap;
use std::fmt::Write;

use router_core::route::{Arrival, Draw, Route};
use router_core::units::{PortClass, VcSet};
use thiserror::Error;

use crate::blueprint::{Blueprint, BlueprintError};
use crate::forwarding::check::next;
use crate::forwarding::port_id;
use crate::topology::Peer;

/// Why a routing has no forwarding tables.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The network cannot be built.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// Routes that end before their destination.
    #[error("no forwarding tables are written where `router.discards` is set: packets may not arrive")]
    Discards,
    /// Routes begin with a draw.
    #[error("no forwarding tables: packets of this routing draw their way at random")]
    Draws,
    /// More or fewer ports than one.
    #[error(
        "no forwarding tables: the routing offers {ports} ports at router {router} to packets for node {node}"
    )]
    Ports {
        /// The router.
        router: usize,
        /// The destination.
        node: usize,
        /// How many ports are offered.
        ports: usize,
    },
    /// A way that depends on more than the destination.
    #[error(
        "no forwarding tables: the port at router {router} for node {node} depends on the way that a packet came"
    )]
    Way {
        /// The router.
        router: usize,
        /// The destination.
        node: usize,
    },
    /// VCs that a table cannot say.
    #[error(
        "no forwarding tables: the VCs for node {node} are neither those of each router nor the same along all routes from a router"
    )]
    Vcs {
        /// The destination.
        node: usize,
    },
}

/// What all routes have in common that come to a router on the way to a node.
struct Hop {
    port: u8,
    /// The VCs, if they are the same for all.
    vcs: Option<VcSet>,
    /// The VCs of routes that begin here.
    first: Option<VcSet>,
}

/// What can be said of the VCs of all hops.
struct Rules {
    any: bool,
    per_hop: bool,
    per_route: bool,
}

/// The routes of a routing.
struct Routes<'b> {
    blueprint: &'b Blueprint,
    hops: BTreeMap<(usize, usize), Hop>,
    rules: Rules,
}

/// The tables of a network's routing: `router,to_node,port`, and `vc` or `layer` where it is not any VC.
///
/// # Errors
/// When routes depend on more than the destination, or VCs on more than a table can say.
pub fn to_csv(blueprint: &Blueprint) -> Result<String, ExportError> {
    if blueprint.scenario().routing.draws() {
        return Err(ExportError::Draws);
    }
    if blueprint.scenario().router.options.discards {
        return Err(ExportError::Discards);
    }
    let wiring = blueprint.wiring();
    let rules = Rules { any: true, per_hop: true, per_route: true };
    let mut routes = Routes { blueprint, hops: BTreeMap::new(), rules };
    let routing = blueprint.routing()?;
    for node in 0..wiring.nodes() {
        let home = wiring.attachment(node).0;
        for from in
            (0..wiring.routers()).filter(|&from| from != home && wiring.nodes_of(from).next().is_some())
        {
            for source in wiring.nodes_of(from) {
                routes.follow(&routing, source, node)?;
            }
        }
        let Rules { any, per_hop, per_route } = routes.rules;
        if !(any || per_hop || per_route) {
            return Err(ExportError::Vcs { node });
        }
    }
    Ok(routes.write())
}

impl Routes<'_> {
    fn follow(&mut self, routing: &impl Route, source: usize, node: usize) -> Result<(), ExportError> {
        let (blueprint, wiring) = (self.blueprint, self.blueprint.wiring());
        let (home, (from, own)) = (wiring.attachment(node).0, wiring.attachment(source));
        let to = blueprint.address(node);
        let mut header = routing.launch(&blueprint.here(from), to, 1, &mut NoDraw);
        header.carried = header.carried.with_level(routing.level(blueprint.address(source), to));
        let (mut at, mut arrival) = (from, Arrival { port: port_id(own as u8), ..Arrival::default() });
        let mut of_route: Option<VcSet> = None;
        while at != home {
            let here = blueprint.here(at);
            let offered = routing.offer(&here, arrival, &header).unwrap_or_default();
            let (ports, router) = (offered.ports(), at);
            let (Some(port), true) = (ports.first(), ports.is_single()) else {
                return Err(ExportError::Ports { router, node, ports: ports.len() });
            };
            let class = wiring.class(at, port.index());
            let known = VcSet::first_n(blueprint.scenario().router.vcs[class] as usize);
            let vcs = offered.vcs_at(port).and(known);
            let is_first = arrival.kind == PortClass::NODE;
            self.put((at, node), port.number(), vcs, is_first)?;
            self.rules.any &= vcs == known;
            self.rules.per_hop &= vcs.is_single();
            self.rules.per_route &= vcs.is_single() && *of_route.get_or_insert(vcs) == vcs;
            header = routing.onward(&here, &header, class, offered.only_kind(port).unwrap_or_default());
            let Some(Peer::Router { port: input, .. }) = wiring.peer(at, port.index()) else {
                return Err(ExportError::Ports { router, node, ports: 0 });
            };
            let Some(there) = next(wiring, at, port.number()) else { continue };
            arrival = Arrival {
                port: port_id(input),
                kind: wiring.class(there, usize::from(input)),
                vc: vcs.first().unwrap_or_default(),
            };
            at = there;
        }
        Ok(())
    }

    fn put(
        &mut self,
        (router, node): (usize, usize),
        port: u8,
        vcs: VcSet,
        is_first: bool,
    ) -> Result<(), ExportError> {
        let first = is_first.then_some(vcs);
        let hop = self.hops.entry((router, node)).or_insert(Hop { port, vcs: Some(vcs), first });
        if hop.port != port {
            return Err(ExportError::Way { router, node });
        }
        if hop.vcs != Some(vcs) {
            hop.vcs = None;
            self.rules.per_hop = false;
        }
        self.rules.per_route &= !(is_first && hop.first.is_some_and(|other| other != vcs));
        hop.first = hop.first.or(first);
        Ok(())
    }

    fn write(&self) -> String {
        let Rules { any, per_hop, .. } = self.rules;
        let mut text = String::from(match () {
            () if any => "router,to_node,port\n",
            () if per_hop => "router,to_node,port,vc\n",
            () => "router,to_node,port,layer\n",
        });
        for ((router, node), Hop { port, vcs, first }) in &self.hops {
            let vcs = if per_hop { vcs } else { first };
            let vc = vcs.and_then(VcSet::first).unwrap_or_default().number();
            let _ = match any {
                true => writeln!(text, "{router},{node},{port}"),
                false => writeln!(text, "{router},{node},{port},{vc}"),
            };
        }
        text
    }
}

/// For routings that draw nothing.
struct NoDraw;

impl Draw for NoDraw {
    fn below(&mut self, _: u32) -> u32 {
        0
    }
}
