//! The flits of a foreign switch: where the map says each field is, filled in and read back.

use super::bits::{Bits, bits_for};
use super::constant::constant_bits;
use super::dice::Dice;
use super::document::Problem;
use super::map::{Count, Field, Fields, Part, PortMap};
use super::site::Site;
use router_core::header::{Header, Progress, RawHeader};
use router_core::layout;

/// The layout of a flit, checked against the scenario.
#[derive(Clone, Debug)]
pub(super) struct FlitLayout {
    bits: u32,
    fields: Fields,
    /// The bits that come out as they went in.
    kept: Bits,
    /// The bits of every flit that keep one value: their mask, and the values.
    fixed: (Bits, Bits),
}

/// What is in the fields of a flit beside its payload.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contents<'a> {
    pub(super) header: &'a Header,
    /// The port of the switch that the field `next_port` names.
    pub(super) next_port: usize,
    pub(super) number: u64,
    pub(super) index: u16,
    pub(super) vc: usize,
}

impl FlitLayout {
    /// The layout for flits of `bits` bits.
    pub(super) fn new(map: &PortMap, site: &Site<'_>, lengths: &[u16], bits: u32) -> Result<Self, Problem> {
        let fixed = (Bits::zeros(bits), Bits::zeros(bits));
        let mut layout = Self { bits, fields: map.flit.clone(), kept: Bits::ones(bits), fixed };
        for field in layout.all() {
            let top = field.pieces.iter().map(|(low, bits)| low + bits).max().unwrap_or(0);
            if top > bits {
                let message =
                    format!("`{}` reaches up to bit {}, but a flit has {bits} bits", field.path, top - 1);
                return Err(Problem::new(field.at.clone(), message));
            }
        }
        layout.check_room(site, lengths)?;
        layout.fix(map, site)?;
        Ok(layout.with_mask())
    }

    fn all(&self) -> impl Iterator<Item = &Field> {
        let Fields { head, tail, kind, vc, header, number, index, constants, .. } = &self.fields;
        let flags = [head, tail, vc].into_iter().flatten();
        flags
            .chain(kind.iter().map(|kind| &kind.field))
            .chain(header.iter().map(|(_, field)| field))
            .chain([number, index])
            .chain(constants.iter().map(|(field, _)| field))
    }

    /// Notes what keeps one value.
    fn fix(&mut self, map: &PortMap, site: &Site<'_>) -> Result<(), Problem> {
        for (field, setting) in &self.fields.constants {
            let refuse = |message| Problem::new(setting.at.clone(), message);
            let value = constant_bits(setting, map, site).map_err(refuse)?;
            let bits = field.bits();
            if (bits..value.len()).any(|bit| value.get(bit, 1) == 1) {
                return Err(refuse(format!(
                    "the value of `{}` does not fit into its {bits} bits",
                    field.path
                )));
            }
            for &(low, bits) in &field.pieces {
                self.fixed.0.put_all(low, &Bits::ones(bits));
                self.fixed.1.put_all(low, &value.part(0, bits));
            }
        }
        Ok(())
    }

    /// Every field holds the largest number it has to.
    fn check_room(&self, site: &Site<'_>, lengths: &[u16]) -> Result<(), Problem> {
        let longest = u64::from(lengths.iter().copied().max().unwrap_or(1));
        let vcs = site.ports().iter().map(|port| port.vcs).max().unwrap_or(1) as u64;
        let ports = site.ports().iter().map(|port| port.switch + 1).max().unwrap_or(1) as u64;
        let nodes = (0..site.blueprint.wiring().nodes()).map(|node| site.blueprint.address(node));
        let to_port = u64::from(nodes.map(|address| address.port).max().unwrap_or(0)) + 1;
        let needs = |part: Part| match part {
            Part::Header => layout::HEADER_BITS,
            Part::ToRouter => bits_for(u64::from(site.addresses().max().unwrap_or(0)) + 1),
            Part::ToPort => bits_for(to_port),
            Part::Via => bits_for(u64::from(site.addresses().max().unwrap_or(0)) + 1),
            Part::Progress => layout::PROGRESS_BITS,
            Part::Length => bits_for(self.fields.count.of(longest).unwrap_or(0) + 1),
            Part::NextPort => bits_for(ports),
        };
        let shortest = u64::from(lengths.iter().copied().min().unwrap_or(1));
        let counted = self.fields.header.iter().find(|(part, _)| *part == Part::Length);
        if let Some((_, field)) = counted.filter(|_| self.fields.count.of(shortest).is_none()) {
            let message = format!("`offset` makes the length of a packet of {shortest} flits negative");
            return Err(Problem::new(field.at.clone(), message));
        }
        let header = self.fields.header.iter().map(|(part, field)| (field, needs(*part)));
        let vc = self.fields.vc.iter().map(|field| (field, bits_for(vcs)));
        let index = [(&self.fields.index, bits_for(longest))];
        for (field, needed) in header.chain(vc).chain(index) {
            let has = field.bits();
            let exact = field.path == "flit.header";
            if has < needed || exact && has != needed {
                let message = format!(
                    "`{}` has {has} bits, but router {} of this scenario needs {needed}",
                    field.path, site.router
                );
                return Err(Problem::new(field.at.clone(), message));
            }
        }
        Ok(())
    }

    fn with_mask(mut self) -> Self {
        let is_free = |part: &Part| {
            self.fields.rewrites.contains(part) || self.fields.lookahead && *part == Part::NextPort
        };
        let rewritten = self.fields.header.iter().filter(|(part, _)| is_free(part));
        let free: Vec<_> = rewritten
            .map(|(_, field)| field)
            .chain(self.fields.vc.as_ref())
            .flat_map(|field| field.pieces.clone())
            .collect();
        for (low, bits) in free {
            self.kept.put(low, bits, 0);
        }
        self
    }

    /// How many packets have payloads that differ.
    pub(super) fn numbers(&self) -> u64 {
        1 << self.fields.number.bits().min(32)
    }

    /// Whether a flit names its VC.
    pub(super) fn has_vc(&self) -> bool {
        self.fields.vc.is_some()
    }

    /// A flit with these contents; every bit without a meaning is random.
    pub(super) fn emit(&self, contents: &Contents<'_>, dice: &mut Dice) -> Bits {
        let mut flit = Bits::zeros(self.bits);
        for word in flit.words_mut() {
            *word = dice.bits() as u32;
        }
        let spare = self.bits.next_multiple_of(32) - self.bits;
        if let Some(last) = flit.words_mut().last_mut() {
            *last &= u32::MAX >> spare;
        }
        self.fill(&mut flit, contents);
        flit
    }

    /// Writes the fields, and leaves the other bits as they are.
    pub(super) fn fill(&self, flit: &mut Bits, contents: &Contents<'_>) {
        let Contents { header, number, index, vc, .. } = *contents;
        let (head, tail) = (index == 0, index + 1 == header.length);
        if head {
            for (part, field) in &self.fields.header {
                write(flit, field, part_of(*part, contents, self.fields.count));
            }
        }
        let flag = |flit: &mut Bits, field: &Option<Field>, value: u128| {
            if let Some(field) = field {
                write(flit, field, value);
            }
        };
        flag(flit, &self.fields.head, head.into());
        flag(flit, &self.fields.tail, tail.into());
        flag(flit, &self.fields.vc, vc as u128);
        if let Some(kind) = &self.fields.kind {
            let value = match (head, tail) {
                (true, true) => kind.single,
                (true, false) => kind.head,
                (false, true) => kind.tail,
                (false, false) => kind.body,
            };
            write(flit, &kind.field, value.into());
        }
        flit.overlay(&self.fixed.1, &self.fixed.0);
        write(flit, &self.fields.number, number.into());
        write(flit, &self.fields.index, index.into());
    }

    /// The packet's number in a flit.
    pub(super) fn number(&self, flit: &Bits) -> u64 {
        read(flit, &self.fields.number) as u64 & (self.numbers() - 1)
    }

    /// The flit's place in its packet.
    pub(super) fn index(&self, flit: &Bits) -> u64 {
        read(flit, &self.fields.index) as u64
    }

    /// The port of the next router that a head names, where the switch looks ahead.
    pub(super) fn port_ahead(&self, head: &Bits) -> Option<usize> {
        let mut header = self.fields.header.iter().filter(|_| self.fields.lookahead);
        header.find(|(part, _)| *part == Part::NextPort).map(|(_, field)| read(head, field) as usize)
    }

    /// The VC in a flit, if it names one.
    pub(super) fn vc(&self, flit: &Bits) -> Option<usize> {
        self.fields.vc.as_ref().map(|field| read(flit, field) as usize)
    }

    /// Whether a flit says that it is the last of its packet, if flits do.
    pub(super) fn tail(&self, flit: &Bits) -> Option<bool> {
        let kind = self.fields.kind.as_ref().map(|kind| (read(flit, &kind.field), kind));
        let of_kind = kind.map(|(value, kind)| [kind.tail, kind.single].map(u128::from).contains(&value));
        self.fields.tail.as_ref().map(|field| read(flit, field) == 1).or(of_kind)
    }

    /// The header that a head carries, as far as the map has it. `is_last`: whether it is the last flit, too, where that is seen. The
    /// length is 0 where the head does not tell it.
    pub(super) fn header(&self, head: &Bits, is_last: Option<bool>) -> Result<Header, String> {
        let mut header = Header { length: u16::from(is_last == Some(true)), ..Header::default() };
        let (mut is_addressed, mut is_counted) = (false, is_last.is_some());
        for (part, field) in &self.fields.header {
            let value = read(head, field);
            match part {
                Part::Header => {
                    let words = std::array::from_fn(|word| (value >> (32 * word)) as u32);
                    header = Header::parse(RawHeader(words)).map_err(|error| error.to_string())?;
                }
                Part::ToRouter => header.to.router = value as u32,
                Part::ToPort => header.to.port = value as _,
                Part::Via => header.via = value as u32,
                Part::Progress => header.progress = Progress::from_bits(value as u8),
                Part::Length => {
                    let counted = |flits: &u16| self.fields.count.of((*flits).into()).map(u128::from);
                    let flits = (1..=LONGEST).find(|flits| counted(flits) == Some(value));
                    header.length = flits.ok_or_else(|| format!("`{}` is {value}", field.path))?;
                }
                Part::NextPort => {}
            }
            is_addressed |= matches!(part, Part::Header | Part::ToRouter);
            is_counted |= matches!(part, Part::Header | Part::Length);
        }
        if is_addressed && is_counted {
            return Ok(header);
        }
        let missing = if is_addressed { "length" } else { "destination" };
        Err(format!("the map has no place for the {missing} of a packet: such packets have to be composed"))
    }

    /// Whether a flit is as expected wherever it may not be changed.
    pub(super) fn is_intact(&self, flit: &Bits, expected: &Bits) -> bool {
        flit.agrees(expected, &self.kept)
    }

    /// The fields in which two flits differ, or that other bits do.
    pub(super) fn difference(&self, flit: &Bits, expected: &Bits) -> String {
        let differs = |field: &&Field| read(flit, field) != read(expected, field);
        let fields =
            self.all().filter(|field| self.fields.vc.as_ref().is_none_or(|vc| vc.path != field.path));
        let told: Vec<_> = fields
            .filter(differs)
            .map(|field| {
                format!("{} is {:#x}, not {:#x}", field.path, read(flit, field), read(expected, field))
            })
            .collect();
        if told.is_empty() { "payload bits differ".to_owned() } else { told.join(", ") }
    }
}

/// Flits of the longest packet that a header can tell of.
const LONGEST: u16 = (1 << layout::LENGTH_BITS) - 1;

fn part_of(part: Part, contents: &Contents<'_>, count: Count) -> u128 {
    let Contents { header, next_port, .. } = contents;
    match part {
        Part::Header => header.emit().into(),
        Part::ToRouter => header.to.router.into(),
        Part::ToPort => header.to.port.into(),
        Part::Via => header.via.into(),
        Part::Progress => header.progress.bits().into(),
        Part::Length => count.of(header.length.into()).unwrap_or(0).into(),
        Part::NextPort => *next_port as u128,
    }
}

fn write(flit: &mut Bits, field: &Field, value: u128) {
    let mut rest = value;
    for (low, bits) in steps(field) {
        flit.put(low, bits, rest as u64);
        rest >>= bits;
    }
}

fn read(flit: &Bits, field: &Field) -> u128 {
    let (mut value, mut at) = (0, 0);
    for (low, bits) in steps(field) {
        value |= u128::from(flit.get(low, bits)) << at;
        at += bits;
    }
    value
}

/// The pieces of a field, none of them wider than a number of 64 bits.
fn steps(field: &Field) -> impl Iterator<Item = (u32, u32)> + '_ {
    field
        .pieces
        .iter()
        .flat_map(|&(low, bits)| (0..bits).step_by(64).map(move |at| (low + at, (bits - at).min(64))))
}
