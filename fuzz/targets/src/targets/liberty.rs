//! Libraries of standard cells.

use super::{Outcome, Target, holds, text};
use desvio_cost::Library;

pub(super) const TARGET: Target = Target {
    name: "liberty",
    reads: "libraries in the Liberty format",
    run,
    seeds: || vec![SMALL.as_bytes().to_vec()],
    is_rare: |bytes| holds(bytes, "area : 65535") || holds(bytes, "area : 1e308"),
};

/// A NAND gate, a buffer and a flip-flop.
const SMALL: &str = r#"library (small) {
  time_unit : "1ns"; /* loads in pF */
  capacitive_load_unit (1, pf);
  lu_table_template (delay) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    index_1 ("0.1, 0.5"); index_2 ("0.01, \
      0.2"); }
  cell (NAND2X1) { area : 24; pin (A) { direction : input; capacitance : 0.01; } pin (B) { direction : input; capacitance : 0.01; }
    pin (Y) { direction : output; function : "(!(A B))";
      timing () { related_pin : "A"; timing_sense : negative_unate;
        cell_rise (delay) { values ("0.1, 0.2", "0.3, 0.4"); } rise_transition (delay) { values ("0.1, 0.2", "0.3, 0.4"); }
        cell_fall (delay) { values ("0.1, 0.2", "0.3, 0.4"); } fall_transition (delay) { values ("0.1, 0.2", "0.3, 0.4"); } } } }
  cell (DFFX1) { area : 96; ff (IQ, IQN) { clocked_on : "CLK"; next_state : "D"; }
    pin (CLK) { direction : input; capacitance : 0.02; }
    pin (D) { direction : input; capacitance : 0.01;
      timing () { related_pin : "CLK"; timing_type : setup_rising; rise_constraint (scalar) { values ("0.1"); } fall_constraint (scalar) { values ("0.2"); } } }
    pin (Q) { direction : output; timing () { related_pin : "CLK"; timing_type : rising_edge; cell_rise (delay) { values ("0.1, 0.2", "0.3, 0.4"); } } } }
}
"#;

fn run(bytes: &[u8]) -> Outcome {
    match Library::read(&text(bytes)) {
        Ok(library) => Outcome::taken(format!("{library:?}").len() / 64),
        Err(reason) => Outcome::refused(&reason.replace([':', '"'], " ")),
    }
}
