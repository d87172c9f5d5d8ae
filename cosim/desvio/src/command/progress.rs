//! How far the loads are: bars on a terminal, elsewhere a line for each that is finished.

use super::cases::Case;
use super::output;
use desvio_sim::run::{Outcome, Progress};
use desvio_sim::scenario::Loads;
use desvio_sim::summary::State;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Tells how far the loads are, from any thread.
pub(crate) struct Display {
    /// The names of the curves; empty strings where there is only one.
    names: Vec<String>,
    /// Loads to run, where that is known beforehand.
    total: Option<usize>,
    kind: Kind,
}

enum Kind {
    Silent,
    /// Loads finished.
    Lines(Mutex<usize>),
    Bars(Bars),
}

struct Bars {
    all: MultiProgress,
    overall: ProgressBar,
    /// By curve and bits of the load.
    running: Mutex<HashMap<(usize, u64), ProgressBar>>,
}

impl Display {
    pub(crate) fn new(cases: &[Case], quiet: bool) -> Self {
        let names = cases.iter().map(|case| if cases.len() > 1 { case.name.clone() } else { String::new() });
        let loads = cases.iter().map(|case| match &case.blueprint.scenario().traffic.loads {
            Loads::List(loads) => Some(loads.len()),
            Loads::Saturation => None,
        });
        let total = loads.sum();
        let kind = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Kind::Silent,
            (false, false) => Kind::Lines(Mutex::new(0)),
            (false, true) => Kind::Bars(Bars::new(total)),
        };
        Self { names: names.collect(), total, kind }
    }

    /// A load has got further.
    pub(crate) fn progress(&self, curve: usize, load: f64, Progress { cycle, limit }: Progress) {
        let Kind::Bars(bars) = &self.kind else { return };
        let mut running = bars.running.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = running
            .entry((curve, load.to_bits()))
            .or_insert_with(|| bars.begin(self.label(curve, load), limit));
        bar.set_position(cycle);
    }

    /// A load is finished.
    pub(crate) fn finished(&self, curve: usize, outcome: &Outcome) {
        let load = outcome.summary.load;
        match &self.kind {
            Kind::Silent => {}
            Kind::Lines(finished) => {
                let mut finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
                *finished += 1;
                let of = self.total.map_or(String::new(), |total| format!(" of {total}"));
                output::tell(&format!("{finished}{of}: {}: {}", self.label(curve, load), told(outcome)));
            }
            Kind::Bars(bars) => {
                let mut running = bars.running.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(bar) = running.remove(&(curve, load.to_bits())) {
                    bar.finish_and_clear();
                }
                bars.overall.inc(1);
            }
        }
    }

    /// Something is wrong, though the loads go on.
    pub(crate) fn warn(&self, text: &str) {
        match &self.kind {
            Kind::Silent | Kind::Lines(_) => output::tell(text),
            Kind::Bars(bars) => bars.all.suspend(|| output::tell(text)),
        }
    }

    /// Everything is finished: the terminal is for the results.
    pub(crate) fn end(&self) {
        if let Kind::Bars(bars) = &self.kind {
            bars.overall.finish_and_clear();
            // What cannot be cleared stays: only untidy.
            let _ = bars.all.clear();
        }
    }

    fn label(&self, curve: usize, load: f64) -> String {
        match self.names.get(curve).map_or("", String::as_str) {
            "" => format!("load {load:.3}"),
            name => format!("{name}, load {load:.3}"),
        }
    }
}

impl Bars {
    fn new(total: Option<usize>) -> Self {
        let all = MultiProgress::new();
        let of = if total.is_some() { " of {len}" } else { "" };
        let overall = all.add(ProgressBar::new(total.unwrap_or(0) as u64));
        overall.set_style(style(&format!("{{pos}}{of} loads finished, {{elapsed}}")));
        output::redraw(&overall, Duration::from_secs(1));
        Self { all, overall, running: Mutex::new(HashMap::new()) }
    }

    /// A bar above the overall one. Most loads end long before their limit.
    fn begin(&self, label: String, limit: u64) -> ProgressBar {
        let bar = self.all.insert_before(&self.overall, ProgressBar::new(limit));
        bar.set_style(style("{bar:16} {prefix}, cycle {human_pos} of {human_len}").progress_chars("━╸ "));
        bar.set_prefix(label);
        bar
    }
}

/// A template that is wrong shows the plain bar.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

fn told(Outcome { summary, .. }: &Outcome) -> String {
    let latency = match summary.state {
        State::Saturated | State::Deadlock | State::Losses => String::new(),
        _ if !summary.latency_mean.is_finite() => String::new(),
        _ => format!(", latency {:.1}", summary.latency_mean),
    };
    let cycles = summary.warmup_cycles + summary.measure_cycles;
    let accepted = if summary.accepted.is_finite() {
        format!("accepted {:.4}{latency}, ", summary.accepted)
    } else {
        String::new()
    };
    format!("{accepted}{} after {cycles} cycles", summary.state.word())
}
