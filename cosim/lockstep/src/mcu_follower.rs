//! A microcontroller goes through what model and RTL went through, many cycles at a time.
//!
//! For each cycle the microcontroller returns its outputs, and a digest of these and of all registers. The registers
//! themselves are read only where a digest differs.

use super::compare::{Compared, Mismatch, Moment, Observer, Odd, told, without_payload};
use super::frame::Frame;
use super::mcu::{Made, McuTwin, digest, everywhere};
use super::settings::Settings;
use super::twin::Twin;
use crate::rtl::Probe;
use std::io;

/// The microcontroller.
#[derive(Debug)]
pub(crate) struct McuFollower {
    twin: McuTwin,
    steps: Vec<Step>,
    /// What the RTL drove and held in the last cycle.
    rtl: (Frame, Vec<u64>),
}

/// One cycle of the model.
#[derive(Debug)]
struct Step {
    cycle: u32,
    /// It is the first after a reset with these settings.
    first: Option<Settings>,
    inputs: Frame,
    outputs: Frame,
    registers: Vec<u64>,
}

/// Records the cycles that the microcontroller will repeat, beside another observer.
pub(crate) struct Listening<'a> {
    follower: &'a mut McuFollower,
    observer: &'a mut dyn Observer,
    first: Option<Settings>,
}

impl Observer for Listening<'_> {
    fn reset(&mut self, cycle: u32, settings: &Settings, came: bool) {
        self.first = Some(*settings);
        self.observer.reset(cycle, settings, came);
    }

    fn observe(&mut self, moment: Moment<'_>) {
        let Moment { cycle, inputs, outputs, rtl_outputs, registers, rtl_registers } = moment;
        self.follower.steps.push(Step {
            cycle,
            first: self.first.take(),
            inputs: inputs.clone(),
            outputs: outputs.clone(),
            registers: registers.to_vec(),
        });
        let (frame, words) = &mut self.follower.rtl;
        frame.clone_from(rtl_outputs);
        words.clear();
        words.extend_from_slice(rtl_registers);
        self.observer.observe(moment);
    }
}

impl McuFollower {
    /// A microcontroller that has the router's setup.
    pub(crate) fn new(twin: McuTwin) -> Self {
        Self { twin, steps: Vec::new(), rtl: (Frame::idle(0), Vec::new()) }
    }

    /// Forgets the last run, and listens to the next.
    pub(crate) fn listen<'a>(&'a mut self, observer: &'a mut dyn Observer) -> Listening<'a> {
        self.steps.clear();
        Listening { follower: self, observer, first: None }
    }

    /// What model and RTL found, with the microcontroller's opinion.
    ///
    /// # Errors
    /// The first cycle in which the three are not one, and which of them is the odd one.
    pub(crate) fn judge(
        &mut self,
        found: Result<Compared, Box<Mismatch>>,
        probes: &[Probe],
        payload: bool,
    ) -> Result<Compared, Box<Mismatch>> {
        let differs =
            self.first_difference(probes, payload).map_err(|error| gone(self.steps.last(), &error))?;
        let Some(at) = differs else {
            // The microcontroller did in every cycle what the model did.
            return found.map_err(|mismatch| Box::new(Mismatch { odd: Odd::Rtl, ..*mismatch }));
        };
        let told = self.repeat(at).map_err(|error| gone(self.steps.get(at), &error))?;
        match found {
            Err(mismatch) if at + 1 == self.steps.len() => {
                let with_rtl = same(&told, (&self.rtl.0, &self.rtl.1), probes, payload);
                let odd = if with_rtl { Odd::Model } else { Odd::All };
                Err(Box::new(Mismatch { odd, ..*mismatch }))
            }
            _ => Err(self.mismatch(at, &told, probes, payload)),
        }
    }

    /// The number of the first step in which the microcontroller does not do what the model did.
    fn first_difference(&mut self, probes: &[Probe], payload: bool) -> io::Result<Option<usize>> {
        let mut at = 0;
        while at < self.steps.len() {
            if let Some(settings) = self.steps[at].first {
                self.reset(&settings)?;
            }
            let rest = &self.steps[at..];
            let run = 1 + rest.iter().skip(1).take_while(|step| step.first.is_none()).count();
            let count = run.min(self.twin.batch());
            let made = run_steps(&mut self.twin, &rest[..count])?;
            let differs = rest.iter().zip(&made).position(|(step, made)| {
                let expected = digest(&step.outputs, &step.registers, probes);
                made.digest != expected || !alike(&step.outputs, &made.outputs, payload)
            });
            if let Some(n) = differs {
                return Ok(Some(at + n));
            }
            at += count;
        }
        Ok(None)
    }

    /// What the microcontroller drives and holds in a step, having gone there again.
    fn repeat(&mut self, at: usize) -> io::Result<(Frame, Vec<u64>)> {
        let resets = (0..=at).rev().filter_map(|n| self.steps[n].first.map(|settings| (n, settings)));
        let (first, settings) = { resets }.next().unwrap_or_default();
        self.reset(&settings)?;
        for steps in self.steps[first..at].chunks(self.twin.batch()) {
            run_steps(&mut self.twin, steps)?;
        }
        let made = run_steps(&mut self.twin, &self.steps[at..=at])?;
        let outputs = made.into_iter().next().map(|made| made.outputs);
        Ok((outputs.unwrap_or_else(|| Frame::idle(0)), self.twin.registers().to_vec()))
    }

    fn reset(&mut self, settings: &Settings) -> io::Result<()> {
        self.twin.reset(settings).map_err(|failure| io::Error::other(failure.message))
    }

    /// The microcontroller is the odd one.
    fn mismatch(
        &self,
        at: usize,
        (outputs, registers): &(Frame, Vec<u64>),
        probes: &[Probe],
        payload: bool,
    ) -> Box<Mismatch> {
        let step = &self.steps[at];
        let mut found = Vec::new();
        for (port, (expected, got)) in step.outputs.ports.iter().zip(&outputs.ports).enumerate() {
            let (seen, own) = (strip(*expected, payload), strip(*got, payload));
            if seen != own {
                found.push((format!("output{port}"), told(expected), told(got)));
            }
        }
        for probe in everywhere(probes) {
            let (expected, got) = (probe.field.of(&step.registers), probe.field.of(registers));
            if expected != got {
                found.push((probe.name.clone(), format!("{expected:#x}"), format!("{got:#x}")));
            }
        }
        let mut found = found.into_iter();
        let nothing = || ("the digest of everything".to_owned(), "one".to_owned(), "another".to_owned());
        let (signal, expected, got) = found.next().unwrap_or_else(nothing);
        let others = found.map(|(name, ..)| name).collect();
        Box::new(Mismatch { cycle: step.cycle, signal, expected, got, others, odd: Odd::Mcu })
    }
}

fn run_steps(twin: &mut McuTwin, steps: &[Step]) -> io::Result<Vec<Made>> {
    twin.run(steps.iter().map(|step| &step.inputs))
}

fn strip(signals: super::frame::PortSignals, payload: bool) -> super::frame::PortSignals {
    if payload { signals } else { without_payload(signals) }
}

fn alike(a: &Frame, b: &Frame, payload: bool) -> bool {
    a.ports.len() == b.ports.len()
        && a.ports.iter().zip(&b.ports).all(|(a, b)| strip(*a, payload) == strip(*b, payload))
}

fn same(
    (outputs, registers): &(Frame, Vec<u64>),
    (others, other_registers): (&Frame, &[u64]),
    probes: &[Probe],
    payload: bool,
) -> bool {
    alike(outputs, others, payload)
        && everywhere(probes).all(|probe| probe.field.of(registers) == probe.field.of(other_registers))
}

/// The line is gone.
fn gone(step: Option<&Step>, error: &io::Error) -> Box<Mismatch> {
    Box::new(Mismatch {
        cycle: step.map_or(0, |step| step.cycle),
        signal: "the line to the microcontroller".to_owned(),
        expected: "an answer".to_owned(),
        got: error.to_string(),
        others: Vec::new(),
        odd: Odd::Mcu,
    })
}
