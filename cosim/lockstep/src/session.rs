//! Many stimuli one after the other, until something differs: then the smallest that shows it.

use super::compare::{Compared, Mismatch, Observer, Odd, Pair};
use super::generator::StimulusGenerator;
use super::mcu::McuTwin;
use super::mcu_follower::McuFollower;
use super::model::ModelTwin;
use super::shrink::Shrink;
use super::stimulus::Stimulus;
use super::twin::Twin;
use crate::rtl::{Probe, Probes, RtlError, RtlSwitch};
use crate::shape::{NotInRtl, Shape};
use desvio_sim::blueprint::Blueprint;
use proptest::strategy::ValueTree;
use std::time::{Duration, Instant};
use verilated::Library;

/// How long a failing stimulus is made smaller.
const PATIENCE: Duration = Duration::from_secs(60);

/// Lockstep of one router of a network.
pub struct Session<'b> {
    shape: &'b Shape,
    probes: Vec<Probe>,
    generator: StimulusGenerator<'b>,
    model: Box<dyn Twin + 'b>,
    rtl: RtlSwitch,
    follower: Option<McuFollower>,
}

/// A stimulus on which the twins differ.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Which one it was.
    pub number: u64,
    /// The stimulus, as small as it could be made.
    pub stimulus: Stimulus,
    /// What differs under it.
    pub mismatch: Mismatch,
    /// Packets before and after it was made smaller, and how many runs that took.
    pub shrunk: (usize, usize, u32),
}

impl<'b> Session<'b> {
    /// Router number `router` of a network, with stimuli and initial register values of `seed`. Chance and thresholds differ
    /// from stimulus to stimulus.
    ///
    /// # Errors
    /// When the RTL does not run.
    pub fn new(
        blueprint: &'b Blueprint,
        shape: &'b Shape,
        library: &Library,
        router: usize,
        seed: u64,
    ) -> Result<Self, RtlError> {
        Ok(Self {
            shape,
            probes: Probes::of(shape).list,
            generator: StimulusGenerator::new(blueprint, shape, router, seed)
                .map_err(NotInRtl::from)?
                .with_thresholds(true),
            model: model(blueprint, shape, router)?,
            rtl: RtlSwitch::new(library, shape, blueprint, router, seed)?,
            follower: None,
        })
    }

    /// The router is in another one of these places of the network under each stimulus.
    ///
    /// # Errors
    /// When the network cannot be built.
    pub fn among(mut self, blueprint: &Blueprint, routers: &[usize]) -> Result<Self, RtlError> {
        self.rtl.allow(blueprint, routers)?;
        self.generator = self.generator.among(routers);
        Ok(self)
    }

    /// A microcontroller goes through every stimulus, too: with the scenario's thresholds, since others travel to it only
    /// where a scenario could have them.
    #[must_use]
    pub fn with(mut self, mcu: McuTwin) -> Self {
        self.follower = Some(McuFollower::new(mcu));
        self.generator = self.generator.with_thresholds(false);
        self
    }

    /// Compares what the routers drive, and no registers: those of a netlist have no names.
    #[must_use]
    pub fn at_the_pins(mut self) -> Self {
        self.probes.clear();
        self
    }

    /// The model of another network takes the place of this one's: a defect in the model, to see that it is found.
    ///
    /// # Errors
    /// When there is no such model.
    pub fn with_model_of(mut self, other: &'b Blueprint, router: usize) -> Result<Self, NotInRtl> {
        self.model = model(other, self.shape, router)?;
        Ok(self)
    }

    /// The registers that are compared.
    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }

    /// The RTL.
    pub fn rtl(&mut self) -> &mut RtlSwitch {
        &mut self.rtl
    }

    /// Runs stimulus number `number`, at most `cycles` long.
    ///
    /// # Errors
    /// When the twins differ: with the smallest stimulus found that shows it.
    pub fn run(
        &mut self,
        number: u64,
        cycles: u64,
        observer: &mut dyn Observer,
    ) -> Result<Compared, Box<Failed>> {
        let longest = u32::try_from(cycles).unwrap_or(u32::MAX);
        let tree = match self.generator.tree(number, longest) {
            Ok(tree) => tree,
            Err(reason) => return Err(no_stimulus(number, reason)),
        };
        let stimulus = tree.current();
        match self.replay(&stimulus, observer) {
            Ok(compared) => Ok(compared),
            Err(mismatch) => Err(self.shrink(number, tree, stimulus, *mismatch)),
        }
    }

    /// Runs one stimulus.
    ///
    /// # Errors
    /// Where the twins differ.
    pub fn replay(
        &mut self,
        stimulus: &Stimulus,
        observer: &mut dyn Observer,
    ) -> Result<Compared, Box<Mismatch>> {
        let mut pair = Pair::new(self.model.as_mut(), &mut self.rtl, &self.probes, self.shape);
        let Some(follower) = &mut self.follower else { return pair.run(stimulus, self.shape, observer) };
        let found = pair.run(stimulus, self.shape, &mut follower.listen(observer));
        follower.judge(found, &self.probes, stimulus.follows_payload())
    }

    /// Takes away from a failing stimulus what it does not need.
    fn shrink(&mut self, number: u64, mut tree: Shrink, whole: Stimulus, first: Mismatch) -> Box<Failed> {
        let begin = Instant::now();
        let packets = whole.packets.len();
        // Nothing after the first difference matters.
        let (mut best, mut mismatch, mut runs) = (cut(whole, &first), first, 0);
        tree.accept(best.clone());
        let mut goes_on = tree.simplify();
        while goes_on && begin.elapsed() < PATIENCE {
            runs += 1;
            match self.replay(&tree.current(), &mut ()) {
                Err(found) => {
                    best = cut(tree.current(), &found);
                    tree.accept(best.clone());
                    mismatch = *found;
                    goes_on = tree.simplify();
                }
                Ok(_) => goes_on = tree.complicate(),
            }
        }
        let shrunk = (packets, best.packets.len(), runs);
        Box::new(Failed { number, stimulus: best, mismatch, shrunk })
    }
}

/// Not even one packet fits the network.
fn no_stimulus(number: u64, got: String) -> Box<Failed> {
    let expected = "packets that could come to this router".to_owned();
    let (signal, others, odd) = ("stimulus".to_owned(), Vec::new(), Odd::Unknown);
    let mismatch = Mismatch { cycle: 0, signal, expected, got, others, odd };
    Box::new(Failed { number, stimulus: Stimulus::default(), mismatch, shrunk: (0, 0, 0) })
}

/// A stimulus that ends where the twins part.
fn cut(mut stimulus: Stimulus, mismatch: &Mismatch) -> Stimulus {
    stimulus.cycles = stimulus.cycles.min(mismatch.cycle + 1);
    stimulus.packets.retain(|packet| packet.at < stimulus.cycles);
    stimulus.noise.retain(|noise| noise.at < stimulus.cycles);
    stimulus.notices.retain(|notice| notice.at < stimulus.cycles);
    stimulus.stalls.retain(|stall| stall.from < stimulus.cycles);
    stimulus.reset_at = stimulus.reset_at.filter(|&at| at < stimulus.cycles);
    stimulus
}

/// The model in the smallest compiled size that fits.
fn model<'b>(blueprint: &'b Blueprint, shape: &Shape, router: usize) -> Result<Box<dyn Twin + 'b>, NotInRtl> {
    Ok(match shape.ports {
        ..=8 => Box::new(ModelTwin::<8>::new(blueprint, shape, router)?),
        9..=16 => Box::new(ModelTwin::<16>::new(blueprint, shape, router)?),
        ports => return Err(NotInRtl::TooWide(ports)),
    })
}
