//! What no router asks: an arbiter as a whole, and whether a header is legal. Benches of their own show it.

use desvio_lockstep::rtl::Sources;
use desvio_tests::rtl::source;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use router_core::alloc::ArbiterKind;
use router_core::alloc::arbiter::Arbiter;
use router_core::header::{Header, RawHeader};
use std::path::Path;
use verilated::{BuildError, Design, Library, Model};

/// More than any world's ports: a round-robin arbiter of up to five is made in another way.
const REQUESTERS: usize = 7;
const CYCLES: u64 = 5_000;

/// A module on its own, beside the part of the model that it is.
pub(crate) struct Unit {
    pub(crate) name: &'static str,
    pub(crate) module: &'static str,
    library: Library,
    hunt: fn(&mut Model) -> Result<(), String>,
}

impl Unit {
    pub(crate) fn all(sources: &Sources, cache: &Path) -> Result<Vec<Self>, BuildError> {
        let bench = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rtl_mutation");
        let build = |top: &str, modules: &[&str], arbiter: u32| {
            let files = modules.iter().map(|module| source(sources.path(), module));
            let design = Design::new(top).sources(files).source(bench.join(format!("{top}.sv"))).cache(cache);
            if top != "arbiter_bench" {
                return design.build();
            }
            design.parameter("ARBITER", arbiter).parameter("REQUESTERS", REQUESTERS as u32).build()
        };
        let arbiter = ["pkg", "arbiter_pick", "arbiter_state", "arbiter"];
        Ok(vec![
            Self {
                name: "round-robin arbiter",
                module: "arbiter",
                library: build("arbiter_bench", &arbiter, 0)?,
                hunt: |model| arbiter_differs(model, ArbiterKind::RoundRobin),
            },
            Self {
                name: "pick of a round-robin arbiter",
                module: "arbiter_pick",
                library: build("arbiter_bench", &arbiter, 0)?,
                hunt: |model| arbiter_differs(model, ArbiterKind::RoundRobin),
            },
            Self {
                name: "matrix arbiter",
                module: "arbiter",
                library: build("arbiter_bench", &arbiter, 1)?,
                hunt: |model| arbiter_differs(model, ArbiterKind::Matrix),
            },
            Self {
                name: "header",
                module: "header",
                library: build("header_bench", &["pkg", "header"], 0)?,
                hunt: header_differs,
            },
        ])
    }

    /// What differs from the model, if anything does.
    pub(crate) fn hunt(&self, mutant: u16) -> Option<String> {
        let mut model = self.library.model(1).unwrap_or_else(|error| panic!("{error}"));
        set(&mut model, "mutant", 16, u64::from(mutant));
        set(&mut model, "rst", 1, 1);
        // The number is taken in, then the reset line itself may be the defect.
        for _ in 0..2 {
            cycle(&mut model);
        }
        set(&mut model, "rst", 1, 0);
        (self.hunt)(&mut model).err()
    }
}

fn set(model: &mut Model, name: &str, bits: u32, value: u64) {
    let input = model.input(name, bits).unwrap_or_else(|error| panic!("{error}"));
    model.set(input, value);
}

fn get(model: &Model, name: &str, bits: u32) -> u64 {
    model.get(model.output(name, bits).unwrap_or_else(|error| panic!("{error}")))
}

fn cycle(model: &mut Model) {
    let clk = model.input("clk", 1).unwrap_or_else(|error| panic!("{error}"));
    model.cycle(clk).unwrap_or_else(|error| panic!("{error}"));
}

fn arbiter_differs(model: &mut Model, kind: ArbiterKind) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut arbiter = Arbiter::<REQUESTERS>::new(kind);
    for at in 0..CYCLES {
        let (request, advance) = (random.next_u64() % (1 << REQUESTERS), random.next_u64() % 2);
        set(model, "request", REQUESTERS as u32, request);
        set(model, "advance", 1, advance);
        model.eval().map_err(|failure| failure.to_string())?;
        let winner = arbiter.pick(request as usize);
        let (expected, got) = (winner.map_or(0, |n| 1 << n), get(model, "grant", REQUESTERS as u32));
        if expected != got {
            return Err(format!(
                "cycle {at}: of {request:07b} the model serves {expected:07b}, the RTL {got:07b}"
            ));
        }
        if let Some(winner) = winner.filter(|_| advance == 1) {
            arbiter.served(winner);
        }
        cycle(model);
    }
    Ok(())
}

fn header_differs(model: &mut Model) -> Result<(), String> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..CYCLES {
        // Few bits at a time, or hardly any header would be legal.
        let raw = random.next_u64() & random.next_u64() & random.next_u64();
        set(model, "raw", 64, raw);
        model.eval().map_err(|failure| failure.to_string())?;
        let (expected, got) = (Header::parse(RawHeader(raw)).is_ok(), get(model, "legal", 1) == 1);
        if expected != got {
            return Err(format!("{raw:#018x}: legal to the model: {expected}, to the RTL: {got}"));
        }
    }
    Ok(())
}
