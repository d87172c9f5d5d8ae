//! The ports of the switch: how many, what they are called, and which is which.

use super::super::document::{Item, Place, Problem};

/// How many ports there are, or what they are called in names of signals.
pub(super) fn ports(item: &Item<'_>) -> Result<(usize, Option<Vec<String>>), Problem> {
    let Some(list) = item.as_list() else {
        return item.whole(1..=MOST_PORTS as u64).map(|ports| (ports as usize, None));
    };
    let mut names: Vec<String> = Vec::new();
    for element in &list {
        let name = element.text("the name of a port, such as \"N\"")?;
        if names.iter().any(|known| known == name) {
            return Err(Problem::new(element.at(), format!("port \"{name}\" is in `ports` twice")));
        }
        names.push(name.to_owned());
    }
    if names.len() > MOST_PORTS {
        return Err(Problem::new(item.at(), format!("a switch has at most {MOST_PORTS} ports")));
    }
    Ok((names.len(), Some(names)))
}

/// A port of the switch, by its number or its name.
fn port(item: &Item<'_>, ports: usize, names: Option<&[String]>) -> Result<usize, Problem> {
    match (item.as_text(), names) {
        (Some(_), Some(names)) => {
            let words: Vec<_> = names.iter().map(String::as_str).zip(0..).collect();
            item.word(&words)
        }
        _ => item.whole(0..=ports as u64 - 1).map(|port| port as usize),
    }
}

/// For each port of the scenario's router, that of the switch.
pub(super) fn order(
    item: &Item<'_>,
    ports: usize,
    names: Option<&[String]>,
) -> Result<(Vec<usize>, Place), Problem> {
    let expected = "a list of ports of the switch, one for each port of the scenario's router";
    let list = item.as_list().ok_or_else(|| item.wrong(expected))?;
    let mut order = Vec::new();
    for element in list {
        let port = port(&element, ports, names)?;
        if order.contains(&port) {
            return Err(Problem::new(element.at(), format!("port {port} of the switch is in `order` twice")));
        }
        order.push(port);
    }
    Ok((order, item.at()))
}

/// Most ports of a switch.
const MOST_PORTS: usize = 64;
