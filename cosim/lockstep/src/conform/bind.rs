//! From the names of the map to the pins of the module.

use super::bits::{Bits, bits_for};
use super::constant::constant_bits;
use super::document::{Problem, nearest};
use super::map::{Flow, Named, PortMap, Setting, Side, Source, Value};
use super::module::Module;
use super::pins::{ErrorPin, FlowPins, Group, Pins, SidePins, Slot, Wire};
use super::site::Site;
use super::slice::{Slice, Vectors};
use std::collections::HashMap;
use std::sync::Arc;
use verilated::{Direction, PortInfo};

impl Pins {
    /// Finds every pin that the map names on the module.
    pub(super) fn bind(map: &PortMap, site: &Site<'_>, module: &Module) -> Result<Self, Problem> {
        let mut binder = Binder {
            module,
            names: (0..map.ports).map(|port| map.port_name(port)).collect(),
            ports: map.ports,
            vcs: vcs(map, site),
            vectors: map.vectors,
            driven: Vec::new(),
            seen: Vec::new(),
            used: HashMap::new(),
            wires: HashMap::new(),
        };
        if module.is_whole {
            binder.single(&map.clock)?;
        }
        if let Some(reset) = &map.reset {
            binder.single(&reset.name)?;
        }
        let input = Arc::new(binder.side(&map.input, Direction::Input)?);
        let output = Arc::new(binder.side(&map.output, Direction::Output)?);
        if module.is_whole {
            for (name, setting) in &map.constants {
                binder.constant(name, setting, map, site)?;
            }
        }
        let errors = map.errors.iter().map(|name| binder.error(name)).collect::<Result<_, _>>()?;
        if module.is_whole {
            binder.all_named(map)?;
        }
        let Binder { driven, seen, .. } = binder;
        Ok(Self { driven, seen, input, output, errors })
    }
}

/// VCs of each port on the wires.
pub(super) fn vcs(map: &PortMap, site: &Site<'_>) -> usize {
    let widest = site.ports().iter().map(|port| port.vcs).max().unwrap_or(1);
    map.vcs.map_or(widest, |vcs| vcs as usize)
}

/// Looks up the names of the map on the module.
struct Binder<'l> {
    module: &'l Module,
    ports: usize,
    /// What stands for `{port}`.
    names: Vec<String>,
    vcs: usize,
    vectors: Vectors,
    driven: Vec<Wire>,
    seen: Vec<Wire>,
    /// Bits that the map names, by module port.
    used: HashMap<String, Bits>,
    /// The place among those driven or seen, and the width, by module port.
    wires: HashMap<String, (usize, u32)>,
}

impl Binder<'_> {
    /// The width of a module port, which must be there and face that way.
    fn width(&self, name: &str, named: &Named, direction: Direction) -> Result<u32, Problem> {
        let (top, ports) = (&self.module.top, &self.module.ports);
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
        Ok(found.bits)
    }

    /// A single input bit.
    fn single(&mut self, named: &Named) -> Result<(), Problem> {
        let bits = self.width(&named.text, named, Direction::Input)?;
        if bits != 1 {
            let message = format!("`{}` has {bits} bits, expected 1", named.text);
            return Err(Problem::new(named.at.clone(), message));
        }
        self.claim(&named.text, named, (0, 1), 1)
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
        let flit = self.flit(&side.flit, direction)?;
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
            Flow::OnOff { on, freed, slack } => {
                let freed = freed.as_ref().map(|named| self.for_each_vc(named, back)).transpose()?;
                FlowPins::OnOff { on: self.for_each_vc(on, back)?, freed, slack: *slack }
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

    /// A signal with a bit for each VC of every port.
    fn for_each_vc(&mut self, named: &Named, direction: Direction) -> Result<Group, Problem> {
        let group = self.group(named, direction, Width::FlagPerVc)?;
        if group.lanes == self.vcs {
            return Ok(group);
        }
        let message =
            format!("`{}` has one bit per port, expected {}: one for each VC", named.text, self.vcs);
        Err(Problem::new(named.at.clone(), message))
    }

    /// The flit of every port, of one or several signals.
    fn flit(&mut self, named: &[Named], direction: Direction) -> Result<Group, Problem> {
        let groups: Vec<_> =
            named.iter().map(|named| self.group(named, direction, Width::Any)).collect::<Result<_, _>>()?;
        let slots = (0..self.ports).flat_map(|port| groups.iter().map(move |group| group.slots[port]));
        Ok(Group { slots: slots.collect(), lanes: 1, pieces: groups.len() })
    }

    /// A signal of every port: a vector of all ports, or one module port for each where the name has `{port}`; of either
    /// perhaps only a slice of what each port has.
    fn group(&mut self, named: &Named, direction: Direction, width: Width) -> Result<Group, Problem> {
        let (text, slice) = Slice::split(named, self.vectors)?;
        let (per_port, per_vc) = (text.contains("{port}"), text.contains("{vc}"));
        let lanes = if per_vc { self.vcs } else { 1 };
        let mut slots = Vec::new();
        for port in 0..self.ports as u32 {
            for lane in 0..lanes {
                let name =
                    text.replace("{port}", &self.names[port as usize]).replace("{vc}", &lane.to_string());
                let (wire, all) = self.wire(&name, named, direction)?;
                let share = if per_port { all } else { self.share(&name, named, all)? };
                let start = if per_port { 0 } else { self.vectors.low(port * share, share, all) };
                let (low, bits) = Slice::of(slice, named, self.vectors, share)?;
                self.claim(&name, named, (start + low, bits), all)?;
                slots.push(Slot { wire, low: start + low, bits });
            }
        }
        self.shaped(Group { slots, lanes, pieces: 1 }, named, width, per_vc)
    }

    /// The bits of a vector that each port has.
    fn share(&self, name: &str, named: &Named, all: u32) -> Result<u32, Problem> {
        if all.is_multiple_of(self.ports as u32) {
            return Ok(all / self.ports as u32);
        }
        let message = format!("`{name}` has {all} bits, which do not divide among {} ports", self.ports);
        Err(Problem::new(named.at.clone(), message))
    }

    /// Marks bits of a module port as named; each is named once.
    fn claim(&mut self, name: &str, named: &Named, (low, bits): (u32, u32), all: u32) -> Result<(), Problem> {
        let used = self.used.entry(name.to_owned()).or_insert_with(|| Bits::zeros(all));
        if (low..low + bits).any(|bit| used.get(bit, 1) == 1) {
            let what = if bits == all { "" } else { "a bit of " };
            return Err(Problem::new(named.at.clone(), format!("{what}`{name}` is named twice in the map")));
        }
        used.put_all(low, &Bits::ones(bits));
        Ok(())
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
                let vectors = self.vectors;
                let split = |slot: &Slot| {
                    let (wire, low) = (slot.wire, slot.low);
                    (0..vcs).map(move |vc| Slot { wire, low: low + vectors.low(vc, 1, vcs), bits: 1 })
                };
                let slots = group.slots.iter().flat_map(split).collect();
                Ok(Group { slots, lanes: self.vcs, pieces: 1 })
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
        if let Some(&known) = self.wires.get(name) {
            return Ok(known);
        }
        let wire = Wire { name: name.to_owned(), bits: Bits::zeros(bits) };
        let wires = if direction == Direction::Input { &mut self.driven } else { &mut self.seen };
        wires.push(wire);
        let place = wires.len() - 1;
        self.wires.insert(name.to_owned(), (place, bits));
        Ok((place, bits))
    }

    /// An output that reports errors.
    fn error(&mut self, named: &Named) -> Result<ErrorPin, Problem> {
        let (name, slice) = Slice::split(named, self.vectors)?;
        let (wire, all) = self.wire(name, named, Direction::Output)?;
        let (low, bits) = Slice::of(slice, named, self.vectors, all)?;
        self.claim(name, named, (low, bits), all)?;
        Ok(ErrorPin { name: named.text.clone(), slot: Slot { wire, low, bits }, is_up: false })
    }

    /// An input that keeps one value; or a slice of every port's, each of which keeps it.
    fn constant(
        &mut self,
        named: &Named,
        setting: &Setting,
        map: &PortMap,
        site: &Site<'_>,
    ) -> Result<(), Problem> {
        let value =
            constant_bits(setting, map, site).map_err(|message| Problem::new(setting.at.clone(), message))?;
        let slots = if named.text.contains('[') {
            self.group(named, Direction::Input, Width::Any)?.slots
        } else {
            let (wire, bits) = self.wire(&named.text, named, Direction::Input)?;
            self.claim(&named.text, named, (0, bits), bits)?;
            vec![Slot { wire, low: 0, bits }]
        };
        for Slot { wire, low, bits } in slots {
            if (bits..value.len()).any(|bit| value.get(bit, 1) == 1) {
                let message = format!("the value of `{}` does not fit into its {bits} bits", named.text);
                return Err(Problem::new(setting.at.clone(), message));
            }
            let value = in_place(setting, &value.part(0, bits), self.vectors);
            self.driven[wire].bits.put_all(low, &value);
        }
        Ok(())
    }

    /// Refuses a module with inputs that the map leaves undriven.
    fn all_named(&self, map: &PortMap) -> Result<(), Problem> {
        let inputs = self.module.ports.iter().filter(|port| port.direction == Direction::Input);
        let unnamed = |port: &PortInfo| match self.used.get(&port.name) {
            None => Some(format!("`{}`", port.name)),
            Some(used) => {
                let left = (0..port.bits).filter(|bit| used.get(*bit, 1) == 0).count();
                (left > 0).then(|| format!("{left} of the {} bits of `{}`", port.bits, port.name))
            }
        };
        let left: Vec<_> = inputs.filter_map(unnamed).collect();
        if left.is_empty() {
            return Ok(());
        }
        let message = format!(
            "module `{}` has inputs that the map does not name: {}",
            self.module.top,
            left.join(", ")
        );
        Err(Problem::new(map.clock.at.clone(), message)
            .note("inputs that keep one value belong in [constants]"))
    }
}

/// A value whose entries are counted from the end with bit 0.
pub(super) fn in_place(setting: &Setting, value: &Bits, vectors: Vectors) -> Bits {
    let entry = match setting.value {
        Value::From { source: Source::NextPort, bits } => bits,
        Value::From { source: Source::NodePorts | Source::WiredPorts, .. } => 1,
        _ => return value.clone(),
    };
    if vectors == Vectors::Descending {
        return value.clone();
    }
    let mut placed = Bits::zeros(value.len());
    for first in (0..value.len() / entry).map(|number| number * entry) {
        placed.put_all(vectors.low(first, entry, value.len()), &value.part(first, entry));
    }
    placed
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_from_the_end_with_bit_0() {
        let mut value = Bits::zeros(12);
        value.put(0, 12, 0xc51);
        let placed = |source, bits, vectors| {
            let setting = Setting { value: Value::From { source, bits }, at: 0..0 };
            in_place(&setting, &value, vectors).get(0, 12)
        };
        let up = Vectors::Ascending;
        assert_eq!(placed(Source::NextPort, 4, up), 0x15c);
        assert_eq!(placed(Source::NodePorts, 0, up), 0x8a3);
        assert_eq!(placed(Source::WiredPorts, 0, up), 0x8a3);
        assert_eq!(placed(Source::Address, 0, up), 0xc51, "a number is no vector of entries");
        assert_eq!(placed(Source::NextPort, 4, Vectors::Descending), 0xc51);
    }
}
