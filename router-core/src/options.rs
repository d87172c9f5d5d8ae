//! The options of a router, each of which is one line of the list `options!`: the keys of `[router]` that have one value
//! for all ports.
//!
//! An option is read from a scenario, written, varied, sent to a microcontroller and given to the RTL by visitors of that
//! list. A key that a scenario leaves out has the value of the list.

mod ejection;
mod list;
mod pipeline;
mod rtl;
mod sharing;

use crate::alloc::{Allocation, AllocatorKind, ArbiterKind};
use crate::lifetime::MOST_LIFETIME;
use crate::links::{FlowControl, VcAllocation};
pub use ejection::Ejection;
use list::options;
pub use pipeline::Pipeline;
pub use rtl::VisitRtl;
pub use sharing::{AllocationUnit, Priority};

// Each line: how a visitor reads it, its key, its type, its default, `shown` where `--show` has it at its default, too, and
// behind `=>` the parameter of `dsv_router` with the function that gives the parameter's value.
// `_` stands for no parameter. An option without `=>` is not in the RTL: it has to be at its default there.
options! {
    /// When a packet may move on.
    word flow_control: FlowControl = FlowControl::Vct, shown => FLOW(FlowControl::rtl);
    /// When it may take a VC of the next router.
    word vc_allocation: VcAllocation = VcAllocation::NonAtomic, shown => _(VcAllocation::rtl);
    /// Flits of the address of a dimension, where packets bring [one for each](FlowControl::goes_ahead).
    whole(1..=16) address_flits: u16 = 1, shown => _;
    /// Internal cycles per link cycle.
    whole(1..=8) speedup: u32 = 2, shown => SPEEDUP;
    /// Flits that the FIFO of each output holds, at least `speedup`.
    whole(1..=65_535) output_flits: u32 = 32, shown => OUTPUT_FLITS;
    /// How requests are matched with outputs.
    word allocator: AllocatorKind = AllocatorKind::SeparableInputFirst, shown => ALLOCATOR(AllocatorKind::rtl);
    /// Iterations of a separable allocator.
    whole(1..=8) iterations: u32 = 2, shown => ITERATIONS;
    /// The arbiters inside the allocator.
    word arbiter: ArbiterKind = ArbiterKind::Matrix, shown => ARBITER(ArbiterKind::rtl);
    /// What an output and the input that sends to it are allocated to.
    word allocation_unit: AllocationUnit = AllocationUnit::Flit, shown => ALLOCATION_UNIT(AllocationUnit::rtl);
    /// Which inputs an output serves first.
    word priority: Priority = Priority::None, shown => PRIORITY(Priority::rtl);
    /// Internal cycles of a head from wire to wire.
    whole(Pipeline::Four..=Pipeline::Six) pipeline: Pipeline = Pipeline::Four, shown => PIPELINE;
    /// Whether the packet behind a tail is selected while the tail leaves; else it is selected a cycle later.
    flag select_ahead: bool = true => SELECT_AHEAD;
    /// Whether the RTL has the buffers of an input in one synchronous memory: no cycle depends on it.
    flag synchronous_buffers: bool = false => SYNCHRONOUS_BUFFERS;
    /// Which port a packet leaves by at its destination.
    word ejection: Ejection = Ejection::Own, shown => _(Ejection::rtl);
    /// Whether packets are discarded that a forwarding table leads nowhere ([`crate::discard`]). Then port 0 has to be one
    /// to a node.
    flag discards: bool = false => DISCARDS;
    /// Link cycles that a packet may be in a router, a multiple of 4; 0: for ever.
    whole(0..=MOST_LIFETIME & !3) packet_lifetime: u32 = 0 => PACKET_LIFETIME;
}

impl Options {
    /// Those of a plain router: a one-flit output register, which sends in each cycle, and one iteration of the default
    /// allocator.
    pub const PLAIN: Self = Self {
        speedup: 1,
        output_flits: 1,
        iterations: 1,
        arbiter: ArbiterKind::RoundRobin,
        ..Self::DEFAULT
    };

    /// The kind of allocator, and what it is made of.
    pub const fn allocation(&self) -> Allocation {
        Allocation { kind: self.allocator, arbiter: self.arbiter, iterations: self.iterations as u8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout;
    use crate::settings::Word;

    struct Parameters(Vec<(&'static str, u32)>);

    impl VisitRtl for Parameters {
        type Error = &'static str;

        fn parameter(&mut self, name: &'static str, value: u32) {
            self.0.push((name, value));
        }

        fn word<T: Word>(
            &mut self,
            key: &'static str,
            value: T,
            number: fn(T) -> Option<u32>,
        ) -> Result<u32, &'static str> {
            number(value).ok_or(key)
        }

        fn absent(&mut self, key: &'static str, is_default: bool) -> Result<(), &'static str> {
            if is_default { Ok(()) } else { Err(key) }
        }
    }

    /// Proves that each option with a parameter has one of that name in `hdl/switch.toml`, with the same default.
    #[test]
    fn defaults_are_those_of_the_rtl() {
        let mut found = Parameters(Vec::new());
        assert_eq!(Options::DEFAULT.visit_rtl(&mut found), Ok(()));
        let of_rtl = layout::PAPER.parameters();
        assert_eq!(found.0.len(), 13);
        for parameter in found.0 {
            assert!(of_rtl.contains(&parameter), "{parameter:?}");
        }
    }

    #[test]
    fn a_choice_that_the_rtl_does_not_have_is_refused_by_its_key() {
        let of = Options { ejection: Ejection::Any, ..Options::DEFAULT };
        assert_eq!(of.visit_rtl(&mut Parameters(Vec::new())), Err("router.ejection"));
    }
}
