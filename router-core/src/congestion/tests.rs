use super::agent::{Agent, lid_of};
use super::paths::{PATHS, PathSet, PathSettings};
use crate::header::{Address, Carried, Header};
use proptest::prelude::*;

const SETTINGS: PathSettings = PathSettings { open_paths: 4, open_after: 1, contraction_timer: 100 };

/// A set with four open paths, LIDs 0, 3, 5 and 7, and these counts.
fn set(counts: [u8; PATHS]) -> PathSet {
    let mut set = PathSet::new(&[0, 3, 5, 7]);
    for lid in [0, 0, 0] {
        set.notify(lid, &SETTINGS);
    }
    assert_eq!(set.open(), 4);
    // Down to 1 each; all stay open, since there were notifications.
    (0..2).for_each(|_| set.expire_once());
    for (lid, count) in [0, 3, 5, 7].into_iter().zip(counts) {
        (1..count).for_each(|_| set.notify(lid, &SETTINGS));
    }
    assert!(set.counts().eq([0, 3, 5, 7].into_iter().zip(counts)), "{set:?}");
    set
}

impl PathSet {
    /// One expiry of the timer, with a notification just before that is counted out again by the halving.
    fn expire_once(&mut self) {
        let expired = self.expired();
        self.warn();
        self.expire(expired + 1);
    }
}

/// The worked example of the publication: 100 notifications, 55, 20, 15 and 10 of them by the paths 1 to 4, make weights of 100/55, 100/20,
/// 100/15 and 100/10: 12/155, 33/155, 44/155 and 66/155. Exactly, and so are the draws.
#[test]
fn weights_of_the_worked_example_are_exact() {
    let set = set([55, 20, 15, 10]);
    let weights = set.weights();
    let all: u32 = weights.iter().sum();
    let expected = [12, 33, 44, 66];
    for (weight, share) in weights.into_iter().zip(expected) {
        assert_eq!(u64::from(weight) * 155, u64::from(all) * share);
    }
    // Where the draws pass from one path to the next: at 12/155, 45/155 and 89/155 of 2^32, rounded up.
    let bound = |lid: u8| {
        (0..32).rev().fold(0u32, |low, bit| {
            let middle = low | 1 << bit;
            let place = |lid| [0, 3, 5, 7].iter().position(|&other| other == lid);
            if place(set.select(middle - 1)) <= place(lid) { middle } else { low }
        })
    };
    for (lid, sum) in [(0, 12u64), (3, 45), (5, 89)] {
        assert_eq!(u64::from(bound(lid)), (sum << 32).div_ceil(155), "{lid}");
    }
    assert_eq!((set.select(0), set.select(u32::MAX)), (0, 7));
}

/// A count that is full halves all of them, and none falls below 1.
#[test]
fn a_count_that_is_full_halves_all() {
    let mut set = set([255, 200, 3, 1]);
    set.notify(0, &SETTINGS);
    assert!(set.counts().eq([(0, 128), (3, 100), (5, 1), (7, 1)]), "{set:?}");
}

#[test]
fn a_notification_opens_one_path_up_to_the_limit() {
    let opened = |open_paths, open_after, lids: &[u8]| {
        let settings = PathSettings { open_paths, open_after, contraction_timer: 0 };
        let mut set = PathSet::new(lids);
        let mut opened = std::vec::Vec::new();
        for _ in 0..8 {
            set.notify(lids[0], &settings);
            opened.push(set.open());
        }
        opened
    };
    assert_eq!(opened(4, 1, &[0, 1, 2, 3]), [2, 3, 4, 4, 4, 4, 4, 4]);
    assert_eq!(opened(4, 3, &[0, 1, 2, 3]), [1, 1, 2, 2, 2, 3, 3, 3]);
    assert_eq!(opened(3, 1, &[0, 1, 2, 3]), [2, 3, 3, 3, 3, 3, 3, 3]);
    assert_eq!(opened(4, 1, &[6, 1]), [2; 8]);
    assert_eq!(opened(1, 1, &[0, 1, 2, 3]), [1; 8]);
}

/// A path that is opened gets as many packets as the best of those before; what a closed path says is ignored.
#[test]
fn a_new_path_starts_like_the_best_one() {
    let mut set = PathSet::new(&[0, 1, 2]);
    let settings = PathSettings { open_after: 6, ..SETTINGS };
    (0..6).for_each(|_| set.notify(0, &settings));
    assert!(set.counts().eq([(0, 7), (1, 7)]));
    (0..5).for_each(|_| set.notify(0, &settings));
    set.notify(2, &settings);
    assert!(set.counts().eq([(0, 12), (1, 7)]), "path 2 is not open");
    set.notify(1, &settings);
    assert!(set.counts().eq([(0, 12), (1, 8), (2, 8)]));
}

/// Hysteresis: the timer closes one path at each expiry without a notification, and none at one with; all are closed after three.
#[test]
fn the_timer_halves_counts_and_closes_paths() {
    let mut four = set([55, 20, 15, 1]);
    let before = four.expired();
    four.expire(before + 1);
    assert!(four.counts().eq([(0, 27), (3, 10), (5, 7), (7, 1)]), "there were notifications");
    four.expire(before + 2);
    assert!(four.counts().eq([(0, 13), (3, 5), (5, 3)]));
    four.notify(3, &PathSettings { open_after: 9, ..SETTINGS });
    four.expire(before + 3);
    assert_eq!(four.open(), 3);
    four.expire(before + 5);
    assert!(four.counts().eq([(0, 1)]), "{four:?}");
    four.expire(before + 500);
    assert_eq!(four.open(), 1, "the shortest path stays");
}

#[test]
fn the_agent_answers_marks_and_follows_notifications() {
    let (here, there) = (Address { router: 3, port: 1 }, Address { router: 9, port: 0 });
    let mut source = Agent::new([PathSet::new(&[0, 2]); 2], SETTINGS);
    let mut destination = Agent::new([PathSet::new(&[0]); 1], SETTINGS);
    let new =
        Header { to: there, length: 8, carried: Carried::default().with_source(here), ..Header::default() };
    let sent = source.rewrite(1, new, u32::MAX);
    assert_eq!(sent, new, "one path is open");
    assert_eq!(destination.process_fecn(&sent, 1), None);
    let mark = |header: Header| Header { carried: header.carried.with_marks(true, false), ..header };
    let back = destination.process_fecn(&mark(sent), 2).expect("a notification");
    assert_eq!((back.to, back.carried.source(), back.length, back.carried.spare()), (here, there, 2, 0));
    assert!(back.carried.backward_mark() && !back.carried.forward_mark());
    source.process_becn(1, &back);
    assert_eq!((source.sets()[0].open(), source.sets()[1].open(), destination.marked), (1, 2, 1));
    // The second path is named by its LID.
    let second = source.rewrite(1, new, u32::MAX);
    assert_eq!(lid_of(&second), 2);
    let back = destination.process_fecn(&mark(second), 1).expect("a notification");
    source.process_becn(1, &back);
    assert!(source.sets()[1].counts().eq([(0, 2), (2, 3)]), "{:?}", source.sets());
    // A packet without a mark, from a node that there is no set for, and an expiry after the next.
    source.process_becn(1, &new);
    source.process_becn(7, &back);
    (0..2).for_each(|_| source.timeout());
    assert_eq!(lid_of(&source.rewrite(1, new, u32::MAX)), 0);
    assert_eq!(source.rewrite(7, new, 5), new);
}

proptest! {
    /// Against the rule in floating point, for any counts; shares are within 2^-20, and every open path has one.
    #[test]
    fn packets_are_spread_by_the_inverse_counts(counts in proptest::array::uniform4(1u8..=255)) {
        let set = set(counts);
        let all: f64 = counts.iter().map(|&count| 1.0 / f64::from(count)).sum();
        let weights = set.weights();
        let total = weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        for (weight, count) in weights.into_iter().zip(counts) {
            prop_assert!((f64::from(weight) / total - 1.0 / f64::from(count) / all).abs() < 1e-12);
            prop_assert!(weight > 0);
        }
    }

    /// Whatever comes: counts stay from 1 to 255, from 1 to the limit of paths are open, and a packet takes an open one. Expiries that are
    /// made up for are as those that are seen one by one.
    #[test]
    fn any_order_of_events_keeps_the_set_sound(
        events in proptest::collection::vec((0u8..10, any::<u32>()), 1..300), open_paths in 1u8..=4, open_after in 1u8..5,
    ) {
        let settings = PathSettings { open_paths, open_after, contraction_timer: 1 };
        let (mut lazy, mut eager, mut expired) = (PathSet::new(&[4, 1, 2, 3]), PathSet::new(&[4, 1, 2, 3]), 0);
        for (event, random) in events {
            match event {
                0 => { expired += 1; eager.expire(expired); }
                lid => {
                    lazy.expire(expired);
                    lazy.notify(lid % 5, &settings);
                    eager.notify(lid % 5, &settings);
                    prop_assert_eq!(lazy, eager);
                }
            }
            prop_assert!((1..=open_paths).contains(&eager.open()));
            prop_assert!(eager.counts().all(|(_, count)| count > 0));
            let lid = eager.select(random);
            prop_assert!(eager.counts().any(|(open, _)| open == lid));
        }
    }
}

#[test]
fn a_set_is_small() {
    assert!(size_of::<PathSet>() <= 24);
}
