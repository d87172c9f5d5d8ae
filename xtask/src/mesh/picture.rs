//! The mesh as people see it.

use super::shape::{Joint, Mesh};
use std::fmt::Write as _;

/// What is shown of a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    pub(super) sent: u32,
    pub(super) came: usize,
    pub(super) restarts: u8,
}

/// What is shown of a cable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carried {
    pub(super) joint: Joint,
    pub(super) frames: u32,
    pub(super) was_cut: bool,
}

/// Columns of a board, and of a cable beside it.
const BOARD: usize = 14;
const CABLE: usize = 9;

/// Boards with the packets that they sent and got, cables with their frames. Rows go upwards, as the ports do.
pub(super) fn draw(mesh: Mesh, boards: &[Seen], cables: &[Carried]) -> String {
    let cable = |board: u8, port: u8| cables.iter().find(|cable| cable.joint.ends[0] == (board, port));
    let mut text = String::new();
    for row in (0..mesh.rows).rev() {
        let numbers: Vec<u8> = (0..mesh.columns).map(|column| row * mesh.columns + column).collect();
        let seen = |board: u8| boards.get(usize::from(board)).cloned().unwrap_or_default();
        let mut line = |part: &dyn Fn(u8) -> String, beside: &dyn Fn(u8) -> String| {
            let cells: Vec<_> = numbers.iter().map(|&board| part(board) + &beside(board)).collect();
            let _ = writeln!(text, "  {}", cells.concat().trim_end());
        };
        let inner = BOARD - 2;
        let nothing = |board: u8| blank(mesh, board);
        line(&|_| format!("┌{}┐", "─".repeat(inner)), &nothing);
        let title = |board: u8| {
            let mark = match seen(board).restarts {
                0 => String::new(),
                times => format!(" ↻{times}"),
            };
            format!("│{:<inner$}│", format!(" board {board}{mark}"))
        };
        let frames = |board: u8| {
            cable(board, 1).map_or_else(|| blank(mesh, board), |cable| format!("{:^CABLE$}", cable.frames))
        };
        line(&title, &frames);
        let along = |board: u8| {
            cable(board, 1).map_or_else(
                || blank(mesh, board),
                |cable| {
                    if cable.was_cut { format!("{:─^CABLE$}", " ✂ ") } else { "─".repeat(CABLE) }
                },
            )
        };
        line(&|board| format!("│{:<inner$}│", format!(" {} sent", seen(board).sent)), &along);
        line(&|board| format!("│{:<inner$}│", format!(" {} came", seen(board).came)), &nothing);
        line(&|_| format!("└{}┘", "─".repeat(inner)), &nothing);
        if row == 0 {
            continue;
        }
        let below = |board: u8| {
            let mark =
                |cable: &Carried| format!("{} {}", if cable.was_cut { '✂' } else { '│' }, cable.frames);
            let shown = cable(board - mesh.columns, 3).map_or_else(String::new, mark);
            format!("{:<BOARD$}", format!("   {shown}"))
        };
        line(&below, &nothing);
    }
    text
}

/// Beside a board of any but the last column.
fn blank(mesh: Mesh, board: u8) -> String {
    " ".repeat(if (board + 1).is_multiple_of(mesh.columns) { 0 } else { CABLE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mesh_of_two_by_two() {
        let mesh = Mesh { columns: 2, rows: 2 };
        let boards: Vec<_> = (0..4u8)
            .map(|board| Seen { sent: 10 + u32::from(board), came: 9, restarts: u8::from(board == 3) })
            .collect();
        let cables: Vec<_> = (1u32..)
            .zip(mesh.joints())
            .map(|(frames, joint)| Carried { joint, frames, was_cut: frames == 1 || frames == 4 })
            .collect();
        let drawn = draw(mesh, &boards, &cables);
        let expected = "
  ┌────────────┐         ┌────────────┐
  │ board 2    │    2    │ board 3 ↻1 │
  │ 12 sent    │─────────│ 13 sent    │
  │ 9 came     │         │ 9 came     │
  └────────────┘         └────────────┘
     │ 3                    ✂ 4
  ┌────────────┐         ┌────────────┐
  │ board 0    │    1    │ board 1    │
  │ 10 sent    │─── ✂ ───│ 11 sent    │
  │ 9 came     │         │ 9 came     │
  └────────────┘         └────────────┘
";
        assert_eq!(drawn, expected.trim_start_matches('\n'));
    }
}
