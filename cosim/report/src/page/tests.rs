//! What the page says of folders of results.

use std::fs;
use std::path::Path;

use desvio_sim::scenario::Scenario;
use desvio_sim::summary::{State, Summary};
use desvio_sim::topology::Wiring;
use tempfile::TempDir;

use super::compare::{Comparison, compare};
use super::details::{Detail, Details, Link, Network, To};
use super::layout::Layout;
use super::maps::Maps;
use super::page;
use super::results::Results;
use crate::Curve;
use crate::names;
use crate::tests::point;

fn scenario(topology: &str) -> Scenario {
    let text = format!("[topology]\nkind = {topology}\n[traffic]\nloads = [0.1]\n");
    Scenario::parse(&text, "net.toml", Path::new(""), &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// Every router has a place of its own in the picture, by what the topology is made of.
#[test]
fn routers_are_drawn_by_groups_dimensions_or_levels() {
    for (kind, topology) in [
        ("groups", "\"dragonfly\"\np = 2\na = 4\nh = 2"),
        ("grid", "\"mesh\"\ndims = [3, 5]"),
        ("grid", "\"torus\"\ndims = [3, 3, 4]"),
        ("grid", "\"mesh\"\ndims = [2, 3, 2, 2, 3]"),
        ("levels", "\"fat-tree\"\nradix = 4\nlevels = 3"),
        ("circle", "\"complete\"\nrouters = 7"),
    ] {
        let topology = scenario(topology).topology;
        let routers = Wiring::build(&topology).unwrap().routers();
        let layout = Layout::new(Some(&topology), routers);
        assert_eq!((layout.kind, layout.at.len()), (kind, routers), "{topology:?}");
        for (n, &(x, y)) in layout.at.iter().enumerate() {
            assert!((0.0..=1000.0).contains(&x) && (0.0..=layout.height).contains(&y), "{kind}: {x} {y}");
            let apart = layout.at[..n].iter().all(|&(a, b)| (a - x).hypot(b - y) > 5.0);
            assert!(apart, "{kind}: router {n} is where another one is");
        }
        // With other routers than it should have, it is drawn all the same.
        assert_eq!(Layout::new(Some(&topology), routers + 1).kind, "circle");
    }
}

#[test]
fn things_are_called_as_people_call_them() {
    for (name, topology) in [
        ("Dragonfly h=4, 1,056 nodes", "\"dragonfly\"\np = 4\na = 8\nh = 4"),
        ("Dragonfly p=1 a=3 h=1, 12 nodes", "\"dragonfly\"\np = 1\na = 3\nh = 1"),
        ("Mesh 8×8, 64 nodes", "\"mesh\"\ndims = [8, 8]"),
        ("Fat tree radix=4 levels=2, 8 nodes", "\"fat-tree\"\nradix = 4\nlevels = 2"),
    ] {
        assert_eq!(names::network(&scenario(topology)), name);
    }
    for (shown, key, value) in [
        ("ADV+1", "traffic.pattern", "{ adversarial = 1 }"),
        ("ADVL+2", "traffic.pattern", "{adversarial-local=2}"),
        (
            "{ hot-spot = { nodes = [0], share = 0.5 } }",
            "traffic.pattern",
            "{ hot-spot = { nodes = [0], share = 0.5 } }",
        ),
        ("OLM", "routing.algorithm", "\"olm\""),
        ("dimension order", "routing.algorithm", "dimension-order"),
        ("[4, 4]", "topology.dims", "[4, 4]"),
    ] {
        assert_eq!(names::value(key, value), shown);
    }
    let settings =
        [("routing.algorithm", "olm"), ("traffic.pattern", "{ adversarial = 1 }"), ("router.speedup", "2")];
    assert_eq!(names::label(settings), "OLM · ADV+1 · speedup 2");
}

/// A folder of a run of these points.
fn folder(points: &[Summary]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let of = scenario("\"mesh\"\ndims = [2, 2]");
    let (settings, scenario) = (of.differences(), of.to_toml());
    let curve =
        Curve { name: "mesh".to_owned(), settings, keys: Vec::new(), scenario, points: points.to_vec() };
    for (name, text) in crate::texts(&[curve]) {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

/// A field that is no number is told with its line, and never shown as nothing; an empty one is nothing.
#[test]
fn what_is_no_number_is_refused() {
    let dir = folder(&[point(0.1), Summary { latency_ci95: f64::NAN, ..point(0.2) }]);
    let path = dir.path().join("summary.csv");
    let table = fs::read_to_string(&path).unwrap();
    assert!(Results::read(dir.path()).is_ok());
    for (right, wrong) in [("\n0.2,", "\nzzz,"), (",139,", ",13g,")] {
        assert!(table.contains(right), "{table}");
        fs::write(&path, table.replacen(right, wrong, 1)).unwrap();
        let told = Results::read(dir.path()).err().unwrap().to_string();
        let text = wrong.trim_matches(['\n', ',']);
        assert!(told.ends_with(&format!("summary.csv: \"{text}\" is no number in line 3")), "{told}");
    }
}

/// Such a file no run writes. It takes no room on the disk.
#[test]
fn what_is_too_large_is_not_read() {
    let dir = folder(&[point(0.1)]);
    let path = dir.path().join("provenance.json");
    fs::File::create(&path).and_then(|file| file.set_len((256 << 20) + 1)).unwrap();
    let told = Results::read(dir.path()).err().unwrap().to_string();
    assert!(told.ends_with("provenance.json: it is larger than 268435456 bytes"), "{told}");
}

fn compared(before: &[Summary], now: &[Summary]) -> (Comparison, Results) {
    let [before, now] = [before, now].map(|points| Results::read(folder(points).path()).unwrap());
    (compare(&before, &now), now)
}

/// Latencies have an interval of ±1.25: of a difference, ±1.77.
#[test]
fn what_is_within_noise_is_no_change() {
    let with = |latency: f64| vec![Summary { latency_mean: latency, ..point(0.1) }, point(0.2)];
    let same = compared(&with(100.0), &with(100.0)).0;
    assert_eq!((same.matched, same.same_points, same.within, same.beyond, same.unjudged), (2, 2, 0, 0, 0));
    for (latency, within, beyond) in [(101.7, 1, 0), (98.3, 1, 0), (101.8, 0, 1), (98.2, 0, 1)] {
        let (found, now) = compared(&with(100.0), &with(latency));
        assert_eq!((found.same_points, found.within, found.beyond), (1, within, beyond), "{latency}");
        let Some(change) = found.changes.first() else { continue };
        assert_eq!((change.row, now.metrics[change.metric].column.as_str()), (0, "latency_mean"));
        assert!((change.worse - (latency - 100.0) / 100.0).abs() < 1e-9, "{}", change.worse);
    }
}

/// What became worse comes first, most of all; what has no interval, or is a latency where queues grow, is counted.
#[test]
fn changes_are_in_order_and_what_cannot_be_judged_is_counted() {
    let before = [point(0.1), point(0.2), point(0.3), point(0.4)];
    let mut now = before.clone();
    now[0].accepted /= 2.0;
    now[1].latency_mean *= 3.0;
    now[2].latency_mean *= 0.5;
    now[2].hops_mean += 1.0;
    now[3] = Summary { state: State::Saturated, latency_mean: 9_999.0, ..point(0.4) };
    let (found, now) = compared(&before, &now[..]);
    let shown = found.changes.iter().map(|change| (change.row, now.metrics[change.metric].column.as_str()));
    assert_eq!(shown.collect::<Vec<_>>(), [(1, "latency_mean"), (0, "accepted"), (2, "latency_mean")]);
    assert_eq!((found.unjudged, &found.states[..]), (2, &[(3, 3)][..]));
    // Points that only one has are counted, too.
    let (found, _) = compared(&before[..3], &before[2..]);
    assert_eq!((found.matched, found.only_before, found.only_now), (1, 2, 1));
}

/// Six hundred points of a Dragonfly of 1,056 nodes, every one with its heat map: most of a page.
#[test]
fn heat_maps_of_six_hundred_points_have_room() {
    let wiring = Wiring::build(&scenario("\"dragonfly\"\np = 4\na = 8\nh = 4").topology).unwrap();
    let neighbours =
        (0..wiring.routers()).flat_map(|router| wiring.neighbours(router).map(move |to| (router, to)));
    let link = |(router, (port, to)): (usize, (usize, usize))| Link {
        router: router as u32,
        port: port as u32,
        class: String::new(),
        to: To::Router(to as u32),
        names: None,
    };
    let links: Vec<Link> = neighbours.map(link).collect();
    let utilisation: Vec<f64> = (0..links.len()).map(|n| n as f64 / (links.len() - 1) as f64).collect();
    let row = || Detail { network: Some(0), utilisation: utilisation.clone(), ..Detail::default() };
    let layout = Layout::new(None, wiring.routers());
    for (rows, digits, every) in [(10, 2, 1), (600, 1, 1), (4_000, 1, 4)] {
        let network = Network { curve: 0, layout: layout.clone(), links: links.clone() };
        let details = Details { networks: vec![network], rows: (0..rows).map(|_| row()).collect() };
        let maps = Maps::fitting(&details);
        assert_eq!((maps.digits, maps.every), (digits, every), "{rows}");
        let map = maps.of(0, &details.networks[0], &utilisation).unwrap();
        assert_eq!(map.len(), digits * links.len());
        assert!(map.len() * rows / every <= 3_000_000);
        assert_eq!(maps.of(1, &details.networks[0], &utilisation).is_some(), every == 1);
        // The first link is idle, the last one always busy.
        assert!(map.starts_with(&"0".repeat(digits)) && map.ends_with(&"_".repeat(digits)));
    }
}

/// A hundred packets, each with a latency of its own: joined bins lose none, and quantiles are those of all bins.
#[test]
fn histograms_have_as_many_bars_as_a_picture_needs() {
    let latencies = (1..=100).map(|latency| (latency, (latency + 1, 1))).collect();
    let detail = Detail { latencies, ..Detail::default() };
    assert_eq!(detail.quantiles([0.5, 0.99, 1.0]), [51, 100, 101]);
    for most in [1, 7, 33, 100, 1_000] {
        let bins = detail.bins(most);
        assert!(bins.len() <= most && bins.iter().map(|bin| bin[2]).sum::<u64>() == 100, "{most}: {bins:?}");
        assert!(bins.windows(2).all(|two| two[0][1] == two[1][0]), "{most}: {bins:?}");
        assert!(bins.iter().all(|[from, below, packets]| below - from == *packets), "{most}: {bins:?}");
    }
    assert_eq!(Detail::default().bins(10), [[0; 3]; 0]);
}

#[test]
fn the_page_needs_nothing_else() {
    let dir = folder(&[point(0.1)]);
    let html = page(dir.path(), None).unwrap();
    let own = html.replace("http://www.w3.org/2000/svg", "");
    for outside in ["http:", "https:", "src=", "@import", "fetch(", "XMLHttpRequest"] {
        assert!(!own.contains(outside), "{outside}");
    }
    assert!(html.contains("default-src 'none'") && !html.contains("/*STYLE*/") && !html.contains("/*DATA*/"));
    assert_eq!(html, page(dir.path(), None).unwrap(), "equal folders, equal bytes");
}
