//! The pins of a foreign switch: which bits of which module port mean what, and their values in this cycle.

use super::bits::{Bits, bits_for};
use super::document::{Problem, nearest};
use super::map::{Flow, Named, PortMap, Setting, Side, Source, Value};
use super::site::Site;
use std::collections::HashSet;
use std::sync::Arc;
use verilated::{Direction, Failure, Input, Library, Model, Output};

/// All pins, and the model behind them.
#[derive(Debug)]
pub(super) struct Pins {
    pub(super) model: Model,
    clock: Input,
    reset: Option<(Input, bool)>,
    driven: Vec<(Input, Bits)>,
    seen: Vec<(Output, Bits)>,
    pub(super) input: Arc<SidePins>,
    pub(super) output: Arc<SidePins>,
}

/// The pins by which flits come in, or go out.
#[derive(Clone, Debug)]
pub(super) struct SidePins {
    pub(super) valid: Group,
    pub(super) flit: Group,
    pub(super) vc: Option<Group>,
    pub(super) head: Option<Group>,
    pub(super) tail: Option<Group>,
    pub(super) flow: FlowPins,
}

/// The pins that keep a sender from sending too much.
#[derive(Clone, Debug)]
pub(super) enum FlowPins {
    /// See [`Flow::Credit`].
    Credit { credit: Group, vc: Option<Group> },
    /// See [`Flow::ValidReady`].
    ValidReady { ready: Group, hold: bool },
}

/// A signal of every port, and perhaps of every VC.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// By port of the switch, then by lane.
    slots: Vec<Slot>,
    /// 1, or as many as there are VCs.
    pub(super) lanes: usize,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    wire: usize,
    low: u32,
    bits: u32,
}

impl Group {
    /// Bits of one signal.
    pub(super) fn bits(&self) -> u32 {
        self.slots.first().map_or(0, |slot| slot.bits)
    }

    fn slot(&self, port: usize, lane: usize) -> Slot {
        self.slots[port * self.lanes + lane]
    }
}

impl Pins {
    /// Finds every pin that the map names on the module, and holds it in reset, clock low.
    pub(super) fn bind(
        map: &PortMap,
        site: &Site<'_>,
        library: &Library,
        model: Model,
    ) -> Result<Self, Problem> {
        let widest = site.ports().iter().map(|port| port.vcs).max().unwrap_or(1);
        let vcs = map.vcs.map_or(widest, |vcs| vcs as usize);
        let mut binder = Binder {
            library,
            model,
            ports: map.ports,
            vcs,
            driven: Vec::new(),
            seen: Vec::new(),
            used: HashSet::new(),
        };
        let clock = binder.single(&map.clock)?;
        let reset = match &map.reset {
            Some(reset) => Some((binder.single(&reset.name)?, reset.active)),
            None => None,
        };
        let input = Arc::new(binder.side(&map.input, Direction::Input)?);
        let output = Arc::new(binder.side(&map.output, Direction::Output)?);
        for (name, setting) in &map.constants {
            binder.constant(name, setting, map, site)?;
        }
        binder.all_named(map)?;
        let Binder { model, driven, seen, .. } = binder;
        Ok(Self { model, clock, reset, driven, seen, input, output })
    }

    /// Sets a signal of a port of the switch.
    pub(super) fn put(&mut self, pin: Pin<'_>, value: u64) {
        let slot = pin.slot();
        self.driven[slot.wire].1.put(slot.low, slot.bits, value);
    }

    /// Sets a wide signal of a port of the switch.
    pub(super) fn put_bits(&mut self, pin: Pin<'_>, value: &Bits) {
        let slot = pin.slot();
        self.driven[slot.wire].1.put_all(slot.low, value);
    }

    /// Reads a signal of a port of the switch, as it was at the last look.
    pub(super) fn get(&self, pin: Pin<'_>) -> u64 {
        let slot = pin.slot();
        self.seen[slot.wire].1.get(slot.low, slot.bits.min(64))
    }

    /// Reads a wide signal of a port of the switch, as it was at the last look.
    pub(super) fn get_bits(&self, pin: Pin<'_>) -> Bits {
        let slot = pin.slot();
        self.seen[slot.wire].1.part(slot.low, slot.bits)
    }

    /// The clock falls, or stays low; the switch sees its inputs, and its outputs are read.
    pub(super) fn look(&mut self, time: u64) -> Result<(), Failure> {
        for (pin, bits) in &self.driven {
            self.model.set_words(*pin, bits.words());
        }
        self.model.set(self.clock, 0);
        self.model.set_time(time);
        self.model.eval()?;
        for (pin, bits) in &mut self.seen {
            self.model.get_words(*pin, bits.words_mut());
        }
        Ok(())
    }

    /// The clock rises.
    pub(super) fn rise(&mut self, time: u64) -> Result<(), Failure> {
        self.model.set(self.clock, 1);
        self.model.set_time(time);
        self.model.eval()
    }

    /// Whether the reset is active from now on.
    pub(super) fn reset(&mut self, active: bool) {
        if let Some((pin, level)) = self.reset {
            self.model.set(pin, u64::from(active == level));
        }
    }
}

/// One signal of one port, or of one VC of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pin<'g> {
    group: &'g Group,
    port: usize,
    lane: usize,
}

impl Group {
    /// The signal of a port; with one lane per VC, that of the lane.
    pub(super) fn of(&self, port: usize, lane: usize) -> Pin<'_> {
        Pin { group: self, port, lane: if self.lanes == 1 { 0 } else { lane } }
    }
}

impl Pin<'_> {
    fn slot(&self) -> Slot {
        self.group.slot(self.port, self.lane)
    }
}

/// Looks up the names of the map on the module.
struct Binder<'l> {
    library: &'l Library,
    model: Model,
    ports: usize,
    vcs: usize,
    driven: Vec<(Input, Bits)>,
    seen: Vec<(Output, Bits)>,
    used: HashSet<String>,
}

impl Binder<'_> {
    /// The width of a module port, which must be there and face that way.
    fn width(&mut self, name: &str, named: &Named, direction: Direction) -> Result<u32, Problem> {
        let (top, ports) = (self.library.top(), self.library.ports());
        let refuse = |message: String| Problem::new(named.at.clone(), message);
        let Some(found) = ports.iter().find(|port| port.name == name) else {
            let facing = ports.iter().filter(|port| port.direction == direction);
            let names: Vec<_> = facing.map(|port| port.name.as_str()).collect();
            let problem = refuse(format!("module `{top}` has no {direction} `{name}`"));
            return Err(match nearest(name, names.iter().copied()) {
                Some(near) => problem.note(format!("did you mean `{near}`?")),
                None => problem.note(format!("its {direction}s are {}", names.join(", "))),
            });
        };
        if found.direction != direction {
            return Err(refuse(format!(
                "`{name}` of module `{top}` is an {}, expected an {direction}",
                found.direction
            )));
        }
        if !self.used.insert(name.to_owned()) {
            return Err(refuse(format!("`{name}` is named twice in the map")));
        }
        Ok(found.bits)
    }

    /// A single input bit.
    fn single(&mut self, named: &Named) -> Result<Input, Problem> {
        let bits = self.width(&named.text, named, Direction::Input)?;
        if bits != 1 {
            let message = format!("`{}` has {bits} bits, expected 1", named.text);
            return Err(Problem::new(named.at.clone(), message));
        }
        self.input(&named.text, 1, named)
    }

    fn input(&self, name: &str, bits: u32, named: &Named) -> Result<Input, Problem> {
        self.model.input(name, bits).map_err(|error| Problem::new(named.at.clone(), error.to_string()))
    }

    /// The pins of a side whose flits travel in `direction`.
    fn side(&mut self, side: &Side, direction: Direction) -> Result<SidePins, Problem> {
        let back = if direction == Direction::Input { Direction::Output } else { Direction::Input };
        let mut optional = |named: &Option<Named>, width| {
            named.as_ref().map(|named| self.group(named, direction, width)).transpose()
        };
        let (vc, head, tail) = (
            optional(&side.vc, Width::Number)?,
            optional(&side.head, Width::Flag)?,
            optional(&side.tail, Width::Flag)?,
        );
        let valid = self.group(&side.valid, direction, Width::FlagPerVc)?;
        let flit = self.group(&side.flit, direction, Width::Any)?;
        let flow = match &side.flow {
            Flow::Credit { credit, vc: Some(vc) } => FlowPins::Credit {
                credit: self.group(credit, back, Width::Flag)?,
                vc: Some(self.group(vc, back, Width::Number)?),
            },
            Flow::Credit { credit, vc: None } => {
                let group = self.group(credit, back, Width::FlagPerVc)?;
                if group.lanes != self.vcs {
                    let message = format!(
                        "`{}` has one bit per port; for {} VCs it needs one bit for each, or `{}.credit_vc`",
                        credit.text, self.vcs, side.key
                    );
                    return Err(Problem::new(credit.at.clone(), message));
                }
                FlowPins::Credit { credit: group, vc: None }
            }
            Flow::ValidReady { ready, hold } => {
                let group = self.group(ready, back, Width::FlagPerVc)?;
                // Per VC, the sender looks which VCs are ready before it offers anything.
                let hold = *hold && group.lanes == 1;
                FlowPins::ValidReady { ready: group, hold }
            }
        };
        Ok(SidePins { valid, flit, vc, head, tail, flow })
    }

    /// A signal of every port: a vector of all ports, or one module port for each where the name has `{port}`.
    fn group(&mut self, named: &Named, direction: Direction, width: Width) -> Result<Group, Problem> {
        let per_vc = named.text.contains("{vc}");
        let lanes = if per_vc { self.vcs } else { 1 };
        let mut slots = Vec::new();
        if named.text.contains("{port}") {
            for port in 0..self.ports {
                for lane in 0..lanes {
                    let name =
                        named.text.replace("{port}", &port.to_string()).replace("{vc}", &lane.to_string());
                    let (wire, bits) = self.wire(&name, named, direction)?;
                    slots.push(Slot { wire, low: 0, bits });
                }
            }
        } else {
            let mut wires = Vec::new();
            for lane in 0..lanes {
                let name = named.text.replace("{vc}", &lane.to_string());
                let (wire, all) = self.wire(&name, named, direction)?;
                if all % self.ports as u32 != 0 {
                    let message =
                        format!("`{name}` has {all} bits, which do not divide among {} ports", self.ports);
                    return Err(Problem::new(named.at.clone(), message));
                }
                wires.push((wire, all / self.ports as u32));
            }
            for port in 0..self.ports as u32 {
                slots.extend(wires.iter().map(|&(wire, bits)| Slot { wire, low: port * bits, bits }));
            }
        }
        let group = Group { slots, lanes };
        self.shaped(group, named, width, per_vc)
    }

    /// The group with the lanes that its width speaks of.
    fn shaped(&self, group: Group, named: &Named, width: Width, per_vc: bool) -> Result<Group, Problem> {
        let (bits, vcs) = (group.bits(), self.vcs as u32);
        let refuse = |expected: String| {
            let message = format!("`{}` has {bits} bits for each port, expected {expected}", named.text);
            Err(Problem::new(named.at.clone(), message))
        };
        match width {
            Width::Any if !per_vc => Ok(group),
            Width::Flag if !per_vc && bits == 1 => Ok(group),
            Width::Number if !per_vc && bits >= bits_for(u64::from(vcs)).max(1) && bits <= 32 => Ok(group),
            Width::FlagPerVc if bits == 1 => Ok(group),
            Width::FlagPerVc if !per_vc && bits == vcs => {
                let split = |slot: &Slot| {
                    let (wire, low) = (slot.wire, slot.low);
                    (0..vcs).map(move |vc| Slot { wire, low: low + vc, bits: 1 })
                };
                Ok(Group { slots: group.slots.iter().flat_map(split).collect(), lanes: self.vcs })
            }
            Width::Flag => refuse("1".to_owned()),
            Width::FlagPerVc => refuse(format!("1, or {vcs}: one for each VC")),
            Width::Number => {
                refuse(format!("at least {}, to number {vcs} VCs", bits_for(u64::from(vcs)).max(1)))
            }
            Width::Any => refuse("one flit, not one for each VC".to_owned()),
        }
    }

    /// A module port whose bits are driven or read, and its width.
    fn wire(&mut self, name: &str, named: &Named, direction: Direction) -> Result<(usize, u32), Problem> {
        let bits = self.width(name, named, direction)?;
        if direction == Direction::Input {
            let pin = self.input(name, bits, named)?;
            self.driven.push((pin, Bits::zeros(bits)));
            return Ok((self.driven.len() - 1, bits));
        }
        let pin = self.model.output(name, bits);
        let pin = pin.map_err(|error| Problem::new(named.at.clone(), error.to_string()))?;
        self.seen.push((pin, Bits::zeros(bits)));
        Ok((self.seen.len() - 1, bits))
    }

    /// An input that keeps one value.
    fn constant(
        &mut self,
        named: &Named,
        setting: &Setting,
        map: &PortMap,
        site: &Site<'_>,
    ) -> Result<(), Problem> {
        let bits = self.width(&named.text, named, Direction::Input)?;
        let value =
            constant_bits(setting, map, site).map_err(|message| Problem::new(setting.at.clone(), message))?;
        let tail = (bits..value.len()).any(|bit| value.get(bit, 1) == 1);
        if tail {
            let message = format!("the value of `{}` does not fit into its {bits} bits", named.text);
            return Err(Problem::new(setting.at.clone(), message));
        }
        let mut whole = Bits::zeros(bits);
        whole.put_all(0, &value.part(0, bits.min(value.len())));
        let pin = self.input(&named.text, bits, named)?;
        self.driven.push((pin, whole));
        Ok(())
    }

    /// Refuses a module with inputs that the map leaves undriven.
    fn all_named(&self, map: &PortMap) -> Result<(), Problem> {
        let inputs = self.library.ports().iter().filter(|port| port.direction == Direction::Input);
        let left: Vec<_> = inputs
            .filter(|port| !self.used.contains(&port.name))
            .map(|port| format!("`{}`", port.name))
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        let message = format!(
            "module `{}` has inputs that the map does not name: {}",
            self.library.top(),
            left.join(", ")
        );
        Err(Problem::new(map.clock.at.clone(), message)
            .note("inputs that keep one value belong in [constants]"))
    }
}

/// How wide a signal of one port may be.
#[derive(Clone, Copy)]
enum Width {
    /// One bit.
    Flag,
    /// One bit, or one for each VC.
    FlagPerVc,
    /// The number of a VC.
    Number,
    /// Whatever it is.
    Any,
}

/// The bits of a constant.
fn constant_bits(setting: &Setting, map: &PortMap, site: &Site<'_>) -> Result<Bits, String> {
    match &setting.value {
        Value::Whole(value) => Ok(number(*value)),
        Value::Text(text) => hexadecimal(text).ok_or_else(|| {
            format!("a constant must be a whole number, \"0x…\" or {{ from = … }}, not {text:?}")
        }),
        Value::From { source, bits } => known(*source, *bits, map, site),
    }
}

/// What a parameter is set to, as Verilog writes it.
pub(super) fn parameter(
    setting: &Setting,
    map: &PortMap,
    site: &Site<'_>,
) -> Result<verilated::Parameter, Problem> {
    Ok(match &setting.value {
        Value::Whole(value) => verilated::Parameter::from(*value),
        Value::Text(text) if text.contains('\'') => verilated::Parameter::verbatim(text.clone()),
        Value::Text(text) => verilated::Parameter::from(text.as_str()),
        Value::From { source, bits } => {
            let value = known(*source, *bits, map, site);
            let value = value.map_err(|message| Problem::new(setting.at.clone(), message))?;
            verilated::Parameter::sized(value.len().max(1), &format!("{value:x}"))
        }
    })
}

/// The value of a pin that the scenario determines.
fn known(source: Source, entry: u32, map: &PortMap, site: &Site<'_>) -> Result<Bits, String> {
    let mask = |holds: &dyn Fn(&super::site::Port) -> bool| {
        let mut bits = Bits::zeros(map.ports as u32);
        for port in site.ports().iter().filter(|port| holds(port)) {
            bits.put(port.switch as u32, 1, 1);
        }
        bits
    };
    Ok(match source {
        Source::Address => number(u64::from(site.here.router)),
        Source::NodePorts => mask(&|port| port.wired && port.kind == router_core::PortClass::NODE),
        Source::WiredPorts => mask(&|port| port.wired),
        Source::NextPort => {
            let most = site.ports().iter().map(|port| port.switch as u64 + 1).max().unwrap_or(1);
            if entry < bits_for(most) {
                return Err(format!("an entry has {entry} bits, but the ports need {}", bits_for(most)));
            }
            let highest = site.addresses().max().unwrap_or(0);
            if highest >= LONGEST_TABLE {
                return Err(format!("a table up to address {highest} is too long for an input"));
            }
            let mut table = Bits::zeros((highest + 1) * entry);
            for address in site.addresses() {
                table.put(address * entry, entry, site.next_port(address).unwrap_or(0) as u64);
            }
            table
        }
    })
}

fn number(value: u64) -> Bits {
    let mut bits = Bits::zeros(64);
    bits.put(0, 64, value);
    bits
}

fn hexadecimal(text: &str) -> Option<Bits> {
    let digits: Vec<u32> = text
        .strip_prefix("0x")?
        .chars()
        .filter(|c| *c != '_')
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()?;
    let mut bits = Bits::zeros(digits.len() as u32 * 4);
    for (at, digit) in digits.iter().rev().enumerate() {
        bits.put(at as u32 * 4, 4, u64::from(*digit));
    }
    Some(bits).filter(|bits| bits.len() > 0)
}

/// Most entries of a table of routers in an input.
const LONGEST_TABLE: u32 = 65_536;
