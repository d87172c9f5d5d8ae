//! Routes for the next router, which a switch that looks ahead writes into heads.

use super::super::rule::{Rule, Violation};
use super::{Ledger, Seen};
use router_core::header::Header;

impl Ledger<'_, '_> {
    /// A head that leaves with `header` names a port by which the packet may leave the next router.
    pub(super) fn ahead(&mut self, seen: &Seen, header: &Header) -> Result<(), Violation> {
        let Some(named) = self.layout.port_ahead(&seen.flit) else { return Ok(()) };
        let legal = self.site.legal_ahead((seen.port, seen.vc), header);
        if legal.is_empty() {
            return Ok(());
        }
        self.checks.count(Rule::NextPort);
        if legal.contains(&named) {
            return Ok(());
        }
        let legal: Vec<_> = legal.iter().map(ToString::to_string).collect();
        let message = format!(
            "its head names port {named} of {}; legal there: {}",
            self.site.neighbour(seen.port),
            legal.join(" or ")
        );
        let violation = self.broken(Rule::NextPort, seen, message);
        self.raise(violation)
    }
}
