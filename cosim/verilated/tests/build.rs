//! What the tools refuse, and how it is told.

use std::sync::{Arc, Mutex};

use crate::support::{Bench, COUNTER, cache, design, need_verilator};
use desvio_verilated::{BuildError, Design, Stage};

/// Verilator's own words, or a panic.
fn refused(design: &Design) -> String {
    match design.build() {
        Err(BuildError::Verilator { messages, .. }) => messages,
        other => panic!("Verilator should refuse this: {other:?}"),
    }
}

#[test]
fn a_syntax_error_keeps_its_file_and_line() {
    need_verilator!();
    let messages =
        refused(&design("typo", "module typo (output logic a);\n    assign a = = 1;\nendmodule\n"));
    assert!(messages.contains("typo.sv:2:"), "{messages}");
    assert!(messages.contains("syntax error"), "{messages}");
}

#[test]
fn a_missing_module_and_a_missing_parameter_are_named() {
    need_verilator!();
    let messages = refused(&design("lonely", "module lonely; absent absent (); endmodule"));
    assert!(messages.contains("absent"), "{messages}");
    let messages = refused(&design("counter", COUNTER).parameter("DEPTH", 3));
    assert!(messages.contains("DEPTH"), "{messages}");
}

#[test]
fn warnings_are_fatal_unless_told_otherwise() {
    need_verilator!();
    let text = "module narrow (input logic [7:0] a, output logic [3:0] b); assign b = a; endmodule";
    let messages = refused(&design("narrow", text));
    assert!(messages.contains("WIDTH"), "{messages}");
    design("narrow", text).lint_fatal(false).build().unwrap();
    design("narrow", text).flag("-Wno-WIDTH").build().unwrap();

    let text = "module idle (input logic a, output logic b); assign b = 1'b0; endmodule";
    design("idle", text).build().unwrap();
    let messages = refused(&design("idle", text).lint_all(true));
    assert!(messages.contains("UNUSED"), "{messages}");
}

#[test]
fn a_missing_source_is_named() {
    need_verilator!();
    let error = Design::new("gone").source("no/such/file.sv").cache(cache()).build().unwrap_err();
    assert!(matches!(&error, BuildError::Io { .. }), "{error}");
    assert!(error.to_string().starts_with("no/such/file.sv: "), "{error}");
}

#[test]
fn errors_of_the_compiler_are_kept() {
    need_verilator!();
    let text = "module foreign (output logic a); `systemc_header\n#error \"not today\"\n`verilog\nassign a = 1; endmodule";
    let error = design("foreign", text).build().unwrap_err();
    let BuildError::Compiler { messages, .. } = error else { panic!("{error}") };
    assert!(messages.contains("not today"), "{messages}");
}

#[test]
fn the_stages_of_a_build_are_told() {
    need_verilator!();
    let bench = Bench::new();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&seen);
    let design = Design::new("counter")
        .source(bench.file("counter.sv", COUNTER))
        .cache(bench.path().join("cache"))
        .on_build(move |stage| told.lock().unwrap().push(stage));
    assert!(!design.build().unwrap().was_cached());
    assert_eq!(*seen.lock().unwrap(), [Stage::Waiting, Stage::Verilating, Stage::Compiling]);
    assert!(design.build().unwrap().was_cached());
    assert_eq!(seen.lock().unwrap().len(), 3);
}
