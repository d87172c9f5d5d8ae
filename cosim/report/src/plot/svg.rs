//! SVG as a drawing backend of `plotters`.
//!
//! Beyond what `plotters-svg` writes: tenths of a pixel instead of whole ones, a dashed curve as one polyline with a dash
//! pattern instead of hundreds of pieces, and a font stack instead of one family.

use std::convert::Infallible;
use std::fmt::Write as _;

use plotters::style::text_anchor::{HPos, VPos};
use plotters::style::{FontStyle, FontTransform};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
};

/// Drawing units per pixel: `plotters` counts in whole units.
pub(super) const UNITS: f64 = 10.0;

/// The embedded font first, so that the PNG looks the same everywhere; then what desktops have.
const FONTS: &str = "Noto Sans, Inter, Helvetica Neue, Helvetica, Segoe UI, Arial, sans-serif";

/// Pixels in drawing units.
pub(super) fn px(pixels: f64) -> i32 {
    (pixels * UNITS).round() as i32
}

/// Appends elements to a text that [`document`] makes a file of.
pub(super) struct Svg<'a> {
    body: &'a mut String,
    size: (u32, u32),
}

/// A drawing error; this backend has none of its own.
pub(super) type Failure = DrawingErrorKind<Infallible>;

impl<'a> Svg<'a> {
    /// A picture of `size` pixels.
    pub(super) fn new(body: &'a mut String, size: (u32, u32)) -> Self {
        Self { body, size: (size.0 * UNITS as u32, size.1 * UNITS as u32) }
    }

    /// One polyline, dashed as SVG's `stroke-dasharray` says (empty: solid).
    pub(super) fn polyline(
        &mut self,
        points: impl IntoIterator<Item = BackendCoord>,
        style: &impl BackendStyle,
        dash: &str,
    ) {
        let points = coordinates(points);
        let dash = if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
        self.element(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" {}{dash} stroke-linejoin=\"round\"/>",
            stroke(style)
        ));
    }

    /// A filled polygon with an outline.
    pub(super) fn outlined_polygon(
        &mut self,
        points: impl IntoIterator<Item = BackendCoord>,
        fill: BackendColor,
        outline: &impl BackendStyle,
    ) {
        let points = coordinates(points);
        self.element(format_args!(
            "<polygon points=\"{points}\" fill=\"{}\" {} stroke-linejoin=\"round\"/>",
            hex(fill),
            stroke(outline)
        ));
    }

    /// A filled circle with an outline.
    pub(super) fn outlined_circle(
        &mut self,
        (x, y): BackendCoord,
        radius: i32,
        fill: BackendColor,
        outline: &impl BackendStyle,
    ) {
        self.element(format_args!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" {}/>",
            pixels(x),
            pixels(y),
            pixels(radius),
            hex(fill),
            stroke(outline)
        ));
    }

    fn element(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.body, "{text}");
    }
}

/// The whole file around the elements that an [`Svg`] wrote.
pub(super) fn document(title: &str, (width, height): (u32, u32), body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\">\n\
         <title>{}</title>\n{body}</svg>\n",
        escaped(title)
    )
}

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), Failure> {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Result<(), Failure> {
        self.draw_rect(point, (point.0 + 1, point.1 + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Result<(), Failure> {
        if style.color().alpha > 0.0 {
            self.element(format_args!(
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}/>",
                pixels(from.0),
                pixels(from.1),
                pixels(to.0),
                pixels(to.1),
                stroke(style)
            ));
        }
        Ok(())
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Result<(), Failure> {
        let paint = if fill {
            format!("fill=\"{}\"", hex(style.color()))
        } else {
            format!("fill=\"none\" {}", stroke(style))
        };
        self.element(format_args!(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {paint}/>",
            pixels(left),
            pixels(top),
            pixels((right - left).max(0)),
            pixels((bottom - top).max(0)),
        ));
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Result<(), Failure> {
        if style.color().alpha > 0.0 {
            self.polyline(path, style, "");
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        _fill: bool,
    ) -> Result<(), Failure> {
        self.outlined_circle(center, radius as i32, style.color(), style);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Result<(), Failure> {
        self.outlined_polygon(vert, style.color(), style);
        Ok(())
    }

    fn draw_text<T: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &T,
        (x, y): BackendCoord,
    ) -> Result<(), Failure> {
        let size = style.size() / UNITS;
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Center => "middle",
            HPos::Right => "end",
        };
        // From the baseline: the height of a capital letter is 0.71 em.
        let lower = match style.anchor().v_pos {
            VPos::Top => 0.78 * size,
            VPos::Center => 0.355 * size,
            VPos::Bottom => -0.24 * size,
        };
        let weight = if matches!(style.style(), FontStyle::Bold) { " font-weight=\"bold\"" } else { "" };
        let (px, py) = (f64::from(x) / UNITS, f64::from(y) / UNITS);
        let turn = match style.transform() {
            FontTransform::Rotate270 => format!(" transform=\"rotate(-90 {px} {py})\""),
            _ => String::new(),
        };
        self.element(format_args!(
            "<text x=\"{px}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\"{weight} fill=\"{}\"{turn}>{}</text>",
            py + lower,
            hex(style.color()),
            escaped(text)
        ));
        Ok(())
    }

    fn estimate_text_size<T: BackendTextStyle>(&self, text: &str, style: &T) -> Result<(u32, u32), Failure> {
        let size = style.size();
        Ok((text_width(text, size).ceil() as u32, size.ceil() as u32))
    }
}

/// About how wide `text` is, in the unit of `size`. Viewers may use another font, so exactness would be vain.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | ' ' | '!' | '(' | ')' | '[' | ']' => {
            0.29
        }
        'f' | 'r' | 't' | '-' | '/' => 0.38,
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.92,
        'A'..='Z' => 0.66,
        c if c.is_ascii() => 0.575,
        '·' | '…' => 0.5,
        _ => 0.8,
    };
    text.chars().map(em).sum::<f64>() * size
}

fn stroke(style: &impl BackendStyle) -> String {
    let width = f64::from(style.stroke_width()) / UNITS;
    format!("stroke=\"{}\" stroke-width=\"{width}\"", hex(style.color()))
}

fn hex(colour: BackendColor) -> String {
    let (r, g, b) = colour.rgb;
    format!("#{r:02X}{g:02X}{b:02X}")
}

fn pixels(units: i32) -> f64 {
    f64::from(units) / UNITS
}

fn coordinates(points: impl IntoIterator<Item = BackendCoord>) -> String {
    let pairs: Vec<String> =
        points.into_iter().map(|(x, y)| format!("{},{}", pixels(x), pixels(y))).collect();
    pairs.join(" ")
}

/// XML text: markup escaped, characters that XML has no room for replaced by spaces.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push(' '),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
