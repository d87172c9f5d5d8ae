//! What the other routers of a group tell.

use crate::shape::Shape;
use crate::stimulus::NoticeIn;
use proptest::prelude::*;

/// What the others of the group tell: nothing, now and then, or all the time; counters at their ends above all.
pub(super) fn notices(shape: &Shape, cycles: u32) -> BoxedStrategy<Vec<NoticeIn>> {
    let (told, others) = (shape.told(), shape.others());
    if told == 0 {
        return Just(Vec::new()).boxed();
    }
    let highest = (1u16 << shape.notice_bits()) - 1;
    let count = prop_oneof![4 => Just(0), 2 => 0..=highest.min(3), 1 => Just(highest), 1 => 0..=highest];
    let notice = (0..cycles, 0..others, prop::collection::vec(count, told))
        .prop_map(|(at, from, counts)| NoticeIn { at, from, counts });
    prop_oneof![1 => Just(0), 4 => Just(cycles / 200 + 1), 1 => Just(cycles / 20 + 1)]
        .prop_flat_map(move |most| prop::collection::vec(notice.clone(), (most / 2) as usize..=most as usize))
        .boxed()
}
