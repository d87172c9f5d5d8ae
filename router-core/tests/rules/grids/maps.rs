//! Ports and sizes of grids.

use super::*;
use desvio_core::drb::Network;

/// Proves: ports lead one up and one down in each dimension, round a torus, and one-way links send up alone.
#[test]
fn ports_lead_up_and_down_in_each_dimension() {
    for shape in SHAPES {
        let grid = shape.grid();
        let net = Net::of(&grid);
        net.check_symmetry();
        let addresses: Vec<_> = shape.all().iter().map(|one| shape.address(one)).collect();
        assert_eq!(net.routers, addresses);
        assert_eq!(
            (grid.ports(), grid.last()),
            (usize::from(shape.nodes) + 2 * shape.dims.len(), *addresses.iter().max().unwrap())
        );
        assert_eq!((grid.wraps(), grid.is_one_way()), (shape.kind != Kind::Mesh, shape.kind == Kind::OneWay));
        for coordinates in shape.all() {
            let router = shape.address(&coordinates);
            assert_eq!(grid.address(&coordinates), router);
            for node in 0..shape.nodes {
                assert_eq!(grid.peer(router, PortId::new(node)), Some(Peer::Node));
                assert_eq!(net.class(router, PortId::new(node)), PortClass::NODE);
                assert!(grid.sends(router, PortId::new(node)));
            }
            for (dimension, &size) in shape.dims.iter().enumerate() {
                for up in [true, false] {
                    let x = coordinates[dimension];
                    let next = if up { x + 1 } else { x + size - 1 };
                    let is_there = shape.kind != Kind::Mesh || if up { x + 1 < size } else { x > 0 };
                    let mut there = coordinates.clone();
                    there[dimension] = next % size;
                    let peer =
                        Peer::Router { router: shape.address(&there), port: shape.port(dimension, !up) };
                    assert_eq!(
                        grid.peer(router, shape.port(dimension, up)),
                        is_there.then_some(peer),
                        "{shape:?} {coordinates:?}"
                    );
                    assert_eq!(net.class(router, shape.port(dimension, up)), PortClass::LOCAL);
                    assert_eq!(
                        grid.sends(router, shape.port(dimension, up)),
                        up || shape.kind != Kind::OneWay
                    );
                }
            }
            assert_eq!(grid.peer(router, PortId::new(grid.ports() as u8)), None);
        }
    }
    // Bits 0 to 1, 2 to 3 and 4 of an address begin the coordinates.
    assert_eq!(Grid::new(&[4, 3, 2], 1, false).unwrap().starts(), 0b1_0101);
}

/// Proves: as many hops lie between two routers as the shortest way by links that send has.
#[test]
fn distances_are_those_of_shortest_ways() {
    for shape in SHAPES {
        let (grid, net) = (shape.grid(), Net::of(&shape.grid()));
        for &there in &net.routers {
            let hops = net.distances(there);
            for &here in &net.routers {
                assert_eq!(
                    Network::Grid(grid).distance(here, there),
                    hops[&here],
                    "{shape:?} {here} {there}"
                );
            }
        }
    }
}

/// Proves: 1 to 8 dimensions of 2 routers or more, whose coordinates fit 18 bits, with as many ports as a set holds.
#[test]
fn numbers_that_make_no_grid_are_refused() {
    let of = |dims: &[u32], nodes| Grid::new(dims, nodes, true).map(|_| ());
    assert_eq!(of(&[], 1), Err(GridError::Dimensions));
    assert_eq!((of(&[2; 8], 1), of(&[2; 9], 1)), (Ok(()), Err(GridError::Dimensions)));
    assert_eq!((of(&[1], 1), of(&[3, 1], 1)), (Err(GridError::Size), Err(GridError::Size)));
    assert_eq!((of(&[1 << 18], 1), of(&[(1 << 18) + 1], 1)), (Ok(()), Err(GridError::Size)));
    assert_eq!((of(&[512, 512], 1), of(&[512, 513], 1)), (Ok(()), Err(GridError::Size)));
    // Two dimensions have four ports: 60 nodes are the most.
    assert_eq!(
        (of(&[2, 2], 60), of(&[2, 2], 61), of(&[2, 2], 255)),
        (Ok(()), Err(GridError::Ports), Err(GridError::Ports))
    );
}
