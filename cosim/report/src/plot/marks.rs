//! Strokes and markers: what a curve is drawn with.

use plotters::element::{Drawable, PointCollection};
use plotters::style::{Color, RGBColor, ShapeStyle, WHITE};
use plotters_backend::{BackendCoord, BackendStyle};

use super::palette::Shape;
use super::svg::{Failure, Svg, px};

/// How a marker says how the run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    /// A stationary run.
    Solid,
    /// Saturated.
    Hollow,
    /// Deadlocked: a cross.
    Cross,
}

/// A line of `width` pixels through points of coordinate `C`.
pub(super) struct Stroke<C> {
    pub(super) points: Vec<C>,
    pub(super) colour: RGBColor,
    pub(super) width: f64,
    pub(super) dash: &'static str,
}

impl<'a, C: 'a> PointCollection<'a, C> for &'a Stroke<C> {
    type Point = &'a C;
    type IntoIter = std::slice::Iter<'a, C>;

    fn point_iter(self) -> Self::IntoIter {
        self.points.iter()
    }
}

impl<C> Drawable<Svg<'_>> for Stroke<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        pos: I,
        backend: &mut Svg<'_>,
        _parent: (u32, u32),
    ) -> Result<(), Failure> {
        backend.polyline(pos, &pen(self.colour, self.width), self.dash);
        Ok(())
    }
}

/// One marker at a coordinate `C`.
pub(super) struct Mark<C> {
    pub(super) at: C,
    pub(super) shape: Shape,
    pub(super) colour: RGBColor,
    pub(super) fill: Fill,
}

impl<'a, C: 'a> PointCollection<'a, C> for &'a Mark<C> {
    type Point = &'a C;
    type IntoIter = std::iter::Once<&'a C>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::once(&self.at)
    }
}

impl<C> Drawable<Svg<'_>> for Mark<C> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        pos: I,
        backend: &mut Svg<'_>,
        _parent: (u32, u32),
    ) -> Result<(), Failure> {
        for (x, y) in pos {
            let arm = px(4.0);
            if self.fill == Fill::Cross {
                let pen = pen(self.colour, 2.2);
                backend.polyline([(x - arm, y - arm), (x + arm, y + arm)], &pen, "");
                backend.polyline([(x - arm, y + arm), (x + arm, y - arm)], &pen, "");
                continue;
            }
            let (inside, outline) = match self.fill {
                Fill::Hollow => (WHITE, pen(self.colour, 1.6)),
                _ => (self.colour, pen(self.colour, 1.0)),
            };
            let inside = BackendStyle::color(&inside.to_rgba());
            match corners(self.shape) {
                None => backend.outlined_circle((x, y), px(4.0), inside, &outline),
                Some(corners) => {
                    let place = |&(dx, dy): &(f64, f64)| (x + px(dx), y + px(dy));
                    backend.outlined_polygon(corners.iter().map(place), inside, &outline);
                }
            }
        }
        Ok(())
    }
}

/// A solid line of `width` pixels.
pub(super) fn pen(colour: RGBColor, width: f64) -> ShapeStyle {
    Color::stroke_width(&colour, px(width).unsigned_abs())
}

/// The corners of a shape around its centre, in pixels; a circle has none. All cover about the same area.
fn corners(shape: Shape) -> Option<&'static [(f64, f64)]> {
    match shape {
        Shape::Circle => None,
        Shape::Square => Some(&[(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
        Shape::Triangle => Some(&[(0.0, -5.2), (4.7, 3.2), (-4.7, 3.2)]),
        Shape::Diamond => Some(&[(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)]),
        Shape::Wedge => Some(&[(0.0, 5.2), (4.7, -3.2), (-4.7, -3.2)]),
        Shape::Pentagon => Some(&[(0.0, -4.7), (4.5, -1.5), (2.8, 3.8), (-2.8, 3.8), (-4.5, -1.5)]),
    }
}
