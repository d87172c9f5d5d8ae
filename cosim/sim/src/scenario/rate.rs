//! `links.rate`: links that are slower than a flit in each cycle.

use super::PerClass;
use super::model::*;
use crate::document::write::quoted;
use crate::document::{Data, Document, Field, Problem, Section};
use crate::topology::{Wiring, rate_of};
use router_core::rate::Rate;
use router_core::settings::Word as _;
use router_core::units::PortClass;

const KEY: &str = "rate";
const EXPECTED: &str = "flits per cycle, at most 1 and at least \"1/100\", such as \"1/4\"";

/// A rate for every class of link, or a table with one for some.
pub(super) fn read(section: &Section<'_>, classes: &[&str]) -> Result<Option<PerClass<Rate>>, Problem> {
    let Some(field) = section.get(KEY) else { return Ok(None) };
    if !matches!(field.value.data, Data::Table(_)) {
        return Ok(Some(PerClass::all(classes.len(), one(&field)?)));
    }
    let table = field.section(classes)?;
    let each = classes.iter().map(|name| table.get(name).map_or(Ok(Rate::FULL), |field| one(&field)));
    Ok(Some(PerClass::new(&each.collect::<Result<Vec<_>, _>>()?)))
}

fn one(field: &Field<'_>) -> Result<Rate, Problem> {
    match &field.value.data {
        Data::Integer(Some(1)) => Ok(Rate::FULL),
        Data::Text(_) => rate_of(field.text(EXPECTED)?).ok_or_else(|| field.wrong(EXPECTED)),
        _ => Err(field.wrong(EXPECTED)),
    }
}

/// `{ node = "1", local = "1/4" }`.
pub(super) fn write(rates: &PerClass<Rate>, classes: &[&str]) -> String {
    let each = classes.iter().zip(rates.as_slice()).map(|(name, rate)| format!("{name} = {}", text(*rate)));
    format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
}

fn text(rate: Rate) -> String {
    quoted(&if rate.is_full() { "1".to_owned() } else { format!("{}/{}", rate.flits(), rate.cycles()) })
}

impl Scenario {
    /// The rate of the link at a port: its own, or that of its class. The speeds of a fabric's file give way to `links.rate`, and to what goes
    /// with links of full rate alone.
    #[must_use]
    pub fn link_rate(&self, wiring: &Wiring, router: usize, port: usize) -> Rate {
        let of_class = self.links.rate.map(|rates| rates[wiring.class(router, port)]);
        match wiring.rate(router, port) {
            Some((own, false)) => own,
            Some((own, true)) if of_class.is_none() && reason(self).is_none() => own,
            _ => of_class.unwrap_or(Rate::FULL),
        }
    }
}

impl Scenario {
    /// Why links of a file may not have rates of their own, if they may not.
    pub(crate) fn why_full(&self) -> Option<String> {
        reason(self).map(|(path, why, _)| format!("{path}: {why}"))
    }
}

/// What goes with links of full rate alone: the key to blame, why, and what else it could be.
fn reason(scenario: &Scenario) -> Option<(&'static str, String, &'static str)> {
    let Scenario { router, links, .. } = scenario;
    let flow = router.options.flow_control;
    if flow.is_circuit() || flow.goes_ahead() {
        let why = format!("with \"{}\" each link carries a flit in each cycle", flow.word());
        let note = "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"";
        return Some(("router.flow_control", why, note));
    }
    if links.credits != CreditForm::default() {
        let why = "flow control packets are for links that carry a flit in each cycle";
        return Some(("links.credits", why.to_owned(), "`links.credits` must be left out"));
    }
    if scenario.has_paths() {
        let why = "sources that choose paths know the pace of links that carry a flit in each cycle";
        return Some(("routing.algorithm", why.to_owned(), "`routing.algorithm` must be another one"));
    }
    if router.options.ejection == Ejection::Any {
        let why = "a node with several links takes a flit in each cycle from each";
        return Some(("router.ejection", why.to_owned(), "`router.ejection` must be \"own\""));
    }
    None
}

/// Refuses what rates have no rule for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Some(rates) = &scenario.links.rate else { return Ok(()) };
    let is_slow = |(class, rate): (PortClass, Rate)| !rate.is_full() && scenario.topology.has(class);
    match reason(scenario) {
        Some((path, why, note)) if rates.iter().any(is_slow) => {
            let at = document.blame(&[path, "links.rate"]);
            Err(Problem::new(at, why).note(format!("{note}, or `links.rate` must be left out")))
        }
        _ => Ok(()),
    }
}
