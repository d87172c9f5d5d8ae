//! The command `desvio` with a topology, a routing and a traffic pattern of its own.

mod across_first;
mod opposite;
mod spidergon;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words = desvio::Registry::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    desvio::main_with(
        words
            .topology::<spidergon::Spidergon>()
            .routing::<across_first::AcrossFirst>()
            .pattern::<opposite::Opposite>(),
    )
}
