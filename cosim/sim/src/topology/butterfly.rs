//! Butterfly: stages of switches that packets pass one way, from the nodes' outputs to their inputs.

use std::path::Path;

use router_core::map::{self, Map, RouterClass};
use router_core::units::{PortClass, PortId};

use super::layout::{Defaults, Layout};
use super::{Known, MAX_ROUTERS, TopologyError, Wiring};
use crate::document::{Lines, Problem, Section};

/// A unidirectional `k`-ary `n`-fly (Dally and Towles, 2004, chapter 4): `n` stages of `kⁿ⁻¹` switches with `k` inputs and `k` outputs.
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
}

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

    /// The channel into the next stage that the output `channel` of a stage is, and back: the lowest digit and digit `n − 1 − stage` change
    /// places.
    fn exchanged(&self, channel: u32, stage: u32) -> u32 {
        let k = u32::from(self.k);
        let place = k.pow(u32::from(self.stages) - 1 - stage);
        let (low, high) = (channel % k, channel / place % k);
        channel - low - high * place + high + low * place
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
            None => at(stage + 1, self.exchanged(number * k + port, stage), k),
            Some(input) if stage == 0 => (number * k + input, 1),
            Some(input) => at(stage - 1, self.exchanged(number * k + input, stage - 1), 0),
        }
    }
}

impl Layout for Butterfly {
    const WORD: &'static str = "butterfly";
    const KEYS: &'static [&'static str] = &["k", "stages"];
    const ROUTING: &'static str = "multipath";

    fn read(section: &Section<'_>, _folder: &Path) -> Result<Self, Problem> {
        let field = section.need("k", "the inputs of a switch")?;
        let k = field.whole(2..=32)? as u8;
        let stages = section.need("stages", "the number of stages")?.whole(2..=16)? as u8;
        let one = Self { k, stages };
        if one.count() as usize > MAX_ROUTERS {
            return Err(field.refuse(format!(
                "the network is too large: {stages} stages of switches with {k} inputs and outputs, and their nodes, are more than {MAX_ROUTERS} routers"
            )));
        }
        Ok(one)
    }

    fn write(&self) -> Lines {
        vec![("k", self.k.to_string()), ("stages", self.stages.to_string())]
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
            (None, 1) => (self.channels() + router / k, k + router % k),
            (None, 2) => (self.channels() + last * switches + router / k, router % k),
            (None, _) => return None,
        };
        Some(map::Peer::Router { router, port: PortId::new(port as u8) })
    }

    fn sends(&self, router: u32, port: PortId) -> bool {
        if router < self.channels() { port.number() < 2 } else { port.number() < self.k }
    }
}
