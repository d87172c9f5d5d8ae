//! Mesh and torus: numbering, distances and bisection in closed form.

use super::*;

/// The mean over all pairs of routers, a router and itself included, as the closed forms have it.
fn mean_with_self(wiring: &Wiring) -> f64 {
    let routers = wiring.routers() as f64;
    Facts::of(wiring).distances.router_mean * (routers - 1.0) / routers
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

#[test]
fn published_mean_distances() {
    for (k, of_mesh, of_torus) in [(8, 5.25, 4.0), (16, 10.625, 8.0)] {
        assert_near(mean_with_self(&wired(&mesh(&[k, k]))), of_mesh);
        assert_near(mean_with_self(&wired(&torus(&[k, k]))), of_torus);
    }
}

#[test]
fn mean_distance_is_the_sum_over_dimensions() {
    for dims in [&[2, 3, 4][..], &[7], &[5, 5], &[2, 2, 2, 2]] {
        let sum = |of: fn(f64) -> f64| dims.iter().map(|&k| of(f64::from(k))).sum();
        assert_near(mean_with_self(&wired(&mesh(dims))), sum(|k| (k * k - 1.0) / (3.0 * k)));
        assert_near(mean_with_self(&wired(&torus(dims))), sum(|k| (k * k / 4.0).floor() / k));
    }
}

#[test]
fn diameters() {
    for (k, n) in [(2, 5), (3, 3), (4, 2), (7, 2), (300, 1)] {
        let dims = vec![k; n];
        assert_eq!(Facts::of(&wired(&torus(&dims))).distances.diameter, n as u32 * (k / 2));
        assert_eq!(Facts::of(&wired(&mesh(&dims))).distances.diameter, n as u32 * (k - 1));
    }
}

#[test]
fn bisection_of_even_grids_is_exact() {
    let cut = |topology| {
        let Cut { links, is_least, .. } = Facts::of(&wired(&topology)).bisection;
        (links, is_least)
    };
    assert_eq!(cut(mesh(&[8, 8])), (8, true));
    assert_eq!(cut(torus(&[8, 8])), (16, true));
    assert_eq!(cut(mesh(&[4, 3])), (3, true));
    assert_eq!(cut(mesh(&[2; 6])), (32, true), "hypercube: half the routers");
    assert_eq!(cut(torus(&[6])), (2, true));
    assert_eq!(cut(torus(&[2])), (2, true), "two parallel links");
    assert_eq!(cut(mesh(&[3, 3])), (4, false), "(k² − 1) / (k − 1), found");
    assert_eq!(cut(torus(&[5])), (2, false));
}

#[test]
fn numbering() {
    let topology = Torus(Grid { dims: vec![4, 3, 2], nodes_per_router: 2 }).into();
    let (wiring, grid) = (wired(&topology), SecondGrid::of(&topology).unwrap());
    let router = 3 + 4 * (2 + 3);
    assert_eq!(grid.router(&[3, 2, 1]), router);
    assert_eq!([0, 1, 2].map(|d| grid.coordinate(router, d)), [3, 2, 1]);
    // Ports 2 and 3 go up and down dimension 0, ports 4 and 5 dimension 1, ports 6 and 7 dimension 2.
    let across: Vec<usize> = (2..8).map(|port| router_across(&wiring, router, port)).collect();
    let expected = [[0, 2, 1], [2, 2, 1], [3, 0, 1], [3, 1, 1], [3, 2, 0], [3, 2, 0]];
    assert_eq!(across, expected.map(|place| grid.router(&place)));
    assert_eq!(grid.port(1, Direction::Down), 5);
    assert_eq!(grid.way(5), Some((1, Direction::Down)));
    assert_eq!((grid.way(1), grid.way(8)), (None, None));
}

#[test]
fn a_mesh_ends_at_its_edges() {
    let wiring = wired(&mesh(&[3, 2]));
    assert_eq!(wiring.peer(2, 1), None, "up from x = 2");
    assert_eq!(wiring.peer(0, 2), None, "down from x = 0");
    assert_eq!(wiring.peer(0, 1), Some(Peer::Router { router: 1, port: 2 }));
    let facts = Facts::of(&wiring);
    assert_eq!(
        (facts.degree_min, facts.degree_max, facts.radix, facts.links_of(PortClass::LOCAL)),
        (2, 3, 5, 7)
    );
}

#[test]
fn a_ring_of_two_has_two_links() {
    let wiring = wired(&torus(&[2]));
    assert_eq!(wiring.peer(0, 1), Some(Peer::Router { router: 1, port: 2 }));
    assert_eq!(wiring.peer(0, 2), Some(Peer::Router { router: 1, port: 1 }));
    assert_eq!(wiring.minimal_ports(), [0, 0b110, 0b110, 0]);
}
