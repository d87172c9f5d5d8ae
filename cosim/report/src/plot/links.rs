//! How busy the links were, by class.

use super::super::Curve;
use super::axes::{Axis, drawable};
use super::curves::{lines, offered_axis, percent_axis};
use super::legend::{Entry, Sample};
use super::palette::SOFT;
use super::panel::{Content, Line, Panel};
use desvio_sim::summary::{Summary, Utilisation};

const BUSY: &str = "Utilisation (%)";
const BUSIEST: &str = "1.5 3";

/// One panel per class of link that exists; empty where nothing was measured.
pub(super) fn links(curves: &[Curve]) -> Vec<Panel> {
    let points = || curves.iter().flat_map(|c| &c.points);
    let mut classes = Vec::new();
    for &(class, of) in points().flat_map(|p| &p.link_utilisation) {
        if drawable(of.mean) && !classes.contains(&class) {
            classes.push(class);
        }
    }
    let mut panels: Vec<Panel> = classes.into_iter().map(|class| panel(class, curves)).collect();
    same_axis(&mut panels);
    panels
}

/// `Links to nodes`, `Local links`.
fn title(class: &str) -> String {
    let mut letters = class.chars();
    match letters.next() {
        Some(first) if class != "node" => format!("{}{} links", first.to_uppercase(), letters.as_str()),
        _ => "Links to nodes".to_owned(),
    }
}

/// What the two lines of a curve mean.
pub(super) fn meaning() -> [Entry; 2] {
    [("mean of the links", "", 2.0), ("busiest link", BUSIEST, 1.4)]
        .map(|(name, dash, width)| Entry { sample: Sample::Line(SOFT, dash, width), name: name.to_owned() })
}

fn panel(class: &'static str, curves: &[Curve]) -> Panel {
    let percent =
        |value: fn(&Utilisation) -> f64| move |p: &Summary| (100.0 * value(&p.utilisation(class)), f64::NAN);
    let solid = |mut line: Line| {
        line.look.dash = "";
        line
    };
    let faint = |mut line: Line| {
        line.look.dash = BUSIEST;
        Line { width: 1.4, marked: false, ..line }
    };
    let mean = lines(curves, percent(|u| u.mean)).into_iter().map(solid);
    let busiest = lines(curves, percent(|u| u.max)).into_iter().map(faint);
    let lines: Vec<Line> = busiest.chain(mean).collect();
    let x = offered_axis(&lines, 6).captioned("Offered load");
    let y = Axis::new(0.0, 1.0, 1, BUSY);
    Panel { title: title(class), x, y, guide: None, content: Content::Lines(lines) }
}

/// One scale for all panels, its caption beside the first.
fn same_axis(panels: &mut [Panel]) {
    let mut heights = Vec::new();
    for panel in panels.iter() {
        if let Content::Lines(lines) = &panel.content {
            heights.extend(lines.iter().flat_map(|line| &line.dots).map(|dot| dot.y));
        }
    }
    let axis = percent_axis(heights, BUSY);
    for (n, panel) in panels.iter_mut().enumerate() {
        panel.y = axis.clone().captioned(if n == 0 { BUSY } else { "" });
    }
}
