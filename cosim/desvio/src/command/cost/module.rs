//! `desvio cost --module`: one module of the RTL by itself.

use super::super::failure::Failure;
use super::display::Display;
use super::{Arguments, failed, show, synthesis};
use desvio_cost::Target;
use std::str::FromStr;

/// A module and its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ModuleAlone {
    name: String,
    parameters: Vec<(String, u64)>,
}

impl FromStr for ModuleAlone {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let parameter = |text: &str| {
            let (key, value) = text.split_once('=')?;
            Some((key.to_owned(), value.parse().ok()?))
        };
        let parameters = parameters.split(',').filter(|text| !text.is_empty());
        let parameters: Option<Vec<_>> = parameters.map(parameter).collect();
        match parameters {
            Some(parameters) if is_name(name) && parameters.iter().all(|(key, _)| is_name(key)) => {
                Ok(Self { name: name.to_owned(), parameters })
            }
            _ => {
                Err("expected MODULE or MODULE:PARAMETER=NUMBER,..., such as allocator:PORTS=5,VCS=4"
                    .to_owned())
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Synthesises each and prints a line for it.
pub(super) fn modules(modules: &[ModuleAlone], arguments: &Arguments) -> Result<(), Failure> {
    let synthesis = synthesis(arguments, &arguments.targets)?;
    let display = Display::new(arguments.quiet);
    let header = [
        "module",
        "parameters",
        "target",
        "cells",
        "flip-flops",
        "transistors of gates",
        "depth",
        "LUT4",
        "MHz",
        "area µm²",
        "ps",
        "clock MHz",
        "period FO4",
    ];
    let mut table = vec![header.map(str::to_owned).to_vec()];
    for module in modules {
        let shown: Vec<String> =
            module.parameters.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let part = synthesis
            .module(&module.name, &module.parameters)
            .ok_or_else(|| Failure::Input(format!("error: the RTL has no module `{}`", module.name)))?;
        for target in &arguments.targets {
            let cost = synthesis.alone(&part, target, &display).map_err(failed)?;
            let Some(line) = cost.lines.first() else { continue };
            let optional =
                |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"));
            let each = &line.each;
            // Flip-flops of a library have any name, and only gates have transistors to be counted.
            let is_cells = *target == Target::Cells;
            let is_fpga = matches!(target, Target::Ice40 | Target::Ecp5);
            let numbers = [
                (true, each.cell_count()),
                (is_cells || is_fpga, each.flip_flops()),
                (is_cells, each.gate_transistors()),
                (is_cells, each.depth),
                (is_fpga, each.luts()),
            ];
            let number = |(is_known, number): (bool, u64)| {
                if is_known { number.to_string() } else { "–".to_owned() }
            };
            let start = [module.name.clone(), shown.join(" "), target.word().to_owned()];
            let end = [each.frequency, each.area, each.delay, cost.megahertz(), cost.fo4s()].map(optional);
            table.push(start.into_iter().chain(numbers.map(number)).chain(end).collect());
        }
    }
    display.end();
    show(&table, "modules.md", arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_may_have_parameters() {
        let parsed: ModuleAlone = "allocator:PORTS=5,VCS=4".parse().unwrap();
        assert_eq!(parsed.parameters, [("PORTS".to_owned(), 5), ("VCS".to_owned(), 4)]);
        assert!("lfsr".parse::<ModuleAlone>().unwrap().parameters.is_empty());
        for bad in ["", ":PORTS=5", "allocator:PORTS", "allocator:PORTS=five", "a;b", "a:B;c=1"] {
            assert!(bad.parse::<ModuleAlone>().is_err(), "{bad}");
        }
    }
}
