//! The ports of a switch's top module.

use super::bind::vcs;
use super::map::{Flow, Named, PortMap, Side};
use super::site::Site;
use verilated::{Direction, Library, PortInfo};

/// The ports that are known of a module.
#[derive(Clone, Debug)]
pub(super) struct Module {
    pub(super) top: String,
    pub(super) ports: Vec<PortInfo>,
    /// Whether these are all that it has. Otherwise clock and constants are another's to drive.
    pub(super) is_whole: bool,
}

impl Module {
    /// A compiled one.
    pub(super) fn compiled(library: &Library) -> Self {
        Self { top: library.top().to_owned(), ports: library.ports().to_vec(), is_whole: true }
    }
}

/// The module ports that a map names and that are looked at in every cycle, each once.
pub(super) fn watched(map: &PortMap, site: &Site<'_>) -> Vec<(String, Direction)> {
    let mut found = Vec::new();
    let mut add = |named: &Named, direction: Direction| {
        let text = named.text.split('[').next().unwrap_or(&named.text);
        for port in (0..map.ports).map(|port| map.port_name(port)) {
            for vc in 0..vcs(map, site) {
                let name = text.replace("{port}", &port).replace("{vc}", &vc.to_string());
                if !found.iter().any(|(known, _)| *known == name) {
                    found.push((name, direction));
                }
            }
        }
    };
    if let Some(reset) = &map.reset {
        add(&reset.name, Direction::Input);
    }
    for (side, there, back) in [
        (&map.input, Direction::Input, Direction::Output),
        (&map.output, Direction::Output, Direction::Input),
    ] {
        let Side { valid, flit, vc, head, tail, flow, .. } = side;
        let beside = [vc, head, tail].into_iter().flatten();
        [valid].into_iter().chain(flit).chain(beside).for_each(|named| add(named, there));
        match flow {
            Flow::Credit { credit, vc } => [credit].into_iter().chain(vc).for_each(|named| add(named, back)),
            Flow::ValidReady { ready, .. } => add(ready, back),
            Flow::OnOff { on, freed, .. } => [on].into_iter().chain(freed).for_each(|named| add(named, back)),
        }
    }
    map.errors.iter().for_each(|named| add(named, Direction::Output));
    found
}
