//! Results as JSON, with every digit. `null` stands for NaN.

use serde::Serialize;
use serde::ser::Serializer;

use super::Curve;
use super::point::PointView;

/// `{"curves": […]}`, each with its name, its settings and its points by load. Equal results give equal bytes.
#[must_use]
pub fn json(curves: &[Curve]) -> String {
    let file = File { curves: curves.iter().map(CurveView::new).collect() };
    // Writing to memory with keys that are strings cannot fail.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct File<'a> {
    curves: Vec<CurveView<'a>>,
}

#[derive(Serialize)]
struct CurveView<'a> {
    name: &'a str,
    #[serde(serialize_with = "in_order")]
    settings: &'a [(String, String)],
    points: Vec<PointView<'a>>,
}

impl<'a> CurveView<'a> {
    fn new(curve: &'a Curve) -> Self {
        let points = curve.by_load().into_iter().map(PointView::new).collect();
        Self { name: &curve.name, settings: &curve.settings, points }
    }
}

/// An object whose keys stay in the order given.
pub(super) fn in_order<S: Serializer>(
    settings: &[(String, String)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(settings.iter().map(|(key, value)| (key, value)))
}
