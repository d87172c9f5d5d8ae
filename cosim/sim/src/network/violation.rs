//! Broken invariants of a run, and their messages.

use router_core::event::ProtocolError;
use router_core::router::Stranded;
use thiserror::Error;

/// A broken invariant. A run that meets one ends, and `desvio` ends with status 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Violation {
    /// A run in several processes has ended before its end: one of them is lost, or something went wrong that a single process names.
    #[error("cycle {cycle}: the processes ended before the end")]
    Unfinished {
        /// When.
        cycle: u64,
    },
    /// A router was sent something it cannot take.
    #[error("cycle {cycle}: router {router}, port {port}, VC {vc}: {error}")]
    Protocol {
        /// When.
        cycle: u64,
        /// Where.
        router: usize,
        /// By which port.
        port: u8,
        /// In which VC.
        vc: u8,
        /// What.
        error: ProtocolError,
    },
    /// A routing offered more than a packet has room for.
    #[error(
        "cycle {cycle}: router {router}, port {port}, VC {vc}: routing `{routing}` offers more than {most} sets of candidates",
        most = router_core::route::candidates::SETS
    )]
    TooManySets {
        /// When.
        cycle: u64,
        /// Where.
        router: usize,
        /// By which port the packet came.
        port: u8,
        /// In which VC.
        vc: u8,
        /// The routing's word, or the type of one from another crate.
        routing: &'static str,
    },
    /// A shadow, for example a router in SystemVerilog, differs from its model.
    #[error("cycle {cycle}: router {router}, output {port}: the model drives {expected}, the RTL {got}")]
    Shadow {
        /// When.
        cycle: u64,
        /// Where.
        router: usize,
        /// By which port.
        port: u8,
        /// What the model drives.
        expected: String,
        /// What the shadow drives, or the assertion that failed in it.
        got: String,
    },
    /// A node was sent something it cannot take.
    #[error("cycle {cycle}: node {node} received {what}")]
    Misdelivered {
        /// When.
        cycle: u64,
        /// Where.
        node: usize,
        /// What.
        what: &'static str,
    },
    /// A packet entered a buffer that its routing's order does not allow.
    #[error(
        "VC-ORDER broken in cycle {cycle}: router {router}, port {port}, VC {vc}: the order of the routing allows no packet for that destination there"
    )]
    VcOrder {
        /// When.
        cycle: u64,
        /// Where.
        router: usize,
        /// By which port.
        port: u8,
        /// In which VC.
        vc: u8,
    },
    /// A packet can never leave the router that it is in.
    #[error(
        "cycle {cycle}: the packet at the front of router {router}, port {port}, VC {vc} can never leave: {why}"
    )]
    Stranded {
        /// When it was found: not later than with the next audit.
        cycle: u64,
        /// Where.
        router: usize,
        /// By which port it came.
        port: u8,
        /// In which VC.
        vc: u8,
        /// What it lacks.
        why: Stranded,
    },
    /// Flits entered that neither left nor are still inside.
    #[error(
        "FLIT-CONSERVED broken in cycle {cycle}: {entered} flits entered, {left} left, {inside} are inside, {lost} were lost by links that are down{}", discarded_too(*discarded)
    )]
    FlitsLost {
        /// When.
        cycle: u64,
        /// Flits that nodes injected, and those that copies of them have added.
        entered: u64,
        /// Flits that nodes consumed.
        left: u64,
        /// Flits found in buffers and on wires.
        inside: u64,
        /// Flits lost by links that are down.
        lost: u64,
        /// Flits of packets that routers discarded.
        discarded: u64,
    },
    /// The credits of a VC do not add up.
    #[error(
        "CREDIT-CONSERVED broken in cycle {cycle}: router {router}, port {port}, VC {vc}: credits, flits and free places add up to {found} instead of {depth}"
    )]
    CreditsLost {
        /// When.
        cycle: u64,
        /// The router that holds the credits.
        router: usize,
        /// Its output port.
        port: u8,
        /// The VC behind it.
        vc: u8,
        /// The sum.
        found: u64,
        /// The depth of the buffer.
        depth: u64,
    },
    /// The VCs of a port use more shared places than there are.
    #[error(
        "SHARED-BOUND broken in cycle {cycle}: router {router}, port {port}: {found} flits in {places} places that virtual channels share"
    )]
    SharedPlaces {
        /// When.
        cycle: u64,
        /// Where.
        router: usize,
        /// The input port.
        port: u8,
        /// Flits beyond those that are reserved for their VCs.
        found: u64,
        /// Shared places.
        places: u64,
    },
    /// Requests that were delivered have no reply, or too many.
    #[error(
        "REPLY-EACH broken in cycle {cycle}: {requests} requests were delivered, {replies} replies were sent or wait"
    )]
    Replies {
        /// When.
        cycle: u64,
        /// Requests delivered.
        requests: u64,
        /// Replies found: queued, on their way, delivered.
        replies: u64,
    },
    /// A member of a group has more copies than there were messages, or fewer when none is on its way.
    #[error(
        "COPY-EACH broken in cycle {cycle}: node {from} has sent {sent} messages to its group, of which node {to} has {found}"
    )]
    Copies {
        /// When.
        cycle: u64,
        /// The sender.
        from: u32,
        /// The member.
        to: u32,
        /// Messages sent.
        sent: u64,
        /// Copies that have come.
        found: u64,
    },
    /// A contention counter differs from the number of packets counted at the port.
    #[error(
        "CONTENTION-EXACT broken in cycle {cycle}: router {router}, port {port}: {counted} counted, {found} found"
    )]
    Contention {
        /// When.
        cycle: u64,
        /// Where.
        router: usize,
        /// The output port.
        port: u8,
        /// The counter's value.
        counted: u64,
        /// Packets found that have the port as their minimal output.
        found: u64,
    },
    /// Nothing moves any more, and would if links had not lost places.
    #[error(
        "losses: nothing has moved for a long time in cycle {cycle}: the packet at the front of router {router}, port {port}, VC {vc} waits for places that were lost with packets or credits"
    )]
    Losses {
        /// When it was found.
        cycle: u64,
        /// Where such a packet is.
        router: usize,
        /// By which port it came.
        port: u8,
        /// In which VC.
        vc: u8,
    },
    /// Nothing moves any more.
    #[error("deadlock: nothing has moved for a long time in cycle {cycle}\n{report}")]
    Deadlock {
        /// When it was found.
        cycle: u64,
        /// The VCs that wait for each other.
        report: String,
    },
}

/// A clause about flits that routers discarded, if there are any.
fn discarded_too(flits: u64) -> String {
    if flits == 0 { String::new() } else { format!(", {flits} were discarded") }
}
