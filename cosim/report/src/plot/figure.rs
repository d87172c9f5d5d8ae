//! A picture: title, subtitle, legend, then panels in rows.

use plotters::drawing::IntoDrawingArea;
use plotters::style::WHITE;
use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Canvas, Drawn, bold, plain, shortened, write};
use super::legend::{Entry, Legend};
use super::palette::{INK, SOFT};
use super::panel::Panel;
use super::svg::{Svg, document, px, text_width};

/// Pixels around everything.
pub(super) const MARGIN: f64 = 22.0;
const TITLE: f64 = 19.0;
const SUBTITLE: f64 = 12.5;
const SUBTITLE_LINES: usize = 2;
/// Pixels of legend that a picture has room for.
const LEGEND: f64 = 40.0;

/// One picture.
pub(super) struct Figure {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) legend: Vec<Entry>,
    pub(super) rows: Vec<Vec<Panel>>,
    /// Width and least height, in pixels.
    pub(super) size: (u32, u32),
}

impl Figure {
    /// The whole SVG file, or why there is none. A long legend makes the picture higher, not its panels lower.
    pub(super) fn svg(&self) -> Result<String, String> {
        let (width, height) = self.size;
        let legend = Legend::new(&self.legend, f64::from(width) - 2.0 * MARGIN);
        let size = (width, height + (legend.height() - LEGEND).max(0.0) as u32);
        let mut body = String::new();
        {
            let canvas = Svg::new(&mut body, size).into_drawing_area();
            self.draw(&canvas, &legend, size).map_err(|e| e.to_string())?;
        }
        Ok(document(&self.title, size, &body))
    }

    fn draw(&self, canvas: &Canvas<'_>, legend: &Legend, size: (u32, u32)) -> Drawn {
        let (width, height) = (f64::from(size.0), f64::from(size.1));
        let room = width - 2.0 * MARGIN;
        canvas.fill(&WHITE)?;
        let title = shortened(&self.title, TITLE * 1.06, room);
        write(canvas, &title, (MARGIN, MARGIN), &bold(TITLE, INK, HPos::Left, VPos::Top))?;
        let mut top = MARGIN + TITLE + 9.0;
        for line in wrapped(&self.subtitle, SUBTITLE, room, SUBTITLE_LINES) {
            write(canvas, &line, (MARGIN, top), &plain(SUBTITLE, SOFT, HPos::Left, VPos::Top))?;
            top += SUBTITLE + 5.0;
        }
        legend.draw(canvas, (MARGIN, top + 5.0))?;
        top += 5.0 + legend.height();
        self.draw_panels(canvas, top + 4.0, (width, height))
    }

    fn draw_panels(&self, canvas: &Canvas<'_>, top: f64, (width, height): (f64, f64)) -> Drawn {
        let row_height = (height - top - 10.0) / self.rows.len().max(1) as f64;
        for (r, row) in self.rows.iter().enumerate() {
            let column_width = (width - MARGIN - 8.0) / row.len().max(1) as f64;
            for (c, panel) in row.iter().enumerate() {
                let corner = (px(8.0 + c as f64 * column_width), px(top + r as f64 * row_height));
                let size = (px(column_width).unsigned_abs(), px(row_height.max(80.0)).unsigned_abs());
                panel.draw(&canvas.clone().shrink(corner, size))?;
            }
        }
        Ok(())
    }
}

/// `text` in lines of at most `room` pixels, broken after a separator; the last line says what did not fit by an ellipsis.
fn wrapped(text: &str, size: f64, room: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for piece in text.split_inclusive(" · ").filter(|piece| !piece.is_empty()) {
        let full = lines.len() >= most;
        match lines.last_mut() {
            Some(line) if full || text_width(&format!("{line}{piece}"), size) <= room => line.push_str(piece),
            _ => lines.push(piece.to_owned()),
        }
    }
    lines.iter().map(|line| shortened(line.trim_end_matches(" · "), size, room)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_subtitle_takes_two_lines_and_says_that_there_is_more() {
        let text = ["links.latency.global = 100"; 12].join(" · ");
        let lines = wrapped(&text, 12.0, 500.0, 2);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines.iter().all(|line| text_width(line, 12.0) <= 500.0), "{lines:?}");
        assert!(lines[1].ends_with('…'), "{lines:?}");
    }

    #[test]
    fn a_short_subtitle_stays_whole_and_an_empty_one_has_no_line() {
        assert_eq!(wrapped("a = 1 · b = 2", 12.0, 500.0, 2), ["a = 1 · b = 2"]);
        assert!(wrapped("", 12.0, 500.0, 2).is_empty());
    }
}
