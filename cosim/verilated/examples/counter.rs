//! A counter, from Verilog to a waveform: `cargo run -p desvio-verilated --example counter`.

use std::{fs, time::Instant};

use desvio_verilated::{Design, Trace};

const COUNTER: &str = "
module counter #(parameter int STEP = 1) (
    input  logic       clk,
    input  logic       reset,
    input  logic       enable,
    output logic [7:0] count
);
    always_ff @(posedge clk) begin
        if (reset) count <= '0;
        else if (enable) count <= count + 8'(STEP);
    end
    never_all_ones: assert property (@(posedge clk) !reset |-> count != 8'hff);
endmodule
";

desvio_verilated::ports! {
    /// Pins of the counter.
    struct CounterPins { input clk: 1, input reset: 1, input enable: 1, output count: 8 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::temp_dir().join("verilated-counter");
    fs::create_dir_all(&folder)?;
    let source = folder.join("counter.sv");
    fs::write(&source, COUNTER)?;

    let library = Design::new("counter")
        .source(&source)
        .parameter("STEP", 3)
        .assertions(true)
        .trace(Trace::Vcd)
        .on_build(|stage| println!("building: {stage:?}"))
        .build()?;
    for port in library.ports() {
        println!("{port}");
    }

    let mut model = library.model(1)?;
    let pins = CounterPins::bind(&model)?;
    model.set(pins.reset, 1);
    model.cycle(pins.clk)?;
    model.set(pins.reset, 0);
    model.set(pins.enable, 1);

    let wave = folder.join("counter.vcd");
    model.open_trace(&wave)?;
    let failure = loop {
        if let Err(failure) = model.cycle(pins.clk) {
            break failure;
        }
    };
    model.close_trace();
    println!("{failure}");
    println!("count is {}, the waveform is {}", model.get(pins.count), wave.display());

    model.set(pins.reset, 1);
    let (start, cycles) = (Instant::now(), 5_000_000_u32);
    for _ in 0..cycles {
        model.cycle(pins.clk)?;
    }
    println!("{:.1} ns per cycle", start.elapsed().as_secs_f64() * 1e9 / f64::from(cycles));
    Ok(())
}
