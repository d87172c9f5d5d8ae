//! Thresholds over the whole range of their registers, their ends and single bits above all.

use crate::shape::Shape;
use crate::thresholds::{OccupancyBits, RestrictionBits, ThresholdBits};
use proptest::prelude::*;
use router_core::layout;

/// The comparators that a router of this shape has, each in use or not.
pub(super) fn thresholds(shape: &Shape) -> impl Strategy<Value = ThresholdBits> + use<> {
    let built = shape.trigger();
    let has = |triggers: &[u32]| triggers.contains(&built);
    let occupancy = has(&[layout::TRIGGER_OCCUPANCY, layout::TRIGGER_HYBRID]);
    let contention = has(&[layout::TRIGGER_CONTENTION, layout::TRIGGER_HYBRID]);
    let combined = has(&[layout::TRIGGER_ECTN]);
    let average = has(&[layout::TRIGGER_CONTENTION_AVERAGE]);
    let highest = shape.highest_count();
    let counts = prop_oneof![2 => 0..=highest.min(8), 1 => bits().prop_map(move |bits| bits & highest)];
    let contention =
        if combined { proptest::option::of(counts).boxed() } else { sometimes(contention, counts) };
    // Neither 0 nor its complement, which the register holds until it is loaded in the first cycle: sums of 0 would be contended there.
    let sums = prop_oneof![3 => 1..40u16, 1 => bits().prop_map(|bits| (bits >> 1).max(1))];
    let combined = sometimes(combined, sums);
    let biases = prop_oneof![2 => Just(0), 3 => 0..60u16, 2 => 0..600u16, 1 => bits()];
    let bias = sometimes(built == layout::TRIGGER_UGAL, biases);
    let others = (sometimes(average, bits()), sometimes(occupancy, self::occupancy()));
    (contention, others, combined, bias).prop_map(|(contention, (average, occupancy), combined, bias)| {
        ThresholdBits { contention, average, occupancy, combined, bias }
    })
}

fn occupancy() -> impl Strategy<Value = OccupancyBits> {
    // Low floors and generous limits lead to detours; the rest of the range mostly to none.
    let minimal = prop_oneof![2 => 0..=1u16 << 15, 1 => bits()];
    let relative = prop_oneof![2 => 0x80..0x800u16, 1 => bits()];
    let packets = prop_oneof![3 => 0..6u16, 1 => bits()];
    let factor = prop_oneof![1 => 0..0x200u16, 1 => bits()];
    let restriction = (factor, packets).prop_map(|(factor, packets)| RestrictionBits { factor, packets });
    (minimal, relative, proptest::option::of(restriction))
        .prop_map(|(minimal, relative, restriction)| OccupancyBits { minimal, relative, restriction })
}

/// Any bits: none, one, all, or some.
fn bits() -> impl Strategy<Value = u16> {
    prop_oneof![
        1 => Just(0),
        2 => (0..u16::BITS).prop_map(|bit| 1 << bit),
        1 => Just(u16::MAX),
        3 => any::<u16>(),
    ]
}

/// In three of four cases, where there is such a comparator.
fn sometimes<T: Strategy + 'static>(exists: bool, value: T) -> BoxedStrategy<Option<T::Value>>
where
    T::Value: Clone + std::fmt::Debug,
{
    if exists { proptest::option::weighted(0.75, value).boxed() } else { Just(None).boxed() }
}
