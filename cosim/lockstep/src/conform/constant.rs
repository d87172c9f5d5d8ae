//! Values that the scenario determines: of inputs that never change, and of parameters.

use super::bits::{Bits, bits_for};
use super::document::Problem;
use super::map::{PortMap, Setting, Source, Value};
use super::site::Site;

/// The bits of a constant.
pub(super) fn constant_bits(setting: &Setting, map: &PortMap, site: &Site<'_>) -> Result<Bits, String> {
    match &setting.value {
        Value::Whole(value) => Ok(number(*value)),
        Value::Text(text) => hexadecimal(text).ok_or_else(|| {
            format!("a constant must be a whole number, \"0x…\" or {{ from = … }}, not {text:?}")
        }),
        Value::From { source, bits } => known(*source, *bits, map, site),
    }
}

/// What a parameter is set to, as Verilog writes it.
pub(super) fn parameter(
    setting: &Setting,
    map: &PortMap,
    site: &Site<'_>,
) -> Result<verilated::Parameter, Problem> {
    Ok(match &setting.value {
        Value::Whole(value) => verilated::Parameter::from(*value),
        Value::Text(text) if text.contains('\'') => verilated::Parameter::verbatim(text.clone()),
        Value::Text(text) => verilated::Parameter::from(text.as_str()),
        Value::From { source, bits } => {
            let value = known(*source, *bits, map, site);
            let value = value.map_err(|message| Problem::new(setting.at.clone(), message))?;
            verilated::Parameter::sized(value.len().max(1), &format!("{value:x}"))
        }
    })
}

/// The value of a pin that the scenario determines.
fn known(source: Source, entry: u32, map: &PortMap, site: &Site<'_>) -> Result<Bits, String> {
    let mask = |holds: &dyn Fn(&super::site::Port) -> bool| {
        let mut bits = Bits::zeros(map.ports as u32);
        for port in site.ports().iter().filter(|port| holds(port)) {
            bits.put(port.switch as u32, 1, 1);
        }
        bits
    };
    Ok(match source {
        Source::Address => number(u64::from(site.here.router)),
        Source::NodePorts => mask(&|port| port.wired && port.kind == router_core::PortClass::NODE),
        Source::WiredPorts => mask(&|port| port.wired),
        Source::NextPort => {
            let most = site.ports().iter().map(|port| port.switch as u64 + 1).max().unwrap_or(1);
            if entry < bits_for(most) {
                return Err(format!("an entry has {entry} bits, but the ports need {}", bits_for(most)));
            }
            let highest = site.addresses().max().unwrap_or(0);
            if highest >= LONGEST_TABLE {
                return Err(format!("a table up to address {highest} is too long for an input"));
            }
            let mut table = Bits::zeros((highest + 1) * entry);
            for address in site.addresses() {
                table.put(address * entry, entry, site.next_port(address).unwrap_or(0) as u64);
            }
            table
        }
    })
}

fn number(value: u64) -> Bits {
    let mut bits = Bits::zeros(64);
    bits.put(0, 64, value);
    bits
}

/// The bits of a number such as `0x1f`.
pub(super) fn hexadecimal(text: &str) -> Option<Bits> {
    let digits: Vec<u32> = text
        .strip_prefix("0x")?
        .chars()
        .filter(|c| *c != '_')
        .map(|c| c.to_digit(16))
        .collect::<Option<_>>()?;
    let mut bits = Bits::zeros(digits.len() as u32 * 4);
    for (at, digit) in digits.iter().rev().enumerate() {
        bits.put(at as u32 * 4, 4, u64::from(*digit));
    }
    Some(bits).filter(|bits| bits.len() > 0)
}

/// Most entries of a table of routers in an input.
const LONGEST_TABLE: u32 = 65_536;
