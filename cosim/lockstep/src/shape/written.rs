//! What is written in SystemVerilog, and the name of what is not.

use desvio_sim::blueprint::BlueprintError;
use router_core::options::VisitRtl;
use router_core::settings::{Choice, Word};
use thiserror::Error;

/// Why a scenario's router does not exist in SystemVerilog.
#[derive(Debug, Error)]
pub enum NotInRtl {
    /// One of its choices.
    #[error("{key} = \"{word}\" is not written in SystemVerilog; {written}")]
    Choice {
        /// What is chosen.
        key: &'static str,
        /// The choice.
        word: &'static str,
        /// What else could be chosen, as a clause.
        written: String,
    },
    /// One of its options, which is not at its default.
    #[error("{0} is not written in SystemVerilog: it must be left out")]
    Option(&'static str),
    /// Its routing, on this topology.
    #[error("routing.algorithm = \"{word}\" is not written in SystemVerilog for a {topology}")]
    Topology {
        /// The routing.
        word: &'static str,
        /// The topology.
        topology: &'static str,
    },
    /// Its map.
    #[error("the SystemVerilog has no such map")]
    Map,
    /// Forwarding tables with more entries than one for each router and destination router.
    #[error(
        "the SystemVerilog takes forwarding tables with one entry for each destination router, or with ports alone for each node; these have VCs by node, or for pairs of them, or routers with different numbers of nodes"
    )]
    TablesByNode,
    /// VCs that do not fit a row of a table.
    #[error(
        "the SystemVerilog has the VCs of a forwarding table in rows as wide as a router has ports; {vcs} VCs do not fit {ports}"
    )]
    TableVcs {
        /// The VCs.
        vcs: usize,
        /// The ports.
        ports: usize,
    },
    /// Counters of a group on the links.
    #[error(
        "selection.ectn_counters_per_flit: must be 0 for SystemVerilog, where the counters of a group have wires of their own"
    )]
    InBand,
    /// Counters or flags of a group in a network.
    #[error(
        "selection.trigger = \"ectn\", routing.knowledge = \"group\" and \"group-each-cycle\": `desvio lockstep` drives the wires by which routers of a group tell each other something, a network does not"
    )]
    Notices,
    /// Several links between two groups, or none.
    #[error(
        "routing.algorithm = \"ugal-dragonfly\": the SystemVerilog counts hops where each two groups have one link, with a · h + 1 groups"
    )]
    Links,
    /// Detours to other groups by local ports.
    #[error(
        "routing.algorithm = \"ugal-dragonfly\" is written in SystemVerilog with selection.trigger \"ugal\", \"never\" and \"always\", not with \"{0}\", which would look for detours to other groups at global ports alone"
    )]
    Detours(&'static str),
    /// Parallel local links.
    #[error(
        "topology.local_links: the SystemVerilog has one link between two routers of a group; more are for models only"
    )]
    LocalLinks,
    /// A Dragonfly with groups of different sizes.
    #[error("the SystemVerilog knows Dragonflies with equal groups only")]
    Groups,
    /// Routers whose ports are not of the same classes in the same places.
    #[error(
        "the SystemVerilog knows networks whose routers are all alike; in this one some have more nodes than others, or none"
    )]
    RouterClasses,
    /// Tables that change while the network runs.
    #[error("routing.updates: a router in SystemVerilog keeps its table for a whole run")]
    Updates,
    /// Ports that take what is sent into a link that is down.
    #[error("links.down: a port in SystemVerilog discards nothing; `discards = true` is for models only")]
    Discards,
    /// Virtual channels of different depths.
    #[error(
        "router.buffer_flits: the virtual channels of a port in SystemVerilog are equally deep; lists by VC are for models only"
    )]
    Depths,
    /// Links slower than a flit in each cycle.
    #[error(
        "links.rate: a router in SystemVerilog sends a flit in each cycle; slower links are for models only, and 1 takes all as equal"
    )]
    Rates,
    /// Credits that stand for several flits.
    #[error("links.credit_flits: a router in SystemVerilog takes a pulse for each flit")]
    CreditFlits,
    /// The order of the ports.
    #[error("the SystemVerilog has node ports first, then local and global ones")]
    Ports,
    /// More than lockstep can look into.
    #[error("lockstep compares the registers of routers with up to 16 ports; this one has {0}")]
    TooWide(usize),
    /// An output FIFO that the model's pins have no room for.
    #[error("router.output_flits: lockstep takes FIFOs of up to {most} flits, not {flits}")]
    Fifo {
        /// Its flits.
        flits: u32,
        /// The most that there is room for.
        most: usize,
    },
    /// The scenario itself.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
}

/// The number of a scheme in the RTL.
pub(super) fn scheme_in_rtl<C: Choice>(
    key: &'static str,
    scheme: C,
    rtl: impl Fn(&C) -> Option<u32>,
) -> Result<u32, NotInRtl> {
    let written = || C::all().filter(|other| rtl(other).is_some()).map(|other| other.word()).collect();
    rtl(&scheme).ok_or_else(|| NotInRtl::Choice { key, word: scheme.word(), written: series(written()) })
}

/// The parameters of the options of a router.
pub(super) struct Parameters<'p>(pub(super) &'p mut Vec<(&'static str, u32)>);

impl VisitRtl for Parameters<'_> {
    type Error = NotInRtl;

    fn parameter(&mut self, name: &'static str, value: u32) {
        self.0.push((name, value));
    }

    fn word<W: Word>(
        &mut self,
        key: &'static str,
        choice: W,
        number: fn(W) -> Option<u32>,
    ) -> Result<u32, NotInRtl> {
        let written =
            || W::WORDS.iter().filter(|(_, other)| number(*other).is_some()).map(|(word, _)| *word).collect();
        number(choice).ok_or_else(|| NotInRtl::Choice {
            key,
            word: choice.word(),
            written: series(written()),
        })
    }

    fn absent(&mut self, key: &'static str, is_default: bool) -> Result<(), NotInRtl> {
        if is_default { Ok(()) } else { Err(NotInRtl::Option(key)) }
    }
}

/// What is written, as a clause.
fn series(words: Vec<&str>) -> String {
    match words.as_slice() {
        [] => "none is".to_owned(),
        [one] => format!("{one} is"),
        [first @ .., last] => format!("{} and {last} are", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;
    use desvio_sim::blueprint::Blueprint;
    use desvio_sim::scenario::Scenario;
    use std::path::Path;

    /// The RTL has sizes for links between groups, too, of which a network by a rule has none.
    #[test]
    fn networks_by_a_rule_have_all_parameters() {
        let text = "[topology]\nkind = \"hypercube\"\ndims = 3\n[routing]\nalgorithm = \"table\"\n[traffic]\nloads = [1]\n";
        let scenario = Scenario::parse(text, "net.toml", Path::new("."), &[]).unwrap();
        let shape = Shape::of(&Blueprint::new(scenario).unwrap()).unwrap();
        let of = |name: &str| shape.parameters.iter().find(|(other, _)| *other == name).unwrap().1;
        assert_eq!(["NODES", "LOCALS", "GLOBALS", "TABLE_ROUTERS"].map(of), [1, 3, 0, 8]);
        assert!(["NODE_FLITS", "LOCAL_FLITS", "GLOBAL_FLITS", "GLOBAL_VCS"].iter().all(|name| of(name) >= 1));
    }

    /// A router for the scenario's packets and replies alone gets all of their lengths, and no others.
    #[test]
    fn own_packets_have_the_lengths_of_the_scenario() {
        let text = "[topology]\nkind = \"dragonfly\"\np = 1\na = 2\nh = 1\n[traffic]\nloads = [1]\npacket_flits = 4\nreply_flits = 6\n";
        let scenario = Scenario::parse(text, "net.toml", Path::new("."), &[]).unwrap();
        let any = Shape::of(&Blueprint::new(scenario).unwrap()).unwrap();
        let longest = |shape: &Shape| shape.parameters.iter().find(|(name, _)| *name == "LONGEST").unwrap().1;
        let own = any.clone().for_own_packets();
        assert_eq!((longest(&any), longest(&own)), (1023, 6));
        assert_eq!(any.lengths_of(&[1, 4, 1000]), [1, 4, 1000]);
        assert_eq!(own.lengths_of(&[1, 4, 5, 7]), [4, 5, 6]);
        assert_eq!(own.lengths_of(&[1, 2, 3]), [6]);
        assert!(own.takes_length(4) && !own.takes_length(3) && !own.takes_length(7) && any.takes_length(3));
    }

    /// The RTL of `duato` has one escape VC: a mesh's.
    #[test]
    fn a_routing_may_be_written_for_some_topologies_alone() {
        let shape = |kind: &str| {
            let text = format!(
                "[topology]\nkind = \"{kind}\"\ndims = [4, 4]\n[routing]\nalgorithm = \"duato\"\n[traffic]\nloads = [1]\n"
            );
            let scenario = Scenario::parse(&text, "net.toml", Path::new("."), &[]).unwrap();
            Shape::of(&Blueprint::new(scenario).unwrap())
        };
        assert!(shape("mesh").is_ok());
        let refused = shape("torus").unwrap_err().to_string();
        assert_eq!(refused, "routing.algorithm = \"duato\" is not written in SystemVerilog for a torus");
    }

    /// The RTL takes a VC as soon as the packet before has been sent.
    #[test]
    fn atomic_allocation_of_vcs_is_refused_by_name() {
        let text = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[router]\nvc_allocation = \"atomic\"\n[traffic]\nloads = [1]\n";
        let scenario = Scenario::parse(text, "net.toml", Path::new("."), &[]).unwrap();
        let refused = Shape::of(&Blueprint::new(scenario).unwrap()).unwrap_err().to_string();
        let expected = "router.vc_allocation = \"atomic\" is not written in SystemVerilog; non-atomic is";
        assert_eq!(refused, expected);
    }

    #[test]
    fn an_option_that_the_rtl_does_not_have_is_at_its_default_or_refused_by_name() {
        let mut found = Vec::new();
        let mut parameters = Parameters(&mut found);
        assert!(parameters.absent("router.guest", true).is_ok());
        let refused = parameters.absent("router.guest", false).unwrap_err().to_string();
        assert_eq!(refused, "router.guest is not written in SystemVerilog: it must be left out");
        assert!(found.is_empty());
    }

    #[test]
    fn marks_of_congestion_and_groups_are_refused_by_name() {
        let text = "[topology]\nkind = \"mesh\"\ndims = [4, 4]\n[traffic]\nloads = [1]\n";
        let shape = |set: &str| {
            let scenario = Scenario::parse(text, "net.toml", Path::new("."), &[set.to_owned()]).unwrap();
            let blueprint = Blueprint::new(scenario).unwrap();
            (
                Shape::of(&blueprint).err().map(|e| e.to_string()),
                crate::mcu::setup(&blueprint, 0).err().map(|e| e.to_string()),
            )
        };
        let (rtl, mcu) = shape("congestion.threshold={ local = 1 }");
        assert_eq!(rtl, None);
        assert!(
            mcu.is_some_and(|mcu| mcu.starts_with("congestion.threshold: what a microcontroller is told"))
        );
        let (rtl, mcu) = shape("traffic.pattern={ multicast = { groups = 1, size = 4 } }");
        let expected =
            "has no messages for groups of nodes; the pattern must be another one than \"multicast\"";
        assert_eq!(rtl, Some(format!("traffic.pattern: a router in SystemVerilog {expected}")));
        assert_eq!(mcu, Some(format!("traffic.pattern: a microcontroller {expected}")));
        // Nodes that listen need nothing of a router.
        assert_eq!(shape("injection.control=congestion-control"), (None, None));
    }

    #[test]
    fn what_the_rtl_lacks_has_a_name() {
        let shape = |set: &str| {
            let text = "[topology]\nkind = \"fat-tree\"\nradix = 8\n[traffic]\nloads = [1]\n";
            let scenario = Scenario::parse(text, "net.toml", Path::new("."), &[set.to_owned()]).unwrap();
            Shape::of(&Blueprint::new(scenario).unwrap())
        };
        let by_draws = shape("routing.algorithm=valiant-leaves");
        assert!(matches!(by_draws, Err(NotInRtl::Choice { word: "valiant-leaves", .. })), "{by_draws:?}");
        let in_layers = shape("routing.algorithm=up-down-derouting");
        assert!(
            matches!(in_layers, Err(NotInRtl::Choice { word: "up-down-derouting", .. })),
            "{in_layers:?}"
        );
        let by_table = shape("routing.algorithm=table");
        assert!(matches!(by_table, Err(NotInRtl::RouterClasses)), "{by_table:?}");
    }
}
