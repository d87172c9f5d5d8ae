//! The patent's argument against deadlock, examined: which sub-function of its rules is an escape (`docs/patent.md`).
//!
//!     cargo run --release -p desvio-prove --example patent

mod literal;
mod table;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", table::text()?);
    Ok(())
}
