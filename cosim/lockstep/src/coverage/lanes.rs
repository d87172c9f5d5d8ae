//! What VL arbitration comes to at the outputs.

use crate::case::Case;
use crate::frame::Frame;
use crate::rtl::Field;
use crate::settings::Settings;
use crate::shape::Shape;
use router_core::alloc::vl_arbiter::{LIMIT_UNITS, NO_LIMIT};
use router_core::layout;
use router_core::units::PortId;

/// An output: its registers, and by what it arbitrates.
#[derive(Clone, Debug)]
struct Output {
    port: PortId,
    state: Field,
    /// Units of high priority at which its limit is reached.
    most: Option<u128>,
}

/// All outputs that arbitrate by tables.
#[derive(Clone, Debug, Default)]
pub(super) struct Lanes {
    outputs: Vec<Output>,
    /// By port, the names of the lanes of management on the wire.
    management: Vec<Vec<u8>>,
    /// By port, the lane of the packet before, where it had one flit.
    short: Vec<Option<u8>>,
}

impl Lanes {
    pub(super) fn add(&mut self, port: PortId, state: Field) {
        self.outputs.push(Output { port, state, most: None });
    }

    /// The tables have been written.
    pub(super) fn reset(&mut self, settings: &Settings, shape: &Shape) {
        let Some(tables) = settings.vl_arbitration(shape.plan()) else { return };
        for output in &mut self.outputs {
            let limit = tables.tables(output.port).limit;
            let units = u128::from(limit) * u128::from(LIMIT_UNITS);
            output.most = (limit != NO_LIMIT).then_some(units.max(1));
        }
        let names = |port: usize| {
            let is_managed = |&vc: &usize| tables.management.iter().any(|lane| lane.index() == vc);
            (0..shape.vcs_of(port)).filter(is_managed).map(|vc| shape.label(port, vc)).collect()
        };
        self.management = (0..shape.ports).map(names).collect();
        self.short = vec![None; shape.ports];
    }

    /// What one cycle adds.
    pub(super) fn observe(
        &mut self,
        before: &[u64],
        now: &[u64],
        outputs: &Frame,
        see: &mut dyn FnMut(Case),
    ) {
        for Output { state, most, .. } in &self.outputs {
            let count = |words| state.of(words) >> (layout::VL_STATE_BITS - layout::VL_COUNT_BITS);
            let Some(most) = *most else { continue };
            if count(before) < most && count(now) >= most {
                see(Case::VlLimitReached);
            }
            if count(before) >= most && count(now) == 0 {
                see(Case::VlLowBehindLimit);
            }
        }
        for (port, names) in outputs.ports.iter().zip(&self.management) {
            if port.flit.is_some_and(|flit| flit.head && names.contains(&flit.vc)) {
                see(Case::VlManagementServed);
            }
        }
        for (port, short) in outputs.ports.iter().zip(&mut self.short) {
            let Some(flit) = port.flit else { continue };
            let is = (flit.head && flit.tail).then_some(flit.vc);
            let was = std::mem::replace(short, is);
            if was.zip(is).is_some_and(|(was, is)| was != is) {
                see(Case::VlOneFlitPackets);
            }
        }
    }
}
