//! How far a campaign is: a bar on a terminal, elsewhere a line every few seconds.

use crate::command::output;
use desvio_campaign::{Came, Observer, Plan, Point, Record};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Tells how far the points are, from any thread.
pub(crate) struct Display {
    total: usize,
    over: AtomicUsize,
    told: AtomicUsize,
    kind: Kind,
}

enum Kind {
    Silent,
    /// Since when, and when the last line was written.
    Lines(Instant, Mutex<Instant>),
    Bar(ProgressBar),
}

/// Between two lines.
const EVERY: Duration = Duration::from_secs(10);
/// Failures that are shown while it runs; `status` shows all.
const MOST: usize = 10;

impl Display {
    pub(crate) fn new(total: usize, quiet: bool) -> Self {
        let now = Instant::now();
        let kind = match (quiet, std::io::stderr().is_terminal()) {
            (true, _) => Kind::Silent,
            (false, false) => Kind::Lines(now, Mutex::new(now)),
            (false, true) => Kind::Bar(bar(total)),
        };
        Self { total, over: AtomicUsize::new(0), told: AtomicUsize::new(0), kind }
    }

    /// So many more are over.
    pub(crate) fn advance(&self, points: usize) {
        let over = self.over.fetch_add(points, Ordering::Relaxed) + points;
        match &self.kind {
            Kind::Silent => {}
            Kind::Bar(bar) => bar.inc(points as u64),
            Kind::Lines(begun, told) => {
                let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
                if told.elapsed() >= EVERY {
                    *told = Instant::now();
                    output::tell(&line(over, self.total, begun.elapsed()));
                }
            }
        }
    }

    /// The terminal is for the results.
    pub(crate) fn end(&self) {
        if let Kind::Bar(bar) = &self.kind {
            bar.finish_and_clear();
        }
    }

    fn tell(&self, text: &str) {
        match &self.kind {
            Kind::Bar(bar) => bar.suspend(|| output::tell(text)),
            Kind::Silent | Kind::Lines(..) => output::tell(text),
        }
    }
}

impl Observer for Display {
    fn finished(&self, plan: &Plan, point: &Point, record: &Record) {
        let what = match &record.came {
            Came::Finished(None) => None,
            Came::Finished(Some(violation)) => Some(violation),
            Came::Failed(message) => Some(message),
        };
        if let Some(what) = what.filter(|_| self.told.fetch_add(1, Ordering::Relaxed) < MOST) {
            let what = what.lines().next().unwrap_or_default();
            self.tell(&format!("error: {}: {what}", plan.name(point)));
        }
        self.advance(1);
    }

    fn finished_elsewhere(&self, points: usize) {
        self.advance(points);
    }

    fn warn(&self, text: &str) {
        self.tell(text);
    }
}

fn bar(total: usize) -> ProgressBar {
    let bar = ProgressBar::new(total as u64);
    let template = "{bar:24} {human_pos} of {human_len} points, {elapsed}, {eta} left";
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.set_style(style.progress_chars("━╸ "));
    output::redraw(&bar, Duration::from_secs(1));
    bar
}

fn line(over: usize, total: usize, elapsed: Duration) -> String {
    let left = elapsed.mul_f64(total.saturating_sub(over) as f64 / over.max(1) as f64);
    format!("{over} of {total} points, {} left", HumanDuration(left))
}
