//! Slips in one copy of the RTL: the number in `mutation::chosen` says which of them was made, and 0 is none.
//!
//! So a design is compiled once, and not once for each slip.

use crate::rtl::source;
use std::path::Path;
use std::{fs, io};
use verilated::Model;

/// Where the chosen number lives.
const PACKAGE: &str = "\npackage mutation;\n  logic [15:0] chosen;\nendpackage\n";

/// Declares the number, in a copy of the RTL.
///
/// # Errors
/// When the package of the RTL cannot be read or written.
pub fn declare(folder: &Path) -> io::Result<()> {
    let path = source(folder, "pkg");
    let package = fs::read_to_string(&path)?;
    fs::write(path, package + PACKAGE)
}

/// An expression, and what it is instead when this number is chosen.
#[must_use]
pub fn choice(number: u16, mutant: &str, original: &str) -> String {
    format!("mutation::chosen == 16'd{number} ? ({mutant}) : {original}")
}

/// A module with a pin `mutant`, whose number is taken while the module is reset.
///
/// # Panics
/// When the module has no reset.
#[must_use]
pub fn with_pin(module: &str) -> String {
    let (head, rest) = module.split_once("rst,\n").expect("the module has a reset");
    let (body, _) = rest.rsplit_once("endmodule").expect("a module ends");
    format!(
        "{head}rst,\n  input logic [15:0] mutant,\n{body}  always_ff @(posedge clk) if (rst) mutation::chosen <= mutant;\n\
         endmodule\n"
    )
}

/// Drives the pin `mutant`.
///
/// # Panics
/// When the model has none.
pub fn choose(model: &mut Model, number: u16) {
    let pin = model.input("mutant", 16).unwrap_or_else(|error| panic!("{error}"));
    model.set(pin, number.into());
}
