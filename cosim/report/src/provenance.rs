//! Where results come from: `provenance.json`, beside the tables.

use serde::Serialize;

use super::Curve;
use super::typed::in_order;

/// The program, its version and its engine with the digest of the sources, and every curve with its complete scenario: what is needed to run it again. Equal results
/// give equal bytes: neither the time, the host nor the command line is in it.
pub(super) fn provenance(curves: &[Curve]) -> String {
    let file = File {
        program: "desvio",
        version: env!("CARGO_PKG_VERSION"),
        engine: desvio_sim::engine::name(),
        curves: curves.iter().map(CurveView::new).collect(),
    };
    // Writing to memory with keys that are strings cannot fail.
    serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
}

#[derive(Serialize)]
struct File<'a> {
    program: &'static str,
    version: &'static str,
    engine: &'static str,
    curves: Vec<CurveView<'a>>,
}

#[derive(Serialize)]
struct CurveView<'a> {
    name: &'a str,
    /// The keys that differ from the defaults.
    #[serde(serialize_with = "in_order")]
    settings: &'a [(String, String)],
    /// The whole scenario file, every default filled in.
    scenario: &'a str,
}

impl<'a> CurveView<'a> {
    fn new(Curve { name, settings, scenario, .. }: &'a Curve) -> Self {
        Self { name, settings, scenario }
    }
}
