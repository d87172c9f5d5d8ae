//! Waveforms: opened late, closed, opened again.

use std::{fs, path::Path};

use crate::support::{Bench, COUNTER, design, need_verilator};
use desvio_verilated::{Model, Trace, TraceError};

fn run(model: &mut Model, cycles: u32) {
    let clk = model.input("clk", 1).unwrap();
    let enable = model.input("enable", 1).unwrap();
    model.set(enable, 1);
    for _ in 0..cycles {
        model.cycle(clk).unwrap();
    }
}

/// The time stamps of a value change dump.
fn times(path: &Path) -> Vec<u64> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter_map(|line| line.strip_prefix('#')).map(|time| time.parse().unwrap()).collect()
}

#[test]
fn a_trace_covers_the_window_it_was_open_for() {
    need_verilator!();
    let bench = Bench::new();
    let (first, second) = (bench.path().join("first.vcd"), bench.path().join("second.vcd"));
    let library = design("counter", COUNTER).trace(Trace::Vcd).build().unwrap();
    let mut model = library.model_zeroed().unwrap();
    run(&mut model, 10);
    model.open_trace(&first).unwrap();
    run(&mut model, 3);
    model.close_trace();
    run(&mut model, 10);
    model.open_trace(&second).unwrap();
    run(&mut model, 2);
    model.close_trace();
    assert_eq!(times(&first), (20..26).collect::<Vec<_>>());
    assert_eq!(times(&second), (46..50).collect::<Vec<_>>());
    let text = fs::read_to_string(&second).unwrap();
    assert!(text.contains("$var") && text.contains("count"), "{text}");
    assert!(text.contains("b00010111"), "the counter passes 23 in the window:\n{text}");
}

#[test]
fn two_models_write_two_traces_at_once() {
    need_verilator!();
    let bench = Bench::new();
    let library = design("counter", COUNTER).trace(Trace::Vcd).build().unwrap();
    let mut models = [library.model_zeroed().unwrap(), library.model_zeroed().unwrap()];
    let paths = [bench.path().join("0.vcd"), bench.path().join("1.vcd")];
    for (model, path) in models.iter_mut().zip(&paths) {
        model.open_trace(path).unwrap();
    }
    for _ in 0..5 {
        models.iter_mut().for_each(|model| run(model, 1));
    }
    models[0].flush_trace();
    drop(models);
    for path in &paths {
        assert_eq!(times(path), (0..10).collect::<Vec<_>>());
    }
}

#[test]
fn a_trace_needs_a_place_and_a_library_built_for_it() {
    need_verilator!();
    let mut plain = design("counter", COUNTER).build().unwrap().model(1).unwrap();
    assert!(matches!(plain.open_trace("never.vcd"), Err(TraceError::NotBuilt)));
    plain.close_trace();
    let mut model = design("counter", COUNTER).trace(Trace::Vcd).build().unwrap().model(1).unwrap();
    let nowhere = Bench::new().path().join("no/such/folder.vcd");
    assert!(matches!(model.open_trace(nowhere), Err(TraceError::Unwritable { .. })));
    run(&mut model, 1);
}

#[test]
fn the_compact_format_is_written_where_its_libraries_are_installed() {
    need_verilator!();
    let bench = Bench::new();
    let path = bench.path().join("wave.fst");
    let library = match design("counter", COUNTER).trace(Trace::Fst).build() {
        Ok(library) => library,
        Err(error) if error.to_string().contains("lz4.h") || error.to_string().contains("zlib.h") => {
            eprintln!("skipped: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let mut model = library.model_zeroed().unwrap();
    run(&mut model, 5);
    model.open_trace(&path).unwrap();
    run(&mut model, 5);
    model.close_trace();
    assert!(fs::metadata(&path).unwrap().len() > 100);
}
