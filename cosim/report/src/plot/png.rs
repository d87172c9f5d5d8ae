//! SVG to PNG with fonts that travel inside the program: a machine without any gives the same picture.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
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
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut canvas.as_mut());
    canvas.encode_png().map_err(|e| e.to_string())
}
