//! `links.down`: which links between routers go down, and when.

use super::model::*;
use crate::document::{Data, Field, MOST_CYCLES, Problem};
use crate::topology::{Peer, Wiring};

/// None, or a table each. Every one of them is a link of this topology; a topology that cannot be wired is refused later, as such.
pub(super) fn read(field: &Field<'_>, topology: &Topology) -> Result<Vec<LinkDown>, Problem> {
    if matches!(&field.value.data, Data::List(list) if list.is_empty()) {
        return Ok(Vec::new());
    }
    let each = field.list("a list of tables { router = …, port = …, at = … }")?;
    let wiring = Wiring::build(topology).ok();
    each.iter().map(|field| link(field, wiring.as_ref())).collect()
}

fn link(field: &Field<'_>, wiring: Option<&Wiring>) -> Result<LinkDown, Problem> {
    let table = field.section(&["router", "port", "at", "discards"])?;
    let need = |key| table.need(key, "router, port and at");
    let (router, port, at) = (need("router")?, need("port")?, need("at")?);
    let link = LinkDown {
        router: router.whole(0..=u32::MAX)?,
        port: port.whole(0..=63)?,
        at: at.whole(0..=MOST_CYCLES)?,
        discards: table.get("discards").map_or(Ok(false), |field| field.flag())?,
    };
    match wiring {
        Some(wiring) => exists(link, wiring, &router, &port).map(|()| link),
        None => Ok(link),
    }
}

/// Refuses the router or the port where no link to another router is.
fn exists(link: LinkDown, wiring: &Wiring, router: &Field<'_>, port: &Field<'_>) -> Result<(), Problem> {
    let (routers, ports) = (wiring.routers(), wiring.ports());
    let (at, by) = (link.router as usize, link.port as usize);
    if at >= routers {
        return Err(router.wrong(format!("one of the {routers} routers, from 0 to {}", routers - 1)));
    }
    if by >= ports {
        return Err(port.wrong(format!("one of the {ports} ports of a router, from 0 to {}", ports - 1)));
    }
    let instead = match wiring.peer(at, by) {
        Some(Peer::Router { .. }) => return Ok(()),
        Some(Peer::Node(node)) => format!("leads to node {node}, not to another router"),
        None => "is not connected".to_owned(),
    };
    let others: Vec<_> = wiring.neighbours(at).map(|(port, _)| port.to_string()).collect();
    Err(port
        .refuse(format!("port {by} of router {at} {instead}"))
        .note(format!("links to other routers are at ports {}", others.join(", "))))
}
