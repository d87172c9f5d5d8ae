//! What a lockstep without a mismatch has compared and covered.

use super::super::failure::Failure;
use super::super::output;
use super::{Lane, Run};
use desvio_lockstep::compare::Compared;
use desvio_lockstep::structural::Structural;
use std::path::Path;
use verilated::{CoverageKind, CoveragePoint};

impl Run<'_> {
    /// The end of a run without a mismatch.
    pub(super) fn report(&self, total: &Lane) -> Result<(), Failure> {
        if total.compared.values == 0 || total.compared.flits == 0 {
            return Err(Failure::Broken("nothing was compared: no flit left the router".to_owned()));
        }
        let mut lines = vec![told(&total.compared, total.stimuli)];
        let wiring = self.blueprint.wiring();
        if wiring.router_classes() > 1 {
            let class = wiring.router_class(self.routers[0]).0;
            let classes = wiring.router_classes();
            lines.push(format!(
                "routers of class {class} of the {classes} of this network; --router chooses one of another"
            ));
        }
        let (reached, possible) = total.coverage.reached();
        lines.push(format!("functional coverage: {reached} of {possible} cases"));
        lines.extend(total.coverage.missed().map(|point| format!("  never: {}", point.name)));
        let points = total.coverage.points().filter(|point| point.count == 0);
        let excluded = points.filter_map(|point| Some((point.name.as_str(), point.excluded?)));
        lines.extend(impossible(excluded.collect(), self.arguments.verbose));
        if self.arguments.coverage {
            lines.extend(structural(&total.points, &self.arguments.out)?);
        }
        output::print(&lines.join("\n"))
    }
}

/// The cases that can never be seen: how many, or a line for each with the reason.
pub(super) fn impossible(cases: Vec<(&str, &str)>, verbose: bool) -> Vec<String> {
    match cases.len() {
        0 => Vec::new(),
        _ if verbose => cases.iter().map(|(name, why)| format!("  impossible: {name}: {why}")).collect(),
        count => vec![format!("  impossible: {count} more; --verbose lists them with the reason of each")],
    }
}

/// Line and toggle coverage: shares, file by file, and files with what was never reached.
pub(super) fn structural(points: &[CoveragePoint], out: &Path) -> Result<Vec<String>, Failure> {
    let failed =
        |path: &Path, error: std::io::Error| Failure::Input(format!("error: {}: {error}", path.display()));
    let mut lines = Vec::new();
    for (kind, name) in
        [(CoverageKind::Line, "lines"), (CoverageKind::Branch, "branches"), (CoverageKind::Toggle, "bits")]
    {
        let all = points.iter().filter(|point| point.kind == kind);
        let (reached, count) = all.fold((0, 0), |(r, n), point| (r + u32::from(point.count > 0), n + 1));
        if count > 0 {
            let share = 100.0 * f64::from(reached) / f64::from(count);
            lines.push(format!("RTL coverage: {reached} of {count} {name} ({share:.1} %)"));
        }
    }
    let path = out.join("never-reached.txt");
    let never: String = points.iter().filter(|point| point.count == 0).map(named).collect();
    desvio_report::replace(&path, never.as_bytes())
        .map_err(|error| Failure::Input(format!("error: {error}")))?;
    lines.push(format!("what was never reached is in {}", path.display()));
    let found = Structural::of(points);
    found.write(out).map_err(|error| failed(out, error))?;
    lines.push(format!("\ninstances of a module together{found}"));
    Ok(lines)
}

fn named(point: &CoveragePoint) -> String {
    let file = Path::new(&point.file).file_name().unwrap_or_default().to_string_lossy();
    format!("{file}:{}: {:?} {} in {}\n", point.line, point.kind, point.comment, point.hierarchy)
}

/// What was compared.
pub(super) fn told(compared: &Compared, stimuli: u64) -> String {
    let Compared { cycles, values, flits, .. } = compared;
    let first = format!(
        "no difference: {cycles} cycles in {stimuli} stimuli, {values} values compared, {flits} flits left the router"
    );
    std::iter::once(first).chain(compared.told_stranded()).collect::<Vec<_>>().join("\n")
}
