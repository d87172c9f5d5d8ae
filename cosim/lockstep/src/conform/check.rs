//! What a check is made of, and how it is run again for its waveform.

use super::bench::{Bench, Window};
use super::device::{Compiled, Device};
use super::dice::Dice;
use super::document::Problem;
use super::finding::Findings;
use super::flit::FlitLayout;
use super::ledger::Ledger;
use super::map::PortMap;
use super::module::Module;
use super::phase::{Phase, plan};
use super::pins::Pins;
use super::promise::Promise;
use super::report::{Mismatch, Report};
use super::sink::Sinks;
use super::site::Site;
use super::source::{Habits, Sources};
use super::walk::Pool;
use super::{ConformError, Options};
use crate::structural::Structural;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use verilated::{Coverage, Design, Trace};

/// Everything a run needs, so that it can be run again.
#[derive(Debug)]
pub(super) struct Check<'c, 'b> {
    pub(super) map: &'c PortMap,
    pub(super) site: &'c Site<'b>,
    pub(super) pool: &'c Pool,
    pub(super) lengths: &'c [u16],
    pub(super) options: &'c Options,
}

impl<'c, 'b> Check<'c, 'b> {
    pub(super) fn bench(
        &self,
        design: &Design,
        window: Option<Window>,
    ) -> Result<Bench<'c, 'b>, ConformError> {
        let refuse = |problem: Problem| ConformError::Map(self.map.document.refuse(problem));
        let library = design.build()?;
        let model =
            library.model(self.options.seed).map_err(|failure| ConformError::Input(failure.to_string()))?;
        let pins = Pins::bind(self.map, self.site, &Module::compiled(&library)).map_err(refuse)?;
        let compiled = Compiled::bind(self.map, &pins, model).map_err(refuse)?;
        self.bench_at(pins, Device::Compiled(Box::new(compiled)), window)
    }

    /// The neighbours of a switch whose pins are found.
    pub(super) fn bench_at(
        &self,
        pins: Pins,
        device: Device,
        window: Option<Window>,
    ) -> Result<Bench<'c, 'b>, ConformError> {
        let Self { map, site, options, .. } = self;
        let refuse = |problem: Problem| ConformError::Map(map.document.refuse(problem));
        let bits = pins.input.flit.bits();
        if pins.output.flit.bits() != bits {
            let message = format!(
                "flits have {bits} bits at the inputs, but {} at the outputs",
                pins.output.flit.bits()
            );
            return Err(refuse(Problem::new(map.output.flit_at(), message)));
        }
        let layout = FlitLayout::new(map, site, self.lengths, bits).map_err(refuse)?;
        for (side, pins) in [(&map.input, &pins.input), (&map.output, &pins.output)] {
            let vcs = site.ports().iter().map(|port| port.vcs).max().unwrap_or(1);
            if vcs > 1 && pins.vc.is_none() && pins.valid.lanes == 1 && !layout.has_vc() {
                let message = format!(
                    "nothing tells the VC of a flit: expected `flit.vc`, `{}.vc`, or `{}.valid` with a bit for each VC",
                    side.key, side.key
                );
                return Err(refuse(Problem::new(side.flit_at(), message)));
            }
        }
        let pace = map.cycles_per_flit.unwrap_or(u64::from(site.blueprint.scenario().router.options.speedup));
        let habits = Habits {
            lengths: self.lengths.to_vec(),
            promise: Promise::of(site.blueprint.scenario()),
            pace,
            buffer: map.input.buffer_flits,
        };
        let longest = self.lengths.iter().copied().max().unwrap_or(1);
        Ok(Bench {
            site,
            pool: self.pool,
            ledger: Ledger::new(site, layout, self.allowed()?),
            sources: Sources::new(site, habits, pins.input.flow.gate()),
            sinks: Sinks::new(
                site,
                map.ports,
                pace,
                longest,
                map.output.buffer_flits,
                pins.output.flow.gate(),
            ),
            pins,
            device,
            dice: Dice::new(options.seed ^ 0x5eed_c0de),
            patience: options.patience.unwrap_or_else(|| self.patience(pace)),
            reset_cycles: map.reset.as_ref().map_or(0, |reset| reset.cycles),
            window,
            throughput: 0.0,
            pace,
            fair_share: options.fair_share,
            least_share: None,
            marks: BTreeMap::new(),
        })
    }

    /// How long a fair switch makes a packet wait at most, times eight: every flit before it in its VC lets one
    /// flit of every other VC of every port pass.
    fn patience(&self, pace: u64) -> u64 {
        let ports: Vec<_> = self.site.wired().map(|port| self.site.port(port)).collect();
        let vcs: u64 = ports.iter().map(|port| port.vcs as u64).sum();
        let deepest = ports.iter().map(|port| u64::from(port.buffer)).max().unwrap_or(1);
        let deepest = deepest.max(self.map.input.buffer_flits.map_or(0, u64::from));
        8 * deepest * vcs * pace + 1000
    }

    /// The rules that do not end the run.
    fn allowed(&self) -> Result<Findings, ConformError> {
        let allowed: Vec<_> = self.map.allow.iter().chain(&self.options.allow).copied().collect();
        match allowed.iter().find_map(|rule| Some((rule, rule.ends_the_run()?))) {
            Some((rule, why)) => Err(ConformError::Input(format!("{rule} cannot be allowed: {why}"))),
            None => Ok(Findings::new(allowed)),
        }
    }

    pub(super) fn phases(&self, bench: &Bench<'_, '_>) -> Vec<Phase> {
        let wired: Vec<_> = self.site.wired().collect();
        plan(self.options.cycles, bench.patience, &wired, |port| self.site.port(port).to_string())
    }

    pub(super) fn report(&self, bench: &mut Bench<'_, '_>, phases: &[Phase]) -> Result<Report, ConformError> {
        let mut report = Report::new(bench, phases, self.lengths);
        if let Some(why) = report.nothing() {
            return Err(ConformError::Nothing(why));
        }
        if let Some(folder) = &self.options.coverage {
            let told = |error: &dyn std::fmt::Display| {
                ConformError::Input(format!("the coverage, in {}: {error}", folder.display()))
            };
            report.coverage = Some(reached(bench, folder).map_err(|error| told(&error))?);
        }
        Ok(report)
    }

    /// Runs once more, up to a little after the mismatch, and writes the waveform of its end.
    pub(super) fn waveform(
        &self,
        design: &Design,
        mismatch: &Mismatch,
        out: &Path,
    ) -> Result<PathBuf, String> {
        std::fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
        let from = mismatch.violation.since.unwrap_or(mismatch.cycle).saturating_sub(BEFORE);
        let cycles = from..(mismatch.cycle + AFTER).min(from + LONGEST);
        let window = Window { cycles, file: out.join("mismatch.vcd") };
        let design = design.clone().trace(Trace::Vcd).coverage(Coverage::None);
        let mut bench = self.bench(&design, Some(window.clone())).map_err(|error| error.to_string())?;
        let phases = self.phases(&bench);
        match bench.run(self.lengths, &phases, self.options.cycles, &mut |_| ()) {
            Err(violation) if violation == mismatch.violation && bench.ledger.cycle == mismatch.cycle => {
                bench.linger();
                Ok(window.file)
            }
            _ => Err("the second run went another way: the design depends on something else than its inputs"
                .to_owned()),
        }
    }
}

/// What of a design was reached, written into a folder.
fn reached(bench: &mut Bench<'_, '_>, folder: &Path) -> Result<Structural, Box<dyn std::error::Error>> {
    let counted = folder.join("coverage.dat");
    if let Some(model) = bench.device.model() {
        model.write_coverage(&counted)?;
    }
    let found = Structural::of(&verilated::coverage::read(&counted)?);
    found.write(folder)?;
    Ok(found)
}

/// Cycles of the waveform before and after the mismatch.
const BEFORE: u64 = 200;
const AFTER: u64 = 10;
/// Most cycles of a waveform.
const LONGEST: u64 = 2000;
