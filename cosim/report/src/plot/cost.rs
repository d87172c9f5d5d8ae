//! What routers cost: by unit, as they grow, and beside what it gains.

use super::axes::Axis;
use super::figure::Figure;
use super::legend::{Entry, Sample};
use super::marks::Fill;
use super::palette::{Look, bar};
use super::panel::{Content, Dot, Line, Panel};
use super::{DrawError, SIZE, draw};

/// Stacked bars: one for each router, one piece for each unit.
#[derive(Debug, Clone)]
pub struct Stack {
    /// Above the picture.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// Their names, one for each bar.
    pub routers: Vec<String>,
    /// Each unit with its transistors in each router.
    pub units: Vec<(String, Vec<f64>)>,
}

impl Stack {
    /// The picture as one SVG file.
    ///
    /// # Errors
    /// When a number cannot be drawn.
    pub fn svg(self) -> Result<String, DrawError> {
        let thousands = |values: &Vec<f64>| values.iter().map(|value| value / 1e3).collect::<Vec<_>>();
        let series = self.units.iter().enumerate();
        let series: Vec<_> = series.map(|(n, (_, values))| (bar(n), thousands(values))).collect();
        let total = |router: usize| series.iter().filter_map(|(_, values)| values.get(router)).sum::<f64>();
        let y = Axis::from_zero(
            (0..self.routers.len()).map(total),
            1.0,
            8,
            "Transistors, memories apart (thousands)",
        );
        let x = Axis::named(self.routers, "");
        let panel = Panel { title: String::new(), x, y, guide: None, content: Content::Stacks(series) };
        let entry = |(n, (name, _)): (usize, &(String, Vec<f64>))| Entry {
            sample: Sample::Bar(bar(n)),
            name: name.clone(),
        };
        let legend = self.units.iter().enumerate().map(entry).collect();
        draw(Figure {
            title: self.title,
            subtitle: self.subtitle,
            legend,
            rows: vec![vec![panel]],
            size: (1280, 640),
        })
    }
}

/// Area and depth against one quantity.
#[derive(Debug, Clone)]
pub struct Growth {
    /// Above the picture.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// What grows.
    pub caption: &'static str,
    /// The quantity, transistors, depth.
    pub points: Vec<(f64, f64, f64)>,
}

impl Growth {
    /// The picture as one SVG file.
    ///
    /// # Errors
    /// When a number cannot be drawn.
    pub fn svg(self) -> Result<String, DrawError> {
        let highest = self.points.iter().map(|point| point.0).fold(0.0, f64::max);
        let panel = |caption: &'static str, of: fn(&(f64, f64, f64)) -> f64| {
            let dot =
                |point: &(f64, f64, f64)| Dot { x: point.0, y: of(point), ci95: f64::NAN, fill: Fill::Solid };
            let dots: Vec<Dot> = self.points.iter().map(dot).collect();
            Panel {
                title: String::new(),
                x: Axis::new(0.0, highest * 1.06, 8, self.caption),
                y: Axis::from_zero(self.points.iter().map(of), 1.0, 8, caption),
                guide: None,
                content: Content::Lines(vec![Line { look: Look::nth(0), width: 1.8, marked: true, dots }]),
            }
        };
        let area = panel("Transistors, memories apart (thousands)", |point| point.1 / 1e3);
        let rows = vec![vec![area, panel("Depth (cells on the longest path)", |point| point.2)]];
        draw(Figure { title: self.title, subtitle: self.subtitle, legend: Vec::new(), rows, size: SIZE })
    }
}

/// A mechanism: its name, its cost, and what each traffic gains.
pub type Point = (String, f64, Vec<f64>);

/// What mechanisms gain against what they cost: a column for each router, a row for each traffic.
#[derive(Debug, Clone)]
pub struct Gain {
    /// Above the picture.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// Each router with its mechanisms: name, cost, and what each traffic gains.
    pub routers: Vec<(String, Vec<Point>)>,
    /// The captions of the rows.
    pub traffics: Vec<&'static str>,
    /// The caption of the cost.
    pub cost: &'static str,
}

impl Gain {
    /// The picture as one SVG file.
    ///
    /// # Errors
    /// When a number cannot be drawn.
    pub fn svg(self) -> Result<String, DrawError> {
        // A mechanism looks the same in every column, whichever others are there.
        let mut names: Vec<&String> = Vec::new();
        for (name, ..) in self.routers.iter().flat_map(|(_, points)| points) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let entry = |(n, name): (usize, &&String)| Entry {
            sample: Sample::Curve(Look { dash: "", ..Look::nth(n) }),
            name: (*name).clone(),
        };
        let legend = names.iter().enumerate().map(entry).collect();
        let last = self.traffics.len().saturating_sub(1);
        let row = |(row, &traffic): (usize, &&'static str)| {
            let column = |(column, (name, points)): (usize, &(String, Vec<Point>))| {
                let title = if row == 0 { name.clone() } else { String::new() };
                let y = if column == 0 { traffic } else { "" };
                panel(title, points, &names, row, if row == last { self.cost } else { "" }, y)
            };
            self.routers.iter().enumerate().map(column).collect()
        };
        let rows = self.traffics.iter().enumerate().map(row).collect();
        draw(Figure { title: self.title, subtitle: self.subtitle, legend, rows, size: (1080, 860) })
    }
}

fn panel(
    title: String,
    points: &[Point],
    names: &[&String],
    traffic: usize,
    x: &'static str,
    y: &'static str,
) -> Panel {
    let costs = || points.iter().map(|point| point.1);
    let gain = |point: &Point| point.2.get(traffic).copied().unwrap_or(f64::NAN);
    let line = |point: &Point| {
        let n = names.iter().position(|name| **name == point.0).unwrap_or_default();
        let dot = Dot { x: point.1, y: gain(point), ci95: f64::NAN, fill: Fill::Solid };
        Line { look: Look::nth(n), width: 1.0, marked: true, dots: vec![dot] }
    };
    let (low, high) = (costs().fold(f64::MAX, f64::min), costs().fold(0.0, f64::max));
    let edge = 0.06 * (high - low).max(0.01);
    Panel {
        title,
        x: Axis::new(low - edge, high + edge, 6, x),
        y: Axis::from_zero(points.iter().map(gain), 0.1, 6, y),
        guide: None,
        content: Content::Lines(points.iter().map(line).collect()),
    }
}
