//! A switch of a mesh: port 0 leads to a node, the other four to its neighbours.
#![no_std]
#![no_main]

mod cable;

use cable::Cable;
use desvio_switch::{Switch, standard};
use desvio_tether::setup::{GridMap, MapSetup, Setup};
use router_core::route::Here;
use router_core::route::dimension_order::DimensionOrderScheme;
use router_core::units::PortId;
use router_core::vc::Descriptor;
use semihosting::io::Write as _;
use semihosting::process::ExitCode;

const PORTS: usize = 5;
/// Virtual channels of each port, and flits of an output's FIFO.
const VCS: usize = 2;
const FIFO: usize = standard::FIFO as usize;
/// Packets that the buffers of all ports hold at most.
const PACKETS: usize = 320;
const CYCLES: u32 = 1_000;

/// The network, and the place of this switch in it: change this.
fn setup() -> Setup {
    let mesh = standard::mesh();
    // 4 × 4; this is the router in column 2, row 1: each coordinate has two bits.
    let map = MapSetup::Grid(GridMap { sizes: [4, 4, 0, 0], wraps: false });
    Setup { shortest: 1, map, here: Here { router: 0b0110, ..mesh.here }, ..mesh }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    ExitCode::from(if run().is_some() { 0 } else { 1 }).exit_process()
}

/// Only what is printed can panic: `desvio-switch` links with `panic-never` as well.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    ExitCode::FAILURE.exit_process()
}

fn run() -> Option<()> {
    let setup = setup();
    let groups = setup.groups();
    let routing = setup.only::<DimensionOrderScheme>(&groups).ok()?;
    let mut store = [Descriptor::default(); PACKETS];
    let cables = core::array::from_fn(|_| Cable::new());
    let switch = Switch::<_, _, PORTS, VCS, FIFO>::new(&setup, routing, &mut store, cables);
    // Where it is: moved, it would take its place on the stack twice.
    let mut switch = switch.ok()?;
    for _ in 0..CYCLES {
        switch.step();
    }
    let mut console = semihosting::io::stdout().ok()?;
    writeln!(console, "port  flits in  flits out").ok()?;
    for port in (0..PORTS as u8).map(PortId::new) {
        let counters = switch.counters().port(port);
        writeln!(console, "{:>4} {:>9} {:>10}", port.number(), counters.flits_in, counters.flits_out).ok()?;
    }
    // No flit was refused, and all but the last have left.
    let total = switch.counters().total();
    let inside = total.flits_in.saturating_sub(total.flits_out);
    let refused = switch.pins().router().error_count();
    (refused == 0 && total.flits_in > CYCLES / 2 && inside < 32).then_some(())
}
