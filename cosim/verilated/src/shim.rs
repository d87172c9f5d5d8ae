//! The C++ text that joins the generated model to `shim.cpp`, and the table of pins both sides share.

use std::fmt::Write;

use crate::{
    ports::{Direction, PortInfo, PortMember},
    probe::{ProbeInfo, ProbeMember},
};

/// Put before every translation unit.
pub(crate) const HEADER: &str = include_str!("shim.h");

/// The part that is equal for all designs.
pub(crate) const SOURCE: &str = include_str!("shim.cpp");

/// What Verilator prepends to every generated name.
pub(crate) const PREFIX: &str = "Vmodel";

/// What can be read or written from outside: ports, then probes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PinTable {
    pub(crate) ports: Vec<PortInfo>,
    pub(crate) probes: Vec<ProbeInfo>,
}

impl PinTable {
    /// One line for each pin, as kept in the cache.
    pub(crate) fn to_text(&self) -> String {
        let ports = self.ports.iter().map(|port| format!("{} {} {}\n", port.direction, port.bits, port.name));
        let probes = self.probes.iter().map(|probe| format!("probe {} {}\n", probe.bits, probe.name));
        ports.chain(probes).collect()
    }

    /// `None` if the text is damaged.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let mut table = Self { ports: Vec::new(), probes: Vec::new() };
        for line in text.lines() {
            let (kind, rest) = line.split_once(' ')?;
            let (bits, name) = rest.split_once(' ')?;
            let (bits, name) = (bits.parse().ok()?, name.to_owned());
            let direction = match kind {
                "input" => Direction::Input,
                "output" => Direction::Output,
                "inout" => Direction::InOut,
                "probe" => {
                    table.probes.push(ProbeInfo { name, bits });
                    continue;
                }
                _ => return None,
            };
            table.ports.push(PortInfo { name, direction, bits });
        }
        Some(table)
    }
}

/// Writes the shim for one design; the order of pins is that of the table. Whether it makes checkpoints is said here, not to the
/// compiler: designs that differ in nothing else share Verilator's run-time library.
pub(crate) fn generate(ports: &[PortMember], probes: &[ProbeMember], checkpoints: bool) -> String {
    let mut text = format!(
        "#include \"{PREFIX}.h\"\n#include \"{PREFIX}__Syms.h\"\n#define SHIM_SAVABLE {}\n#define SHIM_PINS(model, pins)",
        u8::from(checkpoints)
    );
    let ports = ports.iter().map(|port| (port.info.bits, format!("model->{}", port.member)));
    let probes =
        probes.iter().map(|probe| (probe.info.bits, format!("model->rootp->vlSymsp->{}", probe.expression)));
    for (index, (bits, member)) in ports.chain(probes).enumerate() {
        let address = if bits > 64 { format!("{member}.data()") } else { format!("&{member}") };
        // Writing to a `String` cannot fail.
        let _ = write!(text, " \\\n    pins[{index}] = static_cast<void*>({address});");
    }
    text.push_str("\n\n");
    text.push_str(SOURCE);
    text
}

#[cfg(test)]
mod tests {
    use super::PinTable;
    use crate::{Direction, PortInfo, ProbeInfo};

    #[test]
    fn the_table_survives_the_cache() {
        let table = PinTable {
            ports: vec![PortInfo { name: "a b".to_owned(), direction: Direction::Input, bits: 7 }],
            probes: vec![ProbeInfo { name: "t.u[1].cnt".to_owned(), bits: 95 }],
        };
        assert_eq!(PinTable::from_text(&table.to_text()), Some(table));
        assert_eq!(PinTable::from_text("sideways 3 x"), None);
    }
}
