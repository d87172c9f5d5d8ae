//! What of a curve lies inside the frame.

/// A point of a curve, in the units of its axes.
pub(super) type Point = (f64, f64);

/// The frame, in the units of its axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) x: (f64, f64),
    pub(super) y: (f64, f64),
}

impl Frame {
    pub(super) fn holds(&self, (x, y): Point) -> bool {
        (self.x.0..=self.x.1).contains(&x) && (self.y.0..=self.y.1).contains(&y)
    }

    /// The pieces of the polyline through `points` that lie inside.
    pub(super) fn pieces(&self, points: &[Point]) -> Vec<Vec<Point>> {
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        for pair in points.windows(2) {
            let (Some(&from), Some(&to)) = (pair.first(), pair.last()) else { continue };
            let Some((start, end)) = self.segment(from, to) else { continue };
            match pieces.last_mut() {
                Some(piece) if piece.last() == Some(&start) => piece.push(end),
                _ => pieces.push(vec![start, end]),
            }
        }
        pieces
    }

    /// Liang and Barsky: the part of one segment that lies inside.
    pub(super) fn segment(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        let sides = [
            (-dx, from.0 - self.x.0),
            (dx, self.x.1 - from.0),
            (-dy, from.1 - self.y.0),
            (dy, self.y.1 - from.1),
        ];
        for (slope, room) in sides {
            if slope == 0.0 {
                if room < 0.0 {
                    return None;
                }
            } else if slope < 0.0 {
                enter = enter.max(room / slope);
            } else {
                leave = leave.min(room / slope);
            }
        }
        let at = |t: f64| match t {
            0.0 => from,
            1.0 => to,
            t => (from.0 + t * dx, from.1 + t * dy),
        };
        (enter <= leave).then(|| (at(enter), at(leave)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame = Frame { x: (0.0, 10.0), y: (0.0, 10.0) };

    #[test]
    fn a_curve_leaves_upward_at_the_frame() {
        let pieces = FRAME.pieces(&[(0.0, 5.0), (5.0, 5.0), (6.0, 15.0)]);
        assert_eq!(pieces, [vec![(0.0, 5.0), (5.0, 5.0), (5.5, 10.0)]]);
    }

    #[test]
    fn a_curve_that_comes_back_has_two_pieces() {
        let pieces = FRAME.pieces(&[(0.0, 0.0), (2.0, 20.0), (4.0, 0.0)]);
        assert_eq!(pieces, [vec![(0.0, 0.0), (1.0, 10.0)], vec![(3.0, 10.0), (4.0, 0.0)]]);
    }

    #[test]
    fn what_is_outside_has_no_piece() {
        assert!(FRAME.pieces(&[(0.0, 11.0), (10.0, 12.0)]).is_empty());
        assert!(FRAME.pieces(&[(1.0, 1.0)]).is_empty());
    }
}
