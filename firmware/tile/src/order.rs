//! What a host tells a board after boot.

use router_core::map::grid::{Grid, GridError};
use tether::bytes::{Reader, Writer};

/// Links of a board to neighbours: up and down in the first dimension, up and down in the second.
pub const CABLES: usize = 4;

/// The place of a board in a mesh, and what it sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// Boards in a row, at least 2.
    pub columns: u8,
    /// Rows; where there is 1, no cable but those along it is used.
    pub rows: u8,
    /// The number of this board, row by row.
    pub board: u8,
    /// How often it has been restarted.
    pub life: u8,
    /// Packets to send.
    pub packets: u32,
    /// Flits of the longest of them, at least 1 and at most as many as a buffer has.
    pub longest: u8,
    /// Decides where they go and how long they are.
    pub seed: u64,
    /// A defect.
    pub plant: Plant,
}

/// A defect, to see that it is noticed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Plant {
    /// None.
    #[default]
    None,
    /// A bit of a flit's bytes changes in the switch, after the check sum of the link.
    Flip,
    /// The node sends a packet twice.
    Repeat,
    /// The node drops a packet that came, without a word.
    Swallow,
    /// The node exchanges two packets to the same board.
    Swap,
}

impl Plant {
    const ALL: [Self; 5] = [Self::None, Self::Flip, Self::Repeat, Self::Swallow, Self::Swap];
}

impl Order {
    /// Writes it.
    pub fn write(&self, to: &mut Writer<'_>) {
        to.bytes(&[self.columns, self.rows, self.board, self.life, self.plant as u8, self.longest]);
        to.u32(self.packets);
        to.u64(self.seed);
    }

    /// Reads it.
    pub fn read(from: &mut Reader<'_>) -> Option<Self> {
        let [columns, rows, board, life, plant, longest] = from.take().ok()?;
        let plant = *Plant::ALL.get(usize::from(plant))?;
        let (packets, seed) = (from.u32().ok()?, from.u64().ok()?);
        Some(Self { columns, rows, board, life, packets, longest, seed, plant })
    }

    /// How many boards there are.
    pub fn boards(&self) -> u8 {
        self.columns.saturating_mul(self.rows)
    }

    /// The map.
    ///
    /// # Errors
    /// When it is less than 2 boards wide, or has no row.
    pub fn grid(&self) -> Result<Grid, GridError> {
        let sizes = [self.columns.into(), self.rows.into()];
        let dimensions = if self.rows == 1 { sizes.split_at(1).0 } else { &sizes };
        Grid::new(dimensions, 1, false)
    }

    /// Column and row of a board.
    pub fn coordinates(&self, board: u8) -> [u32; 2] {
        let row = board.checked_div(self.columns).unwrap_or_default();
        [board.saturating_sub(row.saturating_mul(self.columns)).into(), row.into()]
    }

    /// Whether there is a neighbour at a cable.
    pub fn has_neighbour(&self, cable: usize) -> bool {
        let [column, row] = self.coordinates(self.board);
        match cable {
            0 => column.saturating_add(1) < self.columns.into(),
            1 => column > 0,
            2 => row.saturating_add(1) < self.rows.into(),
            3 => row > 0,
            _ => false,
        }
    }

    /// The number of this run of this board, for its links.
    pub(crate) fn session(&self) -> core::num::NonZeroU32 {
        let number = u32::from(self.life).wrapping_shl(8) | u32::from(self.board);
        core::num::NonZeroU32::MIN.saturating_add(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let order = Order {
            columns: 3,
            rows: 4,
            board: 7,
            life: 2,
            packets: 99,
            longest: 5,
            seed: 1 << 40,
            plant: Plant::Swap,
        };
        let mut bytes = [0; 32];
        let mut writer = Writer::new(&mut bytes);
        order.write(&mut writer);
        assert_eq!(Order::read(&mut Reader::new(&bytes)), Some(order));
        assert_eq!(order.coordinates(7), [1, 2]);
        assert_eq!([0, 1, 2, 3, 4].map(|cable| order.has_neighbour(cable)), [true, true, true, true, false]);
    }
}
