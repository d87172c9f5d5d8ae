//! Points on disk: whichever process computed them, the table is the same.

use super::{BASE, Place, TWELVE, copy_into};
use crate::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Writes everything that is collected; the paths.
fn collected(plan: &Plan, store: &Store, out: &Path) -> Vec<PathBuf> {
    collect(plan, store, out, &table(plan, store, Columns::Varying).unwrap(), false).unwrap()
}

/// Whether a metric is the only one that differs at one point.
fn names_metric(differences: &[Difference], metric: &str) -> bool {
    matches!(differences, [Difference { metrics, .. }] if matches!(&metrics[..], [one] if one.name == metric))
}

#[test]
fn shards_in_folders_of_their_own_merge_by_copy() {
    let place = Place::new(TWELVE);
    assert_eq!(place.run("whole", "1/1").finished, 12);
    for shard in ["3/3", "1/3", "2/3"] {
        let own = format!("shard{}", &shard[..1]);
        assert_eq!(place.run(&own, shard).finished, 4);
        copy_into(&place.path(&own).join("points"), &place.path("merged").join("points"));
    }
    let csv = place.csv("whole");
    assert_eq!(place.csv("merged"), csv);
    assert_eq!(csv.lines().count(), 13);
    assert!(csv.starts_with("point,traffic.pattern,seed,label,load,offered,accepted,"), "{csv}");
    assert!(csv.lines().nth(2).unwrap().contains(",uniform,7,uniform,0.1,"), "seeds are fastest: {csv}");
    assert_eq!(place.run("merged", "1/1").finished, 0, "nothing is done twice");
    // The same results twice are no conflict.
    copy_into(&place.path("whole").join("points"), &place.path("merged").join("points"));
    assert_eq!(place.csv("merged"), csv);
    assert!(place.store("merged").conflicts().is_empty());
}

#[test]
fn a_table_of_half_a_campaign_has_the_rows_that_there_are() {
    let place = Place::new(TWELVE);
    place.run("out", "1/2");
    let half = place.csv("out");
    place.run("out", "2/2");
    let whole = place.csv("out");
    assert_eq!(half.lines().count(), 7);
    assert!(half.lines().all(|line| whole.lines().any(|other| other == line)));
    let all = String::from_utf8(place.table("out", Columns::All).csv).unwrap();
    assert!(all.starts_with("point,topology.kind,topology.dims,"), "{all}");
    assert!(all.contains(",mesh,\"[2, 2]\","), "{all}");
    assert_eq!(all.lines().count(), 13);
}

#[test]
fn what_is_written_beside_the_table_can_be_run_again() {
    let place = Place::new(TWELVE);
    place.run("out", "1/1");
    let table = place.table("out", Columns::Varying);
    let written = collect(&place.plan(), &place.store("out"), &place.path("out"), &table, false).unwrap();
    assert_eq!((table.rows, written.len()), (12, 3));
    let provenance: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(place.path("out/provenance.json")).unwrap()).unwrap();
    assert_eq!(provenance["campaign"], TWELVE);
    assert_eq!(provenance["base"], BASE);
    assert_eq!(
        (&provenance["points"], &provenance["engine"]),
        (&12.into(), &desvio_sim::engine::name().into())
    );
    let scenario = desvio_sim::scenario::Scenario::load(&place.path("out/scenario.toml"), &[]).unwrap();
    assert_eq!(scenario.traffic.loads, desvio_sim::scenario::Loads::List(vec![0.1, 0.2, 0.5]));
}

#[test]
fn a_flipped_byte_is_left_out_removed_and_computed_anew() {
    let place = Place::new(TWELVE);
    place.run("out", "1/1");
    let csv = place.csv("out");
    let segment = place.segment("out");
    let mut bytes = fs::read(&segment).unwrap();
    let at = bytes.len() / 2;
    bytes[at] ^= 4;
    fs::write(&segment, &bytes).unwrap();
    assert_eq!(place.csv("out").lines().count(), 12, "one row less");
    let mut store = place.store("out");
    assert_eq!(store.damage().iter().map(|damage| damage.lines).sum::<usize>(), 1);
    assert_eq!(store.mend().unwrap().len(), 1);
    assert!(place.store("out").damage().is_empty() && store.damage().is_empty());
    assert_eq!(place.run("out", "1/1").finished, 1);
    assert_eq!(place.csv("out"), csv);
}

#[test]
fn a_segment_that_is_being_written_is_not_mended() {
    let place = Place::new(TWELVE);
    place.run("out", "1/1");
    let segment = place.segment("out");
    fs::write(&segment, "{\"check\":\"0\",\"point\":\"damaged\n").unwrap();
    let writer = fs::File::open(&segment).unwrap();
    writer.lock().unwrap();
    assert!(place.store("out").mend().unwrap().is_empty());
    drop(writer);
    assert_eq!(place.store("out").mend().unwrap().len(), 1);
    assert_eq!(fs::read(&segment).unwrap(), b"");
}

/// A segment is cut at every length that a kill can leave: what is lost is computed anew, and nothing else.
#[test]
fn a_torn_end_costs_one_point() {
    let place = Place::new(TWELVE);
    place.run("out", "1/1");
    let (csv, segment) = (place.csv("out"), place.segment("out"));
    let bytes = fs::read(&segment).unwrap();
    for kept in (0..bytes.len()).step_by(257) {
        fs::write(&segment, &bytes[..kept]).unwrap();
        let whole = bytes[..kept].iter().filter(|byte| **byte == b'\n').count();
        assert!(place.store("out").damage().is_empty(), "a torn end is no damage");
        assert_eq!(place.run("out", "1/1").finished, 12 - whole, "cut at {kept}");
        assert_eq!(place.csv("out"), csv);
        for file in fs::read_dir(place.path("out/points")).unwrap().map(|file| file.unwrap().path()) {
            if file != segment {
                fs::remove_file(file).unwrap();
            }
        }
    }
}

#[test]
fn verify_finds_one_changed_digit() {
    let place = Place::new(TWELVE);
    place.run("out", "1/1");
    let (plan, segment) = (place.plan(), place.segment("out"));
    let store = place.store("out");
    let all = sample(&plan, &store, 1.0, 1);
    assert_eq!(all, (0..12).collect::<Vec<_>>());
    assert_eq!(sample(&plan, &store, 0.0, 1).len(), 1, "one at least");
    assert_ne!(sample(&plan, &store, 0.5, 1), sample(&plan, &store, 0.5, 2));
    assert!(verify(&plan, &store, &all, &|| ()).unwrap().is_empty());
    // A digit of one metric, under a checksum that is right.
    let text = fs::read_to_string(&segment).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut record = Record::read(lines[5].as_bytes()).unwrap();
    let (before, after) = record.result.split_once("\"latency_max\":").unwrap();
    let digit = if after.starts_with('1') { 2 } else { 1 };
    record.result = format!("{before}\"latency_max\":{digit}{}", &after[1..]);
    lines[5] = record.to_line().trim_end().to_owned();
    fs::write(&segment, lines.join("\n") + "\n").unwrap();
    let found = verify(&plan, &place.store("out"), &all, &|| ()).unwrap();
    assert!(names_metric(&found, "latency_max"), "{found:?}");
    assert_eq!(plan.points()[found[0].point].id, record.id);
    // Beside the right result it is a conflict.
    place.run("other", "1/1");
    copy_into(&place.path("other").join("points"), &place.path("out").join("points"));
    assert_eq!(place.store("out").conflicts(), [record.id]);
}

/// Links that go down at once lose nothing but cut the network: a routing that cannot go around them waits for ever.
#[test]
fn failures_are_recorded_and_tried_again_and_stop_a_run_that_has_too_many() {
    let place = Place::new(TWELVE);
    // A file that vanishes after the plan was read: the points cannot be wired.
    place.write(
        "base.toml",
        &BASE.replace("kind = \"mesh\"\ndims = [2, 2]", "kind = \"graph\"\nfile = \"net.txt\""),
    );
    place.write("sweep.toml", &TWELVE.replace("bit-complement", "permutation"));
    place.write("net.txt", "0 1\n1 2\n");
    let plan = place.plan();
    let net = fs::read(place.path("net.txt")).unwrap();
    fs::remove_file(place.path("net.txt")).unwrap();
    let run = |most: Option<usize>| {
        let store = place.store("out");
        let points = missing(&plan, &store, Shard::ALL);
        let segment = Mutex::new(store.segment());
        crate::run(&plan, store, &points, &segment, &super::Silent, most)
    };
    let tally = run(Some(3));
    assert!(tally.is_cut && (3..12).contains(&tally.failed), "{tally:?}");
    assert_eq!((run(None).failed, tally.finished), (12, 0));
    let store = place.store("out");
    let told = plan.points().iter().filter(|point| {
        matches!(&store.get(point.id).unwrap().came, Came::Failed(message) if message.contains("net.txt"))
    });
    assert_eq!(told.count(), 12);
    fs::write(place.path("net.txt"), net).unwrap();
    let tally = run(None);
    assert_eq!((tally.finished, tally.failed), (12, 0), "{tally:?}");
    assert!(plan.points().iter().all(|point| place.store("out").is_finished(point.id)));
}

/// The page that is made of what is collected has the means and intervals of the seeds of each row.
#[test]
fn the_page_has_means_over_seeds_and_needs_nothing_else() {
    let place = Place::new(&format!("# </script>\n{TWELVE}"));
    place.run("out", "1/1");
    let (plan, store) = (place.plan(), place.store("out"));
    collected(&plan, &store, &place.path("out"));
    let html = desvio_report::page(&place.path("out"), None).unwrap();
    assert_eq!(html.matches("</script>").count(), 2, "no text ends the data");
    let (_, data) = html.split_once("id=\"data\">").unwrap();
    let data: serde_json::Value = serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap();
    assert!(data["texts"][0][1].as_str().unwrap().starts_with("# </script>"));
    let rows = data["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 6);
    let accepted =
        data["metrics"].as_array().unwrap().iter().position(|one| one["column"] == "accepted").unwrap();
    for (row, seeds) in rows.iter().zip(plan.points().chunks(2)) {
        let [a, b] = [0, 1].map(|n| summary(&plan, &store, &seeds[n]).unwrap().accepted);
        let shown = [0, 1].map(|n| row["values"][accepted][n].as_f64().unwrap());
        // Of two values the interval is half their distance times the quantile of one degree of freedom.
        assert!(
            (shown[0] - (a + b) / 2.0).abs() < 2e-6 && (shown[1] - 12.706 * (a - b).abs() / 2.0).abs() < 2e-5,
            "{row}"
        );
        assert_eq!((row["seeds"].as_u64(), row["load"].as_f64()), (Some(2), Some(seeds[0].load)));
    }
}

/// What a run writes beside its table, a campaign collects: the same rows, behind the point's name instead of the curve's.
#[test]
fn details_of_points_are_those_of_a_run() {
    let place = Place::new(TWELVE);
    let base = BASE.replace("[run]", "[run]\ndetails = true");
    place.write("base.toml", &base);
    place.run("out", "1/1");
    let (plan, store) = (place.plan(), place.store("out"));
    let written = collected(&plan, &store, &place.path("out"));
    assert_eq!(written.len(), 6, "{written:?}");
    let point = &plan.points()[1];
    assert_eq!((point.load, point.seed), (0.1, 7));
    let sets = ["traffic.loads=[0.1]".to_owned(), "run.seed=7".to_owned()];
    let scenario =
        desvio_sim::scenario::Scenario::parse(&base, "base.toml", place.dir.path(), &sets).unwrap();
    let blueprint = desvio_sim::blueprint::Blueprint::new(scenario.clone()).unwrap();
    let points = vec![desvio_sim::run::run(&blueprint, 0.1, &|_| ()).unwrap().summary];
    assert!(points[0].packets_measured > 0);
    let run = desvio_report::Curve {
        name: "run".to_owned(),
        settings: Vec::new(),
        keys: Vec::new(),
        scenario: scenario.to_toml(),
        points,
    };
    desvio_report::write_all(&place.path("run"), &[run]).unwrap();
    for name in ["links.csv", "nodes.csv", "latency.csv"] {
        let [run, all] = ["run", "out"].map(|dir| fs::read_to_string(place.path(dir).join(name)).unwrap());
        let own =
            all.lines().filter_map(|line| line.split_once(',')).filter(|(of, _)| *of == point.id.to_string());
        assert!(own.map(|(_, row)| row).eq(run.lines().skip(1)), "{name}");
        assert!(all.lines().next().unwrap().strip_prefix("point,") == run.lines().next(), "{name}");
    }
    // Files of an earlier collection do not stay.
    place.write("base.toml", BASE);
    collected(&place.plan(), &store, &place.path("out"));
    assert!(!place.path("out/links.csv").exists());
}

/// A line without details, as earlier versions wrote all: it is read, and what it lacks is left out.
#[test]
fn results_without_details_are_still_read() {
    let place = Place::new(TWELVE);
    place.write("base.toml", &BASE.replace("[run]", "[run]\ndetails = true"));
    place.run("out", "1/1");
    let (csv, segment) = (place.csv("out"), place.segment("out"));
    let text = fs::read_to_string(&segment).unwrap();
    let old = text.lines().map(|line| {
        let mut record = Record::read(line.as_bytes()).unwrap();
        let (before, _) = record.result.split_once(",\"details\":").unwrap();
        record.result = format!("{before}}}");
        record.to_line()
    });
    fs::write(&segment, old.collect::<String>()).unwrap();
    assert_eq!(place.csv("out"), csv);
    assert_eq!(details(&place.plan(), &place.store("out")).unwrap(), []);
}

/// Another process finishes all points just after this one has looked: although all threads of the pool are busy, it is noticed.
#[test]
fn what_others_finish_meanwhile_is_passed_over() {
    let place = Place::new(&TWELVE.replace("[1, 7]", "{ from = 1, to = 40 }"));
    place.write("base.toml", &BASE.replace("measure_cycles = 50", "measure_cycles = 1000"));
    place.run("others", "1/1");
    let (plan, store) = (place.plan(), place.store("own"));
    let mut points = missing(&plan, &store, Shard::ALL);
    scatter(&plan, &mut points);
    assert!(!points.is_sorted(), "in an order of its own");
    copy_into(&place.path("others").join("points"), &place.path("own").join("points"));
    let segment = Mutex::new(store.segment());
    let tally = crate::run(&plan, store, &points, &segment, &super::Silent, None);
    assert_eq!(tally.finished + tally.elsewhere, 240);
    assert!(tally.elsewhere > 0, "{tally:?}");
    assert_eq!(place.csv("own"), place.csv("others"));
}

/// The kinds of columns are those of the plan's values, whatever is finished.
#[test]
fn columns_have_types() {
    use desvio_report::Kind::{Integer, Number, Text, Unsigned};
    let place = Place::new(
        "base = \"base.toml\"\n[axes]\nrouter.vcs = [2, 3]\nload = [0.1, 1]\n\"traffic.pattern\" = [\"uniform\"]\n\
         [[zip]]\nselection.relative_threshold = [0.5, 1]\nselection.trigger = [\"occupancy\", \"occupancy\"]\n",
    );
    for finished in ["", "1/3", "1/1"] {
        if !finished.is_empty() {
            place.run("out", finished);
        }
        let Table { csv, kinds, .. } = place.table("out", Columns::Varying);
        let csv = String::from_utf8(csv).unwrap();
        let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
        let of = |name: &str| kinds[header.iter().position(|column| *column == name).unwrap()];
        assert_eq!((header.len(), of("point"), of("seed")), (kinds.len(), Text, Unsigned));
        assert_eq!((of("router.vcs"), of("selection.relative_threshold")), (Integer, Number));
        assert_eq!((of("traffic.pattern"), of("state"), of("load")), (Text, Text, Number));
        assert_eq!((of("latency_p99"), of("latency_mean")), (Unsigned, Number));
        for row in csv.lines().skip(1) {
            for (cell, kind) in row.split(',').zip(&kinds).filter(|(cell, _)| !cell.is_empty()) {
                let fits = match kind {
                    Text => true,
                    Unsigned => cell.parse::<u64>().is_ok(),
                    Integer => cell.parse::<i64>().is_ok(),
                    Number => cell.parse::<f64>().is_ok(),
                };
                assert!(fits, "{cell} is not {kind:?}: {row}");
            }
        }
    }
}

/// As its readers find it: the magic bytes at both ends, and the same bytes each time.
#[test]
fn a_table_is_written_as_parquet() {
    let place = Place::new(TWELVE);
    place.run("out", "1/1");
    let bytes = place.table("out", Columns::Varying).parquet().unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    assert_eq!(place.table("out", Columns::Varying).parquet().unwrap(), bytes);
}
