//! The names of points: the same for the same point, different for any other.

use super::{BASE, Place, TWELVE};
use crate::identity::{ENGINE, short_digest};
use crate::{PointId, Shard};
use std::collections::HashSet;

fn ids(place: &Place) -> Vec<PointId> {
    place.plan().points().iter().map(|point| point.id).collect()
}

#[test]
fn a_point_is_the_same_wherever_it_is_and_however_it_is_written() {
    let place = Place::new(TWELVE);
    let first = ids(&place);
    assert_eq!(first.iter().collect::<HashSet<_>>().len(), 12);
    // Another folder, and defaults that are written out.
    let other = Place::new(&TWELVE.replace("[0.1, 0.2, 0.5]", "[0.10, 0.2, 0.5]"));
    other.write("base.toml", &BASE.replace("[run]", "process = \"bernoulli\"\n[run]\nseed = 5"));
    assert_eq!(ids(&other), first);
    // What is added to a campaign leaves the points that it has.
    place.write("sweep.toml", &TWELVE.replace("seeds = [1, 7]", "seeds = [1, 3, 7]"));
    let more = ids(&place);
    assert_eq!((more.len(), first.iter().filter(|id| more.contains(id)).count()), (18, 12));
}

#[test]
fn every_key_of_the_scenario_is_part_of_a_point() {
    let place = Place::new(TWELVE);
    let first = ids(&place);
    for change in ["measure_cycles = 51", "limit_cycles = 7", "measure_cycles = 50\ndetails = true"] {
        let base = BASE.replace("measure_cycles = 50", change);
        place.write("base.toml", &base);
        assert!(ids(&place).iter().all(|id| !first.contains(id)), "{change}");
    }
}

#[test]
fn files_are_part_of_a_point_by_what_is_in_them() {
    let graph = BASE.replace("kind = \"mesh\"\ndims = [2, 2]", "kind = \"graph\"\nfile = \"net.txt\"");
    let campaign = "base = \"base.toml\"\n";
    let [place, other] = [(); 2].map(|()| Place::new(campaign));
    for place in [&place, &other] {
        place.write("base.toml", &graph);
        place.write("net.txt", "0 1\n1 2\n");
    }
    let first = ids(&place);
    assert_eq!(ids(&other), first, "the folder does not matter");
    other.write("net.txt", "0 1\n1 2\n2 0\n");
    assert!(ids(&other).iter().all(|id| !first.contains(id)));
}

#[test]
fn shards_have_each_point_once() {
    for parts in 1..6 {
        let shards: Vec<Shard> = (1..=parts).map(|part| format!("{part}/{parts}").parse().unwrap()).collect();
        for n in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(n)).count(), 1, "{n} of {parts}");
        }
    }
    for wrong in ["", "1", "0/2", "3/2", "1/0", "a/b", "-1/2", "1/2/3"] {
        assert_eq!(wrong.parse::<Shard>(), Err("expected i/n with i from 1 to n, such as 2/8"), "{wrong}");
    }
}

#[test]
fn a_point_is_found_by_the_beginning_of_its_name() {
    let plan = Place::new(TWELVE).plan();
    for (n, point) in plan.points().iter().enumerate() {
        assert_eq!(plan.find(&point.id.to_string()[..8]).unwrap(), n);
    }
    for (digits, message) in [("", "no point has the name "), ("xyz", "no point has the name xyz")] {
        assert!(plan.find(digits).unwrap_err().to_string().contains(message));
    }
}

/// What the engine computes for a few networks. Where this fails, results have changed: raise the number in [`ENGINE`], so that no
/// store mixes old results with new ones, and write the new digest here.
#[test]
fn other_results_have_another_engine() {
    let dragonfly = "[topology]\nkind = \"dragonfly\"\np = 1\na = 2\nh = 1\n";
    let grid = "[topology]\nkind = \"torus\"\ndims = [3, 3]\n";
    let routings = "[axes]\nrouting.algorithm = [\"minimal\", \"olm\", \"valiant\"]\nload = [0.4, 0.9]\n";
    let kinds = "seeds = [1, 2]\n[axes]\ntopology.kind = [\"torus\", \"mesh\"]\nload = [0.4, 0.9]\n";
    let csv = [(dragonfly, routings), (grid, kinds)].map(|(base, axes)| {
        let place = Place::new(&format!("base = \"base.toml\"\n{axes}"));
        let run = "[traffic]\nloads = [1]\n[run]\nwarmup_cycles = 100\nmeasure_cycles = 200\n";
        place.write("base.toml", &format!("{base}{run}"));
        assert_eq!(place.run("out", "1/1").failed, 0);
        let csv = place.csv("out");
        csv.lines().map(|line| line.split_once(',').unwrap().1.to_owned() + "\n").collect::<String>()
    });
    let digest = short_digest(csv.concat().as_bytes());
    assert_eq!((ENGINE, digest.as_str()), ("desvio 0.1.0, results 1", "9050503b866d5022"));
}
