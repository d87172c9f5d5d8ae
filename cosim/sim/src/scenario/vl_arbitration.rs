//! `router.vl_arbitration`: InfiniBand's tables by which outputs pick the VC of the next packet.

use router_core::alloc::vl_arbiter::{VL_ENTRIES, VlArbitration, VlEntry, VlTables};
use router_core::plan::Plan;
use router_core::settings::Word as _;
use router_core::units::{VcId, VcSet};

use super::model::*;
use crate::document::{Data, Document, Field, Problem};

/// The tables of all outputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VlArbitrationSettings {
    /// VL and weight of the entries of high priority.
    pub high: Vec<(u8, u8)>,
    /// VL and weight of the entries of low priority.
    pub low: Vec<(u8, u8)>,
    /// 4096 bytes that high priority may send before low priority is asked; 255: any number; 0: one packet.
    pub limit: u8,
    /// The VC that stands for VL15.
    pub management: Option<u8>,
    /// Bytes of a flit, 1…4096.
    pub flit_bytes: u16,
}

/// The keys of the table.
pub(super) const KEYS: [&str; 5] = ["high", "low", "limit", "management", "flit_bytes"];

/// Bytes of a flit, unless they are written: a unit of weight.
const FLIT_BYTES: u16 = 64;

impl VlArbitrationSettings {
    /// The table, or `false`.
    pub(super) fn read(field: &Field<'_>) -> Result<Option<Self>, Problem> {
        if matches!(field.value.data, Data::Boolean(false)) {
            return Ok(None);
        }
        if !matches!(field.value.data, Data::Table(_)) {
            return Err(field.wrong("a table with `high` and `low`, or false"));
        }
        let table = field.section(&KEYS)?;
        let entries = |key| table.get(key).map_or(Ok(Vec::new()), |field| entries(&field));
        let management = |field: Field<'_>| field.whole(0..=7).map(Some);
        let settings = Self {
            high: entries("high")?,
            low: entries("low")?,
            limit: table.whole("limit", 0..=u8::MAX, 0)?,
            management: table.get("management").map_or(Ok(None), management)?,
            flit_bytes: table.whole("flit_bytes", 1..=4096, FLIT_BYTES)?,
        };
        let weighs = |&(_, weight): &(u8, u8)| weight > 0;
        if !settings.high.iter().chain(&settings.low).any(weighs) {
            return Err(field.refuse(format!("`{}` has no entry with a weight above 0", field.path)));
        }
        Ok(Some(settings))
    }

    /// As it is written.
    pub(super) fn write(&self) -> String {
        let entries = |table: &[(u8, u8)]| {
            let each: Vec<_> = table.iter().map(|(vl, weight)| format!("[{vl}, {weight}]")).collect();
            format!("[{}]", each.join(", "))
        };
        let management = self.management.map_or(String::new(), |vc| format!("management = {vc}, "));
        let (high, low) = (entries(&self.high), entries(&self.low));
        let Self { limit, flit_bytes, .. } = self;
        format!("{{ high = {high}, low = {low}, limit = {limit}, {management}flit_bytes = {flit_bytes} }}")
    }

    /// For all outputs of a plan.
    pub(crate) fn of_plan<const P: usize>(&self, plan: &Plan<P>) -> VlArbitration<P> {
        let management = self.management.map_or(VcSet::EMPTY, |vc| VcSet::only(VcId::new(vc)));
        let mut all = VlArbitration::new(self.flit_bytes, management);
        let (high, low) = (table(&self.high), table(&self.low));
        for port in plan.links.each() {
            all.set_tables(port, VlTables { high, low, limit: self.limit });
        }
        all
    }
}

fn table(entries: &[(u8, u8)]) -> [VlEntry; VL_ENTRIES] {
    let entry = |at: usize| {
        let (vl, weight) = entries.get(at).copied().unwrap_or_default();
        VlEntry { vl: VcId::new(vl), weight }
    };
    core::array::from_fn(entry)
}

/// Pairs of a VL and a weight, at most as many as a table has entries.
fn entries(field: &Field<'_>) -> Result<Vec<(u8, u8)>, Problem> {
    if matches!(&field.value.data, Data::List(list) if list.is_empty()) {
        return Ok(Vec::new());
    }
    let expected = "a list of pairs [VL, weight]";
    let list = field.list(expected)?;
    if list.len() > VL_ENTRIES {
        return Err(field.refuse(format!(
            "`{}` has {} entries, at most {VL_ENTRIES} are possible",
            field.path,
            list.len()
        )));
    }
    let pair = |field: &Field<'_>| match field.list("a pair [VL, weight]")?.as_slice() {
        [vl, weight] => Ok((vl.whole(0..=7)?, weight.whole(0..=u8::MAX)?)),
        _ => Err(field.wrong("a pair [VL, weight]")),
    };
    list.iter().map(pair).collect()
}

/// An output sees all that request it, and decides about packets; every VL is a VC.
pub(super) fn check(router: &RouterSettings, document: &Document) -> Result<(), Problem> {
    let Some(tables) = &router.vl_arbitration else { return Ok(()) };
    let own = "router.vl_arbitration";
    if router.options.allocator != AllocatorKind::SeparableOutputFirst {
        let at = document.blame(&["router.allocator", own]);
        let message = format!(
            "\"{}\" does not show an output all VCs that request it, among which `{own}` has to pick",
            router.options.allocator.word()
        );
        return Err(Problem::new(at, message).note("`router.allocator` must be \"separable-output-first\""));
    }
    if router.options.allocation_unit != AllocationUnit::Packet {
        let at = document.blame(&["router.allocation_unit", own]);
        return Err(Problem::new(at, format!("`{own}` decides about packets, not flits"))
            .note("`router.allocation_unit` must be \"packet\""));
    }
    let listed = tables.high.iter().chain(&tables.low).map(|&(vl, _)| vl).chain(tables.management);
    let most = router.vcs.highest();
    match listed.max().filter(|&vl| u32::from(vl) >= most) {
        Some(vl) => {
            let message = format!("`{own}` names VL {vl}, but a port has {most} VCs at most, from 0 on");
            Err(Problem::new(document.blame(&[own, "router.vcs"]), message))
        }
        None => Ok(()),
    }
}
