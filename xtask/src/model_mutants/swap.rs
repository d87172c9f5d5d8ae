//! Two neighbours in the place of each other.

use super::find::bytes;
use super::site::Bytes;
use syn::Expr;

/// Each two arguments next to each other, and what they are swapped.
pub(crate) fn neighbours(text: &str, arguments: &[&Expr]) -> Vec<(Bytes, String)> {
    let is_closure = |expression: &Expr| matches!(expression, Expr::Closure(_));
    let pairs = arguments.windows(2).filter(|pair| !pair.iter().any(|one| is_closure(one)));
    let swapped = pairs.map(|pair| {
        let (one, other) = (bytes(pair[0]), bytes(pair[1]));
        let between = Bytes { start: one.end, end: other.start }.of(text);
        (Bytes { start: one.start, end: other.end }, format!("{}{between}{}", other.of(text), one.of(text)))
    });
    swapped.collect()
}
