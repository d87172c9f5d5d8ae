//! The part of a router's plan that never changes.

use core::convert::Infallible;
use core::ops::RangeInclusive;
use desvio_driver::sum::mixed;
use router_core::fixed::Fixed;
use router_core::plan::Plan;
use router_core::settings::{Settings, Visit, Whole, Word};
use router_core::units::{Channel, PortClass, PortId};

/// The sums of a plan: of each port, and of what all ports have in common. Its selection is none of it, as a driver changes that.
#[derive(Clone, Copy, Debug)]
pub struct Frozen<const P: usize> {
    ports: [u32; P],
    rest: u32,
}

impl<const P: usize> Frozen<P> {
    /// Of a plan that is sound.
    #[must_use]
    pub fn of(plan: &Plan<P>) -> Self {
        Self {
            ports: core::array::from_fn(|port| port_sum(plan, PortId::new(port as u8))),
            rest: rest_sum(plan),
        }
    }

    /// Whether a port is as it was.
    #[must_use]
    pub fn is_port_intact(&self, plan: &Plan<P>, port: PortId) -> bool {
        self.ports.get(port.index()) == Some(&port_sum(plan, port))
    }

    /// Whether the rest is.
    #[must_use]
    pub fn is_rest_intact(&self, plan: &Plan<P>) -> bool {
        self.rest == rest_sum(plan)
    }
}

fn port_sum<const P: usize>(plan: &Plan<P>, port: PortId) -> u32 {
    let links = &plan.links;
    let mut sum = Summed::default();
    sum.add(links.class(port).number());
    sum.add(links.vcs(port).bits());
    sum.add(links.buffer(port));
    for vc in links.vcs(port) {
        let ring = links.ring(port, vc);
        sum.add(ring.base);
        sum.add(ring.places);
        sum.add(links.depth(Channel::new(port, vc)));
    }
    sum.sum
}

#[inline(never)]
fn rest_sum<const P: usize>(plan: &Plan<P>) -> u32 {
    let links = &plan.links;
    let mut sum = Summed::default();
    for class in (0..PortClass::COUNT as u8).map(PortClass::new) {
        let sizes = links.sizes(class);
        sum.add(sizes.vcs);
        sum.add(sizes.buffer);
    }
    sum.add(links.radix() as u32);
    sum.add(links.places() as u32);
    sum.add(links.flow.number());
    sum.add(links.vc_allocation.number());
    sum.add(links.vc_order.number());
    sum.add(links.restricted.map_or(u32::MAX, |class| class.number().into()));
    sum.add(plan.count_at.number());
    sum.add(plan.first.bits());
    sum.add(plan.groups);
    let (mut options, mut preference) = (plan.options, plan.preference);
    let Ok(()) = options.visit(&mut sum);
    let Ok(()) = preference.visit(&mut sum);
    sum.sum
}

/// Words so far, and their sum.
#[derive(Default)]
struct Summed {
    words: u32,
    sum: u32,
}

impl Summed {
    fn add(&mut self, word: impl Into<u32>) {
        self.sum ^= mixed(self.words, word.into());
        self.words = self.words.wrapping_add(1);
    }
}

impl Visit for Summed {
    type Error = Infallible;

    fn word<T: Word>(&mut self, _: &'static str, value: &mut T) -> Result<(), Infallible> {
        self.add(value.number());
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        _: &'static str,
        _: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Infallible> {
        self.add(*value);
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        _: &'static str,
        _: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Infallible> {
        self.add(value.to_bits());
        Ok(())
    }

    fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<(), Infallible> {
        self.add(*value);
        Ok(())
    }

    fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
        self.add(value.is_some());
        value.as_mut().map_or(Ok(()), |settings| settings.visit(self))
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, clippy::unreachable)]
mod tests {
    use super::*;
    use crate::standard;
    use router_core::links::{Links, PortSizes, VcOrder};
    use router_core::select::Preference;
    use router_core::settings::Choice as _;
    use router_core::units::VcSet;

    /// Gives a setting another value: the one of this number, counted over all settings.
    struct Changes(u32);

    impl Changes {
        fn is_it(&mut self) -> bool {
            self.0 = self.0.wrapping_sub(1);
            self.0 == u32::MAX
        }
    }

    impl Visit for Changes {
        type Error = Infallible;

        fn word<T: Word>(&mut self, _: &'static str, value: &mut T) -> Result<(), Infallible> {
            if self.is_it() {
                let other = T::WORDS.iter().map(|&(_, word)| word).find(|word| word != value);
                *value = other.unwrap_or(*value);
            }
            Ok(())
        }
        fn whole<T: Whole>(
            &mut self,
            _: &'static str,
            _: RangeInclusive<T>,
            value: &mut T,
        ) -> Result<(), Infallible> {
            if self.is_it() {
                *value = T::try_from((*value).into() ^ 1).unwrap_or(*value);
            }
            Ok(())
        }
        fn number<const F: u32>(
            &mut self,
            _: &'static str,
            _: RangeInclusive<Fixed<F>>,
            value: &mut Fixed<F>,
        ) -> Result<(), Infallible> {
            if self.is_it() {
                *value = Fixed::from_bits(value.to_bits() ^ 1);
            }
            Ok(())
        }
        fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<(), Infallible> {
            *value ^= self.is_it();
            Ok(())
        }
        fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
            value.as_mut().map_or(Ok(()), |settings| settings.visit(self))
        }
    }

    fn found<const P: usize>(plan: &Plan<P>, change: impl FnOnce(&mut Plan<P>)) -> bool {
        let frozen = Frozen::of(plan);
        let mut changed = plan.clone();
        change(&mut changed);
        !frozen.is_rest_intact(&changed)
    }

    #[test]
    fn every_option_that_changes_is_found() {
        let plan = standard::paper().plan::<7>().unwrap_or_else(|_| unreachable!());
        assert!(!found(&plan, |_| ()));
        let mut settings = 0;
        loop {
            let mut options = plan.options;
            let mut changes = Changes(settings);
            let Ok(()) = options.visit(&mut changes);
            if changes.0 != u32::MAX && options == plan.options {
                break;
            }
            assert!(found(&plan, |plan| plan.options = options), "setting {settings}");
            settings += 1;
        }
        assert!(settings > 10, "{settings}");
        assert!(found(&plan, |plan| plan.links.vc_order = VcOrder::Descending));
        assert!(found(&plan, |plan| plan.links.restricted = None));
        assert!(found(&plan, |plan| plan.count_at = router_core::plan::CountAt::Arrival));
        assert!(found(&plan, |plan| plan.first = VcSet::first_n(1)));
        assert!(found(&plan, |plan| plan.preference =
            Preference { vcs: router_core::select::VcRule::First, ..plan.preference }));
        let other = router_core::select::Selection::named("hybrid").unwrap_or_default();
        assert!(!found(&plan, |plan| plan.selection = other), "a driver changes it");
    }

    #[test]
    fn every_port_that_changes_is_found_and_named() {
        let classes = [PortClass::NODE, PortClass::new(1), PortClass::new(2)];
        let sizes = [1, 2, 3].map(|vcs| PortSizes { vcs, buffer: 8 });
        let links = |classes: &[PortClass], sizes: &[PortSizes]| {
            Plan::<3>::of(Links::new(classes, sizes).unwrap_or_else(|_| unreachable!()))
        };
        let frozen = Frozen::of(&links(&classes, &sizes));
        let damaged = |plan: &Plan<3>| {
            (0..3)
                .filter(|&port| !frozen.is_port_intact(plan, PortId::new(port)))
                .fold(0, |all, port| all | 1 << port)
        };
        assert_eq!(damaged(&links(&classes, &sizes)), 0);
        let mut deeper = sizes;
        deeper[2].buffer = 9;
        assert_eq!(damaged(&links(&classes, &deeper)), 0b100);
        let mut more = sizes;
        more[0].vcs = 2;
        // The descriptors of all ports move.
        assert_eq!(damaged(&links(&classes, &more)), 0b111);
        let mut other = classes;
        other[1] = PortClass::new(2);
        assert_eq!(damaged(&links(&other, &sizes)) & 0b10, 0b10);
    }
}
