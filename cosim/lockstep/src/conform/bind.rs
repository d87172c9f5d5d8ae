//! From the names of the map to the pins of the module.

use super::bits::{Bits, bits_for};
use super::constant::constant_bits;
use super::document::{Problem, nearest};
use super::map::{Flow, Named, PortMap, Setting, Side};
use super::pins::{ErrorPin, FlowPins, Group, Pins, SidePins, Slot};
use super::site::Site;
use std::collections::HashSet;
use std::sync::Arc;
use verilated::{Direction, Input, Library, Model, Output};

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
        let errors = map.errors.iter().map(|name| binder.error(name)).collect::<Result<_, _>>()?;
        binder.all_named(map)?;
        let Binder { model, driven, seen, .. } = binder;
        Ok(Self { model, clock, reset, driven, seen, input, output, errors })
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

    /// An output that reports errors.
    fn error(&mut self, named: &Named) -> Result<ErrorPin, Problem> {
        let (wire, bits) = self.wire(&named.text, named, Direction::Output)?;
        Ok(ErrorPin { name: named.text.clone(), slot: Slot { wire, low: 0, bits }, is_up: false })
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
