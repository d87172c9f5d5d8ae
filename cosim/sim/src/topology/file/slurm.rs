//! Slurm's `topology.conf`: `SwitchName=leaf1 Nodes=node[001-008]`, and `SwitchName=spine Switches=leaf[1-2]`; and what `scontrol show
//! topology` prints of it.

use std::collections::HashMap;

use super::content::{Content, Node, Router};
use super::tokens::clipped;
use super::{Fault, count};
use crate::printable;
use crate::topology::edges::Edge;
use crate::topology::{FileError, LineError, MAX_ROUTERS};

/// Whether a line is one of such a file.
pub(super) fn is_line(line: &str) -> bool {
    line.split_once('=').is_some_and(|(key, _)| key.trim().eq_ignore_ascii_case(SWITCH))
}

/// A line about a switch.
#[derive(Debug, Default)]
struct Switch {
    name: String,
    switches: Vec<String>,
    nodes: Vec<String>,
    line: usize,
}

/// Reads such a file. Each switch is a router, with a link to each of its `Switches` and a node for each of its `Nodes`.
pub(super) fn read(text: &str) -> Result<Content, Fault> {
    let (mut switches, mut numbers, mut speeds) = (Vec::new(), HashMap::new(), 0);
    let (mut joined, mut start, mut nodes) = (String::new(), 1, 0);
    for (line, number) in text.lines().zip(1..) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if joined.is_empty() {
            start = number;
        }
        joined.push_str(line.trim_end_matches('\\'));
        if line.ends_with('\\') {
            continue;
        }
        let whole = std::mem::take(&mut joined);
        let switch = switch(&whole, start, &mut speeds).map_err(|what| Fault::Line(start, what))?;
        let Some(switch) = switch else { continue };
        nodes += switch.nodes.len();
        if nodes > MAX_ROUTERS {
            return Err(Fault::File(FileError::TooManyNodes));
        }
        if switches.len() == MAX_ROUTERS {
            return Err(Fault::Line(start, LineError::TooManyRouters));
        }
        if numbers.insert(switch.name.clone(), switches.len() as u32).is_some() {
            return Err(Fault::Line(start, LineError::TwoSwitches(format!("`{}`", clipped(&switch.name)))));
        }
        switches.push(switch);
    }
    content(&switches, &numbers, speeds)
}

fn content(switches: &[Switch], numbers: &HashMap<String, u32>, speeds: usize) -> Result<Content, Fault> {
    let mut content = Content { count: switches.len(), lists_nodes: true, ..Content::default() };
    for (switch, of) in (0..).zip(switches) {
        for name in &of.switches {
            let missing = || LineError::NoSwitch(format!("`{}`", clipped(name)));
            let &child = numbers.get(name).ok_or_else(|| Fault::Line(of.line, missing()))?;
            if child == switch {
                return Err(Fault::Line(of.line, LineError::Loop(switch as usize)));
            }
            content.edges.push(Edge::plain((switch, child)));
        }
        let node = |(port, name): (usize, &String)| Node {
            name: printable::name(name),
            mark: printable::name(&of.name),
            port: port.to_string(),
            lid: 0,
            rate: None,
        };
        let nodes = of.nodes.iter().enumerate().map(node).collect();
        content.routers.push(Router { name: printable::name(&of.name), nodes, ..Router::default() });
    }
    if speeds > 0 {
        let lines = count(speeds, "LinkSpeed is not read", "values of LinkSpeed are not read");
        content.notes.push(format!("{lines}: all links are taken as equal"));
    }
    if !content.edges.is_empty() {
        content
            .notes
            .push("this file has one link between two switches, however many cables there are".to_owned());
    }
    Ok(content)
}

/// The switch of a line; nothing where the line is empty.
fn switch(line: &str, number: usize, speeds: &mut usize) -> Result<Option<Switch>, LineError> {
    let mut switch = Switch { line: number, ..Switch::default() };
    let mut has_level = false;
    // Spaces around the sign mean nothing.
    let words = line.split('=').map(str::trim).collect::<Vec<_>>().join("=");
    for word in words.split_whitespace() {
        let (key, value) = word.split_once('=').ok_or_else(|| LineError::Slurm(clipped(word)))?;
        let value = value.trim_matches('"');
        match key.to_ascii_lowercase().as_str() {
            "switchname" => switch.name = value.to_owned(),
            "switches" => switch.switches = hosts(value)?,
            "nodes" => switch.nodes = hosts(value)?,
            "linkspeed" => *speeds += 1,
            "level" => has_level = true,
            _ => return Err(LineError::Slurm(clipped(key))),
        }
    }
    if has_level && !switch.switches.is_empty() {
        // scontrol lists what is below the switches, too.
        switch.nodes.clear();
    }
    let is_empty = line.trim().is_empty();
    if !is_empty && switch.name.is_empty() {
        Err(LineError::Slurm(clipped(line)))
    } else {
        Ok(Some(switch).filter(|_| !is_empty))
    }
}

/// The names of a list such as `node[001-008,010],login`, with any number of brackets in a name.
fn hosts(list: &str) -> Result<Vec<String>, LineError> {
    let mut names = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth <= 0 => {
                let found = &list[start..at];
                if !found.is_empty() {
                    expand(found, &mut names)?;
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    if depth == 0 { Ok(names) } else { Err(LineError::Hosts(clipped(list))) }
}

/// Adds the names of one entry of a list: each number of each bracket.
fn expand(entry: &str, names: &mut Vec<String>) -> Result<(), LineError> {
    let wrong = || LineError::Hosts(clipped(entry));
    let mut prefixes = vec![String::new()];
    let mut rest = entry;
    while let Some((before, behind)) = rest.split_once('[') {
        let (ranges, after) = behind.split_once(']').ok_or_else(wrong)?;
        let mut numbers = Vec::new();
        for range in ranges.split(',') {
            let (low, high) = range.split_once('-').unwrap_or((range, range));
            let (first, last): (u64, u64) =
                (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
            if last < first || last - first >= MAX_ROUTERS as u64 {
                return Err(wrong());
            }
            numbers
                .extend((first..=last).map(|number| format!("{number:0width$}", width = low.len().min(20))));
        }
        if prefixes.len().saturating_mul(numbers.len()).saturating_add(names.len()) > MAX_ROUTERS {
            return Err(wrong());
        }
        prefixes = prefixes
            .iter()
            .flat_map(|prefix| numbers.iter().map(move |number| format!("{prefix}{before}{number}")))
            .collect();
        rest = after;
    }
    names.extend(prefixes.into_iter().map(|prefix| prefix + rest));
    Ok(())
}

const SWITCH: &str = "SwitchName";
