//! The page of results: made by the command, opened in a browser, clicked through.

use super::Place;
use super::browser::{self, Browser};
use std::collections::HashMap;
use std::fs;

/// Six hundred points of sixteen routers, ten seeds each.
const SWEEP: &str = r#"base = "small.toml"
seeds = { from = 1, to = 10 }

[axes]
"topology.dims" = [[4, 4]]
"run.details" = [true]
"run.warmup_cycles" = [50]
"run.measure_cycles" = [150]
"traffic.pattern" = ["uniform", "transpose", "bit-complement"]
"routing.algorithm" = ["dimension-order", "odd-even"]
load = { from = 0.05, to = 0.5, step = 0.05 }
"#;

/// The rows of a table with a header, each a field by its column.
fn rows(place: &Place, name: &str) -> Vec<HashMap<String, String>> {
    let mut reader = csv::Reader::from_path(place.path(name)).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &HashMap<String, String>, column: &str) -> f64 {
    row[column].parse().unwrap()
}

#[test]
fn the_page_does_what_its_buttons_say() {
    let Some(program) = browser::program() else { return };
    let place = Place::new();
    place.write("sweep.toml", SWEEP);
    place.succeed(&["campaign", "run", "sweep.toml", "--quiet"]);
    assert_eq!(place.succeed(&["campaign", "report", "sweep.toml"]).out, "results/sweep/report.html\n");
    let path = place.path("results/sweep/report.html");
    let size = fs::metadata(&path).unwrap().len();
    assert!((100_000..5_000_000).contains(&size), "{size} bytes");

    let mut page = Browser::open(program, &path, (1200, 900));
    assert_eq!(page.count("#table tbody tr"), 60);
    let sorted = sorts(&mut page);
    filters(&mut page);
    hides(&mut page);
    reads(&mut page, &place);
    zooms(&mut page);
    opens_a_point(&mut page, &place, &sorted);
    has_panels_and_columns(&mut page);
    fits(&mut page);
    let (errors, asked) = page.told();
    assert_eq!(errors, [""; 0]);
    assert!(asked.iter().all(|address| address.contains("results/sweep/report.html")), "{asked:?}");
}

const HEADER: &str = "#table th:nth-child(6)";

/// By accepted load, up and down; the numbers of the first row when the highest is on top.
fn sorts(page: &mut Browser) -> String {
    let column = "[...document.querySelectorAll('#table tbody td:nth-child(6)')].map((cell) => parseFloat(cell.textContent))";
    let mut after_click = |direction: &str| {
        page.click(&format!("{HEADER} button"));
        assert_eq!(page.value(&format!("document.querySelector({HEADER:?}).ariaSort")), direction);
        let values = page.value(column);
        values.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect::<Vec<_>>()
    };
    let rising = after_click("ascending");
    // What stands there is rounded to its interval, what is sorted by is not.
    let rises = |values: &[f64]| values.is_sorted_by(|a, b| *a <= b * 1.2 + 1.0);
    assert!(rising.len() == 60 && rises(&rising) && rising[0] < rising[59], "{rising:?}");
    let falling = after_click("descending");
    let again: Vec<f64> = falling.iter().rev().copied().collect();
    assert!(rises(&again) && falling[0] > falling[59], "{falling:?}");
    page.text("#table tbody tr")
}

/// By a list, with the keyboard, then by words; and back.
fn filters(page: &mut Browser) {
    page.press("#filters label:nth-child(2) select", "ArrowDown", 40);
    assert_eq!(page.text("#count"), "20 of 60 rows");
    page.click("#search");
    page.ask("Input.insertText", serde_json::json!({ "text": "odd even 0.25" }));
    assert_eq!((page.text("#count"), page.count("#table tbody tr")), ("1 of 60 rows".to_owned(), 1));
    assert!(
        page.text("#table tbody tr").starts_with("uniformodd even0.25"),
        "{}",
        page.text("#table tbody tr")
    );
    page.value("by('search').select()");
    page.press("#search", "Delete", 46);
    page.press("#filters label:nth-child(2) select", "ArrowUp", 38);
    assert_eq!(page.text("#count"), "60 rows");
}

fn hides(page: &mut Browser) {
    assert_eq!((page.count("#legend button"), page.count("#plot .curve")), (2, 6));
    let first = "#legend button:nth-child(1)";
    assert_eq!(page.text(first), "dimension order");
    for (pressed, curves) in [("false", 3), ("true", 6)] {
        page.click(first);
        let is = page.value(&format!("document.querySelector({first:?}).ariaPressed"));
        assert_eq!((is.as_str(), page.count("#plot .curve")), (Some(pressed), curves));
        // Where both are alike, the lower one is wider, so that it shows on both sides of the other.
        let is_wide = page.count("#plot .under") > 0;
        let largest = page.value(
            "Math.max(...[...document.querySelectorAll('#plot .dot')].map((dot) => +dot.getAttribute('r')))",
        );
        assert_eq!((is_wide, largest.as_u64()), if curves == 6 { (true, Some(6)) } else { (false, Some(4)) });
    }
}

/// The point under the pointer is the mean over seeds of the table that is beside the page.
fn reads(page: &mut Browser, place: &Place) {
    page.point("#plot .dot");
    let told = page.text("#reading");
    let rest = told
        .strip_prefix("uniform, dimension order, load 0.05: mean latency ")
        .unwrap_or_else(|| panic!("{told}"));
    let shown: f64 = rest.split(' ').next().unwrap().parse().unwrap();
    let points = rows(place, "results/sweep/points.csv");
    let is_it = |row: &&HashMap<String, String>| {
        row["traffic.pattern"] == "uniform"
            && row["routing.algorithm"] == "dimension-order"
            && row["load"] == "0.05"
    };
    let values: Vec<f64> = points.iter().filter(is_it).map(|row| number(row, "latency_mean")).collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    assert!(values.len() == 10 && (shown / mean - 1.0).abs() < 2e-2, "{told}: {mean}");
    // The next one by the keyboard.
    page.press("#plot", "ArrowRight", 39);
    assert!(
        page.text("#reading").starts_with("uniform, dimension order, load 0.1: "),
        "{}",
        page.text("#reading")
    );
}

/// By a button, back, then by dragging: a curve that leaves the picture is cut, and no point is drawn at a value that it has not.
fn zooms(page: &mut Browser) {
    let whole = page.count("#plot .dot");
    page.click("#closer");
    assert!(page.count("#plot .dot") < whole && page.value("by('whole').disabled") == false);
    page.click("#whole");
    assert_eq!(page.count("#plot .dot"), whole);
    let (x, y) = page.point("#plot");
    page.mouse("mousePressed", (x, y));
    page.mouse("mouseMoved", (x + 150.0, y + 90.0));
    page.mouse("mouseReleased", (x + 150.0, y + 90.0));
    let zoomed =
        page.value("[view.zoom.x, view.zoom.y, plots.find(({ panel }) => panel === view.zoom.panel).left]");
    assert!(zoomed[0][0].as_f64() < zoomed[0][1].as_f64() && zoomed[0][0] == zoomed[2], "{zoomed}");
    page.press("#plot", "0", 48);
    assert_eq!((page.count("#plot .dot"), page.value("view.zoom").is_null()), (whole, true));
}

/// A panel with an axis of its own for each pattern, two colours for two routings, whatever is shown; columns for the asking; a file.
fn has_panels_and_columns(page: &mut Browser) {
    let panels = "plots.map(({ panel }) => panel).join()";
    let colours =
        "[...document.querySelectorAll('#plot .curve')].map((curve) => curve.getAttribute('stroke')).join()";
    assert_eq!(page.value(panels), "uniform,transpose,bit-complement");
    assert_eq!(page.value(colours), ["var(--c0),var(--c1)"; 3].join(","));
    let latest = "#filters label:nth-child(3) select";
    page.press(latest, "ArrowDown", 40);
    page.press(latest, "ArrowDown", 40);
    assert_eq!(page.value(colours), ["var(--c1)"; 3].join(","), "of the second routing alone");
    page.press(latest, "ArrowUp", 38);
    page.press(latest, "ArrowUp", 38);
    assert_eq!(page.count("#table th"), 9);
    page.value("by('columns').querySelector('label:nth-child(3) input').click()");
    assert_eq!(page.count("#table th"), 10);
    let svg = page.value("standalone().text");
    assert!(svg.as_str().unwrap().starts_with("<svg") && !svg.as_str().unwrap().contains("var("), "{svg}");
    assert_eq!(page.value("csv().split('\\n').length"), 62);
    let bands = page.value("[...document.querySelectorAll('#plot .band')].length <= plots.length * 2");
    assert_eq!(bands, true);
}

/// The heat map of the point with the highest accepted load: its busiest link is that of the table beside the page.
fn opens_a_point(page: &mut Browser, place: &Place, first: &str) {
    page.click("#table tbody tr:first-child button");
    let [pattern, routing, load] =
        ["1", "2", "3"].map(|n| page.text(&format!("#table tbody tr td:nth-child({n})")));
    assert!(first.starts_with(&format!("{pattern}{routing}{load}")), "{first}");
    assert!(
        page.text("#point-facts")
            .starts_with(&format!("Mesh 4×4, 16 nodes, {pattern}, {routing}, load {load}"))
    );
    assert_eq!((page.count("#map .link"), page.count("#map .router")), (48, 16));
    page.press("#map", "ArrowRight", 39);
    let told = page.text("#map-reading");
    let (name, busy) = told.strip_prefix("1 of 48, ").and_then(|rest| rest.rsplit_once(": ")).unwrap();
    let shown: f64 = busy.strip_suffix(" % busy").unwrap().parse().unwrap();
    let points = rows(place, "results/sweep/points.csv");
    let is_it = |row: &&HashMap<String, String>| {
        row["traffic.pattern"] == pattern
            && row["routing.algorithm"].replace('-', " ") == routing
            && row["load"] == load
    };
    let ids: Vec<&String> = points.iter().filter(is_it).map(|row| &row["point"]).collect();
    assert_eq!(ids.len(), 10);
    let mut links: HashMap<String, f64> = HashMap::new();
    for line in
        place.rows("results/sweep/links.csv").iter().filter(|line| ids.iter().any(|id| line.starts_with(*id)))
    {
        let [_, _, router, port, class, to, _, node, utilisation, _] =
            line.split(',').collect::<Vec<_>>()[..]
        else {
            panic!("{line}")
        };
        if node.is_empty() {
            let name = format!("router {router} port {port} to router {to} ({class})");
            *links.entry(name).or_default() += 10.0 * utilisation.parse::<f64>().unwrap();
        }
    }
    assert!((links[name] - shown).abs() < 0.1, "{told}: {}", links[name]);
    assert!(links.values().all(|busy| busy - links[name] < 0.1), "{told}: {links:?}");
    // The pointer finds a link, too, and the tables have ten rows each.
    page.point("#map .link:last-of-type");
    assert!(page.text("#map-reading").contains(" busy"));
    assert_eq!((page.count("#busiest tbody tr"), page.count("#worst tbody tr")), (10, 10));
    assert!(page.text("#quantiles").starts_with("Of ") && page.count("#histogram .bars") == 1);
    assert!(page.text("#scenario pre").contains(&format!("loads = [{load}]")));
}

/// Nothing is wider than a phone, and on paper there are no buttons.
fn fits(page: &mut Browser) {
    page.resize(360, 700);
    let widths = page.value("[document.documentElement.scrollWidth, document.documentElement.clientWidth]");
    assert_eq!(widths[0], widths[1]);
    page.ask("Emulation.setEmulatedMedia", serde_json::json!({ "media": "print" }));
    let shown = page.value(
        "['#filters', '#closer', '#map'].map((name) => document.querySelector(name).getClientRects().length)",
    );
    assert_eq!(shown, serde_json::json!([0, 0, 1]));
}

/// A slower router beside what it was, by a page of each command's folder.
#[test]
fn pages_of_runs_and_comparisons_are_made_and_compared() {
    let place = Place::new();
    let quiet = ["--quiet", "--set", "run.details=true"];
    place.succeed(&[&["run", "small.toml", "--out", "fast"][..], &quiet].concat());
    place
        .succeed(&[&["run", "small.toml", "--out", "slow", "--set", "links.latency=5"][..], &quiet].concat());
    place.succeed(&["compare", "small.toml", "--vary", "run.seed=1,2", "--out", "two", "--quiet"]);
    assert_eq!(place.succeed(&["report", "slow", "fast"]).out, "slow/report.html\n");
    assert_eq!(place.succeed(&["report", "two", "--out", "page.html"]).out, "page.html\n");
    let data = |name: &str| -> serde_json::Value {
        let html = place.read(name);
        let (_, data) = html.split_once("id=\"data\">").unwrap();
        serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
    };
    let (slow, two) = (data("slow/report.html"), data("page.html"));
    assert_eq!((two["curves"].as_array().unwrap().len(), two["compared"].is_null()), (2, true));
    let compared = &slow["compared"];
    assert_eq!((&compared["before"], &compared["matched"]), (&"fast".into(), &2.into()));
    let first = &compared["changes"][0];
    let column = &slow["metrics"][first["metric"].as_u64().unwrap() as usize]["column"];
    assert!(column == "latency_mean" && first["worse"].as_f64().unwrap() > 0.2, "{first}");
    // Another run of one folder removes the page of what is no more.
    place.succeed(&[&["run", "small.toml", "--out", "slow"][..], &quiet].concat());
    assert!(!place.exists("slow/report.html"));
}

#[test]
fn folders_without_results_are_refused() {
    let place = Place::new();
    fs::create_dir_all(place.path("campaign/points")).unwrap();
    for (arguments, message) in [
        (&["report", "none"][..], "error: none: there is no such folder"),
        (&["report", "campaign"], "error: campaign: the points of this campaign are not collected: "),
    ] {
        let ended = place.desvio(arguments);
        assert!(ended.status == Some(2) && ended.err.starts_with(message), "{ended:#?}");
    }
    place.succeed(&["run", "small.toml", "--out", "one", "--quiet"]);
    place.succeed(&["run", "small.toml", "--out", "two", "--quiet", "--set", "traffic.loads=[0.2]"]);
    let ended = place.desvio(&["report", "one", "two"]);
    assert_eq!((ended.status, ended.err.as_str()), (Some(2), "error: one and two have no point in common\n"));
    place.write("one/summary.csv", "load,state\n0.1,odd\n");
    let ended = place.desvio(&["report", "one"]);
    assert_eq!(
        (ended.status, ended.err.as_str()),
        (Some(2), "error: one/summary.csv: an unknown state in line 2\n")
    );
}
