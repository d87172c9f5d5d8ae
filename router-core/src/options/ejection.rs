//! Which port a packet leaves by at its destination.

/// Which port a packet leaves by at its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ejection {
    /// That of its node.
    Own,
    /// Any to a node: the nodes of a router are the channels of one node, by which it sends and receives.
    Any,
}

crate::words!(Ejection {
    "own" => [Self::Own],
    "any" => [Self::Any],
});

impl Ejection {
    /// The RTL has the first alone.
    pub fn rtl(self) -> Option<u32> {
        (self == Self::Own).then_some(0)
    }
}
