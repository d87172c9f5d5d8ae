//! A switch that runs in another program: its pins are seen in every cycle, and judged by the rules.

use super::bench::Bench;
use super::bind::in_place;
use super::check::Check;
use super::constant::{constant_bits, hexadecimal};
use super::device::Device;
use super::document::Problem;
use super::finding::Finding;
use super::map::{PortMap, Setting, Value};
use super::module::{Module, watched};
use super::pins::Pins;
use super::report::Mismatch;
use super::rule::{Checks, Violation};
use super::site::Site;
use super::walk::Pool;
use super::{ConformError, Options, check_wires, fits, is_there, lengths};
use desvio_sim::blueprint::Blueprint;
use std::collections::BTreeMap;
use verilated::{Direction, PortInfo};

/// A module port that is looked at in every cycle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Its name.
    pub name: String,
    /// Whether the switch drives it.
    pub is_output: bool,
}

/// Why a cycle does not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The switch has broken a rule.
    Broken(Violation),
    /// The bench has: it sent or gave what no neighbour of a switch may.
    Bench(String),
}

impl From<Violation> for Halt {
    fn from(violation: Violation) -> Self {
        Self::Broken(violation)
    }
}

/// A packet for the bench to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// Its number in every flit.
    pub number: u64,
    /// Its flits in hexadecimal, as they are on the wires.
    pub flits: Vec<String>,
    /// What it is, and where it may go.
    pub description: String,
}

/// The neighbours of a switch that another program drives, and the account of its packets.
#[derive(Debug)]
pub struct Watch<'c, 'b> {
    check: &'c Check<'c, 'b>,
    pins: Pins,
    bench: Bench<'c, 'b>,
    watched: Vec<Watched>,
    /// The reset's place among the values of a cycle, and the level that resets.
    reset: Option<(usize, bool)>,
    /// Where each value of a cycle belongs.
    places: Vec<Option<(bool, usize)>>,
    /// Cycles since something moved.
    still: u64,
    is_new: bool,
}

/// Calls `then` with what watches a switch in the place of one router of a scenario. `widths` is asked for the bits of the module's ports,
/// in the order of the list.
///
/// # Errors
/// The map does not fit the scenario or the widths.
pub fn watch<T>(
    blueprint: &Blueprint,
    map: &PortMap,
    options: &Options,
    widths: impl FnOnce(&[Watched], &Facts) -> Result<Vec<u32>, ConformError>,
    then: impl FnOnce(&mut Watch<'_, '_>) -> T,
) -> Result<T, ConformError> {
    let refuse = |problem: Problem| ConformError::Map(map.document.refuse(problem));
    is_there(blueprint, options.router)?;
    check_wires(blueprint)?;
    let site = Site::new(blueprint, map, options.router)?;
    fits(map, &site).map_err(refuse)?;
    let lengths = lengths(map, &site).map_err(refuse)?;
    let named = watched(map, &site);
    let listed = |(name, direction): &(String, Direction)| Watched {
        name: name.clone(),
        is_output: *direction == Direction::Output,
    };
    let watched: Vec<_> = named.iter().map(listed).collect();
    let widths = widths(&watched, &Facts::of(map, &site).map_err(refuse)?)?;
    if widths.len() != watched.len() {
        let message = format!("{} widths were given, expected {}", widths.len(), watched.len());
        return Err(ConformError::Input(message));
    }
    let ports = named.into_iter().zip(widths);
    let ports = ports.map(|((name, direction), bits)| PortInfo { name, direction, bits });
    let module = Module { top: "the switch".to_owned(), ports: ports.collect(), is_whole: false };
    let pins = Pins::bind(map, &site, &module).map_err(refuse)?;
    let mut pool = Pool::gather(&site, options.seed);
    if options.all_pairs {
        pool.complete(&site);
    }
    let check = Check { map, site: &site, pool: &pool, lengths: &lengths, options };
    let bench = check.bench_at(pins.clone(), Device::Elsewhere, None)?;
    let place = |watched: &Watched| {
        let wires = if watched.is_output { &pins.seen } else { &pins.driven };
        let at = wires.iter().position(|wire| wire.name == watched.name);
        at.map(|at| (watched.is_output, at))
    };
    let reset = map.reset.as_ref().and_then(|reset| {
        let at = watched.iter().position(|one| one.name == reset.name.text);
        at.map(|at| (at, reset.active))
    });
    let places = watched.iter().map(place).collect();
    let mut watch = Watch { check: &check, bench, pins, watched, reset, places, still: 0, is_new: true };
    Ok(then(&mut watch))
}

/// What the scenario makes of the map: names and values, in the map's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// The clock's name.
    pub clock: String,
    /// Inputs that keep one value, in hexadecimal with `0x`.
    pub constants: BTreeMap<String, String>,
    /// Parameters: numbers in hexadecimal with `0x`, or Verilog.
    pub parameters: BTreeMap<String, String>,
    /// The VCs of each port of the switch; 0 where nothing is.
    pub vcs: Vec<usize>,
    /// What each port leads to, such as `node 3`.
    pub leads_to: Vec<String>,
    /// Flits that each VC of a port has credits for at first, those of the switch's own buffers and those behind its outputs.
    pub credits: Vec<[u32; 2]>,
}

impl Facts {
    fn of(map: &PortMap, site: &Site<'_>) -> Result<Self, Problem> {
        let value = |setting: &Setting| match &setting.value {
            Value::Text(text) if !text.starts_with("0x") => Ok(text.clone()),
            _ => constant_bits(setting, map, site)
                .map(|bits| format!("0x{:x}", in_place(setting, &bits, map.vectors)))
                .map_err(|message| Problem::new(setting.at.clone(), message)),
        };
        let all = |settings: &[(super::map::Named, Setting)]| {
            let each = settings.iter().map(|(named, setting)| Ok((named.text.clone(), value(setting)?)));
            each.collect::<Result<BTreeMap<_, _>, Problem>>()
        };
        let mut facts = Self {
            clock: map.clock.text.clone(),
            constants: all(&map.constants)?,
            parameters: all(&map.parameters)?,
            vcs: vec![0; map.ports],
            leads_to: vec!["nothing".to_owned(); map.ports],
            credits: vec![[0; 2]; map.ports],
        };
        for number in site.wired() {
            let port = site.port(number);
            facts.vcs[port.switch] = port.vcs;
            facts.leads_to[port.switch] = site.neighbour(number);
            facts.credits[port.switch] =
                [&map.input, &map.output].map(|side| side.buffer_flits.unwrap_or(port.buffer));
        }
        Ok(facts)
    }
}

impl Watch<'_, '_> {
    /// Looks at one cycle: the values of all watched ports in their order, in hexadecimal.
    ///
    /// # Errors
    /// The first broken rule, after which nothing goes on; or what the bench did wrong.
    pub fn step<'t>(&mut self, values: impl IntoIterator<Item = &'t str>) -> Result<(), Halt> {
        let values: Vec<_> = values.into_iter().collect();
        if values.len() != self.places.len() {
            let (got, expected) = (values.len(), self.places.len());
            return Err(Halt::Bench(format!("{got} values were given, expected {expected}")));
        }
        let mut in_reset = false;
        for (at, text) in values.into_iter().enumerate() {
            let bits = hexadecimal(text).ok_or_else(|| {
                Halt::Bench(format!("`{}` is {text:?}, expected such as 0x1f", self.watched[at].name))
            })?;
            if let Some((reset, active)) = self.reset
                && reset == at
            {
                in_reset = bits.is_zero() != active;
            }
            let wires = match self.places[at] {
                Some((true, wire)) => self.bench.pins.seen.get_mut(wire),
                Some((false, wire)) => self.bench.pins.driven.get_mut(wire),
                None => None,
            };
            if let Some(wire) = wires {
                let width = wire.bits.len();
                wire.bits.put_all(0, &bits.part(0, width));
            }
        }
        if in_reset {
            return self.renew();
        }
        self.is_new = false;
        let before = self.bench.moves();
        let ended = self.bench.watched();
        self.still = if self.bench.moves() == before { self.still + 1 } else { 0 };
        ended
    }

    /// In reset nothing is in the switch.
    fn renew(&mut self) -> Result<(), Halt> {
        let cycle = self.bench.ledger.cycle + 1;
        if !self.is_new {
            let (dice, checks) = (self.bench.dice.clone(), self.bench.ledger.checks.clone());
            let fresh = self.check.bench_at(self.pins.clone(), Device::Elsewhere, None);
            self.bench = fresh.map_err(|error| Halt::Bench(error.to_string()))?;
            (self.bench.dice, self.bench.ledger.checks) = (dice, checks);
            self.is_new = true;
        }
        (self.bench.ledger.cycle, self.still) = (cycle, 0);
        Ok(())
    }

    /// A packet that may come by a VC of a port, as the switch counts both: towards an output and of a length, or of any. `None` where
    /// the scenario has none.
    ///
    /// # Errors
    /// Where the switch has no such port.
    pub fn compose(
        &mut self,
        (port, vc): (usize, usize),
        output: Option<usize>,
        length: Option<u16>,
    ) -> Result<Option<Composed>, String> {
        let Bench { site, pool, ledger, dice, .. } = &mut self.bench;
        let find = |switch: usize| {
            let found = site.wired().find(|&port| site.port(port).switch == switch);
            found.ok_or_else(|| format!("the switch has no port {switch} that leads anywhere"))
        };
        let (from, output) = (find(port)?, output.map(find).transpose()?);
        let vcs = site.port(from).vcs;
        if vc >= vcs {
            return Err(format!("port {port} has {vcs} VCs"));
        }
        let any = dice.pick(self.check.lengths).copied().unwrap_or(1);
        let length = length.unwrap_or(any);
        if !self.check.lengths.contains(&length) {
            return Err(format!("packets have {:?} flits, not {length}", self.check.lengths));
        }
        let Some(arrived) = pool.at(from, vc).pick(output, dice) else { return Ok(None) };
        let Some(number) = ledger.begin((from, vc), arrived, length) else {
            return Err("too many packets are composed that have not come out".to_owned());
        };
        let flits = (0..length).filter_map(|index| ledger.flit(number, index, dice));
        let flits = flits.map(|flit| format!("0x{flit:x}")).collect();
        Ok(Some(Composed { number, flits, description: ledger.describe(number) }))
    }

    /// The end: nothing may be left in the switch.
    ///
    /// # Errors
    /// What is lost, or waits; or what the bench has not done.
    pub fn finish(&mut self) -> Result<(), Halt> {
        self.bench.ended(self.still)
    }

    /// Whether nothing is in the switch, every credit is home and every VC is free.
    pub fn is_even(&self) -> bool {
        self.bench.is_even()
    }

    /// Cycles since a flit or a credit moved.
    pub fn still(&self) -> u64 {
        self.still
    }

    /// Cycles without a move after which nothing moves any more.
    pub fn patience(&self) -> u64 {
        self.bench.patience
    }

    /// Cycles, packets and flits that came out so far.
    pub fn counts(&self) -> [u64; 3] {
        let ledger = &self.bench.ledger;
        [ledger.cycle, ledger.tally.packets, ledger.tally.flits_out]
    }

    /// How often each rule was looked at.
    pub fn checks(&self) -> &Checks {
        &self.bench.ledger.checks
    }

    /// Rules that broke and are allowed to.
    pub fn findings(&self) -> &[Finding] {
        self.bench.ledger.findings.all()
    }

    /// A broken rule with what went before.
    pub fn mismatch(&self, violation: Violation) -> Mismatch {
        Mismatch::new(&self.bench, violation)
    }
}
