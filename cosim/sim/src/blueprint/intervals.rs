//! Labels of routers, and an interval of them for each port.

use router_core::map::intervals::NO_INTERVAL;

use crate::topology::Wiring;

/// The labels and intervals of a network.
#[derive(Debug)]
pub(super) struct Labelled {
    /// Entry `router`.
    pub(super) labels: Vec<u32>,
    /// Entry `router * ports + port`: where the interval of the port begins.
    pub(super) starts: Vec<u32>,
}

impl Labelled {
    /// A mesh, row by row: the first coordinate counts fastest.
    pub(super) fn mesh(wiring: &Wiring, dims: &[u32]) -> Self {
        let mut starts = vec![NO_INTERVAL; wiring.routers() * wiring.ports()];
        for here in 0..wiring.routers() {
            for (port, there) in wiring.neighbours(here) {
                // Neighbours of a dimension are as far apart in the numbering as the dimensions before it have routers.
                let (apart, mut stride, mut size) = (here.abs_diff(there), 1, 1);
                for &k in dims {
                    if stride == apart {
                        size = k as usize;
                        break;
                    }
                    stride *= k as usize;
                }
                let block = stride * size;
                let start = if there > here { (here / stride + 1) * stride } else { here / block * block };
                starts[here * wiring.ports() + port] = start as u32;
            }
        }
        Self { labels: (0..wiring.routers() as u32).collect(), starts }
    }

    /// Any graph, by a tree of shortest routes to `root`; nothing where there is no such router.
    pub(super) fn tree(wiring: &Wiring, root: u32) -> Option<Self> {
        let root = usize::try_from(root).ok().filter(|&root| root < wiring.routers())?;
        let (routers, ports) = (wiring.routers(), wiring.ports());
        let distances = wiring.distances_from(root);
        let up = |router: usize| {
            let mut closer =
                wiring.neighbours(router).filter(|&(_, next)| distances[next] < distances[router]);
            closer.next()
        };
        let mut children = vec![Vec::new(); routers];
        (0..routers).filter_map(|router| Some((router, up(router)?.1))).for_each(|(router, parent)| {
            children[parent].push(router);
        });
        // Depth first, without a stack of calls.
        let (mut labels, mut order, mut waiting) = (vec![0; routers], Vec::new(), vec![root]);
        while let Some(router) = waiting.pop() {
            labels[router] = order.len() as u32;
            order.push(router);
            waiting.extend(children[router].iter().rev());
        }
        let mut sizes = vec![1u32; routers];
        for &router in order.iter().rev() {
            if let Some((_, parent)) = up(router) {
                sizes[parent] += sizes[router];
            }
        }
        let mut starts = vec![NO_INTERVAL; routers * ports];
        for router in 0..routers {
            let Some((port, parent)) = up(router) else { continue };
            starts[router * ports + port] = (labels[router] + sizes[router]) % routers as u32;
            // The port of the parent at the other end of this very link.
            let far = wiring.far_port(router, port);
            starts[parent * ports + far] = labels[router];
        }
        Some(Self { labels, starts })
    }
}
