//! Registers of the design, each with the name by which a harness sees it.

pub(super) fn nothing() -> Vec<(String, String)> {
    Vec::new()
}

/// The registers of `dut` with these names, under the same names.
fn of_dut(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|&name| (name.to_owned(), format!("dut.{name}"))).collect()
}

pub(super) fn allocator_registers() -> Vec<(String, String)> {
    of_dut(&["input_states", "out_vc_states", "input_of_out_vc_states", "choices", "turn"])
}

/// The places of a memory, the first in the lowest bits.
fn memory(name: &str, places: usize) -> String {
    let all: Vec<_> = (0..places).rev().map(|place| format!("{name}[{place}]")).collect();
    all.join(",")
}

pub(super) fn vc_registers(places: usize) -> Vec<(String, String)> {
    let mut found = of_dut(&["first", "free", "flits", "left", "expected", "accept", "state"]);
    found.push(("places".to_owned(), memory("dut.g_buffer.buffer", places)));
    found
}

/// The memory of two VCs, each with as many places as the power of two has, and the marks beside it.
pub(super) fn first_flits_registers(places: usize, marks: bool) -> Vec<(String, String)> {
    let mut found = vec![("places".to_owned(), memory("memory.flits", 2 * places.next_power_of_two()))];
    if marks {
        let marked = [1, 0].map(|vc| format!("g_vc[{vc}].first_flits.g_marks.marked"));
        found.push(("marked".to_owned(), marked.join(",")));
    }
    found
}

/// The memory of VCs that share so many places, with one more, its lists and the ring of places that have been left.
pub(super) fn shared_flits_registers(places: usize) -> Vec<(String, String)> {
    let names = ["firsts", "lasts", "holds", "fresh_place", "all_used", "left_first", "left_free"];
    let mut found: Vec<_> = names.map(|name| (name.to_owned(), format!("memory.{name}"))).into();
    found.push(("counted".to_owned(), "memory.check.flits".to_owned()));
    for array in ["flits", "behind", "left"] {
        let name = if array == "flits" { "slots" } else { array };
        found.push((name.to_owned(), memory(&format!("memory.{array}"), places + 1)));
    }
    found
}

pub(super) fn vc_and_ring_registers() -> Vec<(String, String)> {
    let mut found = vc_registers(2);
    found.extend(of_dut(&["ring_first"]));
    found.push(("ring".to_owned(), memory("dut.g_arrival.ring", 2)));
    found
}

pub(super) fn output_registers(places: usize) -> Vec<(String, String)> {
    let mut found = of_dut(&["first", "free", "count"]);
    found.push(("places".to_owned(), memory("dut.flits", places)));
    found.push(("on_wire".to_owned(), "dut.check.on_wire".to_owned()));
    found
}

/// Ports of the small router, VCs of each, places of a buffer and of an output FIFO.
pub(super) fn router_registers(vcs: usize, places: usize, output_places: usize) -> Vec<(String, String)> {
    const PORTS: usize = 2;
    /// Registers of a VC, each `vc_...` in the harness.
    const OF_VC: &[&str] = &[
        "first", "free", "flits", "packets", "left", "expected", "accept", "waiting", "active", "request",
        "minimal", "out_vc",
    ];
    let mut found = of_dut(&[
        "wired",
        "flit_valid",
        "flit_head",
        "flit_tail",
        "flit_vc",
        "flit_data",
        "credit_valid",
        "credit_vc",
        "owned",
        "credits",
        "want",
        "want_out_vc",
    ]);
    let mut see = |name: &str, parts: Vec<String>| found.push((name.to_owned(), parts.join(",")));
    // The last one stands in the highest bits.
    let of_vc = |path: &dyn Fn(usize, usize) -> String| {
        (0..PORTS * vcs).rev().map(|n| path(n / vcs, n % vcs)).collect::<Vec<_>>()
    };
    let vc = |port: usize, vc: usize| format!("dut.g_input[{port}].input_port.g_vc[{vc}].g_here.input_vc.vc");
    for register in OF_VC {
        see(&format!("vc_{register}"), of_vc(&|p, v| format!("{}.{register}", vc(p, v))));
    }
    see("vc_ports", of_vc(&|p, v| format!("{}.set_ports", vc(p, v))));
    see("vc_places", of_vc(&|p, v| memory(&format!("{}.g_buffer.buffer", vc(p, v)), places)));
    see("holder", of_vc(&|p, v| format!("dut.check.g_output[{p}].g_vc[{v}].holder")));
    let of_output = |path: &dyn Fn(String) -> String| {
        (0..PORTS).rev().map(|port| path(format!("dut.g_output[{port}].output_port"))).collect::<Vec<_>>()
    };
    for register in ["first", "free", "count"] {
        see(&format!("out_{register}"), of_output(&|port| format!("{port}.{register}")));
    }
    see("out_places", of_output(&|port| memory(&format!("{port}.flits"), output_places)));
    see("on_wire", of_output(&|port| format!("{port}.check.on_wire")));
    found
}
