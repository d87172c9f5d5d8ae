//! What the files, tables and pictures hold.

mod folder;
mod pictures;

use std::fs;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use desvio_sim::summary::{
    Congestion, Details, Discards, LatencyBin, LinkUse, LinkWindow, NodeUse, State, Utilisation, Window,
};
use desvio_sim::topology::Peer;

/// Where nothing was measured.
const NOWHERE: Utilisation = Utilisation { mean: f64::NAN, max: f64::NAN };

pub(crate) fn point(load: f64) -> Summary {
    Summary {
        load,
        offered: load + 0.0005,
        accepted: load - 0.000_25,
        accepted_ci95: 0.001_5,
        latency_mean: 131.0 + 40.0 * load,
        latency_ci95: 1.25,
        latency_p50: 128,
        latency_p99: 290,
        latency_max: 512,
        latency_sd: 31.25,
        network_latency_mean: 120.5,
        hops_mean: 2.625,
        global_misroutes_mean: 0.125,
        local_misroutes_mean: 0.0625,
        misrouted_share: 0.1875,
        accepted_min_node: load * 0.9,
        fairness_jain: 0.999_87,
        packets_measured: 40_000,
        packets_lost: 0,
        flits_lost_by_links: 0,
        flits_killed: 0,
        discards: None,
        open_paths_mean: f64::NAN,
        congestion: None,
        details: None,
        state: State::Converged,
        warmup_cycles: 5_000,
        measure_cycles: 10_000,
        hop_histogram: vec![100, 900, 2_000, 7_000],
        link_utilisation: vec![
            ("node", Utilisation { mean: load, max: load }),
            ("local", Utilisation { mean: load * 0.5, max: load * 0.75 }),
            ("global", NOWHERE),
        ],
        series: Vec::new(),
    }
}

fn saturated(load: f64) -> Summary {
    Summary { state: State::Saturated, latency_mean: 98_765.0, latency_ci95: f64::NAN, ..point(load) }
}

pub(crate) fn curve(name: &str, points: Vec<Summary>) -> Curve {
    let settings = vec![("routing.algorithm".to_owned(), name.to_lowercase())];
    let keys = [
        ("routing.algorithm", format!("\"{}\"", name.to_lowercase())),
        ("topology.dims", "[4, 2]".to_owned()),
        ("traffic.pattern", "{ hot-spot = { nodes = [0, 5], share = 0.125 } }".to_owned()),
        ("run.limit_cycles", "18_446_744_073_709_551_615".to_owned()),
        ("run.details", "false".to_owned()),
    ];
    let keys = keys.map(|(key, value)| (key.to_owned(), value)).into();
    Curve { name: name.to_owned(), settings, keys, scenario: format!("# {name}\n"), points }
}

fn two_curves() -> Vec<Curve> {
    vec![
        curve("Minimal", vec![point(0.1), point(0.2), saturated(0.3)]),
        curve("OLM", vec![point(0.1), point(0.2), point(0.3)]),
    ]
}

fn window(start: i64, latency_mean: f64) -> Window {
    Window { start, packets: 10, latency_mean, misrouted_share: 0.5 }
}

#[test]
fn the_first_columns_are_the_contract() {
    let contract = "load,offered,accepted,accepted_ci95,latency_mean,latency_ci95,latency_p50,latency_p99,\
                    latency_max,network_latency_mean,hops_mean,global_misroutes_mean,local_misroutes_mean,\
                    accepted_min_node,fairness_jain,packets_measured,packets_lost,state,";
    assert!(COLUMNS.join(",").starts_with(contract), "{COLUMNS:?}");
}

#[test]
fn the_page_of_columns_names_each_of_them_and_each_state() {
    let page = include_str!("../../../docs/columns.md");
    let others = [csv::CONGESTION_COLUMNS.as_slice(), &csv::DISCARD_COLUMNS, &csv::HOPS, &[csv::OPEN_PATHS]];
    let details = Detail::ALL.map(Detail::columns);
    let states = State::ALL.map(State::word);
    let names = [COLUMNS.as_slice(), &states].into_iter().chain(others).chain(details).flatten();
    let missing: Vec<_> = names.filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_summary_is_these_bytes() {
    let expected = "\
load,offered,accepted,accepted_ci95,latency_mean,latency_ci95,latency_p50,latency_p99,latency_max,network_latency_mean,hops_mean,global_misroutes_mean,local_misroutes_mean,accepted_min_node,fairness_jain,packets_measured,packets_lost,state,misrouted_share,warmup_cycles,measure_cycles,latency_sd,link_utilisation_local_mean,link_utilisation_local_max,link_utilisation_global_mean,link_utilisation_global_max
0.1,0.1005,0.09975,0.0015,135,1.25,128,290,512,120.5,2.625,0.125,0.0625,0.09,0.99987,40000,0,converged,0.1875,5000,10000,31.25,0.05,0.075,,
0.3,0.3005,0.29975,0.0015,98765,,128,290,512,120.5,2.625,0.125,0.0625,0.27,0.99987,40000,0,saturated,0.1875,5000,10000,31.25,0.15,0.225,,
";
    // Given in the wrong order, and 0.1 + 0.2 for 0.3.
    let curve = curve("Minimal", vec![saturated(0.1 + 0.2), point(0.1)]);
    assert_eq!(csv::summary(&curve), expected);
}

/// Where one curve has marks, the file has their columns; where none has, no byte differs.
#[test]
fn marks_have_columns_of_their_own() {
    let of = |ccti_mean: f64| Congestion { marked_share: 0.125, notifications: 7, ccti_mean, ccti_max: 9 };
    let marked = |ccti_mean| Summary { congestion: Some(of(ccti_mean)), ..point(0.1) };
    let curves = [curve("free", vec![point(0.1)]), curve("on", vec![marked(2.5), marked(f64::NAN)])];
    let text = csv::compare(&curves);
    let ends: Vec<_> = text.lines().map(|line| line.rsplitn(5, ',').take(4).collect::<Vec<_>>()).collect();
    assert_eq!(ends[0], ["ccti_max", "ccti_mean", "notifications", "marked_share"]);
    assert_eq!(ends[1..], [["", "", "", ""], ["9", "2.5", "7", "0.125"], ["", "", "7", "0.125"]]);
    let told = table_of_width(&curves, 200);
    assert!(told.contains("converged, 12.5 % marked"), "{told}");
    assert!(json::json(&curves).contains("\"notifications\": 7"));
    assert!(!json::json(&curves[..1]).contains("congestion"));
}

/// Where one curve discards, the file has its columns; where none does, no byte differs.
#[test]
fn discards_have_columns_of_their_own() {
    let some = Discards { packets: [1, 2, 3, 4, 0], flits: 77, has_lifetime: false };
    let of = |discards| Summary { discards: Some(discards), ..point(0.1) };
    let curves = [curve("off", vec![point(0.1)]), curve("on", vec![of(some), of(Discards::default())])];
    let text = csv::compare(&curves);
    let ends: Vec<_> = text.lines().map(|line| line.rsplitn(6, ',').take(5).collect::<Vec<_>>()).collect();
    let names = ["flits", "management_port", "input_port", "invalid_port", "not_in_table"];
    assert_eq!(ends[0], names.map(|name| format!("discarded_{name}")));
    assert_eq!(ends[1..], [[""; 5], ["77", "4", "3", "2", "1"], ["0"; 5]]);
    let told = table_of_width(&curves, 200);
    assert!(told.contains(
        "converged, 10 discarded (1 not in table, 2 invalid port, 3 input port, 4 management port)"
    ));
    assert_eq!(told.matches("discarded").count(), 1, "{told}");
    assert!(json::json(&curves).contains("\"management_port\": 4"));
    assert!(!json::json(&curves[..1]).contains("discards"));
    let there = point_json(&of(some));
    assert_eq!(read_point(&there, &["node", "local", "global"], None).unwrap().discards, Some(some));
}

/// Where packets may wait too long, those that did are one more reason.
#[test]
fn what_waited_too_long_has_a_column_of_its_own() {
    let late = Discards { packets: [0, 0, 0, 0, 5], flits: 40, has_lifetime: true };
    let both = Discards { packets: [1, 2, 3, 4, 5], ..late };
    let without = Discards { packets: [1, 0, 0, 0, 0], flits: 8, has_lifetime: false };
    let of = |discards| Summary { discards: Some(discards), ..point(0.1) };
    let curves = [curve("on", vec![of(late), of(both)]), curve("off", vec![of(without), point(0.1)])];
    let text = csv::compare(&curves);
    let ends: Vec<_> = text.lines().map(|line| line.rsplitn(4, ',').take(3).collect::<Vec<_>>()).collect();
    assert_eq!(ends[0], ["flits", "lifetime", "management_port"].map(|name| format!("discarded_{name}")));
    assert_eq!(ends[1..], [["40", "5", "0"], ["40", "5", "4"], ["8", "", "0"], ["", "", ""]]);
    let told = table_of_width(&curves, 200);
    assert!(told.contains("converged, 5 discarded (5 lifetime)"), "{told}");
    assert!(told.contains("converged, 15 discarded (1 not in table, 2 invalid port, 3 input port, 4 management port, 5 lifetime)"));
    assert!(told.contains(
        "converged, 1 discarded (1 not in table, 0 invalid port, 0 input port, 0 management port)"
    ));
    assert_eq!(json::json(&curves).matches("\"lifetime\": 5").count(), 2);
    for of in [late, both, without].map(of) {
        let there = read_point(&point_json(&of), &["node", "local", "global"], None).unwrap();
        assert_eq!(there.discards, of.discards);
    }
}

#[test]
fn a_name_with_a_comma_and_a_line_break_is_one_field() {
    let mut curves = two_curves();
    curves[0].name = "OLM, \"MM\"\nload".to_owned();
    let text = csv::compare(&curves);
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    assert_eq!(&reader.headers().unwrap()[0], "scenario");
    let names: Vec<String> = reader.records().map(|record| record.unwrap()[0].to_owned()).collect();
    assert_eq!(names[..3], ["OLM, \"MM\"\nload", "OLM, \"MM\"\nload", "OLM, \"MM\"\nload"]);
    assert_eq!(names[3..], ["OLM", "OLM", "OLM"]);
}

#[test]
fn numbers_have_one_spelling() {
    let spelled = |value: f64| csv::number(value);
    assert_eq!(spelled(0.1 + 0.2), "0.3");
    assert_eq!(spelled(-0.000_000_1), "0");
    assert_eq!(spelled(1200.0), "1200");
    assert_eq!(spelled(f64::NAN), "");
    assert_eq!(spelled(f64::INFINITY), "inf");
}

#[test]
fn a_run_and_a_comparison_have_their_files() {
    let place = tempfile::tempdir().unwrap();
    let names = |curves: &[Curve]| -> Vec<String> {
        let written = write_all(place.path(), curves).unwrap();
        assert!(written.iter().all(|path| path.is_file()));
        written.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    let mut run = two_curves().remove(0);
    run.points[0].series = vec![window(-100, 130.0), window(0, f64::NAN)];
    let pictures = "latency.svg latency.png accepted.svg accepted.png misrouted.svg misrouted.png \
                    hops.svg hops.png links.svg links.png series.svg series.png";
    let run = names(&[run]).join(" ");
    assert_eq!(
        run,
        format!("provenance.json summary.csv summary.json scenario.toml hops.csv series.csv {pictures}")
    );
    let pictures = pictures.trim_end_matches(" series.svg series.png");
    let compared = format!("provenance.json compare.csv compare.json hops.csv {pictures}");
    assert_eq!(names(&two_curves()).join(" "), compared);
}

#[test]
fn hops_and_series_have_a_row_each() {
    let mut run = curve("OLM", vec![point(0.5)]);
    run.points[0].series = vec![window(-100, 130.5), window(0, f64::NAN)];
    let hops = csv::hops(&run).unwrap();
    assert!(hops.ends_with("load,hops,packets\n0.5,0,100\n0.5,1,900\n0.5,2,2000\n0.5,3,7000\n"), "{hops}");
    let series = csv::series(&run).unwrap();
    let rows = "load,start,packets,latency_mean,misrouted_share\n0.5,-100,10,130.5,0.5\n0.5,0,10,,0.5\n";
    assert!(series.ends_with(rows), "{series}");
}

#[test]
fn links_and_nodes_have_a_row_each() {
    let mut run = curve("OLM", vec![point(0.5)]);
    assert_eq!((csv::links(&run), csv::nodes(&run)), (None, None));
    let link = |port, to| LinkUse {
        router: 3,
        port,
        to,
        class: "local",
        utilisation: 0.25,
        wait_mean: f64::from(port) * 1.5,
    };
    run.points[0].details = Some(Box::new(Details {
        links: vec![link(0, Peer::Node(7)), link(1, Peer::Router { router: 4, port: 2 })],
        nodes: vec![NodeUse { router: 3, port: 0, injected: 0.5, waiting: 12 }],
        latencies: vec![LatencyBin { from: 9, packets: 2 }, LatencyBin { from: 128, packets: 5 }],
        over_time: vec![LinkWindow { start: -10, cycles: 10, flits: vec![5, 0] }],
        names: None,
    }));
    let links = "load,router,port,class,to_router,to_port,to_node,utilisation,wait_mean\n0.5,3,0,local,,,7,0.25,0\n0.5,3,1,local,4,2,,0.25,1.5\n";
    assert_eq!(csv::links(&run).unwrap(), links);
    let over_time = "load,start,router,port,utilisation\n0.5,-10,3,0,0.5\n0.5,-10,3,1,0\n";
    assert_eq!(csv::link_series(&run).unwrap(), over_time);
    assert!(csv::compare_link_series(&[run.clone()]).unwrap().ends_with("OLM,0.5,-10,3,1,0\n"));
    assert_eq!(csv::nodes(&run).unwrap(), "load,node,router,port,injected,waiting\n0.5,0,3,0,0.5,12\n");
    assert_eq!(csv::latency(&run).unwrap(), "load,from,below,packets\n0.5,9,10,2\n0.5,128,132,5\n");
    assert!(csv::compare_latency(&[run.clone()]).unwrap().ends_with("OLM,0.5,128,132,5\n"));
    assert!(csv::compare_links(&[run.clone()]).unwrap().ends_with("OLM,0.5,3,1,local,4,2,,0.25,1.5\n"));
    assert!(csv::compare_nodes(&[run]).unwrap().ends_with("OLM,0.5,0,3,0,0.5,12\n"));
}

#[test]
fn json_holds_every_quantity_and_null_for_nan() {
    let value: serde_json::Value = serde_json::from_str(&json::json(&two_curves())).unwrap();
    let point = &value["curves"][0]["points"][2];
    assert_eq!(
        value["curves"][0]["settings"],
        serde_json::json!({
            "routing.algorithm": "minimal",
            "topology.dims": [4, 2],
            "traffic.pattern": { "hot-spot": { "nodes": [0, 5], "share": 0.125 } },
            "run.limit_cycles": u64::MAX,
            "run.details": false,
        }),
        "values have the types of the file"
    );
    assert_eq!(point["state"], "saturated");
    assert!(point["latency_ci95"].is_null());
    assert_eq!(point["hop_histogram"], serde_json::json!([100, 900, 2000, 7000]));
    for column in COLUMNS.iter().filter(|column| !column.starts_with("link_")) {
        assert!(point.get(column).is_some(), "{column} is missing");
    }
}

#[test]
fn the_table_tells_a_saturated_load_without_a_latency() {
    let text = table_of_width(&two_curves(), 120);
    let row = text.lines().find(|line| line.contains("saturated")).unwrap();
    assert!(row.contains("Minimal") && row.contains("0.300") && row.contains('–'), "{text}");
    assert!(!text.contains("98765"), "{text}");
    assert!(
        text.contains("0.0998 ±0.0015") && text.contains("135.0 ±1.2") && text.contains("18.8 %"),
        "{text}"
    );
    assert!(!text.contains('\u{1b}'), "no colours without a terminal: {text:?}");
}

#[test]
fn the_table_names_lost_packets() {
    let lost = Summary { packets_lost: 3, state: State::Deadlock, ..point(0.1) };
    let text = table_of_width(&[curve("OLM", vec![lost])], 120);
    assert!(text.contains("deadlock, 3 lost"), "{text}");
    assert!(!text.contains("OLM"), "one curve needs no name: {text}");
}

#[test]
fn a_narrow_table_leaves_columns_out_and_breaks_no_line() {
    let text = table_of_width(&two_curves(), 64);
    assert!(text.lines().all(|line| line.chars().count() <= 64), "{text}");
    let (table, hidden) = text.rsplit_once('\n').unwrap();
    assert!(
        table.contains("latency") && table.contains("converged") && !table.contains("min node"),
        "{text}"
    );
    assert_eq!(table.lines().count(), 2 + 6, "{text}");
    assert_eq!(hidden, "left out: p99, hops, misrouted, min node", "columns that are not there are named");
    assert!(!table_of_width(&two_curves(), 200).contains("left out"));
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => 0.0..1.0_f64, 2 => 0.0..1e4_f64, 2 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(0.0)]
}

prop_compose! {
    fn any_point()(
        numbers in proptest::array::uniform8(any_number()),
        busy in proptest::array::uniform3(any_number()),
        state in prop::sample::select(vec![State::Fixed, State::Limit, State::Saturated, State::Deadlock]),
        hop_histogram in prop::collection::vec(prop_oneof![Just(0), any::<u64>()], 0..9),
        windows in prop::collection::vec((any::<i64>(), any_number(), any_number()), 0..5),
    ) -> Summary {
        let [load, offered, accepted, accepted_ci95, latency_mean, latency_ci95, misrouted_share, hops_mean] = numbers;
        let [node, local, global] = busy.map(|mean| Utilisation { mean, max: 2.0 * mean });
        let window = |(start, latency_mean, misrouted_share)| Window { start, packets: 1, latency_mean, misrouted_share };
        Summary {
            load, offered, accepted, accepted_ci95, latency_mean, latency_ci95, misrouted_share, hops_mean, state,
            hop_histogram,
            link_utilisation: vec![("node", node), ("local", local), ("global", global)],
            series: windows.into_iter().map(window).collect(),
            ..point(0.5)
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn nothing_that_can_be_measured_is_a_panic(
        curves in prop::collection::vec((".{0,60}", prop::collection::vec(any_point(), 0..4)), 0..13),
    ) {
        let curves: Vec<Curve> = curves.into_iter().map(|(name, points)| curve(&name, points)).collect();
        for (stem, svg) in pictures(&curves) {
            let svg = svg.unwrap();
            prop_assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{stem}: {svg}");
            resvg::usvg::Tree::from_str(&svg, &Default::default()).unwrap();
        }
        plot::panels("t", &[("a".to_owned(), curves.clone()), ("b".to_owned(), Vec::new())]).unwrap();
        texts(&curves);
        table_of_width(&curves, 80);
    }
}

#[test]
fn a_point_is_read_as_it_was_written() {
    let odd = Summary {
        accepted: 0.1 + 0.2,
        latency_ci95: f64::NAN,
        state: State::Deadlock,
        series: vec![window(-10, f64::NAN), window(0, 1.0 / 3.0)],
        ..point(0.7)
    };
    let classes = ["node", "local", "global"];
    for point in [point(0.1), saturated(0.3), odd] {
        let json = point_json(&point);
        let read = read_point(&json, &classes, None).unwrap();
        assert_eq!(point_json(&read), json);
        // NaN is not equal to itself, but shown alike.
        assert_eq!(format!("{read:?}"), format!("{point:?}"));
        assert_eq!(
            read_point(&json, &classes[..2], None),
            Err("unknown class of links \"global\"".to_owned())
        );
    }
}

/// Bytes that pandas reads as they were meant: two texts, one of them null; the largest number without a sign; one with; a double.
#[test]
fn a_small_table_as_parquet() {
    let csv = b"a,b,c.d,e\nx,18446744073709551615,-3,0.5\n,0,,2\n";
    let kinds = [Kind::Text, Kind::Unsigned, Kind::Integer, Kind::Number];
    let bytes = parquet(csv, &kinds).unwrap();
    let expected = include_bytes!("tests/small.parquet");
    assert_eq!(bytes, expected);
    let wrong = parquet(b"a,b\nx,-1\n", &kinds).unwrap_err();
    assert_eq!(wrong, "b: \"-1\" is not of its column's type");
}
