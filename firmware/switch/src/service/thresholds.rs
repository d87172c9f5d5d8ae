//! Whether thresholds mean something in a router.

use core::ops::RangeInclusive;
use router_core::fixed::Fixed;
use router_core::plan::{CountAt, Plan};
use router_core::select::Selection;
use router_core::settings::{Choice as _, Settings, Visit, Whole, Word};
use router_core::units::PortSet;

/// The first threshold that is out of its range, by its name in scenarios.
///
/// The ranges are those of the settings themselves. Beyond them, a threshold that this router can never reach is out of range: more packets than
/// it counts, more than its deepest buffer holds, or as many times the mean as it has ports.
#[must_use]
pub fn first_out_of_range<const P: usize>(
    selection: &Selection,
    plan: &Plan<P>,
    wired: PortSet,
) -> Option<&'static str> {
    let links = &plan.links;
    let vcs = wired.iter().map(|port| links.vcs(port).len() as u32).fold(0, u32::saturating_add);
    let counted = match plan.count_at {
        CountAt::Head => vcs,
        CountAt::Arrival => links.places() as u32,
    };
    let deepest = wired.iter().map(|port| u32::from(links.buffer(port))).max().unwrap_or_default();
    let mut ranges = Ranges { counted, deepest, ports: wired.len() as u32 };
    let mut selection = *selection;
    selection.visit(&mut ranges).err()
}

/// Visits thresholds; stops at one that is out of range.
struct Ranges {
    /// The most that a contention counter shows.
    counted: u32,
    /// Flits of the deepest buffer.
    deepest: u32,
    ports: u32,
}

impl Visit for Ranges {
    type Error = &'static str;

    fn word<T: Word>(&mut self, _: &'static str, _: &mut T) -> Result<(), &'static str> {
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), &'static str> {
        let most = match key {
            "contention_threshold" => self.counted,
            // A packet has at least one flit.
            "packets" => self.deepest.saturating_sub(1),
            _ => u32::MAX,
        };
        if range.contains(value) && (*value).into() <= most { Ok(()) } else { Err(key) }
    }

    fn number<const F: u32>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), &'static str> {
        let whole = u32::from(value.to_bits()).wrapping_shr(F);
        let is_beyond = key == "contention_factor" && whole >= self.ports;
        if range.contains(value) && !is_beyond { Ok(()) } else { Err(key) }
    }

    fn flag(&mut self, _: &'static str, _: &mut bool) -> Result<(), &'static str> {
        Ok(())
    }

    fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), &'static str> {
        value.as_mut().map_or(Ok(()), |settings| settings.visit(self))
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::unreachable)]
mod tests {
    use super::*;
    use crate::standard;
    use router_core::fixed::{U1F15, U8F8};
    use router_core::select::contention::ContentionTrigger;
    use router_core::select::contention_average::AverageTrigger;
    use router_core::select::hybrid::HybridTrigger;
    use router_core::select::occupancy::{GlobalRestriction, OccupancyTrigger};

    /// In the Dragonfly `paper`: seven ports, of which five have 3 VCs and two have 2; buffers of 32 flits.
    fn first(selection: impl Into<Selection>) -> Option<&'static str> {
        let plan = standard::paper().plan::<7>().unwrap_or_else(|_| unreachable!());
        first_out_of_range(&selection.into(), &plan, PortSet::first_n(7))
    }

    fn input_vcs() -> u16 {
        let plan = standard::paper().plan::<7>().unwrap_or_else(|_| unreachable!());
        plan.links.each().map(|port| plan.links.vcs(port).len() as u16).sum()
    }

    #[test]
    fn defaults_are_in_range() {
        for selection in Selection::all() {
            assert_eq!(first(selection), None, "{selection:?}");
        }
    }

    #[test]
    fn a_counter_is_compared_with_what_it_can_show() {
        let name = Some("contention_threshold");
        let threshold = |threshold| first(ContentionTrigger { threshold });
        assert_eq!([0, 1, input_vcs(), input_vcs() + 1].map(threshold), [name, None, None, name]);
        let hybrid =
            HybridTrigger { contention: ContentionTrigger { threshold: 300 }, ..HybridTrigger::default() };
        assert_eq!(first(hybrid), name);
        let factor =
            |whole: u16, part: u16| first(AverageTrigger { factor: U8F8::from_bits(whole << 8 | part) });
        assert_eq!([factor(6, 255), factor(7, 0)], [None, Some("contention_factor")]);
    }

    #[test]
    fn shares_of_buffers_are_shares() {
        let with = |change: &dyn Fn(&mut OccupancyTrigger)| {
            let mut trigger = OccupancyTrigger::default();
            change(&mut trigger);
            first(trigger)
        };
        assert_eq!(with(&|t| t.minimal_occupancy = U1F15::ONE), None);
        assert_eq!(with(&|t| t.minimal_occupancy = U1F15::from_bits(0x8001)), Some("minimal_occupancy"));
        assert_eq!(with(&|t| t.relative_threshold = U8F8::from_bits(0x401)), Some("relative_threshold"));
        let restriction = |packets| Some(GlobalRestriction { packets, ..GlobalRestriction::default() });
        assert_eq!(with(&|t| t.global_restriction = restriction(31)), None);
        assert_eq!(
            with(&|t| t.global_restriction = restriction(32)),
            Some("packets"),
            "more than a buffer holds"
        );
        assert_eq!(with(&|t| t.global_restriction = None), None);
    }
}
