//! Every header that a new packet can have: all draws of a launch, one after the other.

use router_core::header::{Address, Header};
use router_core::route::{Draw, Here, Route};
use router_core::units::Bits;

/// Draws in turn what could be drawn, like an odometer: the last draw counts fastest.
#[derive(Debug, Default)]
struct Odometer {
    /// What is drawn, and how much there is to draw from.
    wheels: Vec<(u32, u32)>,
    /// Draws of the launch under way.
    drawn: usize,
}

impl Draw for Odometer {
    fn below(&mut self, n: u32) -> u32 {
        if self.drawn == self.wheels.len() {
            self.wheels.push((0, n));
        }
        self.drawn += 1;
        self.wheels[self.drawn - 1].0
    }
}

impl Odometer {
    /// Turns to the next draws; false after the last ones.
    fn turn(&mut self) -> bool {
        self.drawn = 0;
        while let Some((drawn, n)) = self.wheels.pop() {
            if drawn + 1 < n {
                self.wheels.push((drawn + 1, n));
                return true;
            }
        }
        false
    }
}

/// Every header of a new packet of `length` flits from a node at `here` to the node at `to`; one for each way to draw.
pub(crate) fn headers<B: Bits>(
    routing: &impl Route<B>,
    here: &Here<B>,
    to: Address,
    length: u16,
) -> Vec<Header> {
    let mut odometer = Odometer::default();
    let mut headers = Vec::new();
    loop {
        headers.push(routing.launch(here, to, length, &mut odometer));
        if !odometer.turn() {
            return headers;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use router_core::route::{Arrival, Candidates, Full};

    /// Draws an intermediate point by two numbers, the second of which depends on the first.
    struct Toy;

    impl Route for Toy {
        fn offer(&self, _: &Here, _: Arrival, _: &Header) -> Result<Candidates, Full> {
            Ok(Candidates::NONE)
        }
        fn launch(&self, _: &Here, to: Address, length: u16, draw: &mut impl Draw) -> Header {
            let group = draw.below(3);
            let index = draw.below(group + 1);
            Header { to, length, via: group * 10 + index, ..Header::default() }
        }
    }

    #[test]
    fn every_draw_is_taken_once() {
        let all: Vec<_> =
            headers(&Toy, &Here::default(), Address::default(), 1).iter().map(|h| h.via).collect();
        assert_eq!(all, [0, 10, 11, 20, 21, 22]);
    }
}
