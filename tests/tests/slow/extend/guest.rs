//! The guests of `docs/extend.md`, in routers that are wired by hand and in whole networks.

use desvio_sim::blueprint::Blueprint;
use desvio_sim::run::run;
use desvio_sim::scenario::Scenario;
use desvio_sim::summary::Summary;
use desvio_sim::topology::Facts;
use router_core::alloc::AllocatorKind;
use router_core::header::{Address, Flit, Header, Packet};
use router_core::map::grid::Grid;
use router_core::map::{AnyMap, MapKind};
use router_core::pins::{Bundle, FlitSignal, Pins, PortInputs, PortOutputs};
use router_core::links::PortSizes;
use router_core::plan::Plan;
use router_core::route::{Arrival, CandidateSet, Candidates, Full, Here, HopKind, Route, RoutingScheme, Vcs};
use router_core::router::Router;
use router_core::select::Selection;
use router_core::settings::{Choice, Word};
use router_core::units::{PortClass, PortId, PortSet, VcId, VcSet};
use router_core::vc::Descriptor;
use std::path::Path;

/// Port 0 leads to the node, 1 up the ring, 2 down.
const PORTS: usize = 4;
type Switch = Pins<Vec<Descriptor>, PORTS, 4, 8>;
type Inputs = Bundle<PORTS>;

fn plan() -> Plan<PORTS> {
    let sizes = PortSizes { vcs: 2, buffer: 4 };
    let mut plan = Plan::new(&[PortClass::NODE, PortClass::LOCAL, PortClass::LOCAL], &[sizes; 2]).unwrap();
    plan.selection = Selection::named("spare").unwrap();
    plan.options.allocator = AllocatorKind::WORDS.iter().find(|(word, _)| *word == "in-order").unwrap().1;
    plan
}

fn router(plan: &Plan<PORTS>, at: u32) -> Switch {
    let here = Here { router: at, wired: PortSet::first_n(3), ..Here::default() };
    Pins::new(Router::new(plan, here, vec![Descriptor::default(); plan.links.places()], at, 1), 1)
}

fn head(to: u32) -> FlitSignal {
    let header = Header { to: Address { router: to, port: 0 }, length: 1, ..Header::default() };
    FlitSignal { vc: VcId::new(0), flit: Flit::Head(Packet { header, tag: to }) }
}

/// Every router of a ring sends a packet to every other, all at once; each arrives where it should.
fn ring() {
    const SIZE: usize = 5;
    let scheme = RoutingScheme::named("around-the-ring").unwrap();
    assert_eq!((scheme.map(MapKind::Torus), scheme.map(MapKind::Mesh)), (Some(MapKind::Torus), None));
    assert_eq!(scheme.needs(MapKind::Torus).vcs.local, 2);
    let grid = Grid::new(&[SIZE as u32], 1, true).unwrap();
    let routing = scheme.build(&AnyMap::Grid(grid), Vcs { node: 2, local: 2, global: 2 }).unwrap();
    let plan = plan();
    let mut routers: Vec<_> = (0..SIZE as u32).map(|at| router(&plan, at)).collect();
    let mut wires = vec![Inputs::default(); SIZE];
    let mut arrived = 0;
    for cycle in 0..200 {
        for (at, wires) in wires.iter_mut().enumerate().filter(|_| cycle < SIZE - 1) {
            let credit = wires.at(PortId::new(0)).credit;
            let flit = Some(head(((at + 1 + cycle) % SIZE) as u32));
            wires.set(PortId::new(0), PortInputs { flit, credit });
        }
        let step = |(router, wires): (&mut Switch, &Inputs)| {
            let (driven, result) = router.step(&plan, &routing, wires);
            result.unwrap();
            driven
        };
        let driven: Vec<Bundle<PORTS>> = routers.iter_mut().zip(&wires).map(step).collect();
        for (at, wires) in wires.iter_mut().enumerate() {
            *wires = Inputs::default();
            for (port, from, theirs) in [(1, (at + 1) % SIZE, 2), (2, (at + SIZE - 1) % SIZE, 1)] {
                let PortOutputs { flit, credit } = driven[from].at(PortId::new(theirs));
                wires.set(PortId::new(port), PortInputs { flit, credit });
            }
            if let Some(FlitSignal { vc, flit }) = driven[at].at(PortId::new(0)).flit {
                let Flit::Head(Packet { tag, .. }) = flit else { panic!("packets have one flit") };
                assert_eq!(tag as usize, at, "a packet for another router");
                arrived += 1;
                wires.set(PortId::new(0), PortInputs { flit: None, credit: Some(vc) });
            }
        }
    }
    assert_eq!(arrived, SIZE * (SIZE - 1));
}

/// A minimal way by port 1, a detour by port 2.
struct Fork;

impl Route for Fork {
    fn offer(&self, _here: &Here, _from: Arrival, _header: &Header) -> Result<Candidates, Full> {
        let vcs = VcSet::first_n(1);
        let mut found = Candidates::minimal(PortSet::only(PortId::new(1)), vcs);
        found.offer(CandidateSet::new(PortSet::only(PortId::new(2)), vcs, HopKind::GlobalMisroute))?;
        Ok(found)
    }
}

/// How many flits leave by the minimal way and by the detour, when no credit comes back.
fn fork(selection: Selection) -> (usize, usize) {
    let mut plan = plan();
    plan.selection = selection;
    let mut router = router(&plan, 0);
    let (mut inputs, mut left, mut credits) = (Inputs::default(), (0, 0), 4);
    for cycle in 0..100 {
        let flit = (cycle % 4 == 0 && credits > 0).then(|| head(1));
        credits -= usize::from(flit.is_some());
        inputs.set(PortId::new(0), PortInputs { flit, credit: None });
        let driven = router.step(&plan, &Fork, &inputs).0;
        credits += usize::from(driven.at(PortId::new(0)).credit.is_some());
        left.0 += usize::from(driven.at(PortId::new(1)).flit.is_some());
        left.1 += usize::from(driven.at(PortId::new(2)).flit.is_some());
    }
    left
}

const RING: &str = "[topology]\nkind = \"torus\"\ndims = [8]\n[router]\nvcs = 4\n\
                    [routing]\nalgorithm = \"around-the-ring\"\nlanes = 2\n[traffic]\nloads = [0.2]\n";
const DRAGONFLY: &str = "[topology]\nkind = \"dragonfly\"\np = 2\na = 4\nh = 2\n[selection]\ntrigger = \"spare\"\n\
                         [traffic]\npattern = { adversarial = 1 }\nloads = [0.2]\n";
const OWN: &str = "[topology]\nkind = \"prism\"\nrungs = 5\n[router]\nvcs = { node = 1, ring = 4 }\n\
                   [traffic]\npattern = \"opposite\"\nloads = [0.2]\n";

fn network(text: &str, sets: &[&str]) -> Result<Blueprint, String> {
    let sets: Vec<_> = sets.iter().map(|&set| set.to_owned()).collect();
    let scenario =
        Scenario::parse(text, "net.toml", Path::new("."), &sets).map_err(|error| error.to_string())?;
    assert_eq!(Scenario::parse(&scenario.to_toml(), "shown.toml", Path::new("."), &[]).unwrap(), scenario);
    Blueprint::new(scenario).map_err(|error| error.to_string())
}

fn summary(text: &str, sets: &[&str]) -> Summary {
    let sets = [sets, &["run.warmup_cycles=500", "run.measure_cycles=2000"]].concat();
    let outcome = run(&network(text, &sets).unwrap(), 0.2, &|_| ()).unwrap();
    assert_eq!(outcome.violation, None);
    outcome.summary
}

/// Each guest in a network of the simulator, by its word in a scenario.
fn networks() {
    let ring = summary(RING, &["router.allocator=in-order"]);
    assert!((ring.accepted - 0.2).abs() < 0.02, "{ring:?}");
    assert!(summary(DRAGONFLY, &[]).global_misroutes_mean > 0.1, "no detour was taken");
    // Of ten nodes, the one five numbers further is in the other ring, two hops round and one across.
    let own = summary(OWN, &[]);
    assert!((own.accepted - 0.2).abs() < 0.02 && own.hops_mean == 3.0, "{own:?}");
    let wiring = network(OWN, &[]).unwrap();
    assert_eq!(
        (Facts::of(wiring.wiring()).distances.diameter, wiring.wiring().class_names()[1]),
        (3, "ring")
    );
    // What a guest cannot do is said, and so is what is wrong with its settings.
    for (text, set, fragment) in [
        (RING, "routing.lanes=5", "`routing.lanes` must be a whole number from 1 to 4, not 5"),
        (RING, "router.vcs=3", "routing around the ring needs at least 4 local VCs, not 3"),
        (RING, "topology.dims=[4, 4]", "routing.algorithm = \"around-the-ring\" does not fit this network"),
        (RING, "routing.algorithm=around_ring", "did you mean \"around-the-ring\"?"),
        (RING, "routing.lane=2", "did you mean `lanes`?"),
        (OWN, "router.empty_place=1", "`router.empty_place` must be true or false"),
        (OWN, "router.empty_places=true", "did you mean `empty_place`?"),
        (OWN, "topology.rungs=10", "`topology.rungs` must be a whole number from 3 to 9, not 10"),
        (OWN, "router.vcs={ rings = 2 }", "did you mean `ring`?"),
        (OWN, "traffic.pattern=oposite", "did you mean \"opposite\"?"),
    ] {
        let refused = network(text, &[set]).unwrap_err();
        assert!(refused.contains(fragment), "{fragment}\nis not in\n{refused}");
    }
}

/// The option is shown where it is set, reaches the plan, and packets wait for the place that stays empty.
fn option() {
    let small = ["router.output_flits=3", "router.empty_place=true"];
    let (set, unset) = (network(OWN, &small).unwrap(), network(OWN, &small[..1]).unwrap());
    let full_at = |of: &Blueprint| of.plan::<PORTS>(0).unwrap().full_at();
    assert_eq!((full_at(&set), full_at(&unset)), (2, 3));
    let shown = |of: &Blueprint| of.scenario().to_toml().contains("\nempty_place = true\n");
    assert_eq!((shown(&set), shown(&unset)), (true, false));
    assert!(set.scenario().differences().iter().any(|(key, _)| key == "router.empty_place"));
    let latency = |sets: &[&str]| summary(OWN, sets).latency_mean;
    assert!(latency(&small) > latency(&small[..1]), "no packet waited");
}

fn main() {
    ring();
    networks();
    option();
    assert_eq!(fork(Selection::NEVER), (4, 0), "as many as the buffer behind the minimal output holds");
    // The last place behind the detour stays free: room for two packets is asked for.
    assert_eq!(fork(Selection::named("spare").unwrap()), (4, 3));
}
