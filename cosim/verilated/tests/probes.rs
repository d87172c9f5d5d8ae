//! Public signals in a checker that `bind` attaches: the design and its ports stay as they are.

use crate::support::{design, need_verilator};
use desvio_verilated::{BuildError, Library, PortError};

const BOUND: &str = "module router (input logic clk, input logic [3:0] step, output logic [3:0] low);
    for (genvar lane = 0; lane < 2; lane++) begin : g_lane
        unit unit (.clk, .step(step + 4'(lane)));
    end
    assign low = g_lane[0].unit.total[3:0];
endmodule
module unit (input logic clk, input logic [3:0] step);
    logic [99:0] total;
    always_ff @(posedge clk) total <= total + 100'(step);
endmodule
module spy (input logic clk, input logic [3:0] step, input logic [99:0] total);
    logic [3:0]  seen  /*verilator public_flat_rd*/;
    logic [99:0] sum   /*verilator public_flat_rd*/;
    logic [40:0] edges /*verilator public_flat_rd*/;
    logic [1:0]  secret;
    assign sum = total;
    always_ff @(posedge clk) begin seen <= step; edges <= edges + 1; secret <= secret + 1; end
endmodule
bind unit spy spy (.clk, .step, .total);
";

fn check(library: &Library) {
    let mut model = library.model_zeroed().unwrap();
    let (clk, step) = (model.input("clk", 1).unwrap(), model.input("step", 4).unwrap());
    model.set(step, 5);
    for _ in 0..3 {
        model.cycle(clk).unwrap();
    }
    for (lane, each) in [(0, 5), (1, 6)] {
        let seen = model.probed(&format!("router.g_lane[{lane}].unit.spy.seen"), 4).unwrap();
        let edges = model.probed(&format!("router.g_lane[{lane}].unit.spy.edges"), 41).unwrap();
        let sum = model.probed(&format!("router.g_lane[{lane}].unit.spy.sum"), 100).unwrap();
        let mut words = [9; 4];
        model.get_words(sum, &mut words);
        assert_eq!(
            (model.get(seen), model.get(edges), words),
            (each, 3, [3 * u32::try_from(each).unwrap(), 0, 0, 0])
        );
        let bundle = model.bundle(&[sum, seen, clk.into(), edges]);
        let mut words = [u64::MAX; 5];
        model.read(&bundle, &mut words);
        assert_eq!((words, bundle.words()), ([3 * each, 0, each, 1, 3], 5));
    }
}

#[test]
fn bound_probes_are_read() {
    need_verilator!();
    let library = design("router", BOUND).probe("router.g_lane[1].unit.spy.sum").build().unwrap();
    check(&library);
    assert_eq!(library.ports().len(), 3, "the ports stay as they are");
}

#[test]
fn probes_are_found_in_modules_that_are_not_flattened() {
    need_verilator!();
    let text = BOUND.replace("endmodule", "/*verilator no_inline_module*/ endmodule");
    check(&design("router", &text).build().unwrap());
}

#[test]
fn every_public_signal_is_listed() {
    need_verilator!();
    let library = design("router", BOUND).build().unwrap();
    let names: Vec<_> = library.probes().iter().map(|probe| (probe.name.as_str(), probe.bits)).collect();
    assert_eq!(
        names,
        [
            ("router.g_lane[0].unit.spy.edges", 41),
            ("router.g_lane[0].unit.spy.seen", 4),
            ("router.g_lane[0].unit.spy.sum", 100),
            ("router.g_lane[1].unit.spy.edges", 41),
            ("router.g_lane[1].unit.spy.seen", 4),
            ("router.g_lane[1].unit.spy.sum", 100),
        ]
    );
}

#[test]
fn a_wrong_name_names_its_neighbours() {
    need_verilator!();
    let Err(BuildError::Probe(error)) =
        design("router", BOUND).probe("router.g_lane[1].unit.spy.sums").build()
    else {
        panic!("the probe does not exist");
    };
    assert_eq!(error.near[0], "router.g_lane[1].unit.spy.sum");
    let model = design("router", BOUND).build().unwrap().model(1).unwrap();
    let wrong = model.probed("router.g_lane[0].unit.spy.seen", 5).unwrap_err();
    assert!(matches!(wrong, PortError::ProbeWidth { expected: 5, found: 4, .. }), "{wrong}");
    let hidden = model.probed("router.g_lane[0].unit.spy.secret", 2).unwrap_err();
    assert!(matches!(hidden, PortError::Probe(_)), "{hidden}");
}
