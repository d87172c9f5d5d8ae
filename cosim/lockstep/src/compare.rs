//! Two twins under one stimulus: everything they drive and everything they remember, in every cycle.

use super::driver::Driver;
use super::frame::{Frame, PortSignals};
use super::settings::Settings;
use super::stimulus::Stimulus;
use super::twin::Twin;
use crate::rtl::Probe;
use crate::shape::Shape;
use router_core::router::Stranded;
use std::fmt;

/// Where the twins part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The internal cycle, counted from the beginning of the stimulus.
    pub cycle: u32,
    /// The signal.
    pub signal: String,
    /// The model's value.
    pub expected: String,
    /// The RTL's value; the microcontroller's with [`Odd::Mcu`].
    pub got: String,
    /// Other signals that differ in the same cycle.
    pub others: Vec<String>,
    /// The twin that differs from the others, where there are three.
    pub odd: Odd,
}

/// Which twin does something else than the others. Only [`Odd::Mcu`] changes what [`Mismatch::got`] is: the
/// microcontroller's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Odd {
    /// With two twins there is no majority.
    #[default]
    Unknown,
    /// The RTL.
    Rtl,
    /// The model on this machine.
    Model,
    /// The microcontroller.
    Mcu,
    /// Each of the three does something else.
    All,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cycle, signal, expected, got, others, odd } = self;
        write!(f, "cycle {cycle}: {signal}: ")?;
        match odd {
            Odd::Unknown => write!(f, "the model has {expected}, the RTL {got}"),
            Odd::Rtl => write!(
                f,
                "the RTL is the odd one out with {got}; the model and the microcontroller have {expected}"
            ),
            Odd::Model => write!(
                f,
                "the model is the odd one out with {expected}; the RTL and the microcontroller have {got}"
            ),
            Odd::Mcu => write!(
                f,
                "the microcontroller is the odd one out with {got}; the model and the RTL have {expected}"
            ),
            Odd::All => write!(
                f,
                "the model has {expected}, the RTL {got}, and the microcontroller is of a third opinion"
            ),
        }?;
        match others.as_slice() {
            [] => Ok(()),
            [one] => write!(f, " (and {one} differs)"),
            [first, .., last] => write!(f, " (and {} more differ: {first} … {last})", others.len()),
        }
    }
}

/// One cycle, as an observer sees it.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// The cycle.
    pub cycle: u32,
    /// What the router received in it.
    pub inputs: &'a Frame,
    /// What the model drove in it.
    pub outputs: &'a Frame,
    /// What the RTL drove in it.
    pub rtl_outputs: &'a Frame,
    /// The model's registers after it.
    pub registers: &'a [u64],
    /// The RTL's registers after it.
    pub rtl_registers: &'a [u64],
}

/// Looks at each cycle before it is judged.
pub trait Observer {
    /// Both routers have been reset; `came`: flits and credits were on the RTL's wires meanwhile.
    fn reset(&mut self, _cycle: u32, _settings: &Settings, _came: bool) {}
    /// A cycle has passed.
    fn observe(&mut self, moment: Moment<'_>);
}

/// No observer.
impl Observer for () {
    fn observe(&mut self, _moment: Moment<'_>) {}
}

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Cycles.
    pub cycles: u64,
    /// Signals and registers, over all cycles.
    pub values: u64,
    /// Flits that left the router.
    pub flits: u64,
    /// Packets that came to the front of a VC and could never leave, by reason.
    pub stranded: [u64; Stranded::COUNT],
}

impl std::ops::AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.cycles += other.cycles;
        self.values += other.values;
        self.flits += other.flits;
        self.count_stranded(other.stranded);
    }
}

impl Compared {
    /// A router is reset or done with: what can never leave it is still there.
    fn count_stranded(&mut self, found: [u64; Stranded::COUNT]) {
        self.stranded.iter_mut().zip(found).for_each(|(own, found)| *own += found);
    }

    /// The packets that could never leave, which some stimuli send, in words.
    pub fn told_stranded(&self) -> Option<String> {
        let found: Vec<_> = Stranded::ALL.iter().zip(self.stranded).filter(|(_, count)| *count > 0).collect();
        let each: Vec<_> = found.iter().map(|(why, count)| format!("{count}: {why}")).collect();
        (!each.is_empty()).then(|| format!("packets that could never leave, {}", each.join("; ")))
    }
}

/// A pair of twins, and what they do at the moment.
pub struct Pair<'t> {
    model: &'t mut dyn Twin,
    rtl: &'t mut dyn Twin,
    probes: &'t [Probe],
    inputs: Frame,
    outputs: [Frame; 2],
}

impl<'t> Pair<'t> {
    /// A pair of routers of this shape, with these probes; without any, what they drive is compared and no register.
    pub fn new(model: &'t mut dyn Twin, rtl: &'t mut dyn Twin, probes: &'t [Probe], shape: &Shape) -> Self {
        let idle = Frame::idle(shape.ports);
        Self { model, rtl, probes, inputs: idle.clone(), outputs: [idle.clone(), idle] }
    }

    /// Resets both and runs a stimulus on them.
    ///
    /// # Errors
    /// The first cycle in which they differ, or in which an assertion of the RTL fails.
    pub fn run(
        &mut self,
        stimulus: &Stimulus,
        shape: &Shape,
        observer: &mut dyn Observer,
    ) -> Result<Compared, Box<Mismatch>> {
        let mut compared = Compared::default();
        let mut driver = Driver::new(stimulus, shape);
        self.reset(0, &stimulus.settings, observer)?;
        for cycle in 0..stimulus.cycles {
            if stimulus.reset_at == Some(cycle) && cycle > 0 {
                compared.count_stranded(self.model.stranded());
                self.reset(cycle, &stimulus.settings, observer)?;
                driver.reset(shape);
            }
            driver.drive(&mut self.inputs);
            self.step(cycle)?;
            let [outputs, rtl_outputs] = &self.outputs;
            let (registers, rtl_registers) = (self.model.registers(), self.rtl.registers());
            let inputs = &self.inputs;
            let moment = Moment { cycle, inputs, outputs, rtl_outputs, registers, rtl_registers };
            observer.observe(moment);
            judge(moment, self.probes, stimulus.follows_payload())?;
            driver.sense(outputs);
            compared.cycles += 1;
            compared.values += (self.probes.len() + 2 * outputs.ports.len()) as u64;
            compared.flits += outputs.ports.iter().filter(|port| port.flit.is_some()).count() as u64;
        }
        compared.count_stranded(self.model.stranded());
        Ok(compared)
    }

    fn reset(
        &mut self,
        cycle: u32,
        settings: &Settings,
        observer: &mut dyn Observer,
    ) -> Result<(), Box<Mismatch>> {
        let failed = |failure: verilated::Failure| assertion(cycle, &failure);
        self.model.reset(settings).map_err(failed)?;
        self.rtl.reset(settings).map_err(failed)?;
        observer.reset(cycle, settings, self.rtl.came_in_reset());
        Ok(())
    }

    fn step(&mut self, cycle: u32) -> Result<(), Box<Mismatch>> {
        let failed = |failure: verilated::Failure| assertion(cycle, &failure);
        let [outputs, rtl_outputs] = &mut self.outputs;
        self.model.step(&self.inputs, outputs).map_err(failed)?;
        self.rtl.step(&self.inputs, rtl_outputs).map_err(failed)
    }
}

/// Everything is equal, or this is the first thing that is not.
fn judge(moment: Moment<'_>, probes: &[Probe], payload: bool) -> Result<(), Box<Mismatch>> {
    let alike =
        |a: &PortSignals, b: &PortSignals| a == b || (!payload && without_payload(*a) == without_payload(*b));
    let ports = moment.outputs.ports.iter().zip(&moment.rtl_outputs.ports);
    let registers = probes.is_empty() || moment.registers == moment.rtl_registers;
    let told = moment.outputs.notices == moment.rtl_outputs.notices;
    let equal = registers && told && ports.into_iter().all(|(a, b)| alike(a, b));
    if equal { Ok(()) } else { Err(differences(moment, probes, alike)) }
}

#[cold]
fn differences(
    moment: Moment<'_>,
    probes: &[Probe],
    alike: impl Fn(&PortSignals, &PortSignals) -> bool,
) -> Box<Mismatch> {
    let mut found = Vec::new();
    let ports = moment.outputs.ports.iter().zip(&moment.rtl_outputs.ports);
    for (port, (expected, got)) in ports.enumerate() {
        if !alike(expected, got) {
            found.push((format!("output{port}"), told(expected), told(got)));
        }
    }
    let [told, rtl_told] = [moment.outputs, moment.rtl_outputs].map(|outputs| &outputs.notices);
    if told != rtl_told {
        found.push(("notice".to_owned(), format!("{told:?}"), format!("{rtl_told:?}")));
    }
    for probe in probes {
        let (expected, got) = (probe.field.of(moment.registers), probe.field.of(moment.rtl_registers));
        if expected != got {
            found.push((probe.name.clone(), format!("{expected:#x}"), format!("{got:#x}")));
        }
    }
    // Words can only differ where registers do: the rest of them is masked on both sides.
    if found.is_empty() {
        let told = |words: &[u64]| format!("{words:x?}");
        let (expected, got) = (told(moment.registers), told(moment.rtl_registers));
        found.push(("words that are no registers".to_owned(), expected, got));
    }
    let mut found = found.into_iter();
    let (signal, expected, got) = found.next().unwrap_or_default();
    let others = found.map(|(name, ..)| name).collect();
    Box::new(Mismatch { cycle: moment.cycle, signal, expected, got, others, odd: Odd::Unknown })
}

fn assertion(cycle: u32, failure: &verilated::Failure) -> Box<Mismatch> {
    let message = if failure.message.is_empty() { failure.to_string() } else { failure.message.clone() };
    Box::new(Mismatch {
        cycle,
        signal: format!("assertion in {}", failure.hierarchy),
        expected: "no failure".to_owned(),
        got: message,
        others: Vec::new(),
        odd: Odd::Unknown,
    })
}

/// A body flit keeps only what the model knows of it.
pub(crate) fn without_payload(mut signals: PortSignals) -> PortSignals {
    if let Some(flit) = signals.flit.as_mut().filter(|flit| !flit.head) {
        flit.data = Default::default();
    }
    signals
}

/// A port's wires in words.
pub(crate) fn told(signals: &PortSignals) -> String {
    let flit = signals.flit.map(|flit| {
        let data = flit.data.iter().rev().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join("_");
        let kind = match (flit.head, flit.tail) {
            (true, true) => "one-flit packet",
            (true, false) => "head",
            (false, true) => "tail",
            (false, false) => "body",
        };
        format!("{kind} on VC {} with {data}", flit.vc)
    });
    let credit = signals.credit.map(|vc| format!("credit for VC {vc}"));
    let stray = signals.stray.then(|| "bits on wires that are not valid".to_owned());
    let all: Vec<_> = [flit, credit, stray].into_iter().flatten().collect();
    if all.is_empty() { "nothing".to_owned() } else { all.join(", ") }
}
