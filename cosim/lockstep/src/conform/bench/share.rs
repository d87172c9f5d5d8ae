//! Stretches in which some inputs want one output in every cycle, and none of them may get far less of it than the others.

use super::super::phase::Sinks as Manner;
use super::super::rule::{Rule, Violation};
use super::super::share::{Rival, Served, Share, least};
use super::super::source::{Demand, Lengths};
use super::Bench;
use desvio_sim::scenario::Priority;
use router_core::units::PortClass;
use std::collections::BTreeSet;

/// The inputs of a stretch, a bit for each port, the output that they want, any if there is none, and how long packets are.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    among: u64,
    towards: Option<usize>,
    lengths: Lengths,
}

impl Bench<'_, '_> {
    /// For each output: all inputs at once, with long packets and with short ones, and as many sets of three as there is time for.
    /// For each input: its VCs among themselves, whatever their packets want.
    pub(super) fn share_all(&mut self, cycles: u64) -> Result<(), Violation> {
        let scenario = self.site.blueprint.scenario();
        if scenario.router.vl_arbitration.is_some() {
            return Ok(());
        }
        let ports: Vec<_> = self.site.wired().collect();
        let budget = cycles / 2 / ports.len().max(1) as u64;
        for &output in &ports {
            for inputs in self.equals(output) {
                let mut left = budget;
                for (number, stretch) in stretches(&inputs, output).into_iter().enumerate() {
                    let flits = self.enough(stretch);
                    // All at once, and one set of three, whatever it takes.
                    let is_due = number < 2 && flits <= MOST || number == 2;
                    if is_due || flits <= left {
                        self.share(stretch)?;
                        left = left.saturating_sub(flits);
                    }
                }
            }
        }
        for port in ports {
            self.share(Stretch { among: 1 << port, towards: None, lengths: Lengths::Longest })?;
        }
        Ok(())
    }

    /// The inputs that want an output and have the same right to it.
    fn equals(&self, output: usize) -> Vec<Vec<usize>> {
        let wants = |port: &usize| self.rivals(1 << port, Some(output)).next().is_some();
        let wanting = self.site.wired().filter(wants);
        let is_node = |port: &usize| self.site.port(*port).kind == PortClass::NODE;
        if self.site.blueprint.scenario().router.options.priority == Priority::Transit {
            let (nodes, others) = wanting.partition(is_node);
            return vec![others, nodes];
        }
        vec![wanting.collect()]
    }

    /// The input VCs of some ports by which packets come that want an output.
    fn rivals(&self, among: u64, towards: Option<usize>) -> impl Iterator<Item = Rival> + '_ {
        let ports = self.site.wired().filter(move |port| among >> port & 1 == 1);
        let vcs = ports.flat_map(|port| (0..self.site.port(port).vcs).map(move |vc| (port, vc)));
        vcs.filter_map(move |channel| {
            let arrivals = self.pool.at(channel.0, channel.1);
            let is_one = !arrivals.is_empty()
                && towards.is_none_or(|output| arrivals.outputs().any(|port| port == output));
            let lanes = towards.map_or(0, |output| {
                let may = |vc: &usize| {
                    arrivals.towards(output).iter().any(|one| self.ledger.may_leave_by(one, towards, *vc))
                };
                (0..self.site.port(output).vcs).filter(may).fold(0, |lanes, vc| lanes | 1 << vc)
            });
            is_one.then_some(Rival { channel, lanes, flits: 0 })
        })
    }

    /// Flits after which the shares of a stretch can be compared.
    fn enough(&self, stretch: Stretch) -> u64 {
        let rivals = self.rivals(stretch.among, stretch.towards).count() as u64;
        PACKETS * u64::from(self.sources.length(stretch.lengths)) * rivals
    }

    /// One stretch.
    fn share(&mut self, stretch: Stretch) -> Result<(), Violation> {
        let Stretch { among, towards, lengths } = stretch;
        let rivals: Vec<_> = self.rivals(among, towards).collect();
        if rivals.len() < 2 {
            return Ok(());
        }
        let demand = Demand { generate: true, towards, lengths, among, ..Demand::FINISH };
        let (enough, begin) = (self.enough(stretch), self.ledger.cycle);
        let (before, flits) = (self.ledger.tally.served.clone(), self.ledger.tally.flits_out);
        self.sources.take_idle();
        while self.ledger.tally.flits_out < flits + enough {
            self.step(&demand, Manner::Free)?;
            if self.ledger.cycle - begin > SLOWEST * enough * self.pace {
                return self.drain();
            }
        }
        let idle = self.sources.take_idle();
        let now = &self.ledger.tally.served;
        let of = |served: &Served, rival: &Rival| served.get(&rival.channel).copied().unwrap_or(0);
        let served = |rival: &Rival| Rival { flits: of(now, rival) - of(&before, rival), ..*rival };
        let rivals: Vec<_> =
            rivals.iter().filter(|rival| !idle.contains(&rival.channel)).map(served).collect();
        self.judge(&rivals, towards, self.ledger.cycle - begin)?;
        self.drain()
    }

    /// Whether one of those that wanted an output got far less than an equal share.
    fn judge(&mut self, rivals: &[Rival], towards: Option<usize>, cycles: u64) -> Result<(), Violation> {
        let Some((rival, share)) = least(rivals) else { return Ok(()) };
        self.ledger.checks.count(Rule::FairShare);
        let found = self.described(rivals, (rival, share), towards, cycles);
        let (input, output) = (found.input.clone(), found.output.clone());
        if self.least_share.as_ref().is_none_or(|least| share < least.share) {
            self.least_share = Some(found);
        }
        if share >= self.fair_share {
            return Ok(());
        }
        let of = |rival: &Rival| {
            let (port, vc) = rival.channel;
            format!("{} VC {vc}: {}", self.site.port(port), rival.flits)
        };
        let all: Vec<_> = rivals.iter().map(of).collect();
        let message = format!(
            "{} flits of it left in {cycles} cycles in which it always had some for {output}: {share:.3} of an equal share, at least {} is asked for; flits of all that wanted it: {}",
            rival.flits,
            self.fair_share,
            all.join(", ")
        );
        let (place, packet) = (format!("input {input}"), String::new());
        let since = Some(self.ledger.cycle.saturating_sub(cycles));
        self.ledger.raise(Violation { rule: Rule::FairShare, since, place, message, packet })
    }

    fn described(
        &self,
        rivals: &[Rival],
        (rival, share): (Rival, f64),
        towards: Option<usize>,
        cycles: u64,
    ) -> Share {
        let (port, vc) = rival.channel;
        let ports: BTreeSet<_> = rivals.iter().map(|rival| rival.channel.0).collect();
        Share {
            share,
            input: format!("{} VC {vc}", self.site.port(port)),
            output: towards.map_or_else(|| "any output".to_owned(), |port| self.site.port(port).to_string()),
            rivals: (rivals.len(), ports.len()),
            cycles,
        }
    }
}

/// The stretches in which some inputs want an output: all of them with long packets, all with short ones, each set of three that are
/// next to each other.
fn stretches(inputs: &[usize], output: usize) -> Vec<Stretch> {
    let mask = |ports: &[usize]| ports.iter().fold(0, |mask, port| mask | 1 << port);
    let stretch = |among, lengths| Stretch { among, towards: Some(output), lengths };
    let all = mask(inputs);
    let mut found = vec![stretch(all, Lengths::Longest), stretch(all, Lengths::Shortest)];
    if inputs.len() > 3 {
        let around: Vec<_> = inputs.iter().chain(inputs).copied().collect();
        let threes = around.windows(3).take(inputs.len());
        found.extend(threes.map(|three| stretch(mask(three), Lengths::Longest)));
    }
    found
}

/// Packets of each input VC in a stretch of equal shares: with as many, an eighth of a share is no accident of an arbiter that draws.
const PACKETS: u64 = 32;
/// Flits of a stretch that is run whatever time there is.
const MOST: u64 = 1 << 14;
/// Cycles for each flit, in times of those on a link, after which a stretch is given up.
const SLOWEST: u64 = 16;
