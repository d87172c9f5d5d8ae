//! The picture of a study.

use super::{Finding, Traffic};
use crate::error::CostError;
use crate::report::picture;
use desvio_report::{Gain, Point};
use std::path::Path;

/// Draws `gain`: what each mechanism accepts against what it costs.
///
/// # Errors
/// When the picture cannot be drawn or written.
pub fn draw_gain(findings: &[Finding], traffics: &[Traffic], dir: &Path) -> Result<(), CostError> {
    let mut routers: Vec<(String, Vec<Point>)> = Vec::new();
    for finding in findings {
        let first = findings.iter().find(|other| other.base == finding.base).and_then(Finding::total);
        let (Some(total), Some(first)) = (finding.total(), first) else { continue };
        let point = (finding.row.name.clone(), total / first, finding.accepted.clone());
        match routers.iter_mut().find(|(base, _)| *base == finding.base) {
            Some((_, points)) => points.push(point),
            None => routers.push((finding.base.clone(), vec![point])),
        }
    }
    let captions = ["Accepted load, first traffic", "Accepted load, second traffic"];
    let captions =
        if traffics.len() == 2 { ["Accepted load, uniform", "Accepted load, adversarial"] } else { captions };
    let gain = Gain {
        title: "Throughput gained against area paid".to_owned(),
        subtitle: "flits per node per cycle at offered load 1; transistors, six for a bit of memory"
            .to_owned(),
        routers,
        traffics: captions.into_iter().take(traffics.len()).collect(),
        cost: "Transistors, memories included (first mechanism = 1)",
    };
    picture(dir, "gain", gain.svg())
}
