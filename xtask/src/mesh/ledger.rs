//! What became of each packet, by the records of all boards.

use super::shape::{Hop, Mesh};
use super::verdict::{Loss, Reason, Shown, Verdict};
use desvio_tile::{Defect, Name, ROOM, Record};
use std::collections::{BTreeMap, BTreeSet};

/// Packets, and what was said of them.
#[derive(Debug)]
pub(super) struct Ledger {
    mesh: Mesh,
    packets: BTreeMap<Name, Passage>,
    /// Packets in the order in which they came to each board.
    arrivals: BTreeMap<u8, Vec<Name>>,
    /// Records of each life of a board, counted: the order of its own records is known.
    records: BTreeMap<(u8, u8), usize>,
    /// When the neighbour of a port restarted, by the count of its board.
    restarts: BTreeMap<(u8, u8, u8), Vec<usize>>,
    /// Lives that have ended.
    ended: BTreeSet<(u8, u8)>,
    /// Violations that are no packet's.
    unnamed: Vec<String>,
}

/// One packet.
#[derive(Debug, Default)]
struct Passage {
    /// Where it goes, once its source has said so.
    to: Option<u8>,
    flits: u8,
    offers: u32,
    /// Hops, with the life of the board and the count of its record.
    hops: Vec<(Hop, u8, usize)>,
    /// Where it came to a node.
    deliveries: Vec<u8>,
    broken: Vec<(u8, Defect)>,
    /// Ports that reported flits of it lost, and those that did not take some.
    lost: BTreeSet<Hop>,
    severed: BTreeSet<Hop>,
}

impl Ledger {
    pub(super) fn new(mesh: Mesh) -> Self {
        Self {
            mesh,
            packets: BTreeMap::new(),
            arrivals: BTreeMap::new(),
            records: BTreeMap::new(),
            restarts: BTreeMap::new(),
            ended: BTreeSet::new(),
            unnamed: Vec::new(),
        }
    }

    /// A record of a life of a board.
    pub(super) fn record(&mut self, board: u8, life: u8, record: &Record) {
        let count = self.records.entry((board, life)).or_default();
        *count += 1;
        let count = *count;
        match *record {
            Record::Offered { name, to, flits } => {
                let passage = self.packets.entry(name).or_default();
                passage.offers += 1;
                (passage.to, passage.flits) = (Some(to), flits);
                if (name.source, name.life) != (board, life) {
                    self.unnamed.push(format!("board {board} offers {}", Shown(name)));
                }
            }
            Record::Left { name, port } => {
                self.packets.entry(name).or_default().hops.push(((board, port), life, count));
            }
            Record::Delivered { name } => {
                self.packets.entry(name).or_default().deliveries.push(board);
                self.arrivals.entry(board).or_default().push(name);
            }
            Record::Broken { name: Some(name), defect } => {
                self.packets.entry(name).or_default().broken.push((board, defect));
            }
            Record::Broken { name: None, .. } => {
                self.unnamed.push(format!("a packet came to board {board} whose head cannot be read"));
            }
            Record::Lost { name: Some(name), port } => {
                self.packets.entry(name).or_default().lost.insert((board, port));
            }
            Record::Severed { name: Some(name), port } => {
                self.packets.entry(name).or_default().severed.insert((board, port));
            }
            Record::Restarted { port } => {
                self.restarts.entry((board, life, port)).or_default().push(count);
            }
            Record::Refused { count } => {
                self.unnamed.push(format!("board {board} refuses flits, credits or frames: {count} so far"));
            }
            // A flit without a name stands for one that never came: its packet is cut short.
            Record::Lost { name: None, .. } | Record::Severed { name: None, .. } => {}
            Record::Booted
            | Record::Started { .. }
            | Record::Port { .. }
            | Record::Done
            | Record::Counted { .. } => {}
        }
    }

    /// A life of a board is over, and all its records have been taken.
    pub(super) fn end(&mut self, board: u8, life: u8) {
        self.ended.insert((board, life));
    }

    /// Packets that a life of a board has offered.
    pub(super) fn offered_by(&self, board: u8, life: u8) -> u32 {
        let first = Name { source: board, life, number: 0 };
        let last = Name { number: u32::MAX, ..first };
        self.packets.range(first..=last).filter(|(_, passage)| passage.offers > 0).count() as u32
    }

    /// Packets delivered so far.
    pub(super) fn delivered(&self) -> usize {
        self.arrivals.values().map(Vec::len).sum()
    }

    /// Packets delivered to a board.
    pub(super) fn delivered_to(&self, board: u8) -> usize {
        self.arrivals.get(&board).map_or(0, Vec::len)
    }

    /// Whether nothing is under way any more, as far as records tell.
    pub(super) fn is_settled(&self) -> bool {
        self.packets
            .iter()
            .all(|(name, passage)| !passage.deliveries.is_empty() || self.reason(*name, passage).is_some())
    }

    fn has_restarted(&self, board: u8) -> bool {
        self.ended.iter().any(|&(ended, _)| ended == board)
    }

    /// Why a packet that did not come may be lost.
    fn reason(&self, name: Name, passage: &Passage) -> Option<Reason> {
        let neighbour = |&(by, port): &Hop| {
            let neighbour = self.mesh.neighbour(by, port)?;
            self.has_restarted(neighbour).then_some(Reason::Reported { by, neighbour })
        };
        let way = self.mesh.way(name.source, passage.to?)?;
        passage.lost.iter().chain(&passage.severed).find_map(neighbour).or_else(|| {
            let restarts = way.iter().any(|&(board, _)| self.has_restarted(board));
            let is_short = passage.broken.iter().any(|&(_, defect)| defect == Defect::CutShort);
            if is_short && restarts { Some(Reason::CutShort) } else { self.inside(name, passage, &way) }
        })
    }

    /// The board that the trail of a packet ends at, if that one has restarted since.
    fn inside(&self, name: Name, passage: &Passage, way: &[Hop]) -> Option<Reason> {
        let furthest = way.iter().rev().find_map(|hop| passage.hops.iter().find(|(taken, ..)| taken == hop));
        let Some(&((board, port), life, count)) = furthest else {
            let ended = self.ended.contains(&(name.source, name.life));
            return ended.then_some(Reason::Inside { board: name.source });
        };
        let after = |restarts: &Vec<usize>| restarts.iter().any(|&restart| restart > count);
        if self.restarts.get(&(board, life, port)).is_some_and(after) {
            return Some(Reason::Inside { board: self.mesh.neighbour(board, port)? });
        }
        self.ended.contains(&(board, life)).then_some(Reason::Inside { board })
    }

    /// Judges all that was recorded; `expected` packets were to be offered.
    pub(super) fn verdict(&self, expected: usize) -> Verdict {
        let mut verdict = Verdict { violations: self.unnamed.clone(), ..Verdict::default() };
        for (&name, passage) in &self.packets {
            self.judge(name, passage, &mut verdict);
        }
        if verdict.offered != expected {
            verdict.violations.push(format!("{} packets were sent, not {expected}", verdict.offered));
        }
        verdict.violations.extend(self.out_of_order());
        verdict.violations.extend(self.too_many(&verdict.losses));
        verdict
    }

    fn judge(&self, name: Name, passage: &Passage, verdict: &mut Verdict) {
        let mut wrong = |what: String| verdict.violations.push(format!("{}: {what}", Shown(name)));
        let Some((to, 1)) = passage.to.map(|to| (to, passage.offers)) else {
            return wrong(format!("its source sent it {} times", passage.offers));
        };
        verdict.offered += 1;
        let Some(way) = self.mesh.way(name.source, to) else {
            return wrong(format!("no way leads to board {to}"));
        };
        for &(board, defect) in &passage.broken {
            if defect == Defect::Wrong {
                wrong(format!("it came to board {board} with wrong bytes"));
            }
        }
        if let Some((stray, ..)) = passage.hops.iter().find(|(hop, ..)| !way.contains(hop)) {
            wrong(format!("it left board {} by port {}, which is not on its way", stray.0, stray.1));
        }
        let may_be_lost = self.reason(name, passage);
        match (passage.deliveries.as_slice(), may_be_lost) {
            (&[board], reason) => {
                if board != to {
                    wrong(format!("it came to board {board}, and is for board {to}"));
                }
                if !passage.broken.is_empty() {
                    wrong("it came twice, once of them broken".to_owned());
                }
                let taken: Vec<Hop> = passage.hops.iter().map(|&(hop, ..)| hop).collect();
                // A board that is restarted takes records with it.
                let is_certain = way.iter().all(|&(board, _)| !self.has_restarted(board));
                if is_certain && taken.len() != way.len() {
                    wrong(format!("it took {} hops instead of {}", taken.len(), way.len()));
                }
                verdict.delivered += 1;
                verdict.flits += usize::from(passage.flits);
                verdict.hops += way.len();
                verdict.spared += usize::from(matches!(reason, Some(Reason::Reported { .. })));
            }
            (&[], Some(reason)) => verdict.losses.push(Loss { name, to, reason }),
            (&[], None) if passage.broken.is_empty() => {
                wrong(format!("it never came to board {to}, and no restart explains that"));
            }
            (&[], None) if passage.broken.iter().all(|&(_, defect)| defect == Defect::CutShort) => {
                wrong("it came cut short, and no restart explains that".to_owned());
            }
            // Said above.
            (&[], None) => {}
            (several, _) => wrong(format!("it came {} times", several.len())),
        }
        if may_be_lost.is_none() && !(passage.lost.is_empty() && passage.severed.is_empty()) {
            wrong("a link reports it lost, and no neighbour has restarted".to_owned());
        }
    }

    /// Boards that more packets are said to have been in than there is room for.
    fn too_many(&self, losses: &[Loss]) -> Vec<String> {
        let mut inside = BTreeMap::<u8, usize>::new();
        for loss in losses {
            if let Reason::Inside { board } = loss.reason {
                let flits = self.packets.get(&loss.name).map_or(0, |passage| passage.flits);
                *inside.entry(board).or_default() += usize::from(flits);
            }
        }
        let room = |board| ROOM * self.ended.iter().filter(|&&(ended, _)| ended == board).count();
        inside.retain(|&board, flits| *flits > room(board));
        let said = |(board, flits)| {
            format!("{flits} flits are said to be lost in board {board}: it has no room for them")
        };
        inside.into_iter().map(said).collect()
    }

    /// Packets that came after a later one of the same source.
    fn out_of_order(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (board, names) in &self.arrivals {
            let mut latest = BTreeMap::new();
            for &name in names {
                let before = latest.insert(name.source, name);
                // The same one twice is another finding.
                if let Some(before) = before.filter(|&before| before > name) {
                    found.push(format!("{} came to board {board} after {}", Shown(name), Shown(before)));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
