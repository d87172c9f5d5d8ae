//! The names of points: the same for the same point, different for any other.

use super::{BASE, Place, TWELVE};
use crate::{PointId, Shard};
use desvio_sim::engine;
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

/// Sources that were changed are another engine: results of those before are not taken for theirs.
#[test]
fn the_engine_of_a_checkout_is_known_by_its_sources() {
    let (version, sources) = engine::name().split_once(", sources ").unwrap();
    assert_eq!(version, concat!("desvio ", env!("CARGO_PKG_VERSION")));
    assert!(
        sources.len() == 16 && u64::from_str_radix(sources, 16).is_ok_and(|digest| digest != 0),
        "{}",
        engine::name()
    );
}
