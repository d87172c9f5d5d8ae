//! One frame with axes and what is drawn in it.

use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::cartesian::Cartesian2d;
use plotters::element::Rectangle;
use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{Color, RGBColor, TRANSPARENT};

use super::axes::{Axis, drawable};
use super::canvas::{Canvas, Drawn, bold, plain, write};
use super::clip::{Frame, Point};
use super::marks::{Fill, Mark, Stroke, pen};
use super::palette::{FAINT, GRID, INK, Look, SOFT};
use super::svg::{Svg, px};

/// One frame.
pub(super) struct Panel {
    /// Above the frame; may be empty.
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) guide: Option<Guide>,
    pub(super) content: Content,
}

/// A line that helps to read.
pub(super) enum Guide {
    /// y = x.
    Diagonal,
    /// A vertical line.
    At(f64),
}

/// What a frame shows.
pub(super) enum Content {
    Lines(Vec<Line>),
    /// Around each whole number of the x axis, one bar of each series.
    Bars(Vec<(RGBColor, Vec<f64>)>),
    /// At each whole number of the x axis, one bar of all series on top of each other, the first one below.
    Stacks(Vec<(RGBColor, Vec<f64>)>),
}

/// One curve.
pub(super) struct Line {
    pub(super) look: Look,
    pub(super) width: f64,
    pub(super) marked: bool,
    pub(super) dots: Vec<Dot>,
}

/// One point of a curve. A NaN is a gap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dot {
    pub(super) x: f64,
    pub(super) y: f64,
    /// Half the height of the whisker; NaN: none.
    pub(super) ci95: f64,
    pub(super) fill: Fill,
}

type Chart<'c, 's> = ChartContext<'c, Svg<'s>, Cartesian2d<Axis, Axis>>;

impl Panel {
    pub(super) fn draw(&self, canvas: &Canvas<'_>) -> Drawn {
        let headed = !self.title.is_empty();
        let mut builder = ChartBuilder::on(canvas);
        builder
            .margin_top(px(if headed { 34.0 } else { 12.0 }))
            .margin_right(px(4.0))
            .x_label_area_size(px(if self.x.caption.is_empty() { 28.0 } else { 48.0 }))
            .y_label_area_size(px(if self.y.caption.is_empty() { 44.0 } else { 66.0 }));
        let mut chart = builder.build_cartesian_2d(self.x.clone(), self.y.clone())?;
        if headed {
            let left = f64::from(chart.plotting_area().get_pixel_range().0.start) / super::svg::UNITS;
            let base = f64::from(canvas.get_base_pixel().0) / super::svg::UNITS;
            let style = bold(13.0, INK, HPos::Left, VPos::Top);
            write(canvas, &self.title, (left - base, 12.0), &style)?;
        }
        self.draw_mesh(&mut chart)?;
        match &self.content {
            Content::Lines(lines) => self.draw_lines(&chart, lines)?,
            Content::Bars(series) => self.draw_bars(&chart, series)?,
            Content::Stacks(series) => self.draw_stacks(&chart, series)?,
        }
        if self.is_empty() {
            let style = plain(13.0, SOFT, HPos::Center, VPos::Center);
            let (x, y) = chart.plotting_area().dim_in_pixel();
            chart.plotting_area().strip_coord_spec().draw_text(
                "nothing measured",
                &style,
                (x as i32 / 2, y as i32 / 2),
            )?;
        }
        Ok(())
    }

    fn is_empty(&self) -> bool {
        match &self.content {
            Content::Lines(lines) => lines.iter().all(|line| !line.dots.iter().any(Dot::is_drawable)),
            Content::Bars(series) | Content::Stacks(series) => {
                series.iter().all(|(_, heights)| heights.is_empty())
            }
        }
    }

    fn frame(&self) -> Frame {
        Frame { x: (self.x.lo, self.x.hi), y: (self.y.lo, self.y.hi) }
    }

    fn draw_mesh(&self, chart: &mut Chart<'_, '_>) -> Drawn {
        let ticks = plain(12.0, SOFT, HPos::Center, VPos::Center);
        let captions = plain(13.0, INK, HPos::Center, VPos::Center);
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT)
            .bold_line_style(pen(GRID, 1.0))
            .axis_style(pen(FAINT, 1.0))
            .set_all_tick_mark_size(px(4.0))
            .label_style(ticks)
            .axis_desc_style(captions)
            .x_desc(self.x.caption)
            .y_desc(self.y.caption);
        if matches!(self.content, Content::Bars(_) | Content::Stacks(_)) {
            mesh.disable_x_mesh();
        }
        mesh.draw()
    }

    fn draw_lines(&self, chart: &Chart<'_, '_>, lines: &[Line]) -> Drawn {
        self.draw_guide(chart)?;
        for line in lines {
            self.draw_whiskers(chart, line)?;
        }
        for line in lines {
            self.draw_curve(chart, line)?;
        }
        for line in lines.iter().filter(|line| line.marked) {
            self.draw_marks(chart, line)?;
        }
        Ok(())
    }

    fn draw_guide(&self, chart: &Chart<'_, '_>) -> Drawn {
        let ends = match self.guide {
            None => return Ok(()),
            Some(Guide::Diagonal) => {
                let far = self.x.hi.max(self.y.hi);
                self.frame().segment((0.0, 0.0), (far, far))
            }
            Some(Guide::At(x)) => self.frame().segment((x, self.y.lo), (x, self.y.hi)),
        };
        let Some((from, to)) = ends else { return Ok(()) };
        let line = Stroke { points: vec![from, to], colour: FAINT, width: 1.2, dash: "4 4" };
        chart.plotting_area().draw(&line)
    }

    fn draw_whiskers(&self, chart: &Chart<'_, '_>, line: &Line) -> Drawn {
        let cap = (self.x.hi - self.x.lo) * 0.005;
        let shown = |dot: &&Dot| dot.is_drawable() && drawable(dot.ci95) && dot.fill != Fill::Cross;
        for dot in line.dots.iter().filter(shown) {
            let (low, high) = (dot.y - dot.ci95, dot.y + dot.ci95);
            let strokes = [
                ((dot.x, low), (dot.x, high)),
                ((dot.x - cap, low), (dot.x + cap, low)),
                ((dot.x - cap, high), (dot.x + cap, high)),
            ];
            for (from, to) in strokes.into_iter().filter_map(|(a, b)| self.frame().segment(a, b)) {
                let points = vec![from, to];
                chart.plotting_area().draw(&Stroke {
                    points,
                    colour: line.look.colour,
                    width: 1.1,
                    dash: "",
                })?;
            }
        }
        Ok(())
    }

    fn draw_curve(&self, chart: &Chart<'_, '_>, line: &Line) -> Drawn {
        for run in line.dots.split(|dot| !dot.is_drawable()) {
            let run: Vec<Point> = run.iter().map(|dot| (dot.x, dot.y)).collect();
            for points in self.frame().pieces(&run) {
                chart.plotting_area().draw(&Stroke {
                    points,
                    colour: line.look.colour,
                    width: line.width,
                    dash: line.look.dash,
                })?;
            }
        }
        Ok(())
    }

    fn draw_marks(&self, chart: &Chart<'_, '_>, line: &Line) -> Drawn {
        for dot in line.dots.iter().filter(|dot| self.frame().holds((dot.x, dot.y))) {
            let Look { shape, colour, .. } = line.look;
            chart.plotting_area().draw(&Mark { at: (dot.x, dot.y), shape, colour, fill: dot.fill })?;
        }
        Ok(())
    }

    fn draw_stacks(&self, chart: &Chart<'_, '_>, series: &[(RGBColor, Vec<f64>)]) -> Drawn {
        let mut tops: Vec<f64> = Vec::new();
        for (colour, heights) in series {
            tops.resize(tops.len().max(heights.len()), 0.0);
            for (n, (top, &height)) in tops.iter_mut().zip(heights).enumerate() {
                if drawable(height) && height > 0.0 {
                    let corners = [(n as f64 - 0.3, *top + height), (n as f64 + 0.3, *top)];
                    chart.plotting_area().draw(&Rectangle::new(corners, colour.filled()))?;
                    *top += height;
                }
            }
        }
        Ok(())
    }

    fn draw_bars(&self, chart: &Chart<'_, '_>, series: &[(RGBColor, Vec<f64>)]) -> Drawn {
        let width = 0.84 / series.len().max(1) as f64;
        // One series: bars need not touch their neighbours.
        let width = width.min(0.6);
        let left = -0.5 * width * series.len() as f64;
        for (s, (colour, heights)) in series.iter().enumerate() {
            for (n, &height) in
                heights.iter().enumerate().filter(|&(_, &height)| drawable(height) && height > 0.0)
            {
                let from = n as f64 + left + s as f64 * width;
                let corners = [(from, height.min(self.y.hi)), (from + width * 0.92, 0.0)];
                chart.plotting_area().draw(&Rectangle::new(corners, colour.filled()))?;
            }
        }
        Ok(())
    }
}

impl Dot {
    pub(super) fn is_drawable(&self) -> bool {
        drawable(self.x) && drawable(self.y)
    }
}
