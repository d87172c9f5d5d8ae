//! A library of standard cells: areas, loads, and tables of delays.

use super::liberty::Group;
use std::collections::HashMap;

/// A library of cells. Times and loads are in its own units.
#[derive(Debug, Clone, Default)]
pub struct Library {
    /// By name.
    pub(super) cells: HashMap<String, LibraryCell>,
    /// Picoseconds of its unit of time.
    pub(super) picoseconds: f64,
}

/// A cell.
#[derive(Debug, Clone, Default)]
pub(super) struct LibraryCell {
    /// In µm².
    pub(super) area: f64,
    /// Loads of the inputs.
    pub(super) inputs: HashMap<String, f64>,
    /// From inputs to outputs.
    pub(super) arcs: Vec<Arc>,
    /// What inputs must be ahead of the clock.
    pub(super) setups: Vec<Setup>,
}

/// How an output follows an input.
#[derive(Debug, Clone)]
pub(super) struct Arc {
    pub(super) from: String,
    pub(super) to: String,
    /// From a clock; else from any change of the input.
    pub(super) is_clocked: bool,
    /// Whether the output rises when the input rises, and when it falls.
    pub(super) rises_with: (bool, bool),
    /// Delay and slew of the output's rise.
    pub(super) rise: (Table, Table),
    /// Delay and slew of the output's fall.
    pub(super) fall: (Table, Table),
}

/// What an input must be ahead of the clock, when it rises and when it falls.
#[derive(Debug, Clone)]
pub(super) struct Setup {
    pub(super) pin: String,
    pub(super) rise: Table,
    pub(super) fall: Table,
}

/// A number by slew of the input and load of the output, or in a setup by the slew of the pin itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Table {
    slews: Vec<f64>,
    loads: Vec<f64>,
    /// For each slew, all loads.
    values: Vec<f64>,
}

impl Library {
    /// Reads a library; what is wrong with it, where it is none.
    pub fn read(text: &str) -> Result<Self, String> {
        let group = Group::read(text)?;
        let templates: HashMap<&str, &Group> =
            group.of("lu_table_template").map(|template| (template.name(), template)).collect();
        let cells = group
            .of("cell")
            .map(|cell| Ok((cell.name().to_owned(), LibraryCell::of(cell, &templates)?)))
            .collect::<Result<HashMap<_, _>, String>>()?;
        if cells.is_empty() {
            return Err("the library has no cells".to_owned());
        }
        Ok(Self { cells, picoseconds: picoseconds(group.value("time_unit").unwrap_or("1ns")) })
    }

    /// The area of the smallest NAND gate of two inputs, by its name; `None` where no cell has such a name.
    pub(super) fn nand_area(&self) -> Option<f64> {
        let nands = self.cells.iter().filter(|(name, _)| name.to_ascii_lowercase().contains("nand2"));
        nands.map(|(_, cell)| cell.area).reduce(f64::min)
    }

    /// The delay in ps of the smallest inverter in a chain of such inverters, each of which drives four: what periods of different
    /// libraries are compared by. Mean of its rise and its fall; `None` where no cell is an inverter.
    pub(super) fn fo4(&self) -> Option<f64> {
        /// Slews are those of the chain after so many inverters.
        const CHAIN: usize = 32;
        let inverters = self.cells.values().filter_map(|cell| {
            let (Some(load), [arc]) = (cell.inputs.values().next(), cell.arcs.as_slice()) else {
                return None;
            };
            let inverts = !arc.is_clocked && arc.rises_with == (false, true);
            (cell.inputs.len() == 1 && inverts).then_some((cell.area, 4.0 * load, arc))
        });
        let (_, load, arc) = inverters.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)))?;
        let ((rise, rise_slew), (fall, fall_slew)) = (&arc.rise, &arc.fall);
        let mut slews = (0.0, 0.0);
        for _ in 0..CHAIN {
            slews = (rise_slew.at(slews.1, load), fall_slew.at(slews.0, load));
        }
        Some(self.picoseconds * f64::midpoint(rise.at(slews.1, load), fall.at(slews.0, load)))
    }

    /// The buffer that drives so many of its own kind in the least time: its load and its only arc.
    pub(super) fn buffer(&self, fanout: f64) -> Option<(f64, &Arc)> {
        let buffers = self.cells.values().filter_map(|cell| {
            let (Some(load), [arc]) = (cell.inputs.values().next(), cell.arcs.as_slice()) else {
                return None;
            };
            let follows = !arc.is_clocked && arc.rises_with == (true, false);
            (cell.inputs.len() == 1 && follows).then_some((*load, arc))
        });
        let slowest = |&(load, arc): &(f64, &Arc)| {
            arc.rise.0.at(0.0, fanout * load).max(arc.fall.0.at(0.0, fanout * load))
        };
        buffers.min_by(|a, b| slowest(a).total_cmp(&slowest(b)).then(a.0.total_cmp(&b.0)))
    }
}

impl LibraryCell {
    /// The library's word for a pin.
    pub(super) fn pin(&self, name: &str) -> Option<&str> {
        let outputs = self.arcs.iter().map(|arc| arc.to.as_str());
        self.inputs.keys().map(String::as_str).chain(outputs).find(|&pin| pin == name)
    }

    fn of(group: &Group, templates: &HashMap<&str, &Group>) -> Result<Self, String> {
        let mut cell = Self { area: group.number("area")?.unwrap_or(0.0), ..Self::default() };
        for pin in group.of("pin") {
            if pin.value("direction") == Some("input") {
                let mut load: f64 = 0.0;
                for key in ["rise_capacitance", "fall_capacitance", "capacitance"] {
                    load = load.max(pin.number(key)?.unwrap_or(0.0));
                }
                cell.inputs.insert(pin.name().to_owned(), load);
            }
            for timing in pin.of("timing") {
                let kind = timing.value("timing_type").unwrap_or("combinational");
                let table =
                    |kind: &str| timing.of(kind).next().map(|table| Table::of(table, templates)).transpose();
                if kind.starts_with("setup_") {
                    let (rise, fall) = (table("rise_constraint")?, table("fall_constraint")?);
                    cell.setups.push(Setup {
                        pin: pin.name().to_owned(),
                        rise: rise.unwrap_or_default(),
                        fall: fall.unwrap_or_default(),
                    });
                }
                let is_clocked = matches!(kind, "rising_edge" | "falling_edge");
                if is_clocked || kind == "combinational" {
                    let both = |delay: &str, slew: &str| Ok::<_, String>(table(delay)?.zip(table(slew)?));
                    let rise = both("cell_rise", "rise_transition")?;
                    let (Some(rise), Some(fall)) = (rise, both("cell_fall", "fall_transition")?) else {
                        continue;
                    };
                    let rises_with = match timing.value("timing_sense") {
                        Some("positive_unate") => (true, false),
                        Some("negative_unate") => (false, true),
                        _ => (true, true),
                    };
                    let related = timing.value("related_pin").unwrap_or_default().split_whitespace();
                    cell.arcs.extend(related.map(|from| Arc {
                        from: from.to_owned(),
                        to: pin.name().to_owned(),
                        is_clocked,
                        rises_with,
                        rise: rise.clone(),
                        fall: fall.clone(),
                    }));
                }
            }
        }
        Ok(cell)
    }
}

impl Table {
    fn of(group: &Group, templates: &HashMap<&str, &Group>) -> Result<Self, String> {
        let template = templates.get(group.name()).copied();
        let axis = |key: &str| {
            let owner = if group.values(key).is_some() { group } else { template.unwrap_or(group) };
            owner.numbers(key)
        };
        let variable = |key: &str| template.and_then(|template| template.value(key)).unwrap_or_default();
        let values = group.numbers("values")?;
        let (first, second) = (axis("index_1")?, axis("index_2")?);
        // The clock's slew is the related pin's; the clock is ideal, so its first index stands for it.
        let is_slew = |name: &str| matches!(name, "input_net_transition" | "constrained_pin_transition");
        if is_slew(variable("variable_1"))
            || variable("variable_2").is_empty() && !is_slew(variable("variable_1"))
        {
            let (slews, loads) =
                if is_slew(variable("variable_1")) { (first, second) } else { (Vec::new(), first) };
            return Ok(Self { slews, loads, values });
        }
        // The other way round: transposed.
        let columns = second.len().max(1);
        let transposed = (0..columns).flat_map(|column| values.iter().skip(column).step_by(columns).copied());
        Ok(Self { slews: second, values: transposed.collect(), loads: first })
    }

    /// The number at a slew and a load: linear between the table's points, and beyond its ends.
    pub(super) fn at(&self, slew: f64, load: f64) -> f64 {
        let columns = self.loads.len().max(1);
        let ((row, down), (column, right)) = (place(&self.slews, slew), place(&self.loads, load));
        let value =
            |row: usize, column: usize| self.values.get(row * columns + column).copied().unwrap_or(0.0);
        let in_row = |row: usize| {
            let left = value(row, column);
            if right == 0.0 { left } else { left + right * (value(row, column + 1) - left) }
        };
        let upper = in_row(row);
        if down == 0.0 { upper } else { upper + down * (in_row(row + 1) - upper) }
    }
}

/// Between which two points of an axis a value lies: the lower one, and how far it is from there to the next.
fn place(axis: &[f64], value: f64) -> (usize, f64) {
    let above = axis.partition_point(|&point| point <= value).clamp(1, axis.len().max(2) - 1);
    match (axis.get(above - 1), axis.get(above)) {
        (Some(low), Some(high)) if high > low => (above - 1, (value - low) / (high - low)),
        _ => (0, 0.0),
    }
}

/// Picoseconds of a unit such as `1ns` or `10ps`.
fn picoseconds(unit: &str) -> f64 {
    let digits = unit.find(|c: char| c.is_alphabetic()).unwrap_or(unit.len());
    let (number, word) = unit.split_at(digits);
    let scale = match word.trim() {
        "us" => 1e6,
        "ps" => 1.0,
        "fs" => 1e-3,
        _ => 1e3,
    };
    scale * number.trim().parse::<f64>().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_nand_of_two_inputs_is_the_gate() {
        let library = "library (l) { cell (NAND2X2) { area : 48; } cell (\"NAND2X1\") { cell_footprint : \"n\"; area : 24; } \
                       cell (INVX1) { area : 16; } cell (NAND3X1) { area : 36; } }";
        assert_eq!(Library::read(library).unwrap().nand_area(), Some(24.0));
        assert_eq!(Library::read("library (l) { cell (INVX1) { area : 16; } }").unwrap().nand_area(), None);
    }

    /// An inverter of load 2 drives four, 8: its output rises after 10 + 8 with a slew of 3, and falls after 30 + 8 with one of 5. Delays
    /// are longer by the slew that comes in: rises after 18 + 5, falls after 38 + 3.
    #[test]
    fn an_inverter_that_drives_four_is_in_a_chain() {
        let table = |kind: &str, a: f64, by_slew: f64, by_load: f64| {
            let row = |slew: f64| {
                let at = |load: f64| a + by_slew * slew + by_load * load;
                format!("\"{}, {}\"", at(0.0), at(10.0))
            };
            format!("{kind} (t) {{ values ({}, {}); }} ", row(0.0), row(10.0))
        };
        let tables = table("cell_rise", 10.0, 1.0, 1.0)
            + &table("cell_fall", 30.0, 1.0, 1.0)
            + &table("rise_transition", 3.0, 0.0, 0.0)
            + &table("fall_transition", 5.0, 0.0, 0.0);
        let cell = |name: &str, area: u32, load: u32, sense: &str| {
            format!(
                "cell ({name}) {{ area : {area}; pin (A) {{ direction : input; capacitance : {load}; }} pin (Y) {{ direction : output; \
                 timing () {{ related_pin : \"A\"; timing_sense : {sense}; {tables} }} }} }} "
            )
        };
        let template = "lu_table_template (t) { variable_1 : input_net_transition; variable_2 : total_output_net_capacitance; \
                        index_1 (\"0, 10\"); index_2 (\"0, 10\"); } ";
        let library = |cells: &str| {
            Library::read(&format!("library (l) {{ time_unit : \"10ps\"; {template}{cells} }}")).unwrap()
        };
        // A buffer is none, and of two inverters the smaller one counts.
        let cells = cell("BUF", 1, 1, "positive_unate")
            + &cell("INVX2", 20, 4, "negative_unate")
            + &cell("INVX1", 16, 2, "negative_unate");
        assert_eq!(library(&cells).fo4(), Some(10.0 * f64::midpoint(23.0, 41.0)));
        assert_eq!(library(&cell("BUF", 1, 1, "positive_unate")).fo4(), None);
    }

    #[test]
    fn what_is_no_number_is_refused_by_its_place() {
        let library = |area: &str, load: &str, values: &str| {
            let table = |kind: &str| format!("{kind} (t) {{ values ({values}); }}");
            let tables = ["cell_rise", "rise_transition", "cell_fall", "fall_transition"].map(table).concat();
            Library::read(&format!(
                "library (l) {{ cell (B) {{ area : {area}; pin (A) {{ direction : input; capacitance : {load}; }} \
                 pin (Y) {{ direction : output; timing () {{ related_pin : \"A\"; {tables} }} }} }} }}"
            ))
        };
        assert_eq!(library("1.5", "2e-3", "\"1, 2\", \"3 4\"").unwrap().cells["B"].area, 1.5);
        for (area, load, values, message) in [
            ("nan", "1", "\"1\"", "`area` of cell `B`: `nan` is not a number"),
            ("1e999", "1", "\"1\"", "`area` of cell `B`: `1e999` is not a number"),
            ("1", "inf", "\"1\"", "`capacitance` of pin `A`: `inf` is not a number"),
            ("1", "1", "\"1, 2x, 3\"", "`values` of cell_rise `t`: `2x` is not a number"),
            ("1", "1", "\"1, -inf\"", "`values` of cell_rise `t`: `-inf` is not a number"),
        ] {
            assert_eq!(library(area, load, values).unwrap_err(), message);
        }
    }

    #[test]
    fn tables_are_linear_between_their_points_whichever_index_is_first() {
        // 100 × slew + load.
        for (first, second, values) in [
            ("input_net_transition", "total_output_net_capacitance", "\"101, 102\", \"201, 202\""),
            ("total_output_net_capacitance", "input_net_transition", "\"101, 201\", \"102, 202\""),
        ] {
            let text = format!(
                "library (l) {{ time_unit : \"10ps\"; lu_table_template (t) {{ variable_1 : {first}; variable_2 : {second}; \
                 index_1 (\"1, 2\"); index_2 (\"1, 2\"); }} cell (B) {{ area : 1; pin (A) {{ direction : input; \
                 capacitance : 2; }} pin (Y) {{ direction : output; timing () {{ related_pin : \"A\"; \
                 timing_sense : positive_unate; cell_rise (t) {{ values ({values}); }} rise_transition (t) {{ values \
                 ({values}); }} cell_fall (t) {{ values ({values}); }} fall_transition (t) {{ values ({values}); }} }} }} }} }}"
            );
            let library = Library::read(&text).unwrap();
            let (load, arc) = library.buffer(4.0).unwrap();
            assert_eq!((load, library.picoseconds), (2.0, 10.0));
            for (slew, load) in [(1.0, 1.0), (1.5, 1.25), (2.0, 2.0), (0.0, 1.0), (3.0, 4.0)] {
                let is = arc.rise.0.at(slew, load);
                assert!((is - (100.0 * slew + load)).abs() < 1e-9, "{first}: {is} at {slew}, {load}");
            }
        }
    }
}
