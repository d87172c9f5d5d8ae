//! Switches to control: small ones, compiled once each.

use super::traffic::{Traffic, Way};
use desvio_driver::Switch;
use desvio_lockstep::control::{Board, Delay, Neighbours, ResetPin, Spi, design};
use desvio_lockstep::rtl::{Configuration, Shape, Sources};
use desvio_lockstep::settings::Settings;
use desvio_sim::blueprint::Blueprint;
use desvio_sim::scenario::Scenario;
use desvio_tests::rtl::insists;
use router_core::lfsr::Lfsr;
use router_core::units::PortSet;
use std::path::Path;
use verilated::{BuildError, Design, Library, Run};

/// Four routers in a ring: opposite ones are joined by two shortest routes.
const RING: &str = r#"
[topology]
kind = "graph"
file = "ring.txt"
nodes_per_router = 1

[routing]
algorithm = "table"

[router]
vcs = 2
buffer_flits = 8
output_flits = 4
speedup = 1

[traffic]
loads = [0.5]
packet_flits = 4
"#;

/// A torus of InfiniBand switches, with the tables that OpenSM wrote.
const TORUS: &str = r#"
[topology]
kind = "graph"
file = "torus.ibnetdiscover"

[routing]
algorithm = "forwarding"
tables = "minhop.lfts"

[router]
vcs = 1
buffer_flits = 8
output_flits = 4
speedup = 1

[traffic]
loads = [0.5]
packet_flits = 4
"#;

/// The smallest Dragonfly, with both triggers.
const DRAGONFLY: &str = r#"
[topology]
kind = "dragonfly"
p = 2
a = 2
h = 1

[routing]
algorithm = "olm"

[selection]
trigger = "hybrid"

[router]
buffer_flits = 8
output_flits = 4
speedup = 1

[traffic]
loads = [0.5]
packet_flits = 4
"#;

/// A driver of the verilated switch, over this SPI.
pub(crate) type Driven<S, N = Traffic> = Switch<S, ResetPin<N>, Delay<N>>;

/// A network, and router 0 of it as a switch in SystemVerilog.
pub(crate) struct World {
    pub(crate) blueprint: Blueprint,
    pub(crate) shape: Shape,
    pub(crate) library: Library,
    /// The random register's first word.
    pub(crate) seed: u32,
}

impl World {
    pub(crate) fn ring(hdl: &Path) -> Option<Self> {
        Self::of_ring(hdl, |design| design)
    }

    pub(crate) fn dragonfly(hdl: &Path) -> Option<Self> {
        Self::new(DRAGONFLY, Path::new(""), hdl, |design| design)
    }

    pub(crate) fn torus(hdl: &Path) -> Option<Self> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/infiniband");
        Self::new(TORUS, &folder, hdl, |design| design)
    }

    /// A ring with defects, which is not kept. Without assertions, what a defect does must show by itself.
    pub(crate) fn planted(hdl: &Path, assertions: bool, cache: &Path) -> Option<Self> {
        Self::of_ring(hdl, |design| design.assertions(assertions).run(Run::Short).cache(cache))
    }

    fn of_ring(hdl: &Path, options: impl FnOnce(Design) -> Design) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ring.txt"), "0 1\n1 2\n2 3\n3 0\n").unwrap();
        Self::new(RING, folder.path(), hdl, options)
    }

    /// `None` and a message without Verilator, unless `DESVIO_REQUIRE_TOOLS=1`.
    fn new(text: &str, folder: &Path, hdl: &Path, options: impl FnOnce(Design) -> Design) -> Option<Self> {
        let scenario = Scenario::parse(text, "small", folder, &[]).unwrap();
        let blueprint = Blueprint::new(scenario).unwrap();
        let shape = Shape::of(&blueprint).unwrap();
        let sources = Sources::folder(hdl).unwrap();
        // Campaigns over SPI run for longer than the compiler.
        let library = match options(design(&shape, &sources, true).run(Run::Long)).build() {
            Ok(library) => library,
            Err(error @ BuildError::VerilatorMissing { .. }) if !insists() => {
                println!("skipped, no switch was controlled: {error}");
                return None;
            }
            Err(error) => panic!("{error}"),
        };
        let seed = Lfsr::new(blueprint.scenario().run.seed, 0).word();
        Some(Self { blueprint, shape, library, seed })
    }

    /// A switch with random registers, and these neighbours.
    pub(crate) fn board<N: Neighbours>(&self, seed: u64, neighbours: N) -> Board<N> {
        Board::new(&self.library, &self.shape, seed, neighbours).unwrap()
    }

    /// Router 0's rows of the routing table.
    pub(crate) fn rows(&self) -> Vec<PortSet> {
        let configuration = Configuration::of(&self.blueprint, &self.shape, 0).unwrap();
        let rows = configuration.rows(&Settings::default());
        rows.into_iter().map(|row| PortSet::from_bits(row as usize)).collect()
    }

    /// Packets from everywhere: from nodes to all other routers, and from links to the nodes of this one, too.
    pub(crate) fn traffic(&self, count: u32, gap: u32, seed: u64) -> Traffic {
        let nodes = self.blueprint.wiring().nodes();
        let addresses: Vec<_> = (0..nodes).map(|node| self.blueprint.address(node)).collect();
        let own = self.blueprint.here(0).router;
        let (near, far): (Vec<_>, Vec<_>) = addresses.into_iter().partition(|to| to.router == own);
        let exits = near.len();
        let way = |port| Way { port, to: if port < exits { far.clone() } else { near.clone() } };
        let ways: Vec<_> = self.blueprint.wired(0).iter().map(|port| way(port.index())).collect();
        Traffic::new(&self.shape, &ways, count, gap, 4, seed)
    }
}

/// A driver over the pins themselves, whose `sck` is as fast as it may be.
pub(crate) fn driver<N: Neighbours>(board: &Board<N>) -> Driven<Spi<N>, N> {
    Switch::new(board.spi(4), board.reset_pin(), board.delay())
}
