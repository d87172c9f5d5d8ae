//! Points counted by a run, read back and added up.

use crate::support::{Bench, COUNTER, design, need_verilator};
use desvio_verilated::{Coverage, CoverageError, CoverageKind, CoveragePoint, Design, coverage};

/// Runs with or without counting and reads what was covered.
fn covered(design: &Design, enabled: bool) -> Vec<CoveragePoint> {
    let bench = Bench::new();
    let path = bench.path().join("coverage.dat");
    let mut model = design.build().unwrap().model_zeroed().unwrap();
    let (clk, enable) = (model.input("clk", 1).unwrap(), model.input("enable", 1).unwrap());
    model.set(enable, u64::from(enabled));
    for _ in 0..10 {
        model.cycle(clk).unwrap();
    }
    model.write_coverage(&path).unwrap();
    coverage::read(&path).unwrap()
}

#[test]
fn lines_and_branches_are_counted() {
    need_verilator!();
    let design = design("counter", COUNTER).coverage(Coverage::Line);
    let points = covered(&design, true);
    assert!(!points.is_empty());
    assert!(points.iter().all(|point| point.file.ends_with("counter.sv") && point.hierarchy == "counter"));
    assert!(points.iter().all(|point| point.kind != CoverageKind::Toggle));
    let (reset, enable) = (9, 10);
    assert!(
        points.iter().any(|point| point.line == reset && point.count == 0),
        "reset was never taken: {points:#?}"
    );
    assert!(points.iter().any(|point| point.line == enable && point.count == 10), "{points:#?}");
}

#[test]
fn bits_are_counted_apart_from_lines() {
    need_verilator!();
    let points = covered(&design("counter", COUNTER).coverage(Coverage::Toggle), true);
    assert!(points.iter().all(|point| point.kind == CoverageKind::Toggle), "{points:#?}");
    let sum = |name: &str| -> u64 {
        points.iter().filter(|point| point.comment.starts_with(name)).map(|point| point.count).sum()
    };
    assert_eq!(sum("reset"), 0);
    assert!(sum("clk") >= 10);
    assert!(sum("count[0]") >= 10);
    assert_eq!(sum("count[7]"), 0);
}

#[test]
fn runs_add_up() {
    need_verilator!();
    let design = design("counter", COUNTER).coverage(Coverage::All);
    let (idle, busy) = (covered(&design, false), covered(&design, true));
    let merged = coverage::merge([idle.clone(), busy.clone()]);
    assert_eq!(merged.len(), busy.len());
    let total = |points: &[CoveragePoint]| points.iter().map(|point| point.count).sum::<u64>();
    assert_eq!(total(&merged), total(&idle) + total(&busy));
}

#[test]
fn coverage_must_be_asked_for_and_must_be_readable() {
    need_verilator!();
    let bench = Bench::new();
    let mut plain = design("counter", COUNTER).build().unwrap().model(1).unwrap();
    assert!(matches!(plain.write_coverage("never.dat"), Err(CoverageError::NotBuilt)));
    let mut model = design("counter", COUNTER).coverage(Coverage::Line).build().unwrap().model(1).unwrap();
    let nowhere = bench.path().join("no/such/folder.dat");
    assert!(matches!(model.write_coverage(&nowhere), Err(CoverageError::Unwritable { .. })));
    assert!(matches!(coverage::read(&nowhere), Err(CoverageError::Unreadable { .. })));
    let broken = bench.file("broken.dat", "# SystemC::Coverage-3\nC 'nonsense' 3\n");
    assert!(matches!(coverage::read(&broken), Err(CoverageError::Malformed { line: 2, .. })));
}
