//! Routers by the names that a file gives them.

use std::collections::HashMap;

use super::{Fault, Place};
use crate::topology::edges::Edge;
use crate::topology::{MAX_ROUTERS, PlaceError};

/// The routers of a file in the order in which it first names them, and its edges.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    /// Entry `router`: its name, where that is first, and whether it has an edge.
    routers: Vec<(String, Place, bool)>,
    edges: Vec<Edge>,
    /// The first edge of a pair of routers, two-way or one-way, where a second one is the same edge again.
    merged: Option<HashMap<(u32, u32, bool), usize>>,
}

impl Names {
    /// Takes a second edge between two routers for the first one again.
    pub(super) fn merge(&mut self) {
        self.merged = Some(HashMap::new());
    }

    /// The router of a name, if there is one.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    /// The router of a name, perhaps a new one.
    pub(super) fn router(&mut self, name: &str, at: Place) -> Result<u32, Fault> {
        if let Some(known) = self.find(name) {
            return Ok(known);
        }
        if self.routers.len() >= MAX_ROUTERS {
            return Err(at.fault(PlaceError::TooManyRouters));
        }
        let number = self.routers.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.routers.push((name.to_owned(), at, false));
        Ok(number)
    }

    /// An edge between two routers.
    pub(super) fn join(&mut self, edge: Edge, at: Place) -> Result<(), Fault> {
        let Edge { ends: (a, b), is_one_way, latency, width } = edge;
        if a == b {
            let name = self.routers.get(a as usize).map_or_else(String::new, |router| router.0.clone());
            return Err(at.fault(PlaceError::Loop(name)));
        }
        for end in [a, b] {
            if let Some(router) = self.routers.get_mut(end as usize) {
                router.2 = true;
            }
        }
        if let Some(merged) = &mut self.merged {
            let edge = if is_one_way { (a, b, true) } else { (a.min(b), a.max(b), false) };
            let first = *merged.entry(edge).or_insert(self.edges.len());
            if let Some(edge) = self.edges.get_mut(first) {
                edge.latency = latency.or(edge.latency);
                edge.width = width.or(edge.width);
                return Ok(());
            }
        }
        self.edges.push(edge);
        Ok(())
    }

    /// The edges, routers numbered as they are named where their names are the numbers from 0 without gaps, else in the order in
    /// which they are first named.
    pub(super) fn edges(self) -> Result<Vec<Edge>, Fault> {
        if let Some((name, at, _)) = self.routers.iter().find(|router| !router.2) {
            return Err(at.fault(PlaceError::NoEdge(name.clone())));
        }
        let count = self.routers.len();
        let number = |name: &str| {
            let number = name.parse::<u32>().ok().filter(|&number| (number as usize) < count);
            number.filter(|number| number.to_string() == name)
        };
        let by_name: Option<Vec<u32>> = self.routers.iter().map(|router| number(&router.0)).collect();
        let Some(by_name) = by_name else { return Ok(self.edges) };
        let renumber = |edge: Edge| {
            let [a, b] =
                [edge.ends.0, edge.ends.1].map(|end| by_name.get(end as usize).copied().unwrap_or(end));
            Edge { ends: (a, b), ..edge }
        };
        Ok(self.edges.into_iter().map(renumber).collect())
    }
}
