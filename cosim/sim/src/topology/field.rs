//! Finite fields of a few elements: what projective planes and the graphs of McKay, Miller and Širáň are made of.

/// The field of `q` elements, `q` a power of a prime `p`.
///
/// An element is a number below `q` whose digits to the base `p` are the coefficients of a polynomial modulo a primitive one, so that the
/// powers of `x` are all elements but 0. Of a prime field, `x` is the least primitive root.
#[derive(Debug, Clone)]
pub(super) struct Field {
    order: u32,
    /// Entry `a · q + b`: `a + b`.
    sums: Vec<u32>,
    /// `1, x, x², …`: every element but 0.
    powers: Vec<u32>,
    /// Entry `element`: its exponent; nothing of use for 0.
    exponents: Vec<u32>,
}

impl Field {
    /// The field of so many elements; `None` where there is none.
    pub(super) fn of(order: u32) -> Option<Self> {
        let (prime, digits) = prime_power(order)?;
        let powers =
            (1..order).map(|top| powers(prime, digits, top)).find(|all| all.len() as u32 == order - 1)?;
        let mut exponents = vec![0; order as usize];
        for (exponent, &power) in (0..).zip(&powers) {
            exponents[power as usize] = exponent;
        }
        let pairs = (0..order).flat_map(|a| (0..order).map(move |b| (a, b)));
        let sums = pairs.map(|(a, b)| combine(prime, a, 1, b)).collect();
        Some(Self { order, sums, powers, exponents })
    }

    /// How many elements there are.
    pub(super) fn order(&self) -> u32 {
        self.order
    }

    /// Every element but 0, as powers of one of them: `1, x, x², …`.
    pub(super) fn powers(&self) -> &[u32] {
        &self.powers
    }

    pub(super) fn add(&self, a: u32, b: u32) -> u32 {
        self.sums[(a * self.order + b) as usize]
    }

    pub(super) fn multiply(&self, a: u32, b: u32) -> u32 {
        if a == 0 || b == 0 {
            return 0;
        }
        let exponent = self.exponents[a as usize] + self.exponents[b as usize];
        self.powers[(exponent % (self.order - 1)) as usize]
    }
}

/// Whether a field has so many elements.
pub(super) fn has_field(order: u32) -> bool {
    prime_power(order).is_some()
}

/// The prime and the exponent of a power of a prime.
fn prime_power(order: u32) -> Option<(u32, u32)> {
    let prime = (2..=order).find(|divisor| order.is_multiple_of(*divisor))?;
    let exponent = order.ilog(prime);
    (prime.pow(exponent) == order).then_some((prime, exponent))
}

/// `1, x, x², …` up to where it is 1 or 0 again, where `x` to the power of `digits` is `top`.
fn powers(prime: u32, digits: u32, top: u32) -> Vec<u32> {
    let place = prime.pow(digits - 1);
    let times_x = |&power: &u32| {
        let next = combine(prime, power % place * prime, power / place, top);
        Some(next).filter(|&next| next > 1)
    };
    // A circle that does not come back to 1 is longer than there are elements.
    std::iter::successors(Some(1), times_x).take((place * prime) as usize).collect()
}

/// `a + factor · b`, digit by digit.
fn combine(prime: u32, mut a: u32, factor: u32, mut b: u32) -> u32 {
    let (mut sum, mut place) = (0, 1);
    while a > 0 || b > 0 {
        sum += (a % prime + factor * (b % prime)) % prime * place;
        (a, b, place) = (a / prime, b / prime, place * prime);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every law, for all elements of all fields up to 32; triples of elements up to 16.
    #[test]
    fn the_laws_of_fields_hold() {
        let orders: Vec<u32> = (0..=32).filter(|&order| Field::of(order).is_some()).collect();
        assert_eq!(orders, [2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32]);
        for order in orders {
            let field = Field::of(order).unwrap();
            let all = || 0..order;
            for a in all() {
                assert_eq!((field.add(a, 0), field.multiply(a, 1), field.multiply(a, 0)), (a, a, 0));
                assert_eq!(all().filter(|&b| field.add(a, b) == 0).count(), 1, "the negative of {a}");
                let inverses = all().filter(|&b| field.multiply(a, b) == 1).count();
                assert_eq!(inverses, usize::from(a != 0), "the inverse of {a}");
                for b in all() {
                    assert_eq!(field.add(a, b), field.add(b, a));
                    assert_eq!(field.multiply(a, b), field.multiply(b, a));
                    for c in all().take(if order > 16 { 0 } else { order as usize }) {
                        let (sum, product) = (field.add(b, c), field.multiply(b, c));
                        assert_eq!(field.add(a, sum), field.add(field.add(a, b), c));
                        assert_eq!(field.multiply(a, product), field.multiply(field.multiply(a, b), c));
                        let apart = field.add(field.multiply(a, b), field.multiply(a, c));
                        assert_eq!(field.multiply(a, sum), apart, "{a} ({b} + {c}) of {order}");
                    }
                }
            }
        }
    }

    #[test]
    fn prime_fields_count_modulo_the_prime() {
        let field = Field::of(7).unwrap();
        assert_eq!((field.add(5, 4), field.multiply(5, 4)), (2, 6));
        assert_eq!(field.powers(), [1, 3, 2, 6, 4, 5]);
    }
}
