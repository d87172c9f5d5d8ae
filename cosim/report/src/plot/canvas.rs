//! The surface of a picture, and lettering on it.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, IntoFont, RGBColor, TextStyle};

use super::svg::{Svg, px, text_width};

/// The surface that everything is drawn on.
pub(super) type Canvas<'a> = DrawingArea<Svg<'a>, Shift>;
/// What drawing on a [`Canvas`] returns.
pub(super) type Drawn = Result<(), plotters::drawing::DrawingAreaErrorKind<std::convert::Infallible>>;

/// Writes `text` at a place in pixels.
pub(super) fn write(canvas: &Canvas<'_>, text: &str, (x, y): (f64, f64), style: &TextStyle<'_>) -> Drawn {
    canvas.draw_text(text, style, (px(x), px(y)))
}

pub(super) fn plain(size: f64, colour: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    lettering(size, FontStyle::Normal, colour, h, v)
}

pub(super) fn bold(size: f64, colour: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    lettering(size, FontStyle::Bold, colour, h, v)
}

fn lettering(size: f64, style: FontStyle, colour: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    let font = ("sans-serif", f64::from(px(size)), style).into_font();
    let mut style = TextStyle::from(font).pos(Pos::new(h, v));
    style.color = plotters_backend::BackendStyle::color(&colour);
    style
}

/// `text`, its end replaced by an ellipsis where it is wider than `room` pixels.
pub(super) fn shortened(text: &str, size: f64, room: f64) -> String {
    if text_width(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if text_width(&kept, size) + size > room {
            break;
        }
    }
    format!("{}…", kept.trim_end())
}
