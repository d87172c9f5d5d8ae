//! A scenario's router 0 as a switch in SystemVerilog: programmed, started and read out by the driver that runs on a
//! microcontroller, over the pins of the RTL.
//!
//! ```sh
//! cargo run --release -p desvio-lockstep --example control                              # scenarios/petersen.toml
//! cargo run --release -p desvio-lockstep --example control scenarios/dragonfly.toml
//! cargo run --release -p desvio-lockstep --example control results/fabric/scenario.toml   # tables of OpenSM: `desvio fabric`
//! ```

use desvio_driver::registers::{Answer, REGISTERS};
use desvio_driver::{BusError, Switch};
use desvio_lockstep::control::{Board, design};
use desvio_lockstep::rtl::{Configuration, Shape, Sources};
use desvio_lockstep::settings::Settings;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use embedded_hal::spi::SpiDevice;
use router_core::layout;
use router_core::lfsr::Lfsr;
use router_core::units::PortSet;
use std::error::Error;
use std::path::Path;

/// Most ports of a switch.
const PORTS: usize = 32;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "scenarios/petersen.toml".to_owned());
    let blueprint = Blueprint::new(Scenario::load(Path::new(&path), &[])?)?;
    let shape = Shape::of(&blueprint)?;
    let library = design(&shape, &Sources::embedded()?, false).short_run(true).build()?;
    let board = Board::new(&library, &shape, 1, ())?;

    let mut switch = Switch::new(board.spi(4), board.reset_pin(), board.delay());
    if switch.reset()?.routing() == layout::ROUTING_TABLE {
        let rows = Configuration::of(&blueprint, &shape, 0)?.rows(&Settings::default());
        let rows: Vec<_> = rows.into_iter().map(|row| PortSet::from_bits(row as usize)).collect();
        switch.program_table(rows.iter().copied())?;
    }
    let seed = Lfsr::new(blueprint.scenario().run.seed, 0).word();
    switch.start(&blueprint.here(0), seed, &blueprint.plan::<PORTS>(0)?.selection)?;

    println!("{:24} {:>10} {:>10}", "register", "value", "in use");
    for entry in REGISTERS {
        for number in 0..entry.count {
            let Some(value) = found(switch.bus(), entry.address + number)? else {
                // Only credits have gaps: those of ports with fewer VCs than there is room for.
                if entry.name == "credits" { continue } else { break }
            };
            let in_use = match entry.in_use {
                Some(first) => found(switch.bus(), first + number)?,
                None => None,
            };
            let place = if entry.count > 1 { format!("[{number}]") } else { String::new() };
            let in_use = in_use.map_or(String::new(), |in_use| format!("{in_use:#x}"));
            println!("{:24} {:>10} {in_use:>10}", format!("{}{place}", entry.name), format!("{value:#x}"));
        }
    }
    println!(
        "{} cycles of the switch's clock, {} frames sent again",
        board.cycles(),
        switch.bus().repeated()
    );
    Ok(())
}

/// What is at an address; nothing where this switch has no register.
fn found<S: SpiDevice>(
    bus: &mut desvio_driver::Bus<S>,
    address: u16,
) -> Result<Option<u32>, BusError<S::Error>> {
    match bus.get(address) {
        Ok(value) => Ok(Some(value)),
        Err(BusError::Refused { answer: Answer::NoSuchRegister, .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
