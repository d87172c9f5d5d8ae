//! Request matrices for allocators, and the best that could be made of them.

use router_core::alloc::Requests;
use router_core::units::{PortId, PortSet, VcId};

/// Entry `input`, `vc`: a bit for each output it asks for.
pub type Matrix<const P: usize, const V: usize> = [[usize; V]; P];

/// The requests of a matrix.
#[must_use]
pub fn requests<const P: usize, const V: usize>(matrix: &Matrix<P, V>) -> Requests<P, V> {
    let mut requests = Requests::new();
    for (input, row) in matrix.iter().enumerate() {
        for (vc, &outputs) in row.iter().enumerate() {
            requests.add(
                PortId::new(input as u8),
                VcId::new(vc as u8),
                PortSet::from_bits(outputs),
                VcId::new(0),
            );
        }
    }
    requests
}

/// The most inputs that can be matched with outputs: augmenting paths (Ford and Fulkerson), `rows[i]` being the
/// outputs that input `i` asks for.
#[must_use]
pub fn maximum_matching(rows: &[usize], outputs: usize) -> usize {
    fn augment(input: usize, rows: &[usize], seen: &mut [bool], owner: &mut [Option<usize>]) -> bool {
        (0..seen.len()).any(|output| {
            if rows[input] >> output & 1 == 0 || std::mem::replace(&mut seen[output], true) {
                return false;
            }
            let free = owner[output].is_none_or(|other| augment(other, rows, seen, owner));
            if free {
                owner[output] = Some(input);
            }
            free
        })
    }
    let mut owner = vec![None; outputs];
    (0..rows.len()).filter(|&input| augment(input, rows, &mut vec![false; outputs], &mut owner)).count()
}

/// All outputs that each input asks for.
#[must_use]
pub fn wanted<const P: usize, const V: usize>(matrix: &Matrix<P, V>) -> [usize; P] {
    matrix.map(|row| row.iter().fold(0, |all, outputs| all | outputs))
}

/// A number below `n`.
pub fn below(n: usize, random: &mut impl rand_core::Rng) -> usize {
    ((u64::from(random.next_u32()) * n as u64) >> 32) as usize
}
