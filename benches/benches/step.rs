//! One router of a Dragonfly: its stages, and whole link cycles of it among neighbours that take everything.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use desvio_benches::SUBJECTS;
use desvio_sim::blueprint::Blueprint;
use router_core::alloc::{Allocator, Requests};
use router_core::contention::Contention;
use router_core::header::{Flit, Header, Packet};
use router_core::lent::Lent;
use router_core::lfsr::Lfsr;
use router_core::output::OutputPort;
use router_core::per_port::PerPort;
use router_core::plan::Plan;
use router_core::route::{Arrival, Candidates, Here, Route, Routing};
use router_core::router::{Router, Wires};
use router_core::select::{Outputs, Preference, Waiting};
use router_core::units::{Channel, PortClass, PortId, PortSet, VcId};
use router_core::vc::Descriptor;
use std::hint::black_box;

const P: usize = 16;
const V: usize = 4;
/// Flits of a packet.
const LENGTH: u16 = 8;
/// Questions that a stage is asked in turn.
const QUESTIONS: usize = 1024;

/// What a router is made from.
struct Site<'b> {
    plan: Plan<P>,
    routing: Routing<'b>,
    here: Here,
    blueprint: &'b Blueprint,
    /// Whatever is random.
    lfsr: Lfsr,
}

impl<'b> Site<'b> {
    fn new(blueprint: &'b Blueprint) -> Self {
        Self {
            plan: blueprint.plan(0).expect("the router fits"),
            routing: blueprint.routing().expect("the routing was built before"),
            here: blueprint.here(0),
            blueprint,
            lfsr: Lfsr::new(1, 0),
        }
    }

    fn below(&mut self, n: usize) -> usize {
        self.lfsr.step();
        self.lfsr.tap(0, 0).below(n)
    }

    fn wired(&self) -> impl Iterator<Item = PortId> + use<> {
        self.here.wired.iter()
    }

    /// A packet that may come by this port on a shortest route: after a local hop it leaves the group or the network, after a
    /// global one it stays in the group.
    fn packet(&mut self, port: PortId) -> (Arrival, Header) {
        let kind = self.plan.links.class(port);
        let vcs = if kind == PortClass::NODE { self.plan.links.vcs(port).len() } else { 1 };
        let from = Arrival { port, kind, vc: VcId::new(self.below(vcs) as u8) };
        loop {
            let to = self.blueprint.address(self.below(self.blueprint.wiring().nodes()));
            let header = Header { to, length: LENGTH, ..Header::default() };
            let header = match kind {
                PortClass::GLOBAL => Header { progress: header.progress.with_origin_left(), ..header },
                _ => header,
            };
            let next = self.routing.offer(&self.here, from, &header).unwrap_or_default().preferred().first();
            let next = next.map(|port| self.plan.links.class(port));
            match (kind, next) {
                (PortClass::NODE, Some(_))
                | (PortClass::LOCAL, Some(PortClass::GLOBAL | PortClass::NODE))
                | (PortClass::GLOBAL, Some(PortClass::LOCAL | PortClass::NODE)) => return (from, header),
                _ => {}
            }
        }
    }

    /// Packets at random ports.
    fn packets(&mut self) -> Vec<(Arrival, Header)> {
        let ports: Vec<_> = self.wired().collect();
        let port = |site: &mut Self| ports[site.below(ports.len())];
        (0..QUESTIONS)
            .map(|_| {
                let port = port(self);
                self.packet(port)
            })
            .collect()
    }
}

/// The neighbours: they send at a load, and give credits back at once.
struct Neighbours {
    /// Packets to come, of each port, and the one that is next.
    queues: Vec<(Vec<(Arrival, Header)>, usize)>,
    /// The VC and the flits left of a packet on its way in.
    sending: Vec<Option<(VcId, u16)>>,
    /// Places free in each input VC.
    room: Vec<[u16; V]>,
    /// Flits that left in this cycle.
    left: Vec<Channel>,
}

impl Wires for Neighbours {
    fn flit(&mut self, to: Channel, _at: u64, _flit: Flit) {
        self.left.push(to);
    }

    fn credit(&mut self, Channel { port, vc }: Channel) {
        self.room[port.index()][vc.index()] += 1;
    }
}

/// A router, running.
struct Loop<'s, 'b> {
    site: &'s mut Site<'b>,
    router: Router<Box<[Descriptor]>, P, V>,
    neighbours: Neighbours,
    /// The link cycle.
    cycle: u64,
    /// Of 65,536 link cycles, those in which an idle port begins a packet.
    rate: usize,
}

impl<'s, 'b> Loop<'s, 'b> {
    fn new(site: &'s mut Site<'b>, load: f64) -> Self {
        let store = vec![Descriptor::default(); site.plan.links.places()].into_boxed_slice();
        let router = Router::new(&site.plan, site.here, store, 0, 1);
        let ports: Vec<_> = site.wired().collect();
        let queue = |port| ((0..QUESTIONS).map(|_| site.packet(port)).collect(), 0);
        let neighbours = Neighbours {
            queues: ports.iter().copied().map(queue).collect(),
            sending: vec![None; ports.len()],
            room: ports.iter().map(|&port| [site.plan.links.buffer(port); V]).collect(),
            left: Vec::new(),
        };
        let rate = 65_536.0 * load / (f64::from(LENGTH) * (1.0 - load));
        Self { site, router, neighbours, cycle: 0, rate: rate as usize }
    }

    /// One link cycle; the flits that left in it.
    fn link_cycle(&mut self, speedup: u32) -> usize {
        let mut flits = 0;
        for phase in 0..speedup {
            self.neighbours.left.clear();
            let Site { plan, routing, .. } = &*self.site;
            self.router.step(plan, routing, self.cycle + 1, &mut self.neighbours);
            if phase == 0 {
                self.send();
            }
            flits += self.neighbours.left.len();
            for left in std::mem::take(&mut self.neighbours.left) {
                let done = self.router.handle_credit(&self.site.plan, left);
                done.expect("a place was taken");
            }
        }
        self.cycle += 1;
        flits
    }

    /// At most one flit at each port.
    fn send(&mut self) {
        for at in 0..self.neighbours.sending.len() {
            let port = PortId::new(at as u8);
            let (vc, flit) = match self.neighbours.sending[at] {
                Some((vc, left)) => {
                    self.neighbours.sending[at] = (left > 1).then_some((vc, left - 1));
                    (vc, Flit::Body { tail: left == 1 })
                }
                None if self.site.below(65_536) < self.rate => {
                    let (queue, next) = &mut self.neighbours.queues[at];
                    let (from, header) = queue[*next % QUESTIONS];
                    if self.neighbours.room[at][from.vc.index()] < LENGTH {
                        continue;
                    }
                    *next += 1;
                    self.neighbours.sending[at] = Some((from.vc, LENGTH - 1));
                    (from.vc, Flit::Head(Packet { header, tag: 0 }))
                }
                None => continue,
            };
            self.neighbours.room[at][vc.index()] -= 1;
            let Site { plan, routing, .. } = &*self.site;
            let to = Channel::new(port, vc);
            self.router.handle_flit(plan, routing, to, &flit).expect("the packet is legal here");
        }
    }
}

fn stages(criterion: &mut Criterion) {
    let blueprint = SUBJECTS[1].blueprint(1);
    let mut site = Site::new(&blueprint);
    let packets = site.packets();
    let mut group = criterion.benchmark_group("stage");
    group.throughput(Throughput::Elements(QUESTIONS as u64));
    group.bench_function("route", |bencher| {
        bencher.iter(|| {
            for (from, header) in &packets {
                let _ = black_box(site.routing.offer(&site.here, *from, header));
            }
        });
    });

    let candidates: Vec<Candidates> = packets
        .iter()
        .filter_map(|(from, header)| site.routing.offer(&site.here, *from, header).ok())
        .collect();
    let (ports, contention) = half_full(&mut site);
    let (plan, wired) = (&site.plan, site.here.wired);
    let owned = PerPort::default();
    let full = PortSet::EMPTY;
    let outputs = Outputs {
        links: &plan.links,
        ports: &ports,
        owned: &owned,
        lent: &Lent::NONE,
        contention: &contention,
        wired,
        waits_for_detours: false,
        asks_one: false,
        preference: Preference::RANDOM,
        full,
        held: PortSet::EMPTY,
    };
    group.bench_function("select", |bencher| {
        bencher.iter(|| {
            for (at, candidates) in candidates.iter().enumerate() {
                let minimal = candidates.preferred().first().unwrap_or_default();
                let tap = site.lfsr.tap(at as u8, 0);
                let packet = Waiting { at: Channel::default(), candidates, minimal, length: LENGTH, tap };
                black_box(plan.selection.choose(&packet, &outputs));
            }
        });
    });

    let requests: Vec<_> = (0..QUESTIONS).map(|_| half_asking(&mut site)).collect();
    let mut allocator = Allocator::of(site.plan.options.allocation(), site.plan.links.radix());
    group.bench_function("allocate", |bencher| {
        bencher.iter(|| {
            for requests in &requests {
                let grants = allocator.evaluate(requests);
                allocator.commit(black_box(&grants));
            }
        });
    });
    group.finish();
}

/// Output ports with up to all places of each VC in use.
fn half_full(site: &mut Site<'_>) -> (PerPort<OutputPort<V>, P>, Contention<P>) {
    let mut contention = Contention::default();
    let ports: Vec<_> = site.wired().collect();
    let mut outputs =
        PerPort::from_fn(|port| OutputPort::new(site.plan.links.buffer(PortId::new(port as u8))));
    for port in ports {
        let Some(output) = outputs.get_mut(port) else { continue };
        for vc in site.plan.links.vcs(port) {
            let flits = site.below(usize::from(site.plan.links.buffer(port)) + 1);
            (0..flits).for_each(|_| output.credits.take(vc));
        }
        (0..site.below(6)).for_each(|_| contention.rise(port));
    }
    (outputs, contention)
}

/// Each VC of each input asks for one output with a probability of a half.
fn half_asking(site: &mut Site<'_>) -> Requests<P, V> {
    let mut requests = Requests::new();
    let ports: Vec<_> = site.wired().collect();
    for &input in &ports {
        for vc in site.plan.links.vcs(input) {
            if site.below(2) == 0 {
                let output = ports[site.below(ports.len())];
                requests.add(input, vc, PortSet::only(output), VcId::new(0));
            }
        }
    }
    requests
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("link-cycle");
    for (name, subject) in [("minimal", SUBJECTS[0]), ("olm", SUBJECTS[1])] {
        let blueprint = subject.blueprint(1);
        let speedup = blueprint.scenario().router.options.speedup;
        for load in [0.1, 0.5] {
            let mut site = Site::new(&blueprint);
            let mut running = Loop::new(&mut site, load);
            let flits: usize = (0..10_000).map(|_| running.link_cycle(speedup)).sum();
            assert!(flits > 1000, "the router stands still");
            group.bench_function(format!("{name}, load {load}"), |bencher| {
                bencher.iter(|| running.link_cycle(speedup));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, stages, steps);
criterion_main!(benches);
