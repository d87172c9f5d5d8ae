//! How fast a netlist of a library's cells can be clocked, if wires cost nothing.
//!
//! Delays and slews are the library's, at the load of the inputs that each cell drives. The clock and the inputs of the router rise and
//! fall at once. A memory is read in no time: its reads begin paths. A wire into more than [`FANOUT`] inputs is taken to go
//! through a tree of the library's best buffer, in which every buffer drives as many.

use super::library::{Arc, Library, Table};
use super::netlist::{Gate, Net, Netlist};
use serde::{Deserialize, Serialize};

/// The most inputs that anything drives directly.
pub(super) const FANOUT: usize = 16;

/// The slowest path between registers.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The shortest period in ps.
    pub period: f64,
    /// Where it goes on the way, by part.
    pub path: Vec<Stretch>,
}

/// Cells of one part that follow each other on the slowest path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stretch {
    /// The number of the part.
    pub part: usize,
    /// Cells.
    pub cells: u64,
    /// Their delays in ps, with the buffers behind them; in the last stretch with the register's setup.
    pub ps: f64,
}

/// When a wire has risen or fallen at the latest, and how steeply.
#[derive(Debug, Clone, Copy)]
struct Edge {
    at: f64,
    slew: f64,
    /// The cell that drives it, and the wire and the direction that made it do so.
    cause: Option<(u32, Option<(Net, usize)>)>,
}

/// At once: an input, a memory's read.
const START: Edge = Edge { at: 0.0, slew: 0.0, cause: None };

/// Directions of an edge.
const RISE: usize = 0;
const FALL: usize = 1;

/// Looks for the slowest path; `None` where cells drive themselves without a register between. With `fanout`, wires into more inputs go
/// through buffers.
pub(super) fn slowest(netlist: &Netlist<'_>, library: &Library, fanout: Option<usize>) -> Option<Clock> {
    let walk = Walk::new(netlist, library, fanout);
    let edges = walk.edges()?;
    let mut worst: (f64, Option<(Net, usize)>) = (0.0, None);
    let mut consider = |at: f64, net: usize, direction: usize| {
        if at > worst.0 {
            worst = (at, Some((net as Net, direction)));
        }
    };
    for (net, both) in edges.iter().enumerate() {
        for (direction, edge) in both.iter().enumerate() {
            if let Some(edge) = edge {
                consider(edge.at, net, direction);
            }
        }
    }
    for gate in &netlist.gates {
        for setup in &gate.cell.setups {
            let Some(net) = gate.net(&setup.pin) else { continue };
            for (direction, table) in [(RISE, &setup.rise), (FALL, &setup.fall)] {
                if let Some(edge) = walk.edge(&edges, net, direction) {
                    consider(edge.at + table.at(edge.slew, 0.0), net as usize, direction);
                }
            }
        }
    }
    let (end, last) = worst;
    let path = walk.path(&edges, last, end);
    let path = path.into_iter().map(|stretch| Stretch { ps: stretch.ps * library.picoseconds, ..stretch });
    Some(Clock { period: end * library.picoseconds, path: path.collect() })
}

struct Walk<'n> {
    gates: &'n [Gate<'n>],
    constant: Vec<bool>,
    /// For each wire, how many cells drive it.
    drivers: Vec<u32>,
    /// For each wire, how many inputs it has and their load.
    sinks: Vec<(usize, f64)>,
    fanout: usize,
    buffer: Option<(f64, &'n Arc)>,
}

/// Edges of all wires, by direction; `None` for what never happens.
type Edges = Vec<[Option<Edge>; 2]>;

impl<'n> Walk<'n> {
    fn new(netlist: &'n Netlist<'n>, library: &'n Library, fanout: Option<usize>) -> Self {
        let mut walk = Self {
            gates: &netlist.gates,
            constant: vec![false; netlist.nets],
            drivers: vec![0; netlist.nets],
            sinks: vec![(0, 0.0); netlist.nets],
            fanout: fanout.unwrap_or(usize::MAX),
            buffer: fanout.and_then(|fanout| library.buffer(fanout as f64)),
        };
        for &net in &netlist.constants {
            if let Some(constant) = walk.constant.get_mut(net as usize) {
                *constant = true;
            }
        }
        for gate in walk.gates {
            for &(pin, net) in &gate.pins {
                match (gate.cell.inputs.get(pin), walk.sinks.get_mut(net as usize)) {
                    (Some(load), Some(sinks)) => *sinks = (sinks.0 + 1, sinks.1 + load),
                    _ => {
                        if let Some(drivers) = walk.drivers.get_mut(net as usize) {
                            *drivers += 1;
                        }
                    }
                }
            }
        }
        walk
    }

    /// All edges, cells after those that drive them.
    fn edges(&self) -> Option<Edges> {
        let mut edges: Edges = vec![[None; 2]; self.sinks.len()];
        let mut waiting: Vec<u32> = Vec::with_capacity(self.gates.len());
        let mut followers: Vec<Vec<u32>> = vec![Vec::new(); self.sinks.len()];
        let mut ready: Vec<u32> = Vec::new();
        for (n, gate) in self.gates.iter().enumerate() {
            let mut open = 0;
            for net in self.inputs_that_matter(gate) {
                if self.drivers.get(net as usize).is_some_and(|&drivers| drivers > 0) {
                    open += 1;
                    if let Some(followers) = followers.get_mut(net as usize) {
                        followers.push(n as u32);
                    }
                }
            }
            waiting.push(open);
            if open == 0 {
                ready.push(n as u32);
            }
        }
        let mut done = 0;
        while let Some(n) = ready.pop() {
            done += 1;
            let Some(gate) = self.gates.get(n as usize) else { continue };
            self.drive(n, gate, &mut edges);
            let driven = gate.pins.iter().filter(|(pin, _)| !gate.cell.inputs.contains_key(*pin));
            for follower in driven.filter_map(|&(_, net)| followers.get(net as usize)).flatten() {
                if let Some(waiting) = waiting.get_mut(*follower as usize) {
                    *waiting -= 1;
                    if *waiting == 0 {
                        ready.push(*follower);
                    }
                }
            }
        }
        (done == self.gates.len()).then_some(edges)
    }

    /// The wires that a cell's outputs follow at once: none for a register.
    fn inputs_that_matter<'g>(&self, gate: &'g Gate<'n>) -> impl Iterator<Item = Net> + 'g {
        let matters = |pin: &str| gate.cell.arcs.iter().any(|arc| !arc.is_clocked && arc.from == pin);
        gate.pins.iter().filter(move |(pin, _)| matters(pin)).map(|&(_, net)| net)
    }

    /// Writes down when a cell's outputs rise and fall.
    fn drive(&self, n: u32, gate: &Gate<'_>, edges: &mut Edges) {
        for arc in &gate.cell.arcs {
            let (Some(from), Some(to)) = (gate.net(&arc.from), gate.net(&arc.to)) else { continue };
            let load = self.load(to);
            for (direction, (delay, slew)) in [(RISE, &arc.rise), (FALL, &arc.fall)] {
                for cause in [RISE, FALL] {
                    let follows = if cause == direction { arc.rises_with.0 } else { arc.rises_with.1 };
                    let edge = if arc.is_clocked {
                        (cause == RISE).then_some(START)
                    } else {
                        self.edge(edges, from, cause).filter(|_| follows)
                    };
                    let Some(edge) = edge else { continue };
                    let by = (!arc.is_clocked).then_some((from, cause));
                    let mut next = Edge {
                        at: edge.at + delay.at(edge.slew, load),
                        slew: slew.at(edge.slew, load).max(0.0),
                        cause: Some((n, by)),
                    };
                    self.through_tree(to, direction, &mut next);
                    let Some(slot) = edges.get_mut(to as usize).and_then(|both| both.get_mut(direction))
                    else {
                        continue;
                    };
                    // The latest, and of those the flattest.
                    let slew = slot.map_or(next.slew, |known| known.slew.max(next.slew));
                    if slot.is_none_or(|known| known.at < next.at) {
                        *slot = Some(next);
                    }
                    if let Some(slot) = slot {
                        slot.slew = slew;
                    }
                }
            }
        }
    }

    /// An edge of a wire that a cell drives, or of one that begins paths.
    fn edge(&self, edges: &Edges, net: Net, direction: usize) -> Option<Edge> {
        let net = net as usize;
        if self.constant.get(net).copied().unwrap_or(true) {
            None
        } else if self.drivers.get(net) == Some(&0) {
            let mut start = START;
            self.through_tree(net as Net, direction, &mut start);
            Some(start)
        } else {
            edges.get(net)?.get(direction).copied().flatten()
        }
    }

    /// What a wire's driver drives.
    fn load(&self, net: Net) -> f64 {
        let (sinks, load) = self.sinks.get(net as usize).copied().unwrap_or_default();
        match self.buffer {
            Some((buffer, _)) if sinks > self.fanout => buffer * self.fanout as f64,
            _ => load,
        }
    }

    /// Takes an edge through the buffers of a wire, if it has any.
    fn through_tree(&self, net: Net, direction: usize, edge: &mut Edge) {
        let (sinks, load) = self.sinks.get(net as usize).copied().unwrap_or_default();
        let Some((own, arc)) = self.buffer else { return };
        let (delay, slew): &(Table, Table) = if direction == RISE { &arc.rise } else { &arc.fall };
        let mut reached = self.fanout;
        while reached < sinks {
            reached = reached.saturating_mul(self.fanout);
            let each = if reached < sinks { own } else { load / sinks as f64 };
            let load = each * self.fanout as f64;
            (edge.at, edge.slew) = (edge.at + delay.at(edge.slew, load), slew.at(edge.slew, load));
        }
    }

    /// The way that led to an edge, from its beginning.
    fn path(&self, edges: &Edges, last: Option<(Net, usize)>, end: f64) -> Vec<Stretch> {
        let mut path: Vec<Stretch> = Vec::new();
        let (mut next, mut until) = (last, end);
        while let Some((net, direction)) = next {
            let Some(edge) = self.edge(edges, net, direction) else { break };
            let Some((n, by)) = edge.cause else { break };
            let part = self.gates.get(n as usize).map_or(0, |gate| gate.part);
            let begins =
                by.and_then(|(net, direction)| self.edge(edges, net, direction)).map_or(0.0, |e| e.at);
            match path.last_mut() {
                Some(stretch) if stretch.part == part => {
                    stretch.cells += 1;
                    stretch.ps += until - begins;
                }
                _ => path.push(Stretch { part, cells: 1, ps: until - begins }),
            }
            (next, until) = (by, begins);
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Delay 10 and 5 more for each unit of load; inputs load 1; slews do not matter. A register's output takes 30, its setup 7.
    fn library() -> Library {
        let table =
            |kind: &str, a: f64, b: f64| format!("{kind} (t) {{ values (\"{a}, {b}\", \"{a}, {b}\"); }} ");
        let delays = |intrinsic: f64| {
            let kinds = ["cell_rise", "cell_fall"].map(|kind| table(kind, intrinsic, intrinsic + 5.0));
            let slews = ["rise_transition", "fall_transition"].map(|kind| table(kind, 0.0, 0.0));
            kinds.concat() + &slews.concat()
        };
        let input =
            |pin: &str, more: &str| format!("pin ({pin}) {{ direction : input; capacitance : 1; {more} }} ");
        let gate = |name: &str, pins: &[&str], sense: &str| {
            let inputs: String = pins.iter().map(|pin| input(pin, "")).collect();
            let timing = |pin: &&str| {
                format!("timing () {{ related_pin : \"{pin}\"; timing_sense : {sense}; {} }} ", delays(10.0))
            };
            let timings: String = pins.iter().map(timing).collect();
            format!("cell ({name}) {{ area : 1; {inputs} pin (Y) {{ direction : output; {timings} }} }}\n")
        };
        let setup = ["rise_constraint", "fall_constraint"].map(|kind| table(kind, 7.0, 7.0)).concat();
        let setup = format!("timing () {{ related_pin : \"C\"; timing_type : setup_rising; {setup} }}");
        let register = format!(
            "cell (DFF) {{ area : 1; {} {} pin (Q) {{ direction : output; timing () {{ related_pin : \"C\"; \
             timing_type : rising_edge; {} }} }} }}\n",
            input("C", ""),
            input("D", &setup),
            delays(30.0)
        );
        let template = "lu_table_template (t) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; \
                        index_1 (\"0, 1\"); index_2 (\"0, 1\"); }\n";
        let gates = [
            gate("INV", &["A"], "negative_unate"),
            gate("BUF", &["A"], "positive_unate"),
            gate("NAND", &["A", "B"], "negative_unate"),
        ];
        let text = format!("library (l) {{ time_unit : \"1ps\"; {template} {} {register} }}", gates.concat());
        Library::read(&text).unwrap()
    }

    fn period(blif: &str, fanout: Option<usize>) -> Option<Clock> {
        let library = library();
        let netlist = Netlist::read(blif, &library).unwrap();
        slowest(&netlist, &library, fanout)
    }

    #[test]
    fn a_path_begins_with_a_register_and_ends_with_a_setup() {
        // q drives NAND, NAND drives INV and a second register, INV drives the first.
        let blif = ".gate DFF C=clk D=d Q=q\n.attr part \"4\"\n.gate NAND A=q B=in Y=n\n.attr part \"2\"\n\
                    .gate INV A=n Y=d\n.attr part \"2\"\n.gate DFF C=clk D=n Q=out\n.attr part \"4\"\n";
        let clock = period(blif, Some(16)).unwrap();
        // Load 1 on q and d, 2 on n.
        assert_eq!(clock.period, (30.0 + 5.0) + (10.0 + 2.0 * 5.0) + (10.0 + 5.0) + 7.0);
        let stretches: Vec<_> = clock.path.iter().map(|s| (s.part, s.cells, s.ps)).collect();
        assert_eq!(stretches, [(4, 1, 35.0), (2, 2, 35.0 + 7.0)]);
    }

    #[test]
    fn a_constant_never_changes_and_a_wire_may_have_two_names() {
        let blif = ".names $true\n1\n.names d e\n1 1\n.gate INV A=$true Y=long\n.gate INV A=long Y=longer\n\
                    .gate NAND A=longer B=q Y=d\n.gate DFF C=clk D=e Q=q\n";
        assert_eq!(period(blif, Some(16)).unwrap().period, 35.0 + 15.0 + 7.0);
    }

    #[test]
    fn many_inputs_are_driven_through_buffers() {
        let sinks = |count: usize| {
            let registers: String = (0..count).map(|n| format!(".gate DFF C=clk D=q Q=r{n}\n")).collect();
            period(&format!(".gate DFF C=clk D=in Q=q\n{registers}"), Some(4)).unwrap().period
        };
        assert_eq!(sinks(4), 30.0 + 4.0 * 5.0 + 7.0);
        // The register drives four buffers, each of them four inputs.
        assert_eq!(sinks(5), sinks(4) + 10.0 + 4.0 * 5.0);
        assert_eq!(sinks(16), sinks(5));
        assert_eq!(sinks(17), sinks(5) + 10.0 + 4.0 * 5.0, "and one level more");
    }

    #[test]
    fn a_loop_has_no_slowest_path() {
        assert_eq!(period(".gate NAND A=b B=in Y=a\n.gate INV A=a Y=b\n", Some(16)), None);
    }

    #[test]
    fn a_cell_that_the_library_does_not_have_is_named() {
        assert!(Netlist::read(".gate XOR A=a B=b Y=c\n", &library()).unwrap_err().contains("XOR"));
    }
}
