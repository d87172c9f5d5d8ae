//! Patterns of traffic, and the networks that they fit.

use super::{parse, refuses};

/// The `[traffic]` table with that pattern.
pub(super) fn traffic(pattern: &str) -> String {
    format!("[traffic]\nloads = [1]\npattern = {pattern}\n")
}

#[test]
fn dragonfly_patterns() {
    refuses(&traffic("{ adversarial = ‸9 }"), "from 1 to 8: there are 9 groups, not 9");
    refuses(&traffic("{ adversarial = ‸0 }"), "not 0");
    refuses(&traffic("{ adversarial-local = ‸4 }"), "from 1 to 3: there are 4 routers in each group");
    let mesh = "[topology]\nkind = \"mesh\"\ndims = [4]\n";
    refuses(&format!("{mesh}{}", traffic("{ adversarial = ‸1 }")), "needs a dragonfly");
    refuses(&format!("{mesh}{}", traffic("{ adversarial-local = ‸1 }")), "needs a dragonfly");
    let lonely = "[topology]\nkind = \"dragonfly\"\np = 1\na = 1\nh = 3\n";
    refuses(
        &format!("{lonely}{}", traffic("{ adversarial-local = ‸1 }")),
        "needs more routers in each group than one",
    );
    let unequal = "[topology]\nkind = \"dragonfly\"\np = 1\na = [2, 3]\nh = 3\n";
    refuses(&format!("{unequal}{}", traffic("{ adversarial-index = ‸1 }")), "needs groups of one size");
    parse(&traffic("{ adversarial-index = 8 }"));
}

#[test]
fn patterns_of_bits_and_of_grids() {
    refuses(&traffic("‸\"shuffle\""), "needs a power of two of nodes, but there are 72");
    let eight = "[topology]\nkind = \"mesh\"\ndims = [4, 2]\n";
    refuses(&format!("{eight}{}", traffic("‸\"transpose\"")), "needs 4, 16, 64, … nodes, but there are 8");
    for word in ["bit-reversal", "bit-complement", "shuffle", "butterfly", "tornado", "neighbour"] {
        parse(&format!("{eight}{}", traffic(&format!("\"{word}\""))));
    }
    refuses(&traffic("‸\"tornado\""), "needs a mesh or a torus");
    refuses(&traffic("{ switch-at = 5, from = \"uniform\", to = ‸\"tornado\" }"), "needs a mesh or a torus");
}

#[test]
fn patterns_that_are_tables() {
    refuses(
        &traffic("{ hot-spot = { nodes = [0, ‸72], share = 0.1 } }"),
        "must be a node from 0 to 71, not 72",
    );
    refuses(&traffic("{ hot-spot = { nodes = [0], share = ‸1.5 } }"), "a number from 0 to 1");
    refuses(&traffic("{ adversarial = 1, adversarial-index = ‸1 }"), "expected one pattern, not");
    refuses(&traffic("{ adversarial = 1, ‸to = 1 }"), "unknown key `to` beside `adversarial`");
    refuses(&traffic("‸\"adversarial\""), "is a table, { adversarial = 1 }");
    refuses(&traffic("{ switch-at = ‸-1, from = \"uniform\", to = \"uniform\" }"), "from 0 to");
    refuses(&traffic("‸{ switch-at = 1, from = \"uniform\" }"), "pattern.to` is missing");
}

#[test]
fn patterns_of_coordinates_and_of_patterns() {
    let mesh = |pattern: &str| format!("[topology]\nkind = \"mesh\"\ndims = [4, 3]\n{}", traffic(pattern));
    parse(&mesh("{ cartesian = [\"permutation\", { shift = 2 }] }"));
    parse(&traffic("{ cartesian = { sides = [8, 9], transforms = [\"tornado\", \"complement\"] } }"));
    refuses(
        &mesh("{ cartesian = ‸[\"identity\"] }"),
        "lists 1 transforms, expected 2: one for each coordinate",
    );
    refuses(&mesh("{ cartesian = [\"identity\", { shift = ‸3 }] }"), "a whole number from 0 to 2, not 3");
    refuses(&mesh("{ cartesian = [‸\"identty\", \"tornado\"] }"), "did you mean \"identity\"?");
    refuses(&traffic("{ cartesian = ‸[\"identity\"] }"), "needs a mesh or a torus, or its own `sides`");
    refuses(
        &traffic("{ cartesian = { sides = ‸[8, 8], transforms = [\"tornado\", \"tornado\"] } }"),
        "the product of `traffic.pattern.cartesian.sides` must be the number of nodes, 72",
    );
    let part = "{ share = 0.5, pattern = \"uniform\" }";
    parse(&traffic(&format!("{{ mixture = [{part}, {{ share = 0.5, pattern = {{ adversarial = 1 }} }}] }}")));
    parse(&traffic(&format!(
        "{{ switch-at = 5, from = {{ mixture = [{part}, {part}] }}, to = \"uniform\" }}"
    )));
    refuses(&traffic(&format!("{{ mixture = ‸[{part}] }}")), "must add up to 1, not to 0.5");
    refuses(
        &traffic("{ mixture = [{ share = ‸0, pattern = \"uniform\" }] }"),
        "a share above 0 and at most 1",
    );
    let alone = |inner: &str| traffic(&format!("{{ mixture = [\n{{ share = 1, pattern = ‸{inner} }}] }}"));
    refuses(&alone("{ mixture = [{ share = 1, pattern = \"uniform\" }] }"), "made of");
    refuses(&alone("{ switch-at = 5, from = \"uniform\", to = \"uniform\" }"), "it can be in `switch-at`");
}
