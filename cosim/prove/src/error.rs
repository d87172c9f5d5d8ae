//! Why there is no answer.

use desvio_sim::blueprint::BlueprintError;
use thiserror::Error;

/// Why a routing could not be judged.
#[derive(Debug, Error)]
pub enum ProveError {
    /// The network cannot be built.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// Packets that do not arrive.
    #[error("router.discards: routes that end before their destination are not judged; it must be false")]
    Discards,
    /// A routing offered more than a packet has room for.
    #[error(
        "router {router}: the routing offers more than {most} sets of candidates",
        most = router_core::route::candidates::SETS
    )]
    TooManySets {
        /// Where.
        router: u32,
    },
    /// More states than memory is meant for.
    #[error(
        "more than {limit} states of packets for one destination: the network is too large to be searched"
    )]
    TooLarge {
        /// The limit.
        limit: usize,
    },
}
