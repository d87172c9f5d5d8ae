//! Directed routes.

use std::fmt;

/// A directed route: the output ports of the nodes in turn, from the manager's own node on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Route(pub Vec<u8>);

impl Route {
    /// One hop further.
    pub(crate) fn by(&self, port: u8) -> Self {
        let mut ports = self.0.clone();
        ports.push(port);
        Self(ports)
    }
}

impl fmt::Display for Route {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return out.write_str("of no hop");
        }
        let ports: Vec<_> = self.0.iter().map(u8::to_string).collect();
        out.write_str(&ports.join(","))
    }
}
