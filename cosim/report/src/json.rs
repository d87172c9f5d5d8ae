//! Results as JSON, with every digit. `null` stands for NaN.

use serde::Serialize;

use super::Curve;
use super::point::PointView;
use super::typed::in_order;

/// `{"curves": […]}`, each with its name, every key of its scenario and its points by load. Equal results give equal bytes.
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
        Self { name: &curve.name, settings: &curve.keys, points }
    }
}
