//! Functional coverage: which cases of each stage a lockstep has seen, by name.

use super::compare::{Moment, Observer};
use super::frame::Frame;
use super::model::packed;
use super::probe::{Probe, Register, VcRegister};
use crate::rtl::Shape;
use router_core::event::ProtocolError;
use router_core::header::{Address, Header, RawHeader};
use router_core::layout;
use router_core::route::{Arrival, Here, Route, Routing};
use router_core::select::Selection;
use router_core::units::VcId;
use std::collections::BTreeMap;

/// One case of one stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// `stage.case`.
    pub name: String,
    /// Why this router can never get there; such a point is not missed.
    pub excluded: Option<&'static str>,
    /// How often it was seen.
    pub count: u64,
}

/// All points of one router, and what has been seen of them.
#[derive(Clone, Debug)]
pub struct Coverage {
    points: BTreeMap<String, Point>,
    watch: Watch,
    before: Vec<u128>,
    inputs: Frame,
}

/// Where the registers are that coverage looks at.
#[derive(Clone, Debug)]
struct Watch {
    shape: Shape,
    /// By input VC: its place, and the index of its first register.
    vcs: Vec<(usize, usize, usize)>,
    contention: Vec<usize>,
    credits: Vec<(usize, usize, usize)>,
    queued: Vec<(usize, usize)>,
    errors: Vec<usize>,
}

impl Watch {
    fn new(shape: &Shape, probes: &[Probe]) -> Self {
        let mut watch = Self {
            shape: shape.clone(),
            vcs: Vec::new(),
            contention: Vec::new(),
            credits: Vec::new(),
            queued: Vec::new(),
            errors: Vec::new(),
        };
        for (at, probe) in probes.iter().enumerate() {
            match probe.register {
                Register::Vc(port, vc, VcRegister::State) => watch.vcs.push((port, vc, at)),
                Register::Contention(_) => watch.contention.push(at),
                Register::Credits(port, vc) => watch.credits.push((port, vc, at)),
                Register::Queued(port) => watch.queued.push((port, at)),
                Register::Errors(_) => watch.errors.push(at),
                _ => {}
            }
        }
        watch
    }
}

/// The registers of a VC, in the order of the probes.
struct Vc<'a> {
    registers: &'a [u128],
    ports: usize,
    vcs: usize,
}

impl Vc<'_> {
    fn state(&self) -> u32 {
        self.registers[0] as u32
    }
    fn flits(&self) -> u128 {
        self.registers[1]
    }
    fn packets(&self) -> u128 {
        self.registers[2]
    }
    /// The ports of candidate set `nth`: minimal, global, local.
    fn ports(&self, nth: usize) -> u128 {
        let above = 1 + (2 - nth) * (self.ports + self.vcs) + self.vcs;
        self.registers[5] >> above & ((1 << self.ports) - 1)
    }
    fn is_forced(&self) -> bool {
        self.registers[5] & 1 == 1
    }
    fn minimal(&self) -> u128 {
        self.registers[6]
    }
    fn request(&self) -> u128 {
        self.registers[7]
    }
}

impl Coverage {
    /// Nothing seen yet of a router of this shape, where a routing makes these offers.
    pub fn new(shape: &Shape, probes: &[Probe], offers: &Offers) -> Self {
        let mut coverage = Self {
            points: BTreeMap::new(),
            watch: Watch::new(shape, probes),
            before: Vec::new(),
            inputs: Frame::idle(shape.ports),
        };
        for (name, excluded) in points(shape, offers) {
            coverage.points.insert(name.clone(), Point { name, excluded, count: 0 });
        }
        coverage
    }

    /// All points, by name.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.points.values()
    }

    /// Points that could have been seen and were not.
    pub fn missed(&self) -> impl Iterator<Item = &Point> {
        self.points().filter(|point| point.count == 0 && point.excluded.is_none())
    }

    /// Points seen, and points that can be seen.
    pub fn reached(&self) -> (usize, usize) {
        let possible = self.points().filter(|point| point.excluded.is_none() || point.count > 0).count();
        (self.points().filter(|point| point.count > 0).count(), possible)
    }

    /// Adds what another lockstep of the same router has seen.
    pub fn merge(&mut self, other: &Self) {
        for (name, point) in &other.points {
            if let Some(own) = self.points.get_mut(name) {
                own.count += point.count;
            }
        }
    }

    fn see(&mut self, name: &str) {
        if let Some(point) = self.points.get_mut(name) {
            point.count += 1;
        } else {
            debug_assert!(false, "no such point: {name}");
        }
    }

    fn see_vcs(&mut self, now: &[u128]) {
        for at in 0..self.watch.vcs.len() {
            let (port, _, first) = self.watch.vcs[at];
            let Shape { ports, vcs, .. } = self.watch.shape;
            let view = |registers| Vc { registers, ports, vcs };
            let before = view(&self.before[first..first + 9]);
            let (was, packets_before) = (before.state(), before.packets());
            let vc = view(&now[first..first + 9]);
            let case = transition(was, vc.state(), packets_before, vc.packets());
            let (flits, packets) = (vc.flits(), vc.packets());
            let asks = (vc.state() == layout::VC_STATE_WAITING).then(|| select_case(&vc)).flatten();
            let offered =
                (vc.state() == layout::VC_STATE_WAITING).then(|| route_case(&vc, &self.watch.shape));
            if let Some(case) = case {
                self.see(case);
            }
            if flits == u128::from(self.watch.shape.depth_of(port)) {
                self.see("vc.buffer-full");
            }
            if packets == u128::from(self.watch.shape.places_of(port)) {
                self.see("vc.descriptors-full");
            }
            for case in asks.into_iter().chain(offered) {
                self.see(case);
            }
        }
    }

    fn see_triggers(&mut self, now: &[u128]) {
        let Shape { ports, vcs, .. } = self.watch.shape;
        let Some(threshold) = self.watch.shape.contention_threshold() else { return };
        for at in 0..self.watch.vcs.len() {
            let first = self.watch.vcs[at].2;
            let vc = Vc { registers: &self.before[first..first + 9], ports, vcs };
            let after = Vc { registers: &now[first..first + 9], ports, vcs };
            let waits = vc.state() == layout::VC_STATE_WAITING && after.state() == layout::VC_STATE_WAITING;
            if !waits || vc.is_forced() || vc.ports(1) | vc.ports(2) == 0 || vc.minimal() == 0 {
                continue;
            }
            let output = vc.minimal().trailing_zeros() as usize;
            let fires = self.before[self.watch.contention[output]] >= u128::from(threshold);
            let detours = after.request() & vc.ports(0) == 0 && after.request() != 0;
            match (fires, detours) {
                (true, true) => self.see("select.contended-and-detoured"),
                (true, false) => self.see("select.contended-and-no-valid-detour"),
                (false, false) => self.see("select.not-contended"),
                (false, true) => {}
            }
        }
    }

    fn see_counters(&mut self, now: &[u128]) {
        for at in 0..self.watch.contention.len() {
            let count = now[self.watch.contention[at]];
            if count == 0 {
                self.see("contention.zero");
            }
            if count > 1 {
                self.see("contention.several");
            }
            if count >= self.watch.vcs.len() as u128 / 2 {
                self.see("contention.half-of-all-vcs");
            }
        }
        for at in 0..self.watch.credits.len() {
            let (port, vc, register) = self.watch.credits[at];
            let depth = u128::from(self.watch.shape.depth_of(port));
            let (was, left) = (self.before[register], now[register]);
            if left == 0 {
                self.see("credit.empty");
            }
            if left == depth {
                self.see("credit.full");
            }
            let came = self.inputs.ports[port].credit == Some(self.watch.shape.label(port, vc));
            if came && was == left && left < depth {
                self.see("credit.taken-and-given-at-once");
            }
        }
        for at in 0..self.watch.queued.len() {
            let flits = now[self.watch.queued[at].1];
            if flits == u128::from(self.watch.shape.plan().output_flits) {
                self.see("output.fifo-full");
            }
            if flits > 1 {
                self.see("output.fifo-several");
            }
        }
        for (kind, name) in layout::PROTOCOL_ERROR_NAMES.iter().enumerate() {
            let at = self.watch.errors[kind];
            if now[at] > self.before[at] {
                self.see(&format!("error.{name}"));
            }
        }
    }

    fn see_wires(&mut self, moment: &Moment<'_>) {
        // A credit that leaves is a grant of the cycle before.
        let grants = moment.outputs.ports.iter().filter(|port| port.credit.is_some()).count();
        let wired = self.watch.shape.ports;
        self.see(match grants {
            0 => "allocate.none",
            1 => "allocate.one",
            _ => "allocate.several",
        });
        let (mut asked, mut contended, mut rivals) = (0u128, false, false);
        for port in 0..wired {
            let mut own = 0;
            for &(at, _, first) in &self.watch.vcs {
                if at == port {
                    let request = moment.registers[first + 7];
                    contended |= asked & request != 0;
                    rivals |= own != 0 && request != 0;
                    own |= request;
                }
            }
            asked |= own;
        }
        if contended {
            self.see("allocate.output-asked-by-several-inputs");
        }
        if rivals {
            self.see("allocate.input-with-several-vcs");
        }
        for port in &moment.outputs.ports {
            match port.flit {
                Some(flit) if flit.head && flit.tail => self.see("output.one-flit-packet"),
                Some(flit) if flit.head => self.see("output.head"),
                Some(flit) if flit.tail => self.see("output.tail"),
                Some(_) => self.see("output.body"),
                None => {}
            }
        }
    }
}

impl Observer for Coverage {
    fn reset(&mut self, _cycle: u32) {
        let holds =
            |&(_, _, first): &(usize, usize, usize)| self.before.get(first + 1).is_some_and(|&f| f > 0);
        if self.watch.vcs.iter().any(holds) {
            self.see("reset.in-mid-flight");
        }
        self.before.clear();
    }

    fn observe(&mut self, moment: Moment<'_>) {
        if !self.before.is_empty() {
            self.see_vcs(moment.registers);
            self.see_triggers(moment.registers);
            self.see_counters(moment.registers);
            self.see_wires(&moment);
        }
        self.before.clear();
        self.before.extend_from_slice(moment.registers);
        self.inputs.clone_from(moment.inputs);
    }
}

/// What a VC went through.
fn transition(was: u32, is: u32, packets_before: u128, packets: u128) -> Option<&'static str> {
    use layout::{VC_STATE_ACTIVE as ACTIVE, VC_STATE_IDLE as IDLE, VC_STATE_WAITING as WAITING};
    match (was, is) {
        (IDLE, WAITING) => Some("vc.idle-to-waiting"),
        (WAITING, ACTIVE) => Some("vc.waiting-to-active"),
        (ACTIVE, IDLE) => Some("vc.active-to-idle"),
        (ACTIVE, WAITING) => Some("vc.active-to-waiting"),
        (WAITING, IDLE) => Some("vc.waiting-to-idle"),
        (WAITING, WAITING) if packets < packets_before => Some("vc.waiting-to-waiting"),
        _ => None,
    }
}

/// What a waiting packet asks for.
fn select_case(vc: &Vc<'_>) -> Option<&'static str> {
    let request = vc.request();
    if request == 0 {
        None
    } else if vc.is_forced() {
        Some("select.forced")
    } else if request.count_ones() > 1 {
        Some("select.several-outputs")
    } else if request & vc.ports(0) != 0 {
        Some("select.minimal")
    } else if request & vc.ports(1) != 0 {
        Some("select.global-misroute")
    } else {
        Some("select.local-misroute")
    }
}

/// What a waiting packet was offered.
fn route_case(vc: &Vc<'_>, shape: &Shape) -> &'static str {
    let nodes = (1u128 << shape.nodes()) - 1;
    match (vc.is_forced(), vc.ports(0), vc.ports(1), vc.ports(2)) {
        (true, 0, ..) => "route.forced-without-own-link",
        (true, ..) => "route.forced-with-own-link",
        (_, minimal, ..) if minimal & nodes != 0 => "route.consume",
        (_, _, 0, 0) => "route.minimal-only",
        (_, _, _, 0) => "route.minimal-and-global",
        (_, _, 0, _) => "route.minimal-and-local",
        _ => "route.minimal-and-both",
    }
}

/// Why a point can never be reached.
type Reason = Option<&'static str>;

/// What a routing can offer at a router.
#[derive(Clone, Copy, Debug, Default)]
pub struct Offers {
    cases: [bool; ROUTES.len()],
    detours: [bool; 2],
    several: bool,
}

/// The cases of a route.
const ROUTES: [&str; 7] = [
    "route.consume",
    "route.minimal-only",
    "route.minimal-and-global",
    "route.minimal-and-local",
    "route.minimal-and-both",
    "route.forced-with-own-link",
    "route.forced-without-own-link",
];

impl Offers {
    /// Everything that a routing offers to any packet for any of `nodes` in any VC of any port.
    pub fn of(routing: &Routing<'_>, here: &Here, shape: &Shape, nodes: &[Address]) -> Self {
        let mut found = Self::default();
        let (ports, vcs) = (shape.ports, shape.vcs);
        for port in here.wired {
            for vc in 0..shape.vcs_of(port.index()) {
                let from = Arrival { port, kind: shape.plan().kind(port), vc: VcId::new(vc as u8) };
                for node in nodes {
                    for progress in 0..64 {
                        let raw = Header { to: *node, length: 1, ..Header::default() }.emit().0;
                        let raw = RawHeader(raw | progress << layout::PROGRESS_AT);
                        let candidates = routing.offer(here, from, &Header::parse(raw).unwrap_or_default());
                        let mut registers = [0; 9];
                        registers[5] = packed(&candidates, shape);
                        found.add(&Vc { registers: &registers, ports, vcs }, shape);
                    }
                }
            }
        }
        found
    }

    fn add(&mut self, vc: &Vc<'_>, shape: &Shape) {
        let all = vc.ports(0) | vc.ports(1) | vc.ports(2);
        let case = ROUTES.iter().position(|&case| case == route_case(vc, shape));
        if let Some(seen) = case.and_then(|case| self.cases.get_mut(case))
            && all != 0
        {
            *seen = true;
        }
        self.several |= all.count_ones() > 1 && !vc.is_forced();
        for (kind, seen) in self.detours.iter_mut().enumerate() {
            *seen |= vc.ports(kind + 1) != 0 && !vc.is_forced();
        }
    }
}

/// The points of a router; a reason for those that it can never reach.
fn points(shape: &Shape, offers: &Offers) -> Vec<(String, Reason)> {
    let mut found: Vec<(&str, Reason)> = Vec::new();
    found.extend(route_points(offers));
    found.extend(select_points(shape, offers));
    found.extend(buffer_points(shape));
    let mut found: Vec<_> = found.into_iter().map(|(name, reason)| (name.to_owned(), reason)).collect();
    found.extend(error_points(shape));
    found
}

fn unless(possible: bool, why: &'static str) -> Reason {
    if possible { None } else { Some(why) }
}

fn route_points(offers: &Offers) -> Vec<(&'static str, Reason)> {
    let never = "the routing never offers this here";
    ROUTES.iter().zip(offers.cases).map(|(&name, possible)| (name, unless(possible, never))).collect()
}

fn select_points(shape: &Shape, offers: &Offers) -> [(&'static str, Reason); 8] {
    let selection = &shape.plan().selection;
    let fires = unless(!matches!(selection, Selection::Never), "the trigger never fires");
    let always =
        unless(matches!(selection, Selection::Always), "only the trigger \"always\" asks for several");
    let forced = offers.cases[5] || offers.cases[6];
    let [global, local] = offers.detours;
    let counts = unless(shape.contention_threshold().is_some(), "the trigger has no contention threshold");
    let counts = counts.or(unless(global || local, "the routing offers no detours here"));
    [
        ("select.minimal", None),
        ("select.global-misroute", fires.or(unless(global, "the routing offers no global misroutes here"))),
        ("select.local-misroute", fires.or(unless(local, "the routing offers no local misroutes here"))),
        (
            "select.several-outputs",
            always.or(unless(offers.several, "the routing offers one port at a time")),
        ),
        ("select.forced", unless(forced, "the routing forces nothing")),
        ("select.contended-and-detoured", counts),
        ("select.contended-and-no-valid-detour", counts),
        ("select.not-contended", counts),
    ]
}

fn buffer_points(shape: &Shape) -> [(&'static str, Reason); 26] {
    let queues = shape.speedup > 1;
    let slow = "at speedup 1 no output FIFO holds more than one flit";
    let flits = shape.plan().output_flits;
    [
        ("contention.zero", None),
        ("contention.several", None),
        ("contention.half-of-all-vcs", None),
        ("vc.idle-to-waiting", None),
        ("vc.waiting-to-active", None),
        ("vc.active-to-idle", None),
        ("vc.active-to-waiting", None),
        ("vc.waiting-to-idle", None),
        ("vc.waiting-to-waiting", None),
        ("vc.buffer-full", None),
        ("vc.descriptors-full", None),
        ("allocate.none", None),
        ("allocate.one", None),
        ("allocate.several", None),
        ("allocate.output-asked-by-several-inputs", None),
        ("allocate.input-with-several-vcs", unless(shape.vcs > 1, "one VC per port")),
        ("credit.empty", None),
        ("credit.full", None),
        ("credit.taken-and-given-at-once", None),
        ("output.fifo-full", unless(queues || flits == 1, slow)),
        ("output.fifo-several", unless(queues && flits > 1, slow)),
        ("output.one-flit-packet", None),
        ("output.head", None),
        ("output.body", None),
        ("output.tail", None),
        ("reset.in-mid-flight", None),
    ]
}

fn error_points(shape: &Shape) -> impl Iterator<Item = (String, Reason)> + '_ {
    ProtocolError::ALL.iter().map(|&error| {
        let reason = match error {
            ProtocolError::TooManyPackets => {
                let ports = 0..shape.ports;
                let tight = ports.into_iter().any(|port| shape.places_of(port) < shape.depth_of(port));
                unless(tight, "there is room for as many packets as flits")
            }
            ProtocolError::NoSuchVc => {
                let all = (0..shape.ports).all(|port| shape.vcs_of(port) == 1 << shape.vc_bits());
                unless(!all, "every VC that a wire can name exists")
            }
            _ => None,
        };
        (format!("error.{}", layout::PROTOCOL_ERROR_NAMES[error.index()]), reason)
    })
}
