//! The RTL's `route_in_transit`, `parity_sign`, `route_valiant`, `route_ugal`, `ways`, `leg`, `via_ahead` and `onward` beside PAR, RLM, Valiant's
//! routing and UGAL of `router-core`.

use crate::rtl_route::ROUTE;
use crate::rtl_unit::bench::{Tally, compiled, either};
use crate::rtl_unit::rival::{SEEN, compare, parameters, shape};

#[test]
fn any_packet_is_offered_the_same_and_leaves_the_same() {
    let sources = [&ROUTE[..], &["onward", "packed_candidates", "rivals"]].concat();
    let cases = either(20_000, 1_000_000);
    let mut all: Option<Tally<13>> = None;
    // Each size of network, each arrangement of its links.
    for number in [0, 4, 8] {
        let shape = shape(number);
        let Some(library) = compiled("rivals", &sources, &parameters(&shape)) else { return };
        let mut model = library.model(1).expect("a model");
        let mut tally = Tally::new(SEEN);
        compare(&mut model, &shape, cases, &mut tally)
            .unwrap_or_else(|difference| panic!("{shape:?}: {difference}"));
        all = Some(all.map_or_else(|| tally.clone(), |all| all.with(&tally)));
    }
    if let Some(tally) = all {
        tally.conclude("route, rivals", 26 * cases as u64);
    }
}
