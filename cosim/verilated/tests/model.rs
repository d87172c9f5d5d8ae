//! Ports, parameters, instances, seeds, time.

use std::thread;

use crate::support::{COUNTER, design, need_verilator, verilator_is_here};
use desvio_verilated::{Direction, Library, Model, Parameter, PortError, PortInfo};

desvio_verilated::ports! {
    /// Pins of the counter.
    struct CounterPins { input clk: 1, input reset: 1, input enable: 1, output count: 8 }
}

desvio_verilated::ports! {
    /// Three mistakes.
    struct WrongPins { input clk: 1, input enable: 2, input count: 8, output carry: 1 }
}

fn counted(library: &Library, bits: u32, cycles: u32) -> u64 {
    let mut model = library.model(3).unwrap();
    let clk = model.input("clk", 1).unwrap();
    let reset = model.input("reset", 1).unwrap();
    let enable = model.input("enable", 1).unwrap();
    let count = model.output("count", bits).unwrap();
    model.set(reset, 1);
    model.cycle(clk).unwrap();
    model.set(reset, 0);
    model.set(enable, 1);
    for _ in 0..cycles {
        model.cycle(clk).unwrap();
    }
    model.get(count)
}

#[test]
fn two_configurations_run_in_one_process() {
    need_verilator!();
    let narrow = design("counter", COUNTER).build().unwrap();
    let wide =
        design("counter", COUNTER).parameter("WIDTH", 40).parameter("STEP", 0x4000_0000).build().unwrap();
    assert_eq!(counted(&narrow, 8, 300), 300 % 256);
    assert_eq!(counted(&wide, 40, 300), 300 * 0x4000_0000);
    assert_ne!(narrow.path(), wide.path());
}

#[test]
fn parameters_are_integers_sized_constants_and_strings() {
    need_verilator!();
    let text =
        "module values #(parameter bit [127:0] KEY = 0, parameter string NAME = \"\", parameter int BIAS = 0,
            parameter bit [63:0] LONG = 0)
        (output logic [127:0] key, output logic named, output logic [31:0] bias, output logic [63:0] long_);
        assign key = KEY; assign named = NAME == \"a b\"; assign bias = BIAS; assign long_ = LONG; endmodule";
    let library = design("values", text)
        .parameter("KEY", Parameter::sized(128, "0123456789abcdef_fedcba9876543210"))
        .parameter("NAME", "a b")
        .parameter("BIAS", -5)
        .parameter("LONG", 0xdead_beef_0000_0001_u64)
        .build()
        .unwrap();
    let mut model = library.model(1).unwrap();
    model.eval().unwrap();
    let key = model.to_words(model.output("key", 128).unwrap());
    assert_eq!(key, [0x7654_3210, 0xfedc_ba98, 0x89ab_cdef, 0x0123_4567]);
    assert_eq!(model.get(model.output("named", 1).unwrap()), 1);
    assert_eq!(model.get(model.output("bias", 32).unwrap()), 0xffff_fffb);
    assert_eq!(model.get(model.output("long_", 64).unwrap()), 0xdead_beef_0000_0001);
}

#[test]
fn ports_of_every_width_carry_every_bit() {
    need_verilator!();
    for bits in [1, 8, 9, 16, 17, 32, 33, 64, 65, 95, 96, 128, 129, 200_u32] {
        let text = "module mirror #(parameter int W = 1) (input logic [W-1:0] a, output logic [W-1:0] same,
            output logic [W-1:0] inverse); assign same = a; assign inverse = ~a; endmodule";
        let library = design("mirror", text).parameter("W", bits).build().unwrap();
        let mut model = library.model(1).unwrap();
        let a = model.input("a", bits).unwrap();
        let (same, inverse) = (model.output("same", bits).unwrap(), model.output("inverse", bits).unwrap());
        let words = bits.div_ceil(32) as usize;
        let top = if bits % 32 == 0 { u32::MAX } else { (1 << (bits % 32)) - 1 };
        for bit in 0..bits {
            let mut sent = vec![0_u32; words];
            sent[bit as usize / 32] |= 1 << (bit % 32);
            model.set_words(a, &sent);
            model.eval().unwrap();
            let (mut back, mut inverted) = (vec![7; words], vec![7; words]);
            model.get_words(same, &mut back);
            model.get_words(inverse, &mut inverted);
            assert_eq!(back, sent, "bit {bit} of {bits}");
            assert_eq!(model.to_words(same), sent, "bit {bit} of {bits}");
            for (index, word) in inverted.iter().enumerate() {
                let mask = if index + 1 == words { top } else { u32::MAX };
                assert_eq!(*word, !sent[index] & mask, "bit {bit} of {bits}, word {index}");
            }
        }
    }
}

#[test]
fn eight_models_run_on_eight_threads() {
    need_verilator!();
    let library = design("counter", COUNTER).build().unwrap();
    thread::scope(|scope| {
        for cycles in 0..8 {
            let library = library.clone();
            scope.spawn(move || {
                assert_eq!(counted(&library, 8, 1000 + cycles), u64::from((1000 + cycles) % 256))
            });
        }
    });
}

#[test]
fn a_model_moves_to_another_thread() {
    need_verilator!();
    let library = design("counter", COUNTER).build().unwrap();
    let mut model = library.model_zeroed().unwrap();
    let pins = CounterPins::bind(&model).unwrap();
    model.set(pins.enable, 1);
    for expected in 1..=5 {
        model = thread::spawn(move || {
            model.cycle(pins.clk).unwrap();
            model
        })
        .join()
        .unwrap();
        assert_eq!(model.get(pins.count), expected);
    }
}

#[test]
fn models_of_one_library_share_handles_and_nothing_else() {
    need_verilator!();
    let library = design("counter", COUNTER).build().unwrap();
    let mut models: Vec<Model> = (0..4).map(|_| library.model_zeroed().unwrap()).collect();
    let pins = CounterPins::bind(&models[0]).unwrap();
    for (index, model) in models.iter_mut().enumerate() {
        model.set(pins.enable, 1);
        for _ in 0..index {
            model.cycle(pins.clk).unwrap();
        }
    }
    let counts: Vec<_> = models.iter().map(|model| model.get(pins.count)).collect();
    assert_eq!(counts, [0, 1, 2, 3]);
    let times: Vec<_> = models.iter().map(Model::time).collect();
    assert_eq!(times, [0, 2, 4, 6]);
}

#[test]
#[should_panic(expected = "another library")]
fn a_handle_of_another_library_is_refused() {
    if !verilator_is_here() {
        panic!("skipped: another library");
    }
    let first = design("counter", COUNTER).build().unwrap().model(1).unwrap();
    let second = design("counter", COUNTER).parameter("STEP", 2).build().unwrap().model(1).unwrap();
    let _ = second.get(first.output("count", 8).unwrap());
}

#[test]
#[should_panic(expected = "does not fit")]
fn a_value_too_large_is_refused() {
    if !verilator_is_here() {
        panic!("skipped: does not fit");
    }
    let mut model = design("counter", COUNTER).build().unwrap().model(1).unwrap();
    let enable = model.input("enable", 1).unwrap();
    model.set(enable, 2);
}

#[test]
fn registers_without_reset_depend_on_the_seed() {
    need_verilator!();
    let text = "module memory (input logic clk, input logic [3:0] at, output logic [31:0] word,
        output logic [99:0] wide); logic [31:0] words [16]; logic [99:0] keep;
        always_ff @(posedge clk) keep <= keep; assign word = words[at]; assign wide = keep;
        always_ff @(posedge clk) words[at] <= words[at]; endmodule";
    let library = design("memory", text).build().unwrap();
    let start = |mut model: Model| {
        let at = model.input("at", 4).unwrap();
        let (word, wide) = (model.output("word", 32).unwrap(), model.output("wide", 100).unwrap());
        let mut state = vec![0; 4];
        for address in 0..16 {
            model.set(at, address);
            model.eval().unwrap();
            state.push(u32::try_from(model.get(word)).unwrap());
        }
        model.get_words(wide, &mut state[..4]);
        state
    };
    let of_seed = |seed| start(library.model(seed).unwrap());
    assert_eq!(of_seed(5), of_seed(5), "the same seed gives the same values");
    let mut different: Vec<_> = (0..20).map(of_seed).collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 20, "20 seeds, 0 among them, give 20 states");
    assert_ne!(of_seed(0), vec![0; 20]);
    assert_eq!(start(library.model_zeroed().unwrap()), vec![0; 20]);
    // Also when other models are made on other threads at the same time.
    let expected: Vec<_> = (0..8).map(of_seed).collect();
    thread::scope(|scope| {
        for (seed, expected) in (0..8).zip(&expected) {
            let of_seed = &of_seed;
            scope.spawn(move || (0..50).for_each(|_| assert_eq!(&of_seed(seed), expected)));
        }
    });
}

#[test]
fn inputs_start_at_zero() {
    need_verilator!();
    let library = design("counter", COUNTER).build().unwrap();
    for seed in 0..10 {
        let model = library.model(seed).unwrap();
        let enable = model.input("enable", 1).unwrap();
        assert_eq!(model.get(enable.into()), 0);
    }
}

#[test]
fn ports_are_listed_and_checked() {
    need_verilator!();
    let library = design("counter", COUNTER).build().unwrap();
    let count = PortInfo { name: "count".to_owned(), direction: Direction::Output, bits: 8 };
    assert_eq!(library.ports().len(), 4);
    assert!(library.ports().contains(&count));

    let model = library.model(1).unwrap();
    let wider = PortInfo { bits: 9, ..count.clone() };
    assert_eq!(model.output("count", 9), Err(PortError::Mismatch { expected: wider, found: count }));
    assert!(matches!(model.input("count", 8), Err(PortError::Mismatch { .. })));
    let missing = model.input("carry", 1).unwrap_err().to_string();
    assert!(missing.contains("no port `carry`") && missing.contains("output count: 8"), "{missing}");
}

#[test]
fn all_mismatches_are_reported_together() {
    need_verilator!();
    let library = design("counter", COUNTER).build().unwrap();
    CounterPins::check(&library).unwrap();
    let error = WrongPins::bind(&library.model(1).unwrap()).unwrap_err();
    assert_eq!(error.mismatches.len(), 3);
    let text = error.to_string();
    assert!(text.contains("expected input enable: 2, found input enable: 1"), "{text}");
    assert!(text.contains("expected input count: 8, found output count: 8"), "{text}");
    assert!(text.contains("no port `carry`"), "{text}");
    assert!(WrongPins::check(&library).is_err());
}

#[test]
fn a_combinational_design_needs_no_clock() {
    need_verilator!();
    let text = "module adder (input logic [15:0] a, input logic [15:0] b, output logic [16:0] sum);
        assign sum = a + b; endmodule";
    let mut model = design("adder", text).build().unwrap().model(1).unwrap();
    let (a, b) = (model.input("a", 16).unwrap(), model.input("b", 16).unwrap());
    let sum = model.output("sum", 17).unwrap();
    for (x, y) in [(0, 0), (0xffff, 1), (0xffff, 0xffff), (1234, 4321)] {
        model.set(a, x);
        model.set(b, y);
        model.eval().unwrap();
        assert_eq!(model.get(sum), x + y);
    }
}

#[test]
fn time_can_be_set_and_is_seen_by_the_design() {
    need_verilator!();
    let text = "module clock (input logic tick, output logic [63:0] now);
        always @(posedge tick) now = $time; endmodule";
    let mut model = design("clock", text).build().unwrap().model(1).unwrap();
    let (tick, now) = (model.input("tick", 1).unwrap(), model.output("now", 64).unwrap());
    model.cycle(tick).unwrap();
    assert_eq!((model.time(), model.get(now)), (2, 1));
    model.set_time(1000);
    model.cycle(tick).unwrap();
    assert_eq!((model.time(), model.get(now)), (1002, 1001));
}
