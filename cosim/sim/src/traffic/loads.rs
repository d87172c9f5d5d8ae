//! `traffic.loads`: which loads to run.

use crate::document::write::{list, number, quoted};
use crate::document::{Data, Field, Problem};

/// Which offered loads to run, in flits per node per cycle.
#[derive(Debug, Clone, PartialEq)]
pub enum Loads {
    /// These, each in (0, 2].
    List(Vec<f64>),
    /// Find the highest load that is still accepted, by bisection.
    Saturation,
}

/// The highest load that a node may be given: twice what its link carries.
pub const MOST_LOAD: f64 = 2.0;

/// Instead of a list of loads: the highest that is still accepted.
const SATURATION: &str = "saturation";
pub(super) const EXPECTED: &str = "a list of loads such as [0.1, 0.2], or \"saturation\"";

impl Loads {
    pub(super) fn read(field: &Field<'_>) -> Result<Self, Problem> {
        if let Data::Text(text) = &field.value.data {
            return match text.as_str() {
                SATURATION => Ok(Self::Saturation),
                _ => Err(field.unknown_word(text, &[SATURATION]).note("or a list such as [0.1, 0.2]")),
            };
        }
        let load = |field: Field<'_>| {
            let load = field.real().filter(|load| *load > 0.0 && *load <= MOST_LOAD);
            load.ok_or_else(|| {
                field.wrong(format!("a load above 0 and at most {MOST_LOAD}, in flits per node per cycle"))
            })
        };
        if let Data::Table(_) = &field.value.data {
            let range =
                "a range, { from = 0.1, to = 0.5, step = 0.1 }, belongs in a campaign, as the axis `load`";
            return Err(field.wrong(EXPECTED).note(range));
        }
        let mut loads: Vec<f64> = Vec::new();
        for one in field.list(EXPECTED)? {
            let value = load(one.clone())?;
            if loads.contains(&value) {
                return Err(one.refuse(format!("the load {value} is given twice")));
            }
            loads.push(value);
        }
        Ok(Self::List(loads))
    }

    pub(super) fn write(&self) -> String {
        match self {
            Self::List(loads) => list(&loads.iter().map(number).collect::<Vec<_>>()),
            Self::Saturation => quoted(SATURATION),
        }
    }
}
