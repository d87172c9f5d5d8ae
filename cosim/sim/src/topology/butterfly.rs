//! Butterfly: stages of switches that packets pass one way, from the nodes' outputs to their inputs.

use std::path::Path;

use router_core::map::{self, Map, RouterClass};
use router_core::units::{PortClass, PortId};
use router_core::words;

use super::layout::{Defaults, Layout};
use super::{Known, MAX_ROUTERS, TopologyError, Wiring};
use crate::document::write::word;
use crate::document::{Lines, Problem, Section};

/// A unidirectional multistage network: `n` stages of `kⁿ⁻¹` switches with `k` inputs and `k` outputs, and one of the wirings of the Delta
/// networks between them. The butterfly is the `k`-ary `n`-fly of Dally and Towles (2004, chapter 4).
///
/// A node sends to the first stage and receives from the last one. It has one place here, at an interface: a router with the node at port
/// 0, a link to the first stage at port 1, and one from the last stage at port 2. So a packet passes `n + 2` routers, by the only way
/// there is: the output at stage `s` is digit `n − 1 − s` of the destination, to the base `k`.
///
/// Routers: the `kⁿ` interfaces, then the switches, stage by stage. Ports of a switch: its outputs, then its inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Butterfly {
    /// Inputs, and outputs, of a switch, 2…32.
    pub k: u8,
    /// Stages, 2…16; `kⁿ (1 + n / k)` routers are at most 1,048,576.
    pub stages: u8,
    /// Which output of a stage is joined with which input of the next.
    pub wiring: StageWiring,
}

/// The permutations between the stages of a multistage network (Duato, Yalamanchili and Ni, 2003, 1.7.5). In front of stage 0, the last
/// three have a perfect shuffle, the butterfly has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageWiring {
    /// In front of stage `i`, the lowest digit and digit `n − i` change places.
    Butterfly,
    /// The butterfly behind a perfect shuffle: the generalised cube.
    Cube,
    /// A perfect shuffle in front of every stage.
    Omega,
    /// In front of stage `i`, the lowest digit goes above the `n − i` next ones.
    Baseline,
}

words!(StageWiring {
    "butterfly" => [Self::Butterfly],
    "cube" => [Self::Cube],
    "omega" => [Self::Omega],
    "baseline" => [Self::Baseline],
});

impl Butterfly {
    /// Outputs of all switches of a stage, and nodes: `kⁿ`.
    fn channels(&self) -> u32 {
        u32::from(self.k).saturating_pow(self.stages.into())
    }

    /// Switches of a stage.
    fn switches(&self) -> u32 {
        self.channels() / u32::from(self.k)
    }

    fn count(&self) -> u32 {
        self.channels().saturating_add(self.switches().saturating_mul(self.stages.into()))
    }

    /// The input channel of `stage` that the channel in front of it is joined with; with `back`, the channel in front.
    fn joined(&self, channel: u32, stage: u32, back: bool) -> u32 {
        let (k, digits) = (u32::from(self.k), u32::from(self.stages));
        let exchanged = || {
            let place = k.pow(digits - stage);
            let (low, high) = (channel % k, channel / place % k);
            channel - low - high * place + high + low * place
        };
        // The lowest `digits` rotate by one place.
        let turned = |digits: u32, up: bool| {
            let (all, top) = (k.pow(digits), k.pow(digits - 1));
            let low = channel % all;
            channel - low + if up { low % top * k + low / top } else { low % k * top + low / k }
        };
        match (self.wiring, stage) {
            (StageWiring::Butterfly, 0) => channel,
            (StageWiring::Omega, _) | (_, 0) => turned(digits, !back),
            (StageWiring::Baseline, _) => turned(digits - stage + 1, back),
            (StageWiring::Butterfly | StageWiring::Cube, _) => exchanged(),
        }
    }

    /// The router and the port behind an output or an input of a switch.
    fn beyond(&self, switch: u32, port: u32) -> (u32, u32) {
        let (k, switches, last) = (u32::from(self.k), self.switches(), u32::from(self.stages) - 1);
        let (stage, number) = (switch / switches, switch % switches);
        let at = |stage: u32, channel: u32, first: u32| {
            (self.channels() + stage * switches + channel / k, first + channel % k)
        };
        match port.checked_sub(k) {
            None if stage == last => (number * k + port, 2),
            None => at(stage + 1, self.joined(number * k + port, stage + 1, false), k),
            Some(input) if stage == 0 => (self.joined(number * k + input, 0, true), 1),
            Some(input) => at(stage - 1, self.joined(number * k + input, stage, true), 0),
        }
    }
}

impl Layout for Butterfly {
    const WORD: &'static str = "butterfly";
    const KEYS: &'static [&'static str] = &["k", "stages", "wiring"];
    const ROUTING: &'static str = "multipath";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let field = section.need("k", "the inputs of a switch")?;
        let k = field.whole(2..=32)? as u8;
        let stages = section.need("stages", "the number of stages")?.whole(2..=16)? as u8;
        let one = Self { k, stages, wiring: section.word("wiring", StageWiring::Butterfly)? };
        if one.count() as usize > MAX_ROUTERS {
            return Err(field.refuse(format!(
                "the network is too large: {stages} stages of switches with {k} inputs and outputs, and their nodes, are more than {MAX_ROUTERS} routers"
            )));
        }
        Ok(one)
    }

    fn write(&self) -> Lines {
        let wiring = ("wiring", word(self.wiring));
        vec![("k", self.k.to_string()), ("stages", self.stages.to_string()), wiring]
    }

    fn classes(&self) -> &'static [&'static str] {
        &["node", "stage"]
    }

    fn defaults(&self) -> Defaults {
        Defaults { buffer_flits: &[32, 32], latency: &[1, 1] }
    }

    fn nodes(&self) -> Option<u32> {
        Some(self.channels())
    }

    fn wire(&self) -> Result<Wiring, TopologyError> {
        Wiring::collect(self, self.classes(), Known::default())
    }
}

impl Map for Butterfly {
    fn routers(&self) -> impl Iterator<Item = u32> {
        0..self.count()
    }

    fn ports(&self) -> usize {
        usize::from(self.k) * 2
    }

    fn router_class(&self, router: u32) -> RouterClass {
        RouterClass((router >= self.channels()).into())
    }

    fn port_class(&self, RouterClass(of): RouterClass, port: PortId) -> PortClass {
        if of == 0 && port.number() == 0 { PortClass::NODE } else { PortClass::LOCAL }
    }

    fn peer(&self, router: u32, port: PortId) -> Option<map::Peer> {
        let (k, switches, last) = (u32::from(self.k), self.switches(), u32::from(self.stages) - 1);
        let number = u32::from(port.number());
        let (router, port) = match (router.checked_sub(self.channels()), number) {
            (Some(switch), _) => self.beyond(switch, number),
            (None, 0) => return Some(map::Peer::Node),
            (None, 1) => {
                let channel = self.joined(router, 0, false);
                (self.channels() + channel / k, k + channel % k)
            }
            (None, 2) => (self.channels() + last * switches + router / k, router % k),
            (None, _) => return None,
        };
        Some(map::Peer::Router { router, port: PortId::new(port as u8) })
    }

    fn sends(&self, router: u32, port: PortId) -> bool {
        if router < self.channels() { port.number() < 2 } else { port.number() < self.k }
    }
}
