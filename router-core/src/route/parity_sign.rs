//! The parity-sign restriction: which two local hops may follow each other on one VC of a group of fully connected routers.
//!
//! Source: García et al., ICPP 2013. A hop from index `u` to `v` has the sign + where `v > u`, else −, and is even or odd as `v − u` is.
//! Of the sixteen pairs of such hops nine are allowed: any hop before −odd, −even before any + hop, and two + hops unless both are even.
//! No chain of allowed hops closes a circle, and between any two of `2h` routers at least `h − 1` routes of two hops are left.

/// Whether the hop from `through` to `to` may follow the one from `from` to `through`, by the indices of three routers of a group.
#[inline]
pub const fn is_allowed(from: u32, through: u32, to: u32) -> bool {
    let (rises, is_odd) = hop(from, through);
    let (then_rises, then_is_odd) = hop(through, to);
    match (rises, then_rises) {
        (_, false) => then_is_odd,
        (false, true) => !is_odd,
        (true, true) => is_odd | then_is_odd,
    }
}

/// Whether a hop has the sign +, and whether its length is odd.
const fn hop(from: u32, to: u32) -> (bool, bool) {
    (to > from, (to ^ from) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nine pairs, as they are written.
    #[test]
    fn nine_pairs_are_allowed() {
        // Hops of length 2 are even, of length 1 odd.
        let length = |class: &str| match class {
            "+e" => 2,
            "+o" => 1,
            "-e" => -2,
            _ => -1,
        };
        let classes = ["+e", "+o", "-e", "-o"];
        let pairs = classes.iter().flat_map(|first| classes.map(|second| (*first, second)));
        let allowed: Vec<_> = pairs
            .filter(|&(first, second)| {
                let through = 10 + length(first);
                is_allowed(10, through as u32, (through + length(second)) as u32)
            })
            .collect();
        let expected = [
            ("+e", "+o"),
            ("+e", "-o"),
            ("+o", "+e"),
            ("+o", "+o"),
            ("+o", "-o"),
            ("-e", "+e"),
            ("-e", "+o"),
            ("-e", "-o"),
            ("-o", "-o"),
        ];
        assert_eq!(allowed, expected);
    }

    /// Routes of two hops between each ordered pair of `a = 2h` routers.
    fn routes(a: u32) -> Vec<u32> {
        let pairs = (0..a).flat_map(|u| (0..a).filter(move |&v| v != u).map(move |v| (u, v)));
        let count = |(u, v)| (0..a).filter(|&w| w != u && w != v && is_allowed(u, w, v)).count();
        pairs.map(|pair| count(pair) as u32).collect()
    }

    #[test]
    fn at_least_h_less_one_routes_of_two_hops_are_left() {
        for (a, hundredths) in [(4, 125), (6, 237), (8, 346), (16, 782)] {
            let routes = routes(a);
            assert_eq!(routes.iter().min(), Some(&(a / 2 - 1)), "{a}");
            let (sum, pairs) = (routes.iter().sum::<u32>(), a * (a - 1));
            assert_eq!((200 * sum + pairs) / (2 * pairs), hundredths, "{a}: {sum} of {pairs}");
        }
    }

    /// Whether the buffers of all hops can be taken away one by one, each when no allowed hop leads on from it to one that is left.
    fn is_acyclic(a: u32, allowed: impl Fn(u32, u32, u32) -> bool) -> bool {
        let mut left: Vec<_> =
            (0..a).flat_map(|u| (0..a).filter(move |&v| v != u).map(move |v| (u, v))).collect();
        loop {
            let before = left.len();
            let others = left.clone();
            left.retain(|&(u, v)| others.iter().any(|&(w, x)| w == v && allowed(u, v, x)));
            if left.len() == before {
                return left.is_empty();
            }
        }
    }

    /// With five of the seven forbidden pairs, each allowed alone, there is a circle, too: the rule is not loose.
    #[test]
    fn no_chain_of_allowed_hops_closes_a_circle() {
        for a in [4, 6, 8, 16] {
            assert!(is_acyclic(a, is_allowed), "{a}");
        }
        let class = |from, to| (hop(from, to).0, hop(from, to).1);
        let classes = [(false, false), (false, true), (true, false), (true, true)];
        let mut circles = 0;
        for pair in classes.iter().flat_map(|&first| classes.map(|second| (first, second))) {
            let more = |u, v, w| is_allowed(u, v, w) || (class(u, v), class(v, w)) == pair;
            circles += u32::from(!is_acyclic(8, more));
        }
        assert_eq!(circles, 5);
    }
}
