//! `[congestion]`: InfiniBand's congestion control, at routers and at nodes.

use router_core::congestion::{AdapterSettings, Entry, Table};
use router_core::mark::{MOST_WEIGHT, MarkSettings};

use super::choice;
use super::model::{ControlKind, ControlScope, RoutingScheme, Scenario};
use super::word::Word as _;
use super::{Keys, PerClass};
use crate::document::write::{number, quoted};
use crate::document::{Lines, Problem, Section};

/// `[congestion]`
#[derive(Debug, Clone, PartialEq)]
pub struct CongestionSettings {
    /// The threshold weight of outputs, by the class of their links, 0…15; 0: they never mark.
    pub threshold: PerClass<u32>,
    /// Whether outputs without credits mark, too: the victims of congestion further on.
    pub victim_mask: bool,
    /// Which packets are marked.
    pub marks: MarkSettings,
    /// The index of a source, and its timer.
    pub adapter: AdapterSettings,
    /// Delay behind a packet, in times of that packet, that each step of the index adds, 0…255, kept in eighths.
    pub cct_step: f64,
    /// Flits of a notification that is a packet of its own, 1…1023.
    pub notification_flits: u32,
    /// Which packets of a node a notification holds back.
    pub scope: ControlScope,
}

impl CongestionSettings {
    /// What holds for the keys that a file leaves out, with so many classes of links: no router marks.
    pub(super) fn defaults(classes: usize) -> Self {
        Self {
            threshold: PerClass::all(classes, 0),
            victim_mask: false,
            marks: MarkSettings::default(),
            adapter: AdapterSettings::default(),
            cct_step: 0.25,
            notification_flits: 1,
            scope: ControlScope::Node,
        }
    }

    /// Its keys, in the order in which they are written.
    pub(super) fn keys() -> Keys {
        let mut keys = vec!["threshold", "victim_mask"];
        keys.extend(choice::keys_of_group::<MarkSettings>());
        keys.extend(choice::keys_of_group::<AdapterSettings>());
        keys.extend(["cct_step", "notification_flits", "scope"]);
        keys
    }

    /// Reads the table.
    pub(super) fn read(section: &Section<'_>, classes: &[&str]) -> Result<Self, Problem> {
        let default = Self::defaults(classes.len());
        let weights = 0..=u32::from(MOST_WEIGHT);
        Ok(Self {
            threshold: PerClass::read(section, "threshold", classes, weights, default.threshold)?,
            victim_mask: section.get("victim_mask").map_or(Ok(default.victim_mask), |field| field.flag())?,
            marks: choice::group(section, default.marks)?,
            adapter: choice::group(section, default.adapter)?,
            cct_step: section.number("cct_step", 0.0..=255.0, default.cct_step)?,
            notification_flits: section.whole("notification_flits", 1..=1023, default.notification_flits)?,
            scope: section.get("scope").map_or(Ok(default.scope), |field| field.word())?,
        })
    }

    /// Its keys and their values.
    pub(super) fn write(&self, classes: &[&str]) -> Lines {
        let mut lines =
            vec![("threshold", self.threshold.write(classes)), ("victim_mask", self.victim_mask.to_string())];
        lines.extend(choice::lines_of_group(self.marks));
        lines.extend(choice::lines_of_group(self.adapter));
        lines.push(("cct_step", number(&self.cct_step)));
        lines.push(("notification_flits", self.notification_flits.to_string()));
        if self.scope != ControlScope::Node {
            lines.push(("scope", quoted(self.scope.word())));
        }
        lines
    }

    /// Whether a router marks at all.
    #[must_use]
    pub fn marks_anything(&self) -> bool {
        self.threshold.highest() > 0
    }

    /// The congestion control table: entry `n` is a delay of `n` steps, in eighths of a packet's time, rounded down.
    #[must_use]
    pub fn table(&self) -> Table<Box<[Entry]>> {
        let entry = |n: u16| Entry::eighths((f64::from(n) * self.cct_step * 8.0) as u32);
        let entries: Box<[Entry]> = (0..=self.adapter.limit).map(entry).collect();
        // Never falls, and has an entry 0.
        Table::new(entries).unwrap_or_default()
    }
}

impl Scenario {
    /// Whether routers mark, or sources listen: results speak of it.
    #[must_use]
    pub fn has_congestion_control(&self) -> bool {
        self.listens() || self.congestion.marks_anything()
    }

    /// Whether sources act on notifications: they send less, or by other paths.
    #[must_use]
    pub fn listens(&self) -> bool {
        self.injection.control == ControlKind::CongestionControl
            || matches!(self.routing.scheme, RoutingScheme::DrbInfiniBand(_))
    }

    /// Whether nodes send notifications that are packets of their own: sources listen, and no replies or ACKs could bring them.
    #[must_use]
    pub fn has_notifications(&self) -> bool {
        self.listens() && self.answer_flits() == 0
    }

    /// Flits of a packet that a node answers with: a reply, an ACK or a notification; `None`: nothing is answered.
    fn answer(&self) -> Option<u32> {
        let notification = self.has_notifications().then_some(self.congestion.notification_flits);
        notification.or_else(|| Some(self.answer_flits()).filter(|&flits| flits > 0))
    }

    /// Flits of the shortest packet, answers and messages included.
    #[must_use]
    pub fn shortest_packet(&self) -> u32 {
        if self.reservation().is_some() {
            return 1;
        }
        let shortest = self.traffic.shortest();
        self.answer().map_or(shortest, |answer| shortest.min(answer))
    }

    /// The lengths that packets have, in flits, in ascending order, answers and messages included.
    #[must_use]
    pub fn packet_lengths(&self) -> Vec<u32> {
        let generated = self.traffic.packet_flits.shares().into_iter().map(|one| one.flits);
        let replies = Some(self.traffic.reply_flits).filter(|&flits| flits > 0);
        let messages = self.reservation().map(|_| 1);
        let mut lengths: Vec<_> = generated.chain(replies).chain(self.answer()).chain(messages).collect();
        lengths.sort_unstable();
        lengths.dedup();
        lengths
    }

    /// Flits of the longest packet, answers included.
    #[must_use]
    pub fn longest_packet(&self) -> u32 {
        let longest = self.traffic.longest();
        self.answer().map_or(longest, |answer| longest.max(answer))
    }
}
