//! Everything that is proven.

use super::proof::{Proof, Reach};

const ARBITER: &[&str] = &["arbiter_pick", "arbiter_state", "arbiter", "formal/arbiter_order"];

const ALLOCATOR: &[&str] = &[
    "arbiter_pick",
    "arbiter_state",
    "output_arbiter",
    "separable_input_first",
    "separable_output_first",
    "wavefront",
    "allocator",
    "formal/arbiter_order",
];

fn nothing() -> Vec<(String, String)> {
    Vec::new()
}

/// The registers of `dut` with these names, under the same names.
fn of_dut(names: &[&str]) -> Vec<(String, String)> {
    names.iter().map(|&name| (name.to_owned(), format!("dut.{name}"))).collect()
}

fn allocator_registers() -> Vec<(String, String)> {
    of_dut(&["input_states", "out_vc_states", "input_of_out_vc_states", "choices", "turn"])
}

pub(crate) const fn arbiter(top: &'static str, parameters: &'static [(&'static str, u32)]) -> Proof {
    Proof {
        top,
        sources: ARBITER,
        parameters,
        proven_apart: &[],
        seen: nothing,
        reach: Reach::Induction(1),
        cover: 6,
    }
}

/// The longest wait takes as many steps as there are requesters.
const fn arbiter_of_many(top: &'static str, parameters: &'static [(&'static str, u32)]) -> Proof {
    let mut proof = arbiter(top, parameters);
    proof.cover = 8;
    proof
}

pub(crate) const fn allocator(parameters: &'static [(&'static str, u32)]) -> Proof {
    Proof {
        top: "allocator_contract",
        sources: ALLOCATOR,
        parameters,
        proven_apart: &["arbiter_pick"],
        seen: allocator_registers,
        reach: Reach::Induction(1),
        cover: 3,
    }
}

pub(crate) const fn credit(parameters: &'static [(&'static str, u32)], cover: u32) -> Proof {
    Proof {
        top: "credit_contract",
        sources: &["credit"],
        parameters,
        proven_apart: &[],
        seen: nothing,
        reach: Reach::Induction(1),
        cover,
    }
}

/// Everything that is proven. The numbers of arbiters and allocators are those of `dsv_pkg`.
pub(crate) const PROOFS: &[Proof] = &[
    arbiter("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 4)]),
    arbiter("arbiter_contract", &[("ARBITER", 1), ("REQUESTERS", 4)]),
    arbiter_of_many("arbiter_contract", &[("ARBITER", 0), ("REQUESTERS", 6)]),
    arbiter("arbiter_harmless", &[("ARBITER", 0), ("REQUESTERS", 4)]),
    arbiter("arbiter_harmless", &[("ARBITER", 1), ("REQUESTERS", 4)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 1), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 0), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 0), ("ARBITER", 1), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 1), ("ITERATIONS", 1)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 0), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 1), ("ARBITER", 1), ("ITERATIONS", 2)]),
    allocator(&[("ALLOCATOR", 2), ("ARBITER", 0)]),
    allocator(&[("ALLOCATOR", 2), ("ARBITER", 1)]),
    // Every VC in debt needs a flit per place: a small buffer.
    credit(&[("VCS", 3), ("DEPTH", 2)], 9),
    credit(&[("VCS", 3), ("DEPTH", 5)], 18),
];
