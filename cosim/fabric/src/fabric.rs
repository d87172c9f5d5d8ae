//! The fabric: a switch for each router of a topology, a channel adapter for each node, and the links between them.

use crate::managed::Managed;
use desvio_manager::Contact;
use desvio_sim::topology::{Peer, Wiring};
use desvio_sma::mad::{DATA, DIRECTED, GET, LID_ROUTED, SET, attribute};
use desvio_sma::port::PortState;
use desvio_sma::{Agent, Identity, Kind, LinkOrder, Onward, Packet, Via};
use std::collections::HashMap;
use std::io;
use std::time::Instant;

/// The end of a link: a node of the fabric, by its place, and its port there.
type End = (usize, u8);

/// The link at a port.
#[derive(Debug, Clone, Copy)]
struct Link {
    to: End,
    is_up: bool,
}

/// What the fabric has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Management packets that were sent into it.
    pub packets: u64,
    /// Those of them that changed something.
    pub sets: u64,
    /// Those that were lost, answers included: because a link was down, or they led nowhere.
    pub lost: u64,
}

/// Switches first, in the order of the routers, then the channel adapters in the order of the nodes. Port `p` of a router is port
/// `p + 1` of its switch; an adapter has port 1.
pub struct Fabric {
    nodes: Vec<Box<dyn Managed>>,
    routers: usize,
    /// By node, then by port; port 0 has none.
    links: Vec<Vec<Option<Link>>>,
    counts: Counts,
    /// When something was changed last.
    touched: Instant,
    /// Managers of our own, by the node at which they run.
    residents: HashMap<usize, Contact>,
}

/// The GUID of a router's switch; those of a fabric rise with the numbers.
#[must_use]
pub fn router_guid(router: usize) -> u64 {
    0x0244_53ff_fe00_0000 + router as u64
}

/// The GUID of a node's channel adapter; that of its port is one more.
#[must_use]
pub fn node_guid(node: usize) -> u64 {
    0x0244_53ff_ff00_0000 + 2 * node as u64
}

/// What the switch of a router with so many ports is.
#[must_use]
pub fn switch_identity(router: usize, ports: usize) -> Identity {
    let guid = router_guid(router);
    let description = Identity::describe(&format!("router {router}"));
    Identity { kind: Kind::Switch, guid, port_guid: guid, ports: ports as u8, description }
}

fn adapter(node: usize) -> Agent<[u8; 0], 2> {
    let guid = node_guid(node);
    let description = Identity::describe(&format!("node {node}"));
    let identity = Identity { kind: Kind::Adapter, guid, port_guid: guid + 1, ports: 1, description };
    Agent::new(identity, [])
}

/// A switch with room for every LID.
fn switch(router: usize, ports: usize) -> Box<dyn Managed> {
    let (identity, table) = (switch_identity(router, ports), vec![0; 0xc000]);
    if ports < 17 {
        Box::new(Agent::<_, 17>::new(identity, table))
    } else {
        Box::new(Agent::<_, 65>::new(identity, table))
    }
}

impl Fabric {
    /// That of a topology, with every link up and nothing programmed.
    ///
    /// # Errors
    /// Never: switches and adapters are in this process.
    pub fn new(wiring: &Wiring) -> io::Result<Self> {
        let (routers, ports) = (wiring.routers(), wiring.ports());
        let switches = (0..routers).map(|router| switch(router, ports));
        let adapters = (0..wiring.nodes()).map(|node| Box::new(adapter(node)) as Box<dyn Managed>);
        let nodes: Vec<_> = switches.chain(adapters).collect();
        let link = |to| Some(Link { to, is_up: true });
        let of_router = |router: usize| {
            let peer = |port| match wiring.peer(router, port)? {
                Peer::Node(node) => link((routers + node as usize, 1)),
                Peer::Router { router, port } => link((router as usize, port + 1)),
            };
            std::iter::once(None).chain((0..ports).map(peer)).collect()
        };
        let of_node = |node: usize| {
            let (router, port) = wiring.attachment(node);
            vec![None, link((router, port as u8 + 1))]
        };
        let links = (0..routers).map(of_router).chain((0..wiring.nodes()).map(of_node)).collect();
        let (counts, touched, residents) = (Counts::default(), Instant::now(), HashMap::new());
        let mut fabric = Self { nodes, routers, links, counts, touched, residents };
        (0..fabric.nodes.len()).try_for_each(|node| fabric.show_links(node))?;
        Ok(fabric)
    }

    /// Puts something else in the place of a switch, as after power-on.
    ///
    /// # Errors
    /// When its agent cannot be reached.
    pub fn replace(&mut self, router: usize, by: Box<dyn Managed>) -> io::Result<()> {
        self.nodes[router] = by;
        self.show_links(router)
    }

    /// An agent hears which of its links are up.
    fn show_links(&mut self, node: usize) -> io::Result<()> {
        for (port, link) in (0u8..).zip(&self.links[node]) {
            if let Some(link) = link {
                self.nodes[node].handle_link(port, link.is_up)?;
            }
        }
        Ok(())
    }

    /// Switches, which come first.
    #[must_use]
    pub fn routers(&self) -> usize {
        self.routers
    }

    /// Switches and adapters.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is nothing: never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What it has seen.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// When something was changed last.
    #[must_use]
    pub fn touched(&self) -> Instant {
        self.touched
    }

    /// The other end of a link that is up.
    pub(crate) fn behind(&self, (node, port): End) -> Option<End> {
        let link = self.links.get(node)?.get(usize::from(port)).copied().flatten()?;
        link.is_up.then_some(link.to)
    }

    /// Ports of a node at which there is a link that is up.
    pub(crate) fn ports(&self, node: usize) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX)
            .zip(&self.links[node])
            .filter(|(_, link)| link.is_some_and(|link| link.is_up))
            .map(|(port, _)| port)
    }

    /// The link at a router's port (as the topology numbers it) goes down, or comes up again: both ends notice.
    ///
    /// # Errors
    /// When an agent cannot be reached.
    pub fn set_link(&mut self, router: usize, port: usize, is_up: bool) -> io::Result<()> {
        let near = (router, port as u8 + 1);
        let Some(Link { to: far, .. }) = self.links[near.0][usize::from(near.1)] else { return Ok(()) };
        for (node, port) in [near, far] {
            if let Some(link) = &mut self.links[node][usize::from(port)] {
                link.is_up = is_up;
            }
            self.nodes[node].handle_link(port, is_up)?;
        }
        self.touched = Instant::now();
        Ok(())
    }

    /// A subnet manager runs at a node, or no longer; one of our own stays.
    ///
    /// # Errors
    /// When the agent cannot be reached.
    pub fn set_manager(&mut self, node: usize, runs: bool) -> io::Result<()> {
        let runs = runs || self.residents.contains_key(&node);
        self.nodes[node].set_manager(runs)
    }

    /// A manager of our own runs at a place. It gets what other managers ask it.
    ///
    /// # Errors
    /// When the agent there cannot be reached.
    pub fn house(&mut self, place: usize, manager: Contact) -> io::Result<()> {
        self.residents.insert(place, manager);
        self.nodes[place].set_manager(true)
    }

    /// The manager of our own at a place is killed: its node goes on saying that there is one.
    pub fn evict(&mut self, place: usize) {
        self.residents.remove(&place);
    }

    /// Carries a packet that a program at `from` sends, as far as it goes: the node at which a program gets it. Nothing where it is lost.
    ///
    /// # Errors
    /// When an agent cannot be reached.
    pub fn carry(&mut self, from: usize, packet: &mut Packet) -> io::Result<Option<usize>> {
        self.counts.packets += 1;
        if packet.method() == SET {
            self.counts.sets += 1;
            self.touched = Instant::now();
        }
        let mut arrived = self.walk(from, packet)?;
        if let Some((place, resident)) = arrived.and_then(|place| Some((place, self.residents.get(&place)?)))
            && resident.answer(packet)
        {
            arrived = self.walk(place, packet)?;
        }
        self.counts.lost += u64::from(arrived.is_none());
        Ok(arrived)
    }

    fn walk(&mut self, from: usize, packet: &mut Packet) -> io::Result<Option<usize>> {
        let (mut at, mut via) = (from, Via::Itself);
        // There and back along the longest directed route, and a table that sends packets in a circle for ever.
        for _ in 0..MOST_HOPS {
            let handled = self.nodes[at].handle(packet, via)?;
            if let Some((port, order)) = handled.link {
                self.obey((at, port), order)?;
            }
            let port = match handled.onward {
                Onward::Up => return Ok(Some(at)),
                Onward::Discarded => return Ok(None),
                Onward::Port(port) => port,
            };
            let Some(far) = self.behind((at, port)) else { return Ok(None) };
            // Only subnet management crosses a link that is not active yet.
            let is_subnet_management = matches!(packet.class(), DIRECTED | LID_ROUTED);
            if !is_subnet_management && self.state((at, port))? != PortState::Active as u8 {
                return Ok(None);
            }
            (at, via) = (far.0, Via::Port(far.1));
        }
        Ok(None)
    }

    /// What a manager wants of a link.
    fn obey(&mut self, near: End, order: LinkOrder) -> io::Result<()> {
        let Some(far) = self.behind(near) else { return Ok(()) };
        match order {
            LinkOrder::Retrain => {
                self.nodes[near.0].handle_retraining(near.1, true)?;
                self.nodes[far.0].handle_retraining(far.1, false)
            }
            LinkOrder::Disable | LinkOrder::Enable => {
                let is_up = order == LinkOrder::Enable;
                self.nodes[near.0].handle_link(near.1, is_up)?;
                self.nodes[far.0].handle_link(far.1, is_up)
            }
        }
    }

    /// Reads an attribute of a node, as a program there does.
    ///
    /// # Errors
    /// When the agent cannot be reached, or refuses.
    pub fn read(&mut self, node: usize, attribute: u16, modifier: u32) -> io::Result<[u8; DATA]> {
        let mut packet = Packet::directed(&[], GET, attribute, modifier);
        self.nodes[node].handle(&mut packet, Via::Itself)?;
        match packet.status() {
            0 => Ok(packet.data()),
            status => Err(io::Error::other(format!("attribute {attribute:#x} refused: status {status:#x}"))),
        }
    }

    /// The state of a link.
    pub(crate) fn state(&mut self, (node, port): End) -> io::Result<u8> {
        Ok(self.read(node, attribute::PORT_INFO, port.into())?[32] & 0xf)
    }
}

const MOST_HOPS: usize = 256;
