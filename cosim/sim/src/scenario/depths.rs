//! Buffers of a depth for each VC of a port.

use super::PerClass;
use super::model::*;
use crate::document::{Data, Document, Field, Problem, Section};
use router_core::links::Depths;
use router_core::settings::Word as _;
use router_core::units::PortClass;

const KEY: &str = "buffer_flits";

/// `router.buffer_flits`: the deepest buffer of each class, and the depths of all VCs where they differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Read {
    pub(super) deepest: PerClass<u32>,
    pub(super) by_vc: PerClass<Depths>,
}

/// A whole number for every class of link, or a table with one for each; between routers a list with one for each VC, too.
pub(super) fn read(
    section: &Section<'_>,
    classes: &[&str],
    default: PerClass<u32>,
    vcs: PerClass<u32>,
) -> Result<Read, Problem> {
    let none = PerClass::all(classes.len(), Depths::default());
    let range = 1..=u32::from(u16::MAX);
    let table = section.get(KEY).filter(|field| matches!(field.value.data, Data::Table(_)));
    let Some(field) = table else {
        let deepest = PerClass::read(section, KEY, classes, range, default)?;
        return Ok(Read { deepest, by_vc: none });
    };
    let table = field.section(classes)?;
    let mut read = Read { deepest: default, by_vc: none };
    for ((class, default), name) in default.iter().zip(classes) {
        let listed = table.get(name).filter(|field| matches!(field.value.data, Data::List(_)));
        let deepest = match listed {
            Some(field) if class != PortClass::NODE => {
                let depths = list(&field, vcs[class])?;
                read.by_vc = read.by_vc.with(class, depths);
                depths.into_iter().max().unwrap_or_default().into()
            }
            _ => table.whole(name, range.clone(), default)?,
        };
        read.deepest = read.deepest.with(class, deepest);
    }
    // As many everywhere is what a number says.
    for (class, deepest) in read.deepest.iter() {
        let depths = &read.by_vc[class][..vcs[class] as usize];
        if depths.iter().all(|&depth| u32::from(depth) == deepest) {
            read.by_vc = read.by_vc.with(class, Depths::default());
        }
    }
    Ok(read)
}

/// A depth for each of so many VCs, VC 0 first.
fn list(field: &Field<'_>, vcs: u32) -> Result<Depths, Problem> {
    let all = field.list("a depth for each virtual channel")?;
    let mut depths = Depths::default();
    let count = all.len();
    for (depth, item) in depths.iter_mut().zip(all) {
        *depth = item.whole(1..=u32::from(u16::MAX))? as u16;
    }
    if count == vcs as usize {
        return Ok(depths);
    }
    let message = format!("{count} depths for {vcs} virtual channels");
    Err(field.refuse(message).note(format!("`router.{KEY}` lists one for each VC, VC 0 first")))
}

/// `{ node = 32, local = [8, 4, 4], global = 4 }`.
pub(super) fn write(router: &RouterSettings, classes: &[&str]) -> String {
    let each = router.buffer_flits.iter().zip(classes).map(|((class, flits), name)| {
        if router.has_depths(class) {
            let depths: Vec<_> = router.depths(class).map(|depth| depth.to_string()).collect();
            format!("{name} = [{}]", depths.join(", "))
        } else {
            format!("{name} = {flits}")
        }
    });
    format!("{{ {} }}", each.collect::<Vec<_>>().join(", "))
}

impl RouterSettings {
    /// Whether the VCs of a class differ in depth.
    #[must_use]
    pub fn has_depths(&self, class: PortClass) -> bool {
        self.depths[class] != Depths::default()
    }

    /// Whether those of any class do.
    #[must_use]
    pub fn has_any_depths(&self) -> bool {
        self.depths.iter().any(|(class, _)| self.has_depths(class))
    }

    /// Flits that the buffer of each VC of a class holds, VC 0 first.
    pub fn depths(&self, class: PortClass) -> impl Iterator<Item = u32> + '_ {
        let deepest = self.buffer_flits[class];
        let depth = move |&depth: &u16| if self.has_depths(class) { depth.into() } else { deepest };
        self.depths[class].iter().take(self.vcs[class] as usize).map(depth)
    }
}

/// Refuses what buffers of different depths have no rule for.
pub(super) fn check(scenario: &Scenario, document: &Document) -> Result<(), Problem> {
    let Scenario { topology, router, links, .. } = scenario;
    if !router.depths.iter().any(|(class, _)| topology.has(class) && router.has_depths(class)) {
        return Ok(());
    }
    let refuse = |path: &str, why: String, note: &str| {
        let at = document.blame(&[path, "router.buffer_flits"]);
        let note = format!("{note}, or `router.buffer_flits` a number for each class");
        Err(Problem::new(at, why).note(note))
    };
    let options = router.options;
    if options.vc_allocation != VcAllocation::NonAtomic {
        let why = format!(
            "virtual channels that are allocated \"{}\" are equally deep",
            options.vc_allocation.word()
        );
        return refuse("router.vc_allocation", why, "`router.vc_allocation` must be \"non-atomic\"");
    }
    if options.flow_control.is_atomic() || options.flow_control.goes_ahead() {
        let why = format!("with \"{}\" virtual channels are equally deep", options.flow_control.word());
        return refuse(
            "router.flow_control",
            why,
            "`router.flow_control` must be \"vct\", \"wormhole\" or \"store-and-forward\"",
        );
    }
    if router.reserved_flits.iter().any(|(class, _)| router.shares(class)) {
        let why = "virtual channels that share places are equally deep".to_owned();
        return refuse("router.reserved_flits", why, "`router.reserved_flits` must be left out");
    }
    if scenario.has_paths() && options.flow_control.by_flit() {
        let why = "sources that choose paths know the pace of equally deep virtual channels".to_owned();
        return refuse(
            "routing.algorithm",
            why,
            "`router.flow_control` must be \"vct\" or \"store-and-forward\"",
        );
    }
    if scenario.routing.vc_order != VcOrder::default() {
        let why = "depths are listed in the order in which routes take virtual channels".to_owned();
        return refuse("routing.vc_order", why, "`routing.vc_order` must be \"ascending\"");
    }
    if links.credits != CreditForm::default() || links.credit_flits > 1 {
        let why = "flow control packets, and credits for several flits, are for virtual channels that are equally deep";
        return refuse(
            "links.credits",
            why.to_owned(),
            "`links.credits` and `links.credit_flits` must be left out",
        );
    }
    Ok(())
}
