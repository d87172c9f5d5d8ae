//! The legend: above the panels, in columns, never over the data.

use plotters::element::Rectangle;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor};

use super::canvas::{Canvas, Drawn, plain, shortened, write};
use super::marks::{Fill, Mark, Stroke};
use super::palette::{FAINT, INK, Look, SOFT, Shape};
use super::svg::{px, text_width};

const TEXT: f64 = 12.5;
const ROW: f64 = 20.0;
const SAMPLE: f64 = 34.0;
const SWATCH: f64 = 16.0;
const GAP: f64 = 8.0;
const BETWEEN: f64 = 24.0;

/// What stands before a name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sample {
    /// A curve with its markers.
    Curve(Look),
    /// A line alone: colour, dash, width.
    Line(RGBColor, &'static str, f64),
    /// A marker that means a state.
    State(Fill),
    /// A whisker.
    Interval,
    /// A bar.
    Bar(RGBColor),
}

/// A sample and its name.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) sample: Sample,
    pub(super) name: String,
}

/// Entries in one row where they fit, otherwise in columns.
pub(super) struct Legend {
    /// Where each entry begins, in pixels from the first, and its name as far as there is room.
    entries: Vec<((f64, f64), Sample, String)>,
    sample: f64,
    rows: usize,
}

impl Legend {
    /// For a picture with `room` pixels of width.
    pub(super) fn new(entries: &[Entry], room: f64) -> Self {
        let only_bars = entries.iter().all(|entry| matches!(entry.sample, Sample::Bar(_)));
        let sample = if only_bars { SWATCH } else { SAMPLE };
        let longest = room / 2.0 - sample - GAP - BETWEEN;
        let names: Vec<String> = entries.iter().map(|entry| shortened(&entry.name, TEXT, longest)).collect();
        let widths: Vec<f64> =
            names.iter().map(|name| sample + GAP + text_width(name, TEXT) + BETWEEN).collect();
        let places = places(&widths, room + BETWEEN);
        let rows = places.last().map_or(0, |&(row, _)| row + 1);
        let at = |(row, x): (usize, f64)| (x, (row as f64 + 0.5) * ROW);
        let entry =
            |((place, entry), name): (((usize, f64), &Entry), String)| (at(place), entry.sample, name);
        let entries = places.into_iter().zip(entries).zip(names).map(entry).collect();
        Self { entries, sample, rows }
    }

    pub(super) fn height(&self) -> f64 {
        self.rows as f64 * ROW
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>, (left, top): (f64, f64)) -> Drawn {
        for ((x, y), sample, name) in &self.entries {
            let (x, y) = (left + x, top + y);
            sample.draw(canvas, (x, y))?;
            let style = plain(TEXT, INK, HPos::Left, VPos::Center);
            write(canvas, name, (x + self.sample + GAP, y), &style)?;
        }
        Ok(())
    }
}

/// Row and horizontal place of entries as wide as `widths`.
fn places(widths: &[f64], room: f64) -> Vec<(usize, f64)> {
    if widths.iter().sum::<f64>() <= room {
        let next = |x: &mut f64, width: &f64| Some((0, std::mem::replace(x, *x + width)));
        return widths.iter().scan(0.0, next).collect();
    }
    let widest = widths.iter().copied().fold(1.0, f64::max);
    let columns = ((room / widest).floor() as usize).max(1);
    // As even as the number of rows allows: 6 entries where 5 fit are 3 and 3.
    let columns = widths.len().div_ceil(widths.len().div_ceil(columns));
    (0..widths.len()).map(|n| (n / columns, (n % columns) as f64 * widest)).collect()
}

impl Sample {
    fn draw(self, canvas: &Canvas<'_>, (x, y): (f64, f64)) -> Drawn {
        let line = |colour, dash, width| Stroke {
            points: vec![(px(x), px(y)), (px(x + SAMPLE), px(y))],
            colour,
            width,
            dash,
        };
        let mark = |shape, colour, fill| Mark { at: (px(x + SAMPLE / 2.0), px(y)), shape, colour, fill };
        match self {
            Self::Curve(look) => {
                canvas.draw(&line(look.colour, look.dash, 2.0))?;
                canvas.draw(&mark(look.shape, look.colour, Fill::Solid))
            }
            Self::Line(colour, dash, width) => canvas.draw(&line(colour, dash, width)),
            Self::State(fill) => canvas.draw(&mark(Shape::Circle, SOFT, fill)),
            Self::Interval => {
                let (x, tip, cap) = (x + SAMPLE / 2.0, 6.5, 4.0);
                let strokes = [(0.0, -tip, 0.0, tip), (-cap, -tip, cap, -tip), (-cap, tip, cap, tip)];
                strokes.into_iter().try_for_each(|(x0, y0, x1, y1)| {
                    let points = vec![(px(x + x0), px(y + y0)), (px(x + x1), px(y + y1))];
                    canvas.draw(&Stroke { points, colour: SOFT, width: 1.1, dash: "" })
                })
            }
            Self::Bar(colour) => {
                let corners = [(px(x), px(y - 6.0)), (px(x + SWATCH), px(y + 6.0))];
                canvas.draw(&Rectangle::new(corners, colour.filled()))
            }
        }
    }
}

/// The entry of the whiskers.
pub(super) fn interval() -> Entry {
    Entry { sample: Sample::Interval, name: "95 % interval".to_owned() }
}

/// The entry of the line on which everything offered is accepted.
pub(super) fn everything_accepted() -> Entry {
    Entry { sample: Sample::Line(FAINT, "4 4", 1.2), name: "accepted = offered".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_stands_in_one_row() {
        assert_eq!(places(&[100.0, 50.0, 80.0], 230.0), [(0, 0.0), (0, 100.0), (0, 150.0)]);
    }

    #[test]
    fn what_does_not_fit_stands_in_even_columns() {
        let places = places(&[100.0; 6], 560.0);
        assert_eq!(places[..3], [(0, 0.0), (0, 100.0), (0, 200.0)]);
        assert_eq!(places[3..], [(1, 0.0), (1, 100.0), (1, 200.0)]);
    }
}
