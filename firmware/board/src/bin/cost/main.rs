//! What a router costs, in instructions and bytes: one line `ports,what,number` for each measurement.
#![no_std]
#![no_main]

mod bench;
mod stages;
mod steps;

use bench::Bench;
use board::clock::Clock;
use board::console::Console;
use board::{Status, exit};
use core::fmt::Write;
use router_core::pins::Pins;
use router_core::router::Router;
use router_core::vc::Descriptor;
use switch::standard::{self, FIFO};
use tether::setup::{Setup, SetupError};

board::exit_on_panic!();

/// Where measurements go.
struct Report {
    console: Console,
    clock: Clock,
    ports: usize,
}

impl Report {
    fn line(&mut self, what: &str, number: impl Into<u64>) {
        // A failed write means that the host is gone: there is no other place to report it.
        let _ = writeln!(self.console, "{},{what},{}", self.ports, number.into());
    }

    /// Counts the instructions of `work`, and reports them.
    fn count(&mut self, what: &str, mut work: impl FnMut()) -> u32 {
        let number = self.clock.count(&mut work);
        self.line(what, number);
        number
    }
}

/// Measures a router that has exactly the ports and VCs of its setup, and `D` descriptors.
#[inline(never)]
fn measure<const P: usize, const V: usize, const D: usize>(
    report: &mut Report,
    setup: &Setup,
) -> Result<(), SetupError> {
    let groups = setup.groups();
    report.ports = P;
    let bench = || Bench::<P, V, D>::new(setup, &groups);
    steps::measure(report, bench)?;
    stages::measure(report, bench)?;
    report.line("bytes descriptor", size_of::<Descriptor>() as u64);
    report.line("bytes router", size_of::<Router<[Descriptor; D], P, V>>() as u64);
    report.line("bytes router with pins", size_of::<Pins<[Descriptor; D], P, V, { FIFO as usize }>>() as u64);
    Ok(())
}

#[board::entry]
fn main() -> ! {
    let (Ok(console), Some(clock)) = (Console::open(), Clock::new()) else { exit(Status::NoBoard) };
    let mut report = Report { console, clock, ports: 0 };
    // Five descriptors for each VC of 32 flits: three whole packets of eight, one that comes, one that leaves.
    let measured = measure::<5, 2, 50>(&mut report, &standard::mesh())
        .and_then(|()| measure::<7, 3, 95>(&mut report, &standard::paper()))
        .and_then(|()| measure::<15, 3, 205>(&mut report, &standard::wide()));
    let (begin, ()) = (board::stack::in_use(), board::stack::paint());
    let works = switch::demonstration::dragonfly();
    if let (Some(used), Some(begin)) = (board::stack::used(), begin) {
        report.ports = 7;
        report.line("bytes stack of the switch", used.saturating_sub(begin));
    }
    exit(if works && measured.is_ok() { Status::Success } else { Status::Failure })
}
