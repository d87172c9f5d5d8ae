//! Coverage as Verilator writes it.

use super::{Outcome, Target, holds};
use crate::scratch;

pub(super) const TARGET: Target = Target {
    name: "coverage",
    reads: "coverage files of Verilator",
    run,
    seeds: || vec![SMALL.as_bytes().to_vec()],
    is_rare: |bytes| holds(bytes, "' 65535") || holds(bytes, "' 4294967296"),
};

const SMALL: &str = "# SystemC::Coverage-3\n\
    C '\u{1}f\u{2}a.sv\u{1}l\u{2}3\u{1}n\u{2}5\u{1}page\u{2}v_line/a\u{1}o\u{2}block\u{1}h\u{2}top.a' 17\n\
    C '\u{1}f\u{2}a.sv\u{1}l\u{2}9\u{1}n\u{2}1\u{1}page\u{2}v_toggle/a\u{1}o\u{2}x[3]\u{1}h\u{2}top.a' 0\n";

fn run(bytes: &[u8]) -> Outcome {
    match verilated::coverage::read(scratch::file("coverage.dat", bytes)) {
        Ok(points) => {
            let merged = verilated::coverage::merge([points.clone(), points]);
            Outcome::taken((merged.len(), merged.iter().filter(|point| point.count > 0).count()))
        }
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
