//! SVG to PNG with fonts that travel inside the program: a machine without any gives the same picture.

use std::sync::{Arc, LazyLock};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError, FilterType};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

/// Pixels of the PNG per pixel of the SVG.
pub(super) const SCALE: f32 = 2.0;

/// Noto Sans, under the SIL Open Font Licence.
static FONTS: LazyLock<Arc<fontdb::Database>> = LazyLock::new(|| {
    let mut fonts = fontdb::Database::new();
    fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
    fonts.load_font_data(notosans::BOLD_TTF.to_vec());
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// The bytes of a PNG file that shows `svg`, or why there are none.
pub(super) fn rasterise(svg: &str) -> Result<Vec<u8>, String> {
    let options =
        Options { fontdb: Arc::clone(&FONTS), font_family: "Noto Sans".to_owned(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|e| e.to_string())?;
    let side = |length: f32| (length * SCALE).round() as u32;
    let (width, height) = (side(tree.size().width()), side(tree.size().height()));
    let mut canvas =
        Pixmap::new(width, height).ok_or_else(|| format!("no picture can be {width}×{height}"))?;
    canvas.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut canvas.as_mut());
    encode(&canvas).map_err(|e| e.to_string())
}

/// A PNG file of pixels of which none is transparent. Of two equal lines the second is nothing but zeros, which take hardly any time.
fn encode(canvas: &Pixmap) -> Result<Vec<u8>, EncodingError> {
    let rgba = canvas.data();
    let mut rgb = vec![0; rgba.len() / 4 * 3];
    for ([red, green, blue], [r, g, b, _]) in rgb.as_chunks_mut().0.iter_mut().zip(rgba.as_chunks().0) {
        (*red, *green, *blue) = (*r, *g, *b);
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, canvas.width(), canvas.height());
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::Fast);
    encoder.set_filter(FilterType::Up);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rgb)?;
    writer.finish()?;
    Ok(file)
}
