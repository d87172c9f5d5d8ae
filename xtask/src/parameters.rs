//! The parameters of the router: `hdl/include/*.svh`, written from `hdl/switch.toml`.
//!
//! A module takes the parameters by including `dsv_config.svh` in its list of parameters, or `dsv_route_config.svh` where a routing's
//! are enough, and hands them on by including the file of the same name with `_pass`.

use crate::step::Failure;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What both languages must agree on.
pub(crate) const SOURCE: &str = "hdl/switch.toml";

/// The constant that a choice of an enumeration is.
pub(crate) fn constant_of(name: &str, choice: &str) -> String {
    format!("{}_{}", name.to_uppercase(), choice.to_uppercase())
}

/// All parameters, in the order in which they are written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Parameters {
    routing: Vec<Parameter>,
    router: Vec<Parameter>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    name: String,
    default: Value,
    doc: String,
}

/// A number, or the name of a choice.
#[derive(Clone, Deserialize)]
#[serde(untagged)]
pub(crate) enum Value {
    Number(u32),
    Choice(String),
}

/// The choices of each enumeration.
pub(crate) type Enums = BTreeMap<String, Vec<String>>;

impl Value {
    fn number(&self, name: &str, enums: &Enums) -> Result<u32, Failure> {
        let wrong = || Failure::new(format!("{SOURCE}: {name} is no parameter with such a choice"));
        match self {
            Self::Number(number) => Ok(*number),
            Self::Choice(choice) => {
                let choices = enums.get(name).ok_or_else(wrong)?;
                Ok(choices.iter().position(|c| c == choice).ok_or_else(wrong)? as u32)
            }
        }
    }
}

impl Parameters {
    fn all(&self) -> impl Iterator<Item = &Parameter> {
        self.routing.iter().chain(&self.router)
    }

    /// The names.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.all().map(|parameter| parameter.name.as_str()).collect()
    }

    /// All parameters as numbers: the defaults, but for what `own` has.
    pub(crate) fn with(
        &self,
        own: &BTreeMap<String, Value>,
        enums: &Enums,
    ) -> Result<Vec<(&str, u32)>, Failure> {
        let names = self.names();
        if let Some(unknown) = own.keys().find(|key| !names.contains(&key.as_str())) {
            return Err(Failure::new(format!("{SOURCE}: there is no parameter {unknown}")));
        }
        let value = |it: &Parameter| own.get(&it.name).unwrap_or(&it.default).number(&it.name, enums);
        self.all().zip(&names).map(|(it, name)| Ok((*name, value(it)?))).collect()
    }

    /// The included files, by path.
    pub(crate) fn files(&self, enums: &Enums) -> Result<[(&'static str, String); 4], Failure> {
        let derived = "\n  localparam int unsigned PORTS = NODES + LOCALS + GLOBALS,\n  \
                       localparam int unsigned VC_W = VCS > 1 ? $clog2(VCS) : 1,\n";
        let nested = |file: &str| format!("`include \"{file}\"\n");
        let head = |what: &str| {
            format!("// {what}\n// Written from {SOURCE} by `cargo xtask generate`: do not edit.\n")
        };
        let of_routing = "The parameters that a routing reads, and those of the map it runs on. A parameter of the module's own has to follow.";
        let of_router = "The parameters of the router. A parameter of the module's own has to follow.";
        Ok([
            (
                "hdl/include/dsv_route_config.svh",
                head(of_routing) + &quiet(&(declared(&self.routing, enums)? + derived)),
            ),
            (
                "hdl/include/dsv_route_config_pass.svh",
                head(
                    "The parameters of `dsv_route_config.svh`, handed on to an instance, behind all others.",
                ) + &passed(&self.routing)
                    + "\n",
            ),
            (
                "hdl/include/dsv_config.svh",
                head(of_router) + &nested("dsv_route_config.svh") + &quiet(&declared(&self.router, enums)?),
            ),
            (
                "hdl/include/dsv_config_pass.svh",
                head("The parameters of `dsv_config.svh`, handed on to an instance, behind all others.")
                    + &passed(&self.router)
                    + ",\n"
                    + &nested("dsv_route_config_pass.svh"),
            ),
        ])
    }
}

/// No module reads all of them, and what includes them need not say so.
fn quiet(text: &str) -> String {
    format!("/* verilator lint_off UNUSEDPARAM */\n{text}/* verilator lint_on UNUSEDPARAM */\n")
}

fn declared(parameters: &[Parameter], enums: &Enums) -> Result<String, Failure> {
    let mut text = String::new();
    for Parameter { name, default, doc } in parameters {
        let (number, upper) = (default.number(name, enums)?, name.to_uppercase());
        let value = match default {
            Value::Number(_) => number.to_string(),
            Value::Choice(choice) => format!("dsv_pkg::{}", constant_of(name, choice)),
        };
        let _ = writeln!(text, "  // {doc}");
        if let Some(choices) = enums.get(name) {
            let choices: Vec<_> = choices.iter().map(|choice| constant_of(name, choice)).collect();
            let _ = writeln!(text, "  // {}.", choices.join(", "));
        }
        let _ = writeln!(text, "  parameter int unsigned {upper} = {value},");
    }
    Ok(text)
}

fn passed(parameters: &[Parameter]) -> String {
    let upper = parameters.iter().map(|parameter| parameter.name.to_uppercase());
    upper.map(|name| format!("  .{name}({name})")).collect::<Vec<_>>().join(",\n")
}
