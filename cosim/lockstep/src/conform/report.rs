//! The report at the end of a check.

use super::bench::Bench;
use super::finding::{self, Finding};
use super::phase::Phase;
use super::promise::Promise;
use super::rule::{Checks, Rule, Violation};
use super::share::Share;
use super::tally::Span;
use super::unseen::{Unseen, unseen};
use crate::structural::Structural;
use router_core::PortClass;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// A switch that did nothing wrong but what is allowed.
#[derive(Clone, Debug)]
pub struct Report {
    /// The router whose place it took.
    pub router: usize,
    /// Cycles of its clock.
    pub cycles: u64,
    /// Packets that went through it.
    pub packets: u64,
    /// Flits that came out of it.
    pub flits: u64,
    /// How often each rule was looked at.
    pub checks: Checks,
    /// Cycles from head in to head out of packets that met no other; with store and forward, from tail in to head out.
    pub latencies: Vec<Latency>,
    /// Flits per cycle and port under full load.
    pub throughput: f64,
    /// Ways from an input VC to an output that packets took, and that the scenario's packets can take.
    pub ways: (usize, usize),
    /// Pairs of an input port and an output port that packets may take, and all pairs of connected ports.
    pub pairs: (usize, usize),
    /// Credits of the outputs that were counted by withholding them, and how many there are; `None` without credits.
    pub credits: Option<(u32, u32)>,
    /// Input VCs by which no packet of the scenario comes here, by port of the switch.
    pub unused: Vec<String>,
    /// Lengths of the packets, in flits.
    pub lengths: Vec<u16>,
    /// Cycles after which a packet would have waited for ever.
    pub patience: u64,
    /// Cycles of the longest stretch of packets to one output.
    pub longest_stretch: u64,
    /// Rules that broke and are allowed to.
    pub findings: Vec<Finding>,
    /// The input that was served least, of those that wanted one output in every cycle; `None` where no two did.
    pub least_share: Option<Share>,
    /// Whether latencies begin with the tail of a packet, since it has to be there before its head leaves.
    pub from_tail: bool,
    /// What the scenario promises and was not looked at: a rule or a key, and why.
    pub unseen: Vec<Unseen>,
    /// What of the design was reached, where that was counted.
    pub coverage: Option<Structural>,
}

/// Zero-load latency between two classes of ports, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latency {
    /// Where the packets came in.
    pub from: &'static str,
    /// Where they went out.
    pub to: &'static str,
    /// The fewest cycles.
    pub least: u64,
    /// The most.
    pub most: u64,
    /// Packets measured.
    pub packets: u64,
}

impl Report {
    pub(super) fn new(bench: &Bench<'_, '_>, phases: &[Phase], lengths: &[u16]) -> Self {
        let (site, tally) = (bench.site, &bench.ledger.tally);
        let blueprint = site.blueprint;
        let mut spans: BTreeMap<(PortClass, PortClass), Span> = BTreeMap::new();
        for (&(from, to), &span) in &tally.alone {
            let kinds = (site.port(from).kind, site.port(to).kind);
            spans.entry(kinds).and_modify(|known| *known = known.join(span)).or_insert(span);
        }
        let names = blueprint.wiring().class_names();
        let latency = |((from, to), span): ((PortClass, PortClass), Span)| Latency {
            from: names[from.index()],
            to: names[to.index()],
            least: span.least,
            most: span.most,
            packets: span.count,
        };
        let vcs: Vec<_> =
            site.wired().flat_map(|port| (0..site.port(port).vcs).map(move |vc| (port, vc))).collect();
        let possible = vcs.iter().map(|&(port, vc)| bench.pool.at(port, vc).outputs().count()).sum();
        let unused = vcs.iter().filter(|&&(port, vc)| bench.pool.at(port, vc).is_empty());
        Self {
            router: site.router,
            cycles: bench.ledger.cycle,
            packets: tally.packets,
            flits: tally.flits_out,
            checks: bench.ledger.checks.clone(),
            latencies: spans.into_iter().map(latency).collect(),
            throughput: bench.throughput,
            ways: (tally.used.len(), possible),
            pairs: bench.pool.pairs(site),
            credits: bench.credits(),
            unused: unused.map(|&(port, vc)| format!("{} VC {vc}", site.port(port))).collect(),
            lengths: lengths.to_vec(),
            patience: bench.patience,
            longest_stretch: phases
                .iter()
                .filter(|phase| phase.towards.is_some() && phase.crossing == 0.0)
                .map(|phase| phase.cycles)
                .max()
                .unwrap_or(0),
            findings: bench.ledger.findings.all().to_vec(),
            least_share: bench.least_share.clone(),
            from_tail: Promise::of(blueprint.scenario()).has_arrived(),
            unseen: unseen(site, &bench.pins.output.flow),
            coverage: None,
        }
    }

    /// Each rule with how often it was looked at, a line for each; those that were never looked at with the reason, if it is known.
    pub fn rules(&self) -> String {
        let line = |rule: Rule| match self.checks.of(rule) {
            0 => format!("  {:<16} {:<69} not looked at\n", rule.name(), rule.sentence()),
            count => format!("  {:<16} {:<69} {count:>9}\n", rule.name(), rule.sentence()),
        };
        Rule::ALL.into_iter().map(line).collect()
    }

    /// What was not compared although it had to be: then the check is worth nothing.
    pub(super) fn nothing(&self) -> Option<String> {
        let must = [
            Rule::FlitInvented,
            Rule::LegalPort,
            Rule::LegalVc,
            Rule::PacketOrder,
            Rule::FlitChanged,
            Rule::Waiting,
        ];
        let missing = must.into_iter().find(|rule| self.checks.of(*rule) == 0);
        if self.packets == 0 {
            return Some(format!(
                "no packet of the scenario comes by router {}: nothing was compared",
                self.router
            ));
        }
        missing.map(|rule| format!("{rule} ({}) was never looked at: nothing was compared", rule.sentence()))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { router, cycles, packets, flits, throughput, ways, pairs, patience, .. } = self;
        let broken: Vec<_> = self.findings.iter().map(|finding| finding.first.rule.name()).collect();
        if broken.is_empty() {
            writeln!(f, "conforms: in the place of router {router}, no rule was broken")?;
        } else {
            let broken = broken.join(", ");
            writeln!(
                f,
                "conforms but for what is allowed: in the place of router {router}, {broken} broken"
            )?;
        }
        writeln!(f)?;
        let lengths: Vec<_> = self.lengths.iter().map(ToString::to_string).collect();
        writeln!(f, "  cycles      {cycles}")?;
        writeln!(f, "  packets     {packets}, of {} flits", lengths.join(" or "))?;
        writeln!(f, "  flits       {flits}")?;
        writeln!(f, "  checks      {}", self.checks.total())?;
        writeln!(f, "  ways        {} of {} from an input VC to an output", ways.0, ways.1)?;
        let more = if pairs.0 < pairs.1 { "; packets of the scenario take no others" } else { "" };
        writeln!(f, "  pairs       {} of {} of an input port and an output port{more}", pairs.0, pairs.1)?;
        if let Some((counted, all)) = self.credits {
            writeln!(f, "  credits     {counted} of {all} of the outputs counted by withholding them")?;
        }
        writeln!(f, "  full load   {throughput:.3} flits per cycle and port")?;
        if let Some(Share { share, input, output, rivals, .. }) = &self.least_share {
            writeln!(
                f,
                "  shares      {share:.2} of an equal one at least: {input} of {} VCs of {} ports that want {output}",
                rivals.0, rivals.1
            )?;
        }
        let looked = Rule::ALL.into_iter().filter(|rule| self.checks.of(*rule) > 0).count();
        writeln!(f, "  rules       {looked} of {} looked at; --verbose lists them", Rule::ALL.len())?;
        writeln!(f)?;
        let from = if self.from_tail { "tail" } else { "head" };
        writeln!(f, "  zero-load latency, {from} in to head out, in cycles")?;
        for Latency { from, to, least, most, packets } in &self.latencies {
            let span = if least == most { least.to_string() } else { format!("{least} to {most}") };
            let names = format!("{from} to {to}");
            writeln!(f, "    {names:<18}{span} ({packets} packets)")?;
        }
        if !self.unseen.is_empty() {
            writeln!(f, "\n  of what the scenario promises, not looked at")?;
        }
        for (name, why) in &self.unseen {
            writeln!(f, "    {name:<24}{why}")?;
        }
        if !self.unused.is_empty() {
            writeln!(f, "\n  no packet of this scenario comes by {}", self.unused.join(", "))?;
        }
        if self.longest_stretch < *patience {
            writeln!(
                f,
                "\n  a packet waits for ever after {patience} cycles, but no output was wanted by all for more than {}: a longer run (--cycles) sees more",
                self.longest_stretch
            )?;
        }
        if let Some(coverage) = &self.coverage {
            writeln!(f, "{coverage}")?;
        }
        if !self.findings.is_empty() {
            writeln!(f, "\n  broken, and allowed:")?;
        }
        finding::list(&self.findings, f)
    }
}

/// A switch that did something wrong.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// When, in cycles of its clock from the beginning of the reset.
    pub cycle: u64,
    /// What.
    pub violation: Violation,
    /// What happened before, oldest first.
    pub events: Vec<String>,
    /// Flits that were compared until then.
    pub flits: u64,
    /// How often each rule was looked at until then.
    pub checks: Checks,
    /// Whether the rule is allowed to break, but not in this way.
    pub is_allowed: bool,
    /// Rules that broke before and are allowed to.
    pub findings: Vec<Finding>,
    /// The file, or why there is none; `None` when none was asked for.
    pub waveform: Option<Result<PathBuf, String>>,
}

impl Mismatch {
    pub(super) fn new(bench: &Bench<'_, '_>, violation: Violation) -> Self {
        let findings = &bench.ledger.findings;
        Self {
            cycle: bench.ledger.cycle,
            is_allowed: findings.allows(violation.rule),
            findings: findings.all().to_vec(),
            violation,
            events: bench.ledger.events.tell(bench.site),
            flits: bench.ledger.tally.flits_out,
            checks: bench.ledger.checks.clone(),
            waveform: None,
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, violation: Violation { rule, since, place, message, packet }, .. } = self;
        writeln!(f, "mismatch: cycle {cycle}, {place}: {rule} broken ({})", rule.sentence())?;
        writeln!(f, "  {message}")?;
        if !packet.is_empty() {
            writeln!(f, "  {}", packet.replace('\n', "\n  "))?;
        }
        writeln!(f, "  {} flits were as they must be before", self.flits.saturating_sub(1))?;
        if self.is_allowed {
            writeln!(f, "  {rule} is allowed to break, but behind this the run cannot go on")?;
        }
        if !self.findings.is_empty() {
            writeln!(f, "\n  broken before, and allowed:")?;
        }
        finding::list(&self.findings, f)?;
        write!(f, "\n  the last events:")?;
        for event in &self.events {
            write!(f, "\n    {event}")?;
        }
        match &self.waveform {
            Some(Ok(file)) => {
                let shown = since.unwrap_or(*cycle);
                write!(f, "\n\n  waveform: {} (cycle {shown} is at time {})", file.display(), 10 * shown)
            }
            Some(Err(why)) => write!(f, "\n\n  no waveform: {why}"),
            None => Ok(()),
        }
    }
}
