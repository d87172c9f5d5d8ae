//! A name with the bits of it that are meant: `name`, `name[7]`, `name[11:8]`.

use super::document::Problem;
use super::map::Named;

/// Which end of a vector bit 0 is at, and with it port 0 and VC 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vectors {
    /// `[N-1:0]`: bit 0 is the least significant one.
    Descending,
    /// `[0:N-1]`: bit 0 is the most significant one.
    Ascending,
}

impl Vectors {
    /// The lowest bit, counted from the least significant one, of `bits` bits that begin `first` bits from the end
    /// with bit 0, in a vector of `all` bits.
    pub(super) fn low(self, first: u32, bits: u32, all: u32) -> u32 {
        match self {
            Self::Descending => first,
            Self::Ascending => all - first - bits,
        }
    }
}

/// A part of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slice {
    /// Its number next to bit 0.
    pub(super) first: u32,
    pub(super) bits: u32,
}

impl Slice {
    /// The name, and the slice that stands behind it. It is written in the direction in which vectors are declared.
    pub(super) fn split(named: &Named, vectors: Vectors) -> Result<(&str, Option<Self>), Problem> {
        let Some((name, part)) = named.text.split_once('[') else { return Ok((&named.text, None)) };
        let ends = part.strip_suffix(']').map(|part| part.split_once(':').unwrap_or((part, part)));
        let bit = |text: &str| text.trim().parse::<u32>().ok().filter(|bit| *bit < MOST_BITS);
        let ends = ends.and_then(|(left, right)| bit(left).zip(bit(right)));
        let range = ends.map(|(left, right)| match vectors {
            Vectors::Descending => (right, left),
            Vectors::Ascending => (left, right),
        });
        let (first, last) = range.filter(|(first, last)| first <= last).ok_or_else(|| {
            let such = if vectors == Vectors::Descending { "[11:8]" } else { "[8:11]" };
            let message = format!("`{}` must end in bits such as [7] or {such}", named.text);
            let problem = Problem::new(named.at.clone(), message);
            problem.note("`vectors` at the top of the map says which way vectors are declared")
        })?;
        Ok((name, Some(Self { first, bits: last - first + 1 })))
    }

    /// The slice in a vector of `all` bits, or all of it: its lowest bit from the least significant one on, and its bits.
    pub(super) fn of(
        slice: Option<Self>,
        named: &Named,
        vectors: Vectors,
        all: u32,
    ) -> Result<(u32, u32), Problem> {
        let Some(Self { first, bits }) = slice else { return Ok((0, all)) };
        if first + bits > all {
            let message = format!("`{}` reaches up to bit {}, of {all} bits", named.text, first + bits - 1);
            return Err(Problem::new(named.at.clone(), message));
        }
        Ok((vectors.low(first, bits, all), bits))
    }
}

/// Widest vector.
const MOST_BITS: u32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str, vectors: Vectors) -> Option<(String, Option<(u32, u32)>)> {
        let named = Named { text: text.to_owned(), at: 0..0 };
        let (name, slice) = Slice::split(&named, vectors).ok()?;
        let name = name.to_owned();
        slice.map_or(Some((name.clone(), None)), |slice| {
            Slice::of(Some(slice), &named, vectors, 12).ok().map(|found| (name, Some(found)))
        })
    }

    #[test]
    fn bits_are_counted_as_vectors_are_declared() {
        let (down, up) = (Vectors::Descending, Vectors::Ascending);
        let some = |name: &str, low, bits| Some((name.to_owned(), Some((low, bits))));
        assert_eq!(split("a", down), Some(("a".to_owned(), None)));
        assert_eq!(split("a[11:8]", down), some("a", 8, 4));
        assert_eq!(split("a[0]", down), some("a", 0, 1));
        assert_eq!(split("a[0]", up), some("a", 11, 1));
        assert_eq!(split("a[8:11]", up), some("a", 0, 4));
        for (text, vectors) in [
            ("a[8:11]", down),
            ("a[11:8]", up),
            ("a[12]", down),
            ("a[0:12]", up),
            ("a[1", down),
            ("a[]", down),
        ] {
            assert_eq!(split(text, vectors), None, "{text}");
        }
    }
}
