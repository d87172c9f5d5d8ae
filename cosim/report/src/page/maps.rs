//! Heat maps as text: the utilisation of each link, in few characters.

use super::details::{Details, Network, To};

/// How heat maps fit into a page: digits for each link, and which rows have one.
pub(super) struct Maps {
    pub(super) digits: usize,
    /// Every so manyth row.
    pub(super) every: usize,
}

/// Characters that all heat maps of a page may have together.
const ROOM: usize = 3_000_000;
/// Most directions of links between routers that a browser draws in a moment.
const DRAWN: usize = 40_000;
/// Of numbers to the base of 64.
const DIGITS: &[u8; 64] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";

impl Maps {
    pub(super) fn fitting(details: &Details) -> Self {
        let of_row =
            |row: &super::details::Detail| row.network.map(|n| between(&details.networks[n]).count());
        let links: usize = details.rows.iter().filter_map(of_row).filter(|links| *links <= DRAWN).sum();
        let digits = if 2 * links <= ROOM { 2 } else { 1 };
        Self { digits, every: (digits * links).div_ceil(ROOM).max(1) }
    }

    /// Of row `n`, the utilisation of each link between routers: a number whose highest value means 1.
    pub(super) fn of(&self, n: usize, network: &Network, utilisation: &[f64]) -> Option<String> {
        let links = between(network);
        if !n.is_multiple_of(self.every) || links.clone().count() > DRAWN {
            return None;
        }
        let highest = 64_usize.pow(self.digits as u32) - 1;
        let digit = |number: usize, place: usize| {
            char::from(DIGITS[number / 64_usize.pow(place as u32) % DIGITS.len()])
        };
        let of = |link: usize| {
            let number = (utilisation[link].clamp(0.0, 1.0) * highest as f64).round() as usize;
            (0..self.digits).rev().map(move |place| digit(number, place))
        };
        Some(links.flat_map(of).collect())
    }
}

/// The numbers of the links between routers.
fn between(network: &Network) -> impl Iterator<Item = usize> + Clone + '_ {
    let links = network.links.iter().enumerate();
    links.filter(|(_, link)| matches!(link.to, To::Router(_))).map(|(n, _)| n)
}
