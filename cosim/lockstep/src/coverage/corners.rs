//! Cases beyond what traffic shows: bits of heads, addresses, chance, resets. Defects of these corners live under full coverage of the
//! stages.

use crate::case::Case;
use crate::compare::Moment;
use crate::frame::WireFlit;
use crate::rtl::Field;
use crate::shape::Shape;
use router_core::header::{Address, Header};
use router_core::layout;
use std::collections::BTreeSet;

/// What has been seen of them so far.
#[derive(Clone, Debug)]
pub(super) struct Corners {
    nodes: BTreeSet<(u32, u8)>,
    payload: Bits,
    chance: Bits,
    lfsr: Option<Field>,
    /// The random word behind the last reset, and whether the next cycle is the first behind one.
    began: Option<u64>,
    is_first: bool,
}

/// Bits that have been 1, and bits that have been 0.
#[derive(Clone, Copy, Debug, Default)]
struct Bits {
    of: u64,
    ones: u64,
    zeros: u64,
}

impl Bits {
    /// Adds a value. Says whether each bit has now been both for the first time.
    fn add(&mut self, value: u64) -> bool {
        let was = self.is_full();
        self.ones |= value;
        self.zeros |= !value;
        !was && self.is_full()
    }

    fn is_full(&self) -> bool {
        self.ones & self.zeros & self.of == self.of
    }
}

impl Corners {
    pub(super) fn new(shape: &Shape, nodes: &[Address], lfsr: Option<Field>) -> Self {
        let of = |of: u64| Bits { of, ..Bits::default() };
        Self {
            nodes: nodes.iter().map(|node| (node.router, node.port)).collect(),
            payload: of(shape.payload_mask().into()),
            chance: of(u32::MAX.into()),
            lfsr,
            began: None,
            is_first: false,
        }
    }

    pub(super) fn reset(&mut self) {
        self.is_first = true;
    }

    /// What one cycle adds.
    pub(super) fn observe(&mut self, moment: &Moment<'_>, see: &mut dyn FnMut(Case)) {
        for port in &moment.inputs.ports {
            if let Some(flit) = port.flit.filter(|flit| flit.head) {
                self.arrives(flit, see);
            }
        }
        for flit in moment.outputs.ports.iter().filter_map(|port| port.flit).filter(|flit| flit.head) {
            if self.payload.add(flit.data[0].into()) {
                see(Case::HeaderPayload);
            }
        }
        let Some(word) = self.lfsr.map(|field| field.small(moment.registers)) else { return };
        if self.chance.add(word) {
            see(Case::ChanceBits);
        }
        if std::mem::take(&mut self.is_first) {
            if self.began.is_some_and(|began| began != word) {
                see(Case::ChanceBegins);
            }
            self.began = Some(word);
        }
    }

    fn arrives(&self, flit: WireFlit, see: &mut dyn FnMut(Case)) {
        let Ok(header) = Header::parse(flit.header()) else { return };
        if flit.header().0[(SPARE_AT / 32) as usize] >> (SPARE_AT % 32) != 0 {
            see(Case::HeaderSpare);
        }
        let Address { router, port } = header.to;
        let nowhere = (1 << layout::ROUTER_BITS) - 1;
        if router != nowhere && !self.nodes.contains(&(router, port)) {
            see(Case::HeaderOutside);
        }
    }
}

/// The spare byte of a head.
const SPARE_AT: u32 = layout::SOURCE_AT + layout::SOURCE_SPARE_AT;
const _: () = assert!(SPARE_AT % 32 + layout::SOURCE_SPARE_BITS == 32);
