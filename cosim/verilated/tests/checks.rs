//! Assertions, `$error`, `$fatal`, `$stop`, `$finish`: errors of one model, never the end of the process.

use std::thread;

use crate::support::{design, need_verilator};
use desvio_verilated::{Failure, FailureKind, Library, Model};

const CHECKED: &str = "module checked (input logic clk, input logic [3:0] action, output logic [7:0] cycles);
    guard guard (.clk, .action);
    always_ff @(posedge clk) cycles <= cycles + 1;
endmodule
module guard (input logic clk, input logic [3:0] action);
    always @(posedge clk) begin
        a_named: assert (action != 1) else $error(\"action is %0d\", action);
        assert (action != 2);
        if (action == 3) $error(\"plain: text\");
        if (action == 4) $fatal(1, \"beyond repair\");
        if (action == 5) $stop;
        if (action == 6) $finish;
        if (action == 7) begin $error(\"first\"); $error(\"second\"); end
        if (action == 8) $warning(\"a warning\");
    end
    p_legal: assert property (@(posedge clk) action == 9 |-> 0);
endmodule
";

fn library() -> Library {
    design("checked", CHECKED).assertions(true).build().unwrap()
}

fn act(model: &mut Model, action: u64) -> Result<(), Failure> {
    let (clk, pin) = (model.input("clk", 1).unwrap(), model.input("action", 4).unwrap());
    model.set(pin, action);
    let result = model.cycle(clk);
    model.set(pin, 0);
    result
}

#[test]
fn a_failed_assertion_says_where_and_when_and_the_model_goes_on() {
    need_verilator!();
    let library = library();
    let (mut model, mut other) = (library.model_zeroed().unwrap(), library.model_zeroed().unwrap());
    let cycles = model.output("cycles", 8).unwrap();
    act(&mut model, 0).unwrap();
    let failure = act(&mut model, 1).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Error);
    assert!(failure.file.ends_with("checked.sv"), "{failure:?}");
    assert_eq!(failure.line, 7);
    assert_eq!(failure.hierarchy, "checked.guard.a_named");
    assert_eq!(failure.message, "action is 1");
    assert_eq!((failure.time, failure.others), (3, 0));
    let text = failure.to_string();
    assert!(text.contains("checked.sv:7: error at time 3 in checked.guard.a_named: action is 1"), "{text}");

    act(&mut other, 0).unwrap();
    act(&mut model, 0).unwrap();
    assert_eq!((model.get(cycles), other.get(cycles)), (3, 1));
    assert!(!model.is_finished());
}

#[test]
fn every_kind_of_check_has_its_kind_and_text() {
    need_verilator!();
    let mut model = library().model_zeroed().unwrap();
    let mut seen = Vec::new();
    for action in [1, 2, 3, 4, 5, 7, 9] {
        let failure = act(&mut model, action).unwrap_err();
        seen.push((action, failure.kind, failure.line, failure.message, failure.others));
    }
    let error = FailureKind::Error;
    assert_eq!(seen[0], (1, error, 7, "action is 1".to_owned(), 0));
    assert_eq!((seen[1].1, seen[1].2), (error, 8));
    assert_eq!(seen[2], (3, error, 9, "plain: text".to_owned(), 0));
    assert_eq!((seen[3].2, seen[3].3.as_str()), (10, "beyond repair"));
    // Verilator 5.006 reports `$fatal` in the words of `$error`.
    assert!(matches!(seen[3].1, FailureKind::Fatal | FailureKind::Error));
    assert_eq!(seen[4], (5, FailureKind::Stop, 11, String::new(), 0));
    assert_eq!(seen[5], (7, error, 13, "first".to_owned(), 1));
    assert_eq!((seen[6].1, seen[6].2), (error, 16));
    act(&mut model, 8).unwrap();
    act(&mut model, 0).unwrap();
}

#[test]
fn finish_is_seen_and_is_no_error() {
    need_verilator!();
    let mut model = library().model_zeroed().unwrap();
    act(&mut model, 0).unwrap();
    assert!(!model.is_finished());
    act(&mut model, 6).unwrap();
    assert!(model.is_finished());
}

#[test]
fn assertions_are_silent_unless_asked_for() {
    need_verilator!();
    let mut model = design("checked", CHECKED).build().unwrap().model_zeroed().unwrap();
    act(&mut model, 1).unwrap();
    act(&mut model, 9).unwrap();
}

#[test]
fn failures_on_many_threads_stay_with_their_model() {
    need_verilator!();
    let library = library();
    thread::scope(|scope| {
        for index in 0..8 {
            let library = &library;
            scope.spawn(move || {
                let mut model = library.model(index).unwrap();
                for cycle in 0..500_u64 {
                    let bad = cycle % 8 == index;
                    let result = act(&mut model, u64::from(bad));
                    assert_eq!(result.is_err(), bad);
                    if let Err(failure) = result {
                        assert_eq!(failure.time, 2 * cycle + 1);
                    }
                }
            });
        }
    });
}

#[test]
fn a_loop_that_does_not_settle_ends_as_an_error() {
    need_verilator!();
    let text = "module ring (input logic go, output logic out);
        logic a /*verilator split_var*/; assign a = go & ~a; assign out = a; endmodule";
    let library = design("ring", text).flag("-Wno-fatal").build().unwrap();
    let mut model = library.model_zeroed().unwrap();
    let go = model.input("go", 1).unwrap();
    model.eval().unwrap();
    model.set(go, 1);
    let failure = model.eval().unwrap_err();
    assert_eq!(failure.kind, FailureKind::Internal);
    assert!(failure.message.contains("converge"), "{failure}");
    assert_eq!(model.eval().unwrap_err().message, failure.message, "a broken model stays broken");
    library.model_zeroed().unwrap().eval().unwrap();
}
