//! States saved and put back.

use crate::support::{COUNTER, design, need_verilator};
use desvio_verilated::{CheckpointError, Library, Model};

desvio_verilated::ports! {
    /// Pins of the counter.
    struct CounterPins { input clk: 1, input reset: 1, input enable: 1, output count: 8 }
}

fn library() -> Library {
    design("counter", COUNTER).checkpoints(true).build().unwrap()
}

fn run(model: &mut Model, cycles: u32) -> u64 {
    let pins = CounterPins::bind(model).unwrap();
    model.set(pins.enable, 1);
    for _ in 0..cycles {
        model.cycle(pins.clk).unwrap();
    }
    model.get(pins.count)
}

#[test]
fn a_restored_model_repeats_its_future() {
    need_verilator!();
    let library = library();
    let mut model = library.model(7).unwrap();
    run(&mut model, 10);
    let checkpoint = model.save();
    let time = model.time();
    let future = run(&mut model, 20);
    model.restore(&checkpoint).unwrap();
    assert_eq!(model.time(), time);
    assert_eq!(run(&mut model, 20), future);

    let mut other = library.model(8).unwrap();
    other.restore(&checkpoint).unwrap();
    assert_eq!(run(&mut other, 20), future);
}

#[test]
fn a_state_larger_than_the_buffer_survives() {
    need_verilator!();
    let text = "module store (input logic clk, input logic [15:0] at, output logic [63:0] word);
        logic [63:0] words [65536]; assign word = words[at];
        always_ff @(posedge clk) words[at] <= words[at] + 1; endmodule";
    let library = design("store", text).checkpoints(true).build().unwrap();
    let words = |model: &mut Model| -> Vec<u64> {
        let (at, word) = (model.input("at", 16).unwrap(), model.output("word", 64).unwrap());
        let read = |address| {
            model.set(at, address);
            model.eval().unwrap();
            model.get(word)
        };
        (0..65536).map(read).collect()
    };
    let (mut first, mut second) = (library.model(1).unwrap(), library.model(2).unwrap());
    let checkpoint = first.save();
    assert!(checkpoint.len() > 512 * 1024);
    second.restore(&checkpoint).unwrap();
    assert_eq!(words(&mut first), words(&mut second));
}

#[test]
fn foreign_and_damaged_bytes_are_refused() {
    need_verilator!();
    let mut model = library().model(1).unwrap();
    let good = model.save();
    assert_eq!(model.restore(b""), Err(CheckpointError::Foreign));
    assert_eq!(model.restore(&good[..good.len() - 1]), Err(CheckpointError::Foreign));
    let other = design("counter", COUNTER).checkpoints(true).parameter("STEP", 3).build().unwrap();
    assert_eq!(other.model(1).unwrap().restore(&good), Err(CheckpointError::Foreign));
    let mut plain = design("counter", COUNTER).build().unwrap().model(1).unwrap();
    assert_eq!(plain.restore(&good), Err(CheckpointError::NotBuilt));

    let mut damaged = good.clone();
    let start = good.len() - 100;
    damaged[start..].fill(0x55);
    assert_eq!(model.restore(&damaged), Err(CheckpointError::Damaged));
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(model.restore(&flipped), Err(CheckpointError::Damaged));
    model.restore(&good).unwrap();
}
