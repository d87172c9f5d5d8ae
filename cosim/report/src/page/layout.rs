//! Where the routers of a network are drawn.

use std::f64::consts::TAU;

use desvio_sim::topology::Topology;

/// Places in a picture 1,000 units wide.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// `groups`, `grid`, `levels` or `circle`.
    pub(super) kind: &'static str,
    pub(super) height: f64,
    /// Of each router, across and down.
    pub(super) at: Vec<(f64, f64)>,
    /// Of each group, where it is, how far its routers are from there.
    pub(super) groups: Vec<(f64, f64, f64)>,
}

const WIDTH: f64 = 1000.0;
const EDGE: f64 = 40.0;

impl Layout {
    /// By groups, dimensions or levels, where the topology has as many routers in them; otherwise on a circle.
    pub(super) fn new(topology: Option<&Topology>, routers: usize) -> Self {
        let all = |parts: &Vec<u32>| parts.iter().map(|part| *part as usize).sum::<usize>() == routers;
        let product = |dims: &Vec<u32>| dims.iter().map(|dim| *dim as usize).product::<usize>() == routers;
        let groups = topology.and_then(Topology::groups).filter(all).filter(|groups| groups.len() > 1);
        let dims = topology.and_then(Topology::dims).filter(product).filter(|dims| dims.len() > 1);
        match (dims, groups, topology.and_then(Topology::levels).filter(all)) {
            (Some(dims), ..) => Self::grid(&dims, routers),
            (None, Some(groups), _) => Self::groups(&groups),
            (None, None, Some(levels)) => Self::levels(&levels),
            (None, None, None) => {
                let at = circle((WIDTH / 2.0, WIDTH / 2.0), WIDTH / 2.0 - EDGE, routers).collect();
                Self { kind: "circle", height: WIDTH, at, groups: Vec::new() }
            }
        }
    }

    /// Groups on a circle, each a circle of routers.
    fn groups(sizes: &[u32]) -> Self {
        let most = (TAU / 2.0 / sizes.len() as f64).sin();
        // As large as they can be without touching each other or the edge.
        let ring = (WIDTH / 2.0 - EDGE / 2.0) / (1.0 + 0.85 * most);
        let radius = 0.85 * most * ring;
        let centres: Vec<_> = circle((WIDTH / 2.0, WIDTH / 2.0), ring, sizes.len()).collect();
        let routers = |(centre, size): (&(f64, f64), &u32)| circle(*centre, 0.8 * radius, *size as usize);
        Self {
            kind: "groups",
            height: WIDTH,
            at: centres.iter().zip(sizes).flat_map(routers).collect(),
            groups: centres.iter().map(|&(x, y)| (x, y, radius)).collect(),
        }
    }

    /// The first dimension across, the second down; every further one puts such planes side by side, in turn across and down.
    fn grid(dims: &[u32], routers: usize) -> Self {
        let mut steps = Vec::new();
        let mut sizes = [1.0, 1.0];
        for (n, &dim) in dims.iter().enumerate() {
            let step = if n < 2 { sizes[n % 2] } else { sizes[n % 2] + 0.5 };
            steps.push(step);
            sizes[n % 2] += step * f64::from(dim.saturating_sub(1));
        }
        let unit = (WIDTH - 2.0 * EDGE) / (sizes[0] - 1.0).max(sizes[1] - 1.0).max(1.0);
        let place = |router: usize| {
            let (mut rest, mut at) = (router, [0.0, 0.0]);
            for (n, (&dim, step)) in dims.iter().zip(&steps).enumerate() {
                at[n % 2] += step * (rest % dim as usize) as f64;
                rest /= dim as usize;
            }
            let left = (WIDTH - unit * (sizes[0] - 1.0)) / 2.0;
            (left + unit * at[0], EDGE + unit * at[1])
        };
        let height = 2.0 * EDGE + unit * (sizes[1] - 1.0);
        Self { kind: "grid", height, at: (0..routers).map(place).collect(), groups: Vec::new() }
    }

    /// The leaves below, the roots above.
    fn levels(levels: &[u32]) -> Self {
        let height = 2.0 * EDGE + 260.0 * levels.len().saturating_sub(1) as f64;
        let row = |(level, &count): (usize, &u32)| {
            let y = height - EDGE - 260.0 * level as f64;
            let step = (WIDTH - 2.0 * EDGE) / f64::from(count.max(1));
            (0..count).map(move |n| (EDGE + step * (f64::from(n) + 0.5), y))
        };
        Self {
            kind: "levels",
            height,
            at: levels.iter().enumerate().flat_map(row).collect(),
            groups: Vec::new(),
        }
    }
}

/// Clockwise from above.
fn circle((x, y): (f64, f64), radius: f64, count: usize) -> impl Iterator<Item = (f64, f64)> {
    (0..count).map(move |n| {
        let angle = TAU * n as f64 / count as f64;
        (x + radius * angle.sin(), y - radius * angle.cos())
    })
}
