//! Links, as the router at their near end sees them.

use super::credit_delay;
use super::link_credits;
use super::partition::Partition;
use super::reservation;
use super::wheel::End;
use crate::blueprint::Blueprint;
use crate::topology::Peer;

/// The link behind a port.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// Its far end, or, if that is not [plain](End::is_local), where to look.
    pub(crate) to: End,
    /// The time of a flit over it, in internal cycles, and that of a credit.
    pub(crate) delay: u32,
    pub(crate) credit_delay: u32,
    /// Flits that have entered the output FIFO since the last reset, and those that were in it then.
    pub(crate) carried: u32,
}

/// The far end of a link that leads out of a shard.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exit {
    pub(crate) shard: u32,
    /// As that shard names it.
    pub(crate) to: End,
}

/// The links of a shard, as they are laid.
pub(crate) struct Links<'b> {
    pub(crate) blueprint: &'b Blueprint,
    pub(crate) partition: &'b Partition,
    pub(crate) shard: usize,
    /// The far ends of those laid so far that lead out of the shard.
    pub(crate) exits: Vec<Exit>,
}

impl Links<'_> {
    /// The links of a router. Ports without a peer lead nowhere and are never used.
    pub(crate) fn of<const P: usize>(&mut self, router: usize) -> [Link; P] {
        std::array::from_fn(|port| self.link::<P>(router, port))
    }

    fn link<const P: usize>(&mut self, router: usize, port: usize) -> Link {
        let &mut Self { blueprint, partition, shard, .. } = self;
        let wiring = blueprint.wiring();
        let nowhere = Link { to: End::node(0), delay: 1, credit_delay: 1, carried: 0 };
        if port >= wiring.ports() {
            return nowhere;
        }
        let speedup = blueprint.scenario().router.options.speedup;
        let delay = speedup * blueprint.link_latency(router, port);
        let credit_delay = speedup * blueprint.credit_latency(router, port);
        let to = match wiring.peer(router, port) {
            None => return nowhere,
            Some(Peer::Node(node)) => End::node(node as usize - partition.nodes(shard).start),
            Some(Peer::Router { router, port }) => {
                let (there, local) = partition.place(router as usize);
                let to = End::port::<P>(local, usize::from(port));
                if there == shard { to } else { self.exit(there, to) }
            }
        };
        // What a shadowed router drives is tapped, everything where credits are held back or links lose what they carry, and links that
        // packets have places on.
        let shadowed = blueprint.shadowing().is_some_and(|shadowing| router < shadowing.routers());
        let tapped = shadowed
            || credit_delay::is_on(blueprint)
            || link_credits::is_on(blueprint)
            || reservation::taps(blueprint, router, port);
        Link { to: if tapped { to.tapped() } else { to }, delay, credit_delay, carried: 0 }
    }

    fn exit(&mut self, shard: usize, to: End) -> End {
        self.exits.push(Exit { shard: shard as u32, to });
        End::exit(self.exits.len() - 1)
    }
}
