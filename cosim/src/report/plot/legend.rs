//! The legend: above the panels, in columns, never over the data.

use plotters::element::Rectangle;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor};

use super::figure::{Canvas, Drawn, plain, shortened, write};
use super::marks::{Fill, Mark, Stroke};
use super::palette::{FAINT, INK, Look, Shape, SOFT};
use super::svg::{px, text_width};

const TEXT: f64 = 12.5;
const ROW: f64 = 20.0;
const SAMPLE: f64 = 34.0;
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
    /// A bar.
    Bar(RGBColor),
}

/// A sample and its name.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) sample: Sample,
    pub(super) name: String,
}

/// Entries in as many columns as fit.
pub(super) struct Legend {
    entries: Vec<Entry>,
    columns: usize,
    column_width: f64,
}

impl Legend {
    /// For a picture with `room` pixels of width; names longer than that are cut.
    pub(super) fn new(entries: &[Entry], room: f64) -> Self {
        let longest = (room / 2.0).min(room - SAMPLE - GAP);
        let named = |entry: &Entry| Entry { name: shortened(&entry.name, TEXT, longest), ..*entry };
        let entries: Vec<Entry> = entries.iter().map(named).collect();
        let widest = entries.iter().map(|e| text_width(&e.name, TEXT)).fold(0.0, f64::max);
        let column_width = SAMPLE + GAP + widest + BETWEEN;
        let columns = (((room + BETWEEN) / column_width).floor() as usize).max(1);
        // As even as the number of rows allows: 6 entries where 5 fit are 3 and 3.
        let rows = entries.len().div_ceil(columns).max(1);
        let columns = entries.len().div_ceil(rows).max(1);
        Self { entries, columns, column_width }
    }

    pub(super) fn height(&self) -> f64 {
        self.entries.len().div_ceil(self.columns) as f64 * ROW
    }

    pub(super) fn draw(&self, canvas: &Canvas<'_>, (left, top): (f64, f64)) -> Drawn {
        for (n, entry) in self.entries.iter().enumerate() {
            let x = left + (n % self.columns) as f64 * self.column_width;
            let y = top + (n / self.columns) as f64 * ROW + ROW / 2.0;
            entry.sample.draw(canvas, (x, y))?;
            let style = plain(TEXT, INK, HPos::Left, VPos::Center);
            write(canvas, &entry.name, (x + SAMPLE + GAP, y), &style)?;
        }
        Ok(())
    }
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
            Self::Bar(colour) => {
                let corners = [(px(x + 14.0), px(y - 6.0)), (px(x + SAMPLE), px(y + 6.0))];
                canvas.draw(&Rectangle::new(corners, colour.filled()))
            }
        }
    }
}

/// The entry of the line on which everything offered is accepted.
pub(super) fn everything_accepted() -> Entry {
    Entry { sample: Sample::Line(FAINT, "4 4", 1.2), name: "accepted = offered".to_owned() }
}
