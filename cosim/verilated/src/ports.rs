//! Ports of the top module, read from the header Verilator generates.

use std::fmt;

/// Which way a port faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Set by the test bench.
    Input,
    /// Read by the test bench.
    Output,
    /// Both; handles may be taken in either direction.
    InOut,
}

impl Direction {
    /// Whether a handle of direction `wanted` may be taken on such a port.
    pub(crate) fn serves(self, wanted: Self) -> bool {
        self == wanted || self == Self::InOut
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::InOut => "inout",
        })
    }
}

/// One port of the top module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PortInfo {
    /// Its name in the Verilog source.
    pub name: String,
    /// Which way it faces.
    pub direction: Direction,
    /// Its width.
    pub bits: u32,
}

impl fmt::Display for PortInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.direction, self.name, self.bits)
    }
}

/// A port together with the C++ name of the member that holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PortMember {
    pub(crate) info: PortInfo,
    pub(crate) member: String,
}

/// Reads lines such as `VL_IN8(&request,3,0);` and `VL_OUTW(&data,99,0,4);`, the same since Verilator 5.006.
pub(crate) fn parse(header: &str) -> Vec<PortMember> {
    header.lines().filter_map(|line| parse_line(line.trim())).collect()
}

fn parse_line(line: &str) -> Option<PortMember> {
    let (keyword, arguments) = line.strip_prefix("VL_")?.split_once("(&")?;
    let direction = match keyword.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'W') {
        "IN" => Direction::Input,
        "OUT" => Direction::Output,
        "INOUT" => Direction::InOut,
        _ => return None,
    };
    let mut arguments = arguments.strip_suffix(");")?.split(',');
    let member = arguments.next()?.trim();
    let high: i64 = arguments.next()?.trim().parse().ok()?;
    let low: i64 = arguments.next()?.trim().parse().ok()?;
    let bits = u32::try_from(high.abs_diff(low) + 1).ok()?;
    Some(PortMember {
        info: PortInfo { name: crate::names::decode(member), direction, bits },
        member: member.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Direction, parse};

    #[test]
    fn every_macro_is_understood() {
        let header = "    VL_IN8(&clk,0,0);\n  VL_OUT16(&q16,15,0);\n VL_OUTW(&wide,99,0,4);\n VL_INOUT64(&pad,40,0);\n \
                      VL_IN((&unpacked)[2],31,0);\n explicit V(int);";
        let ports = parse(header);
        let seen: Vec<_> =
            ports.iter().map(|port| (port.info.name.as_str(), port.info.direction, port.info.bits)).collect();
        assert_eq!(
            seen,
            [
                ("clk", Direction::Input, 1),
                ("q16", Direction::Output, 16),
                ("wide", Direction::Output, 100),
                ("pad", Direction::InOut, 41),
            ]
        );
    }
}
