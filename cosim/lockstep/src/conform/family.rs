//! Ports of a module that differ by a number alone, as `p0_valid` and `p1_valid`: one signal of every port of the switch.

use verilated::{Direction, PortInfo};

/// One signal: a port of the module, or one for each port of the switch, and perhaps for each VC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Family {
    /// With `{port}` and `{vc}` where the numbers stand.
    pub(super) name: String,
    pub(super) direction: Direction,
    /// Of each member.
    pub(super) bits: u32,
}

impl Family {
    /// Whether each port of the switch has one of its own.
    pub(super) fn is_per_port(&self) -> bool {
        self.name.contains("{port}")
    }

    /// The words of its name, in lower case, without numbers: `rxFlit_valid_i` is rx, flit, valid, i.
    pub(super) fn words(&self) -> Vec<String> {
        let name = self.name.replace("{port}", "_").replace("{vc}", "_");
        let mut words = vec![String::new()];
        let mut was_lower = false;
        for c in name.chars() {
            if !c.is_ascii_alphabetic() || (c.is_ascii_uppercase() && was_lower) {
                words.push(String::new());
            }
            if let (true, Some(word)) = (c.is_ascii_alphabetic(), words.last_mut()) {
                word.push(c.to_ascii_lowercase());
            }
            was_lower = c.is_ascii_lowercase();
        }
        words.retain(|word| !word.is_empty());
        words
    }
}

/// Names of ports without numbers: a list of words for each port, in the order of a mesh of two dimensions (its node, up and down the
/// first, up and down the second).
const WORDS: [&[&str]; 5] = [
    &["l", "local", "p", "pe", "core", "c"],
    &["e", "east"],
    &["w", "west"],
    &["n", "north"],
    &["s", "south"],
];

/// The names of ports, as names of signals have them; numbers unless every port of the switch has a signal with a word for it.
pub(super) fn port_names(ports: &[PortInfo], count: usize) -> Vec<String> {
    let numbers = (0..count).map(|port| port.to_string()).collect();
    if count != WORDS.len() {
        return numbers;
    }
    let is_there = |name: &str, like: &PortInfo| {
        ports
            .iter()
            .any(|port| port.name == name && port.direction == like.direction && port.bits == like.bits)
    };
    for like in ports {
        for (start, end) in tokens(&like.name) {
            let (before, token, after) = (&like.name[..start], &like.name[start..end], &like.name[end..]);
            let cased = |word: &&str| match token.chars().next() {
                Some(c)
                    if c.is_ascii_uppercase()
                        && token.len() > 1
                        && token.chars().any(|c| c.is_ascii_lowercase()) =>
                {
                    format!("{}{}", word[..1].to_uppercase(), &word[1..])
                }
                Some(c) if c.is_ascii_uppercase() => word.to_uppercase(),
                _ => (*word).to_owned(),
            };
            let named = |words: &&[&str]| {
                let mut words = words.iter().map(cased);
                words.find(|word| is_there(&format!("{before}{word}{after}"), like))
            };
            let names: Vec<_> = WORDS.iter().filter_map(named).collect();
            if names.len() == count {
                return names;
            }
        }
    }
    numbers
}

/// Where the words of a name begin and end, between underscores.
fn tokens(name: &str) -> Vec<(usize, usize)> {
    let mut start = 0;
    let mut found = Vec::new();
    for part in name.split('_') {
        found.push((start, start + part.len()));
        start += part.len() + 1;
    }
    found
}

/// The signals of a module, in the order of its ports, for a switch whose ports have these names, and of so many VCs.
pub(super) fn families(ports: &[PortInfo], names: &[String], vcs: usize) -> Vec<Family> {
    let mut found: Vec<Family> = Vec::new();
    let is_complete = |name: &str, like: &PortInfo| {
        let is_per_vc = name.contains("{vc}");
        let lanes = if is_per_vc { vcs } else { 1 };
        let some = !is_per_vc || vcs > 1;
        some && names.iter().all(|port| {
            (0..lanes).all(|vc| {
                let member = name.replace("{port}", port).replace("{vc}", &vc.to_string());
                ports.iter().any(|port| {
                    (&port.name, port.direction, port.bits) == (&member, like.direction, like.bits)
                })
            })
        })
    };
    for port in ports {
        let name = templates(&port.name, names).into_iter().find(|name| is_complete(name, port));
        let name = name.unwrap_or_else(|| port.name.clone());
        let family = Family { name, direction: port.direction, bits: port.bits };
        if !found.contains(&family) {
            found.push(family);
        }
    }
    found
}

/// The name with each number in it as the port's, the VC's, or one as this and one as that; those with both first.
fn templates(name: &str, names: &[String]) -> Vec<String> {
    let runs = runs(name);
    let put = |name: &str, (start, end): (usize, usize), word: &str| {
        format!("{}{word}{}", &name[..start], &name[end..])
    };
    let mut both = Vec::new();
    let (mut one, mut lanes) = (Vec::new(), Vec::new());
    let words =
        tokens(name).into_iter().filter(|&(start, end)| names.iter().any(|word| *word == name[start..end]));
    for word in words.filter(|word| !runs.contains(word)) {
        both.extend(runs.iter().map(|&vc| {
            let (late, early) =
                if vc > word { ((vc, "{vc}"), (word, "{port}")) } else { ((word, "{port}"), (vc, "{vc}")) };
            put(&put(name, late.0, late.1), early.0, early.1)
        }));
        one.push(put(name, word, "{port}"));
    }
    for &port in &runs {
        one.push(put(name, port, "{port}"));
        lanes.push(put(name, port, "{vc}"));
        for &vc in runs.iter().filter(|&&vc| vc != port) {
            // The later one first, so that the earlier one stays where it is.
            let (late, early) =
                if vc > port { ((vc, "{vc}"), (port, "{port}")) } else { ((port, "{port}"), (vc, "{vc}")) };
            both.push(put(&put(name, late.0, late.1), early.0, early.1));
        }
    }
    both.append(&mut one);
    both.append(&mut lanes);
    both
}

/// Where the numbers of a name begin and end.
fn runs(name: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in name.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn port(name: &str, bits: u32) -> PortInfo {
        PortInfo { name: name.to_owned(), direction: Direction::Input, bits }
    }

    fn names(ports: &[PortInfo], count: usize, vcs: usize) -> Vec<String> {
        families(ports, &port_names(ports, count), vcs).into_iter().map(|family| family.name).collect()
    }

    #[test]
    fn ports_that_differ_by_a_number_are_one_signal() {
        let ports =
            [port("clk", 1), port("p0_in1", 4), port("p1_in1", 4), port("p0_in0", 4), port("p1_in0", 4)];
        assert_eq!(
            names(&ports, 2, 1),
            ["clk", "p{port}_in1", "p{port}_in0"],
            "one VC: the second number is part of the name"
        );
        assert_eq!(names(&ports, 2, 2), ["clk", "p{port}_in{vc}"]);
        assert_eq!(
            names(&ports, 3, 1),
            ["clk", "p0_in1", "p1_in1", "p0_in0", "p1_in0"],
            "a third port is missing"
        );
    }

    #[test]
    fn ports_that_are_called_by_letters_are_one_signal() {
        let all = |names: &[&str]| -> Vec<PortInfo> {
            let of = |name: &&str| [port(&format!("in_{name}_vc0"), 4), port(&format!("in_{name}_vc1"), 4)];
            names.iter().flat_map(of).chain([port("clk", 1)]).collect()
        };
        let letters = all(&["N", "E", "S", "W", "L"]);
        assert_eq!(port_names(&letters, 5), ["L", "E", "W", "N", "S"]);
        assert_eq!(names(&letters, 5, 2), ["in_{port}_vc{vc}", "clk"]);
        assert_eq!(
            port_names(&all(&["north", "east", "south", "west", "local"]), 5),
            ["local", "east", "west", "north", "south"]
        );
        assert_eq!(
            port_names(&all(&["N", "E", "S", "W"]), 5),
            ["0", "1", "2", "3", "4"],
            "the fifth is missing"
        );
    }

    #[test]
    fn of_one_width_only() {
        assert_eq!(names(&[port("a0", 1), port("a1", 2)], 2, 1), ["a0", "a1"]);
    }

    #[test]
    fn words_are_found_in_any_style() {
        let family = |name: &str| Family { name: name.to_owned(), direction: Direction::Input, bits: 1 };
        assert_eq!(family("p{port}_rxFlit_valid_i").words(), ["p", "rx", "flit", "valid", "i"]);
        assert_eq!(family("s{port}_AXIS_TDATA").words(), ["s", "axis", "tdata"]);
    }
}
