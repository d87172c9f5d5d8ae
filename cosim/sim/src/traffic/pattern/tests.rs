//! The pattern of `docs/extend.md`.

#[allow(unreachable_pub, reason = "as in the page")]
mod opposite;

use super::*;
use crate::traffic::random::stream;
use opposite::Opposite;

#[test]
fn the_pattern_of_the_page_is_this_one() {
    let page = include_str!("../../../../../docs/extend.md");
    assert!(page.contains(include_str!("tests/opposite.rs")), "docs/extend.md shows another file");
    let on = NodeMap::new([2, 2, 0, 2], None, None);
    let Ok(Targets::Fixed(to)) = Opposite.targets(&on, &mut stream(1, 0)) else { panic!("no targets") };
    assert_eq!(to, [3, 4, 5, 0, 1, 2]);
}
