//! Points of a campaign against loops written out.

use super::Place;

/// The names of all points, in their order.
fn names(campaign: &str) -> Vec<String> {
    let plan = Place::new(&format!("base = \"base.toml\"\n{campaign}")).plan();
    plan.points().iter().map(|point| plan.name(point)).collect()
}

fn list(values: &[u32]) -> String {
    format!("[{}]", values.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))
}

/// Two axes, a zip of two keys, seeds and a skip of two conditions, of every size up to two: which points there are and in which order is
/// said by five loops.
#[test]
fn every_small_campaign_is_what_loops_say() {
    for sizes in 0..32_u32 {
        let size = |bit: u32| 1 + (sizes >> bit & 1);
        let [a, b, z, loads, seeds] = [0, 1, 2, 3, 4].map(size);
        for skip in 0..4_u32 {
            let (skipped_a, skipped_z) = (1 + (skip & 1), 21 + (skip >> 1));
            let values = |from: u32, count: u32| (from..from + count).collect::<Vec<_>>();
            let load = ["[0.25]", "[0.25, 0.5]"][loads as usize - 1];
            let mut text = format!(
                "seeds = {}\n[axes]\nrouter.speedup = {}\nrouter.iterations = {}\nload = {load}\n[[zip]]\n\
                 \"router.output_flits\" = {}\n\"router.buffer_flits\" = {}\n",
                list(&values(1, seeds)),
                list(&values(1, a)),
                list(&values(1, b)),
                list(&values(21, z)),
                list(&values(31, z)),
            );
            let is_known = skipped_a <= a && skipped_z < 21 + z;
            if is_known && a * b * z * loads * seeds > b * loads * seeds {
                text += &format!(
                    "[[skip]]\n\"router.speedup\" = {skipped_a}\nrouter.output_flits = {skipped_z}\n"
                );
            }
            let has_skip = text.contains("skip");
            let mut expected = Vec::new();
            for speedup in values(1, a) {
                for iterations in values(1, b) {
                    for load in ["0.25", "0.5"].iter().take(loads as usize) {
                        for flits in values(21, z) {
                            for seed in values(1, seeds) {
                                let seed = if seeds > 1 { format!(", seed = {seed}") } else { String::new() };
                                if !(has_skip && speedup == skipped_a && flits == skipped_z) {
                                    expected.push(format!(
                                        "router.speedup = {speedup}, router.iterations = {iterations}, load = {load}, \
                                         router.output_flits = {flits}, router.buffer_flits = {}{seed}",
                                        flits + 10
                                    ));
                                }
                            }
                        }
                    }
                }
            }
            assert_eq!(names(&text), expected, "{text}");
        }
    }
}

#[test]
fn a_skip_of_seeds_and_loads_leaves_out_those_alone() {
    let text = "seeds = [1, 2, 3]\n[axes]\nload = [0.1, 0.20]\n[[skip]]\nload = 0.2\nseed = [1, 3]\n";
    let expected =
        ["load = 0.1, seed = 1", "load = 0.1, seed = 2", "load = 0.1, seed = 3", "load = 0.2, seed = 2"];
    assert_eq!(names(text), expected);
}

#[test]
fn lists_and_tables_are_values_and_lists_of_values_are_any_of_them() {
    let text =
        "[axes]\ntopology.dims = [[2, 2], [3,2], [4, 2]]\nload = [0.1]\n[[skip]]\ntopology.dims = [3, 2]\n";
    assert_eq!(names(text), ["topology.dims = [2, 2], load = 0.1", "topology.dims = [4, 2], load = 0.1"]);
    let text = "[axes]\ntraffic.pattern = [\"uniform\", { hot-spot = { nodes = [0], share = 0.1 } }, \"tornado\"]\n\
                load = [0.1]\n[[skip]]\ntraffic.pattern = [\"uniform\", \"tornado\"]\n";
    assert_eq!(names(text), ["traffic.pattern = { hot-spot = { nodes = [0], share = 0.1 } }, load = 0.1"]);
}

#[test]
fn loads_and_seed_come_from_the_base_where_the_campaign_has_none() {
    assert_eq!(
        names("[axes]\nrouter.speedup = [1, 2]\n"),
        [
            "router.speedup = 1, load = 0.1",
            "router.speedup = 1, load = 0.3",
            "router.speedup = 2, load = 0.1",
            "router.speedup = 2, load = 0.3",
        ]
    );
    let plan = Place::new("base = \"base.toml\"\n").plan();
    assert!(plan.points().iter().all(|point| point.seed == 1));
}

/// `from`, `to` and `step` in every number of digits, against whole numbers.
#[test]
fn the_numbers_of_a_range_are_as_exact_as_they_are_written() {
    for (decimals, scale) in [(0, 1), (1, 10), (2, 100)] {
        let shown = |n: i64| {
            if decimals == 0 { n.to_string() } else { format!("{:.decimals$}", n as f64 / scale as f64) }
        };
        for from in 1..4 {
            for to in from..from + 5 {
                for step in 1..4 {
                    let (first, last, by) = (shown(from), shown(to), shown(step));
                    let text = format!(
                        "[axes]\nrouter.speedup = [1]\nload = {{ from = {first}, to = {last}, step = {by} }}\n"
                    );
                    if decimals == 0 {
                        continue;
                    }
                    let expected = (from..=to).step_by(step as usize);
                    let expected: Vec<_> = expected.map(|n| n as f64 / scale as f64).collect();
                    let plan = Place::new(&format!("base = \"base.toml\"\n{text}")).plan();
                    let loads: Vec<_> = plan.points().iter().map(|point| point.load).collect();
                    assert_eq!(loads, expected, "{text}");
                }
            }
        }
    }
    let seeds =
        Place::new("base = \"base.toml\"\nseeds = { from = 3, to = 9, step = 3 }\n[axes]\nload = [1]\n")
            .plan();
    assert_eq!(seeds.points().iter().map(|point| point.seed).collect::<Vec<_>>(), [3, 6, 9]);
    assert_eq!(
        names("[axes]\nload = { from = 0.8, to = 1.0, step = 0.1 }\n"),
        ["load = 0.8", "load = 0.9", "load = 1.0"]
    );
}
