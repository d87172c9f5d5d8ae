//! How busy the links were, by kind.

use super::super::Curve;
use super::axes::{Axis, drawable};
use super::curves::{lines, offered_axis, percent_axis};
use super::legend::{Entry, Sample};
use super::palette::SOFT;
use super::panel::{Content, Line, Panel};
use desvio_sim::scenario::PerKind;
use desvio_sim::summary::{Summary, Utilisation};

const BUSY: &str = "Utilisation (%)";
const BUSIEST: &str = "1.5 3";

type Kind = fn(&PerKind<Utilisation>) -> Utilisation;

/// One panel per kind of link that exists; empty where nothing was measured.
pub(super) fn links(curves: &[Curve]) -> Vec<Panel> {
    let kinds: [(&str, Kind); 3] =
        [("Links to nodes", |k| k.node), ("Local links", |k| k.local), ("Global links", |k| k.global)];
    let measured =
        |kind: Kind| curves.iter().flat_map(|c| &c.points).any(|p| drawable(kind(&p.link_utilisation).mean));
    let kinds = kinds.into_iter().filter(|&(_, kind)| measured(kind));
    let mut panels: Vec<Panel> = kinds.map(|(title, kind)| panel(title, curves, kind)).collect();
    same_axis(&mut panels);
    panels
}

/// What the two lines of a curve mean.
pub(super) fn meaning() -> [Entry; 2] {
    [("mean of the links", "", 2.0), ("busiest link", BUSIEST, 1.4)]
        .map(|(name, dash, width)| Entry { sample: Sample::Line(SOFT, dash, width), name: name.to_owned() })
}

fn panel(title: &str, curves: &[Curve], kind: Kind) -> Panel {
    let percent = |value: fn(&Utilisation) -> f64| {
        move |p: &Summary| (100.0 * value(&kind(&p.link_utilisation)), f64::NAN)
    };
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
    Panel { title: title.to_owned(), x, y, guide: None, content: Content::Lines(lines) }
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
