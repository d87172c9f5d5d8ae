//! How one curve differs from the next: colour, dash and marker, each enough by itself.

use plotters::style::RGBColor;

/// Okabe and Ito's colours, which colour-blind readers can tell apart; without their yellow, too pale for a line on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x00, 0x00),
];

const SHAPES: [Shape; 6] =
    [Shape::Circle, Shape::Square, Shape::Triangle, Shape::Diamond, Shape::Wedge, Shape::Pentagon];

/// `stroke-dasharray`, in pixels.
const DASHES: [&str; 4] = ["", "8 4", "2.5 3", "10 3 2.5 3"];

/// Titles and labels of axes.
pub(super) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Subtitles and labels of ticks.
pub(super) const SOFT: RGBColor = RGBColor(0x59, 0x59, 0x59);
/// Guides and the frame.
pub(super) const FAINT: RGBColor = RGBColor(0x8c, 0x8c, 0x8c);
/// Gridlines.
pub(super) const GRID: RGBColor = RGBColor(0xe6, 0xe6, 0xe6);

/// The outline of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Wedge,
    Pentagon,
}

/// The looks of one curve.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) colour: RGBColor,
    pub(super) dash: &'static str,
    pub(super) shape: Shape,
}

impl Look {
    /// The looks of the `n`th curve: no two of the first 84 are the same.
    pub(super) fn nth(n: usize) -> Self {
        Self {
            colour: COLOURS[n % COLOURS.len()],
            dash: DASHES[n % DASHES.len()],
            shape: SHAPES[n % SHAPES.len()],
        }
    }
}

/// The fill of the `n`th bar of a group: once the colours are used up, paler ones.
pub(super) fn bar(n: usize) -> RGBColor {
    let paler = if (n / COLOURS.len()).is_multiple_of(2) { 0.0 } else { 0.55 };
    mix(COLOURS[n % COLOURS.len()], paler)
}

/// The fill of the `n`th of `count` bars that differ by degree: from pale to full.
pub(super) fn shade(n: usize, count: usize) -> RGBColor {
    let last = count.saturating_sub(1).max(1);
    mix(COLOURS[0], 0.66 * (1.0 - n as f64 / last as f64).max(0.0))
}

/// `colour` with a share of white.
fn mix(RGBColor(r, g, b): RGBColor, white: f64) -> RGBColor {
    let channel = |c: u8| (f64::from(c) + (255.0 - f64::from(c)) * white).round() as u8;
    RGBColor(channel(r), channel(g), channel(b))
}
