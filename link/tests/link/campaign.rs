//! Random lines: whatever they do, each flit arrives once and in order, or is reported lost.

use crate::support::{Draw, Faults, World};

/// Faults of a seed: one kind alone, or all of them.
fn faults(seed: u64) -> Faults {
    let mut draw = Draw::new(seed);
    let mut rate = |kind: u64| if seed % 7 == kind || seed % 7 == 6 { draw.below(200) } else { 0 };
    Faults {
        dropped: rate(0),
        repeated: rate(1),
        flipped: rate(2),
        truncated: rate(3),
        garbage: rate(4),
        stalled: rate(5),
    }
}

fn world(seed: u64) -> World {
    let mut world = World::new(seed);
    world.faults = faults(seed);
    world.slowness = [1, 1, 2, 5][seed as usize % 4];
    world
}

/// Flits that arrived over all seeds: a campaign that carries nothing proves nothing.
fn campaign(seeds: u64, ticks: u32, event: impl Fn(&mut World, u64)) -> (usize, usize) {
    let (mut delivered, mut lost) = (0, 0);
    for seed in 1..=seeds {
        let mut world = world(seed);
        for _ in 0..ticks {
            world.tick();
            let draw = world.draw.below(1_000);
            event(&mut world, draw);
        }
        world.settle();
        delivered += world.fates.iter().map(|fate| fate.delivered.len()).sum::<usize>();
        lost += world.fates.iter().map(|fate| fate.lost.len()).sum::<usize>();
    }
    (delivered, lost)
}

#[test]
fn a_bad_line_loses_nothing() {
    let (delivered, lost) = campaign(42, 3_000, |_, _| {});
    assert!(delivered > 50_000 && lost == 0, "{delivered} {lost}");
}

#[test]
fn a_cable_that_is_cut_and_mended_loses_nothing() {
    let (delivered, lost) = campaign(28, 3_000, |world, draw| match draw {
        0..2 => world.cut(),
        // One direction alone.
        2 => world.lines[0].cut(),
        3 => world.lines[1].cut(),
        4..12 => world.mend(),
        _ => {}
    });
    assert!(delivered > 10_000 && lost == 0, "{delivered} {lost}");
}

#[test]
fn after_a_restart_each_flit_is_delivered_or_reported_lost() {
    let (delivered, lost) = campaign(42, 3_000, |world, draw| match draw {
        0..2 => world.cut(),
        2..10 => world.mend(),
        10 => world.restart(0),
        11 => world.restart(1),
        12 => {
            world.restart(0);
            world.restart(1);
        }
        _ => {}
    });
    assert!(delivered > 5_000 && lost > 100, "{delivered} {lost}");
}

mod slow {
    use super::campaign;

    #[test]
    fn a_long_campaign_with_all_events() {
        let (delivered, lost) = campaign(100, 10_000, |world, draw| match draw {
            0..2 => world.cut(),
            2..14 => world.mend(),
            14 => world.restart(0),
            15 => world.restart(1),
            _ => {}
        });
        assert!(delivered > 100_000 && lost > 1_000, "{delivered} {lost}");
    }
}
