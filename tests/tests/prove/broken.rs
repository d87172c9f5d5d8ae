//! Routings that can deadlock: the cycle is found, and it is one that a run meets.

use super::{atomic, blueprint, dragonfly, grid, of};
use desvio_prove::{Fault, Proof, Tie, prove};
use desvio_sim::network::Violation;
use desvio_sim::run::run_with;
use router_core::header::{Address, Header};
use router_core::map::AnyMap;
use router_core::map::grid::Grid;
use router_core::route::dimension_order::DimensionOrder;
use router_core::route::duato::Duato;
use router_core::route::par::{LocalMisrouting, Par};
use router_core::route::planar_adaptive::PlanarAdaptive;
use router_core::route::{
    Arrival, CandidateSet, Candidates, Draw, Full, Here, HopKind, Route, Routing, consume,
};
use router_core::units::{PortClass, PortId, PortSet, VcId, VcSet};

/// A routing whose candidates are changed before they are offered.
struct Changed<R, F>(R, F);

impl<R: Route, F: Fn(CandidateSet) -> CandidateSet> Route for Changed<R, F> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let offered = self.0.offer(here, from, header)?;
        let mut changed = Candidates::NONE;
        offered.sets().try_for_each(|set| changed.offer(self.1(set)))?;
        Ok(if offered.is_forced() { changed.forced() } else { changed })
    }
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        self.0.onward(here, header, out_kind, hop)
    }
    fn launch(&self, here: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
        self.0.launch(here, to, length, draw)
    }
}

fn judge(text: &str, routing: impl Route + Sync) -> Proof {
    prove(&blueprint(text), routing, &|| {}).expect("an answer")
}

fn grid_of(text: &str) -> Grid {
    match blueprint(text).map().expect("a map") {
        AnyMap::Grid(grid) => grid,
        other => panic!("{other:?}"),
    }
}

/// Every packet of a deadlock waits in a channel of another one of them.
fn check_closed(proof: &Proof) {
    let held: Vec<_> = proof.stuck().iter().map(|holder| holder.channel).collect();
    assert!(held.len() > 1 && !proof.holds(), "{proof}");
    for holder in proof.stuck() {
        assert!(!holder.behind.is_empty() && holder.behind.iter().all(|to| held.contains(to)), "{proof}");
        assert_eq!(holder.route.last(), Some(&holder.channel));
        assert_ne!(holder.from, holder.to);
    }
}

/// On a ring without a dateline as many packets as VCs wait for each other, and a run of that traffic ends so. (On a ring of four there are
/// none. Packets that go half-way round go up from even routers and down from odd ones, so that no chain gets round.)
#[test]
fn a_torus_without_datelines_deadlocks() {
    let text = grid("torus", "[8]", 2, "dimension-order", "vct");
    let grid = grid_of(&text);
    let all = |set: CandidateSet| CandidateSet { vcs: VcSet::first_n(2), ..set };
    let routing = Changed(DimensionOrder { grid, vcs: 2 }, all);
    let proof = judge(&text, &routing);
    check_closed(&proof);
    assert_eq!(proof.stuck().len(), 8 * 2, "both VCs of each router: {proof}");
    let mut full = super::scenario(&text);
    full.traffic.pattern = desvio_sim::traffic::Tornado.into();
    full.run.limit_cycles = Some(20_000);
    let full = desvio_sim::blueprint::Blueprint::new(full).expect("a network");
    let outcome = run_with::<8, 2, _>(&full, &routing, 1.0, &|_| {}).expect("a run");
    assert!(matches!(outcome.violation, Some(Violation::Deadlock { .. })), "{:?}", outcome.violation);
}

/// The last local VC stands for the one that is missing: hops in the destination group take the VC of the intermediate group.
#[test]
fn olm_with_a_vc_less_deadlocks() {
    let text = dragonfly("algorithm = \"olm\"", "occupancy");
    let blueprint = blueprint(&text);
    let fewer = |set: CandidateSet| {
        let last = if set.vcs.contains(VcId::new(2)) { VcSet::only(VcId::new(1)) } else { VcSet::EMPTY };
        CandidateSet { vcs: set.vcs.minus(VcSet::only(VcId::new(2))).union(last), ..set }
    };
    let routing = Changed(blueprint.routing().expect("a routing"), fewer);
    check_closed(&prove(&blueprint, routing, &|| {}).expect("an answer"));
}

/// Progressive adaptive routing on a Dragonfly, with local misroutes in these groups.
fn par(groups: &str) -> String {
    let routing = format!("algorithm = \"par\"\nlocal_misrouting = \"{groups}\"");
    dragonfly(&routing, "occupancy").replace("local = 4", "local = 6")
}

/// PAR with one local VC in the place of another, for hops of these kinds.
fn par_without(groups: &str, (missing, instead): (u8, u8), kinds: &[HopKind]) -> Proof {
    let text = par(groups);
    let blueprint = blueprint(&text);
    let [missing, instead] = [missing, instead].map(|vc| VcSet::only(VcId::new(vc)));
    let fewer = |set: CandidateSet| match kinds.contains(&set.kind) && set.vcs == missing {
        true => CandidateSet { vcs: instead, ..set },
        false => set,
    };
    let routing = Changed(blueprint.routing().expect("a routing"), fewer);
    prove(&blueprint, routing, &|| {}).expect("an answer")
}

/// The last hop shares the VC of the intermediate group: a cycle through groups. The hop after a local misroute shares the misroute's: a
/// cycle inside a group. A misroute in the origin group may share the first hop's VC, as OLM has it: a way to leave is always requested.
#[test]
fn par_with_a_vc_less_deadlocks() {
    check_closed(&par_without("none", (3, 2), &HopKind::ALL));
    let inside = par_without("intermediate", (3, 2), &HopKind::ALL);
    check_closed(&inside);
    let groups: Vec<_> = inside.stuck().iter().map(|holder| holder.channel.router / 4).collect();
    assert!(groups.iter().all(|group| *group == groups[0]), "{inside}");
    let olm = par_without("none", (1, 0), &[HopKind::LocalMisroute]);
    assert!(olm.holds() && matches!(olm.verdict, desvio_prove::Verdict::Escape(_)), "{olm}");
}

/// PAR with local misroutes in all groups, on the three local VCs of RLM: one for both hops in a group.
struct Shared<'m>(Par<'m>);

impl Route for Shared<'_> {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        let (is_local, vc) = (from.kind == PortClass::LOCAL, from.vc.number());
        let first = Arrival { vc: if is_local { VcId::new(2 * vc) } else { from.vc }, ..from };
        let offered = self.0.offer(here, first, header)?;
        let mut shared = Candidates::NONE;
        offered.sets().try_for_each(|set| {
            let local = here.router != header.to.router
                && self.0.map.local_ports().contains(set.ports.first().unwrap_or_default());
            let vcs = if local {
                set.vcs
                    .iter()
                    .map(|vc| VcId::new(vc.number() / 2))
                    .fold(VcSet::EMPTY, |all, vc| all.union(VcSet::only(vc)))
            } else {
                set.vcs
            };
            shared.offer(CandidateSet { vcs, ..set })
        })?;
        Ok(if offered.is_forced() { shared.forced() } else { shared })
    }
    fn onward(&self, here: &Here, header: &Header, out_kind: PortClass, hop: HopKind) -> Header {
        self.0.onward(here, header, out_kind, hop)
    }
}

/// What RLM forbids is what closes cycles.
#[test]
fn local_misroutes_on_rlms_vcs_deadlock_without_its_restriction() {
    let text = dragonfly("algorithm = \"rlm\"", "occupancy");
    assert!(of(&text).holds());
    let blueprint = blueprint(&text);
    let AnyMap::Dragonfly(map) = blueprint.map().expect("a map") else { panic!("no Dragonfly") };
    let routing = Shared(Par { map, local_misrouting: LocalMisrouting::All });
    check_closed(&prove(&blueprint, routing, &|| {}).expect("an answer"));
}

/// A wormhole's misroutes rest on room for the whole packet.
#[test]
fn olm_with_wormhole_deadlocks_where_misroutes_do_not_wait_for_room() {
    let text = dragonfly("algorithm = \"olm\"", "occupancy")
        .replace("[router]", "[router]\nflow_control = \"wormhole\"");
    assert!(of(&text).holds());
    let blueprint = blueprint(&text);
    let hasty = |set: CandidateSet| CandidateSet { kind: HopKind::Minimal, ..set };
    let routing = Changed(blueprint.routing().expect("a routing"), hasty);
    let proof = prove(&blueprint, routing, &|| {}).expect("an answer");
    check_closed(&proof);
    assert!(proof.stuck().iter().any(|holder| holder.tie == Tie::HeadIsGone), "{proof}");
}

/// Behind a packet's tail another may stand in the same VC: without room for whole packets the escape is not enough.
#[test]
fn duato_with_wormhole_is_not_proven() {
    let text = grid("mesh", "[4, 4]", 2, "dimension-order", "wormhole");
    check_closed(&judge(&text, Duato { grid: grid_of(&text), vcs: 2 }));
}

/// Where VC 1 takes packets with a wrap-around link ahead, too, nothing is kept for those behind it: a cycle round each ring. Duato's
/// routing on a torus has the same escape, and the same cycle without it.
#[test]
fn datelines_without_a_vc_of_their_own_deadlock() {
    let text = grid("torus", "[8]", 2, "dateline-adaptive", "vct");
    let blueprint = blueprint(&text);
    let all = |set: CandidateSet| CandidateSet { vcs: VcSet::first_n(2), ..set };
    let proof = prove(&blueprint, Changed(blueprint.routing().expect("a routing"), all), &|| {});
    check_closed(&proof.expect("an answer"));
    let text = grid("torus", "[4, 5]", 3, "dimension-order", "vct");
    let (map, escapes) = (grid_of(&text), VcSet::first_n(2));
    let all = |set: CandidateSet| match set.vcs.and(escapes).is_empty() {
        true => set,
        false => CandidateSet { vcs: escapes, ..set },
    };
    assert!(judge(&text, Duato { grid: map, vcs: 3 }).holds());
    check_closed(&judge(&text, Changed(Duato { grid: map, vcs: 3 }, all)));
}

/// With one class of VCs in the last dimension both halves of a plane share it, and packets wait round a square.
#[test]
fn planar_adaptive_with_one_class_deadlocks() {
    let text = grid("mesh", "[3, 3]", 3, "planar-adaptive", "vct");
    let blueprint = blueprint(&text);
    let all = |set: CandidateSet| CandidateSet { vcs: VcSet::first_n(3), ..set };
    let routing = || blueprint.routing().expect("a routing");
    assert!(prove(&blueprint, routing(), &|| {}).expect("an answer").holds());
    check_closed(&prove(&blueprint, Changed(routing(), all), &|| {}).expect("an answer"));
}

/// With three VCs on a torus, one for each class, rings have no datelines.
#[test]
fn planar_adaptive_with_three_vcs_deadlocks_on_a_torus() {
    let text = grid("torus", "[5, 5]", 6, "planar-adaptive", "vct");
    let map = grid_of(&text);
    assert!(judge(&text, PlanarAdaptive { grid: map, vcs: 6 }).holds());
    check_closed(&judge(&text, PlanarAdaptive { grid: map, vcs: 3 }));
}

/// With a VC less the last two steps share one: a packet that should rise stays.
#[test]
fn negative_hop_without_its_last_vc_deadlocks() {
    let text = grid("mesh", "[3, 3]", 3, "negative-hop", "vct");
    let blueprint = blueprint(&text);
    let one = |set: CandidateSet| CandidateSet { vcs: VcSet::first_n(1), ..set };
    let routing = || blueprint.routing().expect("a routing");
    assert!(prove(&blueprint, routing(), &|| {}).expect("an answer").holds());
    check_closed(&prove(&blueprint, Changed(routing(), one), &|| {}).expect("an answer"));
}

/// Atomic VCs alone do not make an escape: every shortest route waits round a square, and so does Duato's routing on its adaptive VCs
/// alone.
#[test]
fn atomic_vcs_without_an_escape_deadlock() {
    check_closed(&of(&atomic(&grid("mesh", "[3, 3]", 2, "multipath", "wormhole"))));
    let text = atomic(&grid("mesh", "[3, 3]", 2, "duato", "wormhole"));
    let blueprint = blueprint(&text);
    let adaptive = |set: CandidateSet| match set.vcs == VcSet::first_n(1) {
        true => CandidateSet { vcs: VcSet::EMPTY, ..set },
        false => set,
    };
    check_closed(
        &prove(&blueprint, Changed(blueprint.routing().expect("a routing"), adaptive), &|| {})
            .expect("an answer"),
    );
}

/// Every shortest route on one VC: a cycle in each ring of a torus, and round each square of a mesh.
#[test]
fn multipath_on_one_vc_deadlocks_and_a_run_shows_it() {
    let torus = of(&grid("torus", "[4, 4]", 1, "multipath", "vct"));
    check_closed(&torus);
    assert_eq!(torus.stuck().len(), 4, "{torus}");
    let provoked = torus.provoke().expect("a deadlock").expect("a run");
    assert!(provoked.deadlock.is_some(), "{torus}");
    let again = desvio_sim::run::run(&blueprint(&provoked.scenario.to_toml()), 1.0, &|_| {}).expect("a run");
    assert!(
        matches!(again.violation, Some(Violation::Deadlock { cycle, .. }) if Some(cycle) == provoked.deadlock)
    );
    let mesh = of(&grid("mesh", "[3, 3]", 1, "multipath", "vct"));
    check_closed(&mesh);
    assert_eq!(mesh.stuck().len(), 4, "{mesh}");
}

/// Every shortest route on a mesh but those that take a forbidden turn: from one direction into another, 0 east, 1 west, 2 north, 3 south.
struct Turns {
    grid: Grid,
    forbidden: Vec<(usize, usize)>,
}

impl Turns {
    /// Ports of one node, then east, west, north, south.
    const FIRST: u8 = 1;

    fn is_allowed(&self, from: Arrival, to: usize) -> bool {
        // A packet that came by the port to the west travels east.
        let travels = usize::from(from.port.number().wrapping_sub(Self::FIRST)) ^ 1;
        from.kind == PortClass::NODE || !self.forbidden.contains(&(travels, to))
    }

    fn coordinates(router: u32) -> (u32, u32) {
        (router & 3, router >> 2)
    }

    /// Whether a destination `(x, y)` further east and north can be reached by allowed turns from a packet that travels so.
    fn can_finish(&self, from: Arrival, here: (u32, u32), to: (u32, u32)) -> Vec<usize> {
        let mut ways = Vec::new();
        for (direction, (x, y)) in [(1i64, 0i64), (-1, 0), (0, 1), (0, -1)]
            .into_iter()
            .enumerate()
            .filter(|&(d, _)| self.is_allowed(from, d))
        {
            let next = (i64::from(here.0) + x, i64::from(here.1) + y);
            let closer =
                |a: i64, b: u32, c: u32| (a - i64::from(b)).abs() < (i64::from(c) - i64::from(b)).abs();
            if closer(next.0, to.0, here.0) || closer(next.1, to.1, here.1) {
                let next = (next.0 as u32, next.1 as u32);
                let port = PortId::new(Self::FIRST + (direction as u8 ^ 1));
                let arrival = Arrival { port, kind: PortClass::LOCAL, vc: VcId::new(0) };
                if next == to || !self.can_finish(arrival, next, to).is_empty() {
                    ways.push(direction);
                }
            }
        }
        ways
    }
}

impl Route for Turns {
    fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
        if here.router == header.to.router {
            return Ok(consume(here, header.to));
        }
        let (at, to) = (Self::coordinates(here.router), Self::coordinates(header.to.router));
        let ways = self.can_finish(from, at, to);
        let ports: PortSet = ways.iter().map(|&way| PortId::new(Self::FIRST + way as u8)).collect();
        let _ = &self.grid;
        Ok(Candidates::minimal(ports, VcSet::first_n(1)))
    }
}

/// Two turns are forbidden, one of each sense of rotation: no cycle. With either of them put back there is one.
#[test]
fn turn_models_need_both_of_their_turns() {
    const WEST_FIRST: [(usize, usize); 2] = [(2, 1), (3, 1)];
    const NORTH_LAST: [(usize, usize); 2] = [(2, 0), (2, 1)];
    const NEGATIVE_FIRST: [(usize, usize); 2] = [(0, 3), (2, 1)];
    let text = grid("mesh", "[4, 4]", 1, "dimension-order", "wormhole");
    let with = |forbidden: &[(usize, usize)]| {
        judge(&text, Turns { grid: grid_of(&text), forbidden: forbidden.to_vec() })
    };
    for turns in [WEST_FIRST, NORTH_LAST, NEGATIVE_FIRST] {
        assert!(with(&turns).holds(), "{turns:?}");
        for left in turns {
            check_closed(&with(&[left]));
        }
    }
    check_closed(&with(&[]));
}

/// A VC that is not there strands the packets that need it, and they are named.
#[test]
fn a_vc_that_is_missing_strands_packets() {
    let text = grid("mesh", "[4]", 3, "table", "vct");
    let blueprint = blueprint(&text);
    let beyond = |set: CandidateSet| {
        let last = set.vcs == VcSet::only(VcId::new(2));
        CandidateSet { vcs: if last { VcSet::only(VcId::new(7)) } else { set.vcs }, ..set }
    };
    let proof = prove(&blueprint, Changed(blueprint.routing().expect("a routing"), beyond), &|| {})
        .expect("an answer");
    let [holder] = proof.stuck() else { panic!("{proof}") };
    assert!(holder.behind.is_empty() && holder.tie == Tie::Waits && !proof.holds());
    assert_eq!(holder.route.len(), 3, "after two hops: {proof}");
    assert!(proof.provoke().is_none());
}

/// Round a ring for ever, and to the wrong node.
#[test]
fn routes_without_an_end_and_wrong_nodes_are_found() {
    struct Round(PortId);
    impl Route for Round {
        fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
            if here.router == header.to.router && from.kind != PortClass::NODE && from.vc == VcId::new(1) {
                return Ok(consume(here, header.to));
            }
            Ok(Candidates::minimal(PortSet::only(self.0), VcSet::first_n(2)))
        }
    }
    struct Wrong<'m>(Routing<'m>);
    impl Route for Wrong<'_> {
        fn offer(&self, here: &Here, from: Arrival, header: &Header) -> Result<Candidates, Full> {
            match (here.router, from.kind) {
                (2, PortClass::LOCAL) => Ok(consume(here, header.to)),
                _ => self.0.offer(here, from, header),
            }
        }
    }
    let text = grid("torus", "[5]", 2, "dimension-order", "vct");
    let round = judge(&text, Round(grid_port(&text)));
    assert!(round.faults.contains(&Fault::Endless { to: 0 }) && round.reach.longest_route.is_none());
    let blueprint = blueprint(&text);
    let wrong = prove(&blueprint, Wrong(blueprint.routing().expect("a routing")), &|| {}).expect("an answer");
    assert!(matches!(&wrong.faults[..], [Fault::Misdelivered { to, .. }] if *to != 2), "{wrong}");
}

/// The port of the first direction.
fn grid_port(text: &str) -> PortId {
    let ports = blueprint(text).wiring().neighbours(0).map(|(port, _)| port).min();
    PortId::new(ports.expect("a neighbour") as u8)
}
