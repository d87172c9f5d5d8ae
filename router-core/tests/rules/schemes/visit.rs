//! Settings written down, and one of them chosen.

use desvio_core::fixed::Fixed;
use desvio_core::settings::{Choice, Settings, Visit, Whole, Word};
use std::convert::Infallible;
use std::ops::RangeInclusive;

/// Writes settings down: key, range or words, default.
#[derive(Default)]
pub(super) struct Written(pub(super) Vec<String>);

impl Visit for Written {
    type Error = Infallible;

    fn word<T: Word>(&mut self, key: &'static str, value: &mut T) -> Result<(), Infallible> {
        let words: Vec<_> = T::WORDS
            .iter()
            .map(|&(word, choice)| {
                assert_eq!((choice.word(), T::numbered(choice.number()) == Some(choice)), (word, true));
                word
            })
            .collect();
        self.0.push(format!("{key} {} = {}", words.join("|"), value.word()));
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Infallible> {
        self.0.push(format!("{key} {}…{} = {value}", range.start(), range.end()));
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Infallible> {
        let near = |number: Fixed<F>| (number.to_f64() * 1000.0).round() / 1000.0;
        self.0.push(format!("{key} {}…{} = {}", near(*range.start()), near(*range.end()), near(*value)));
        Ok(())
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<(), Infallible> {
        self.0.push(format!("{key} flag = {value}"));
        Ok(())
    }

    fn group<T: Settings>(&mut self, key: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
        let mut inside = Self::default();
        value.unwrap_or_default().visit(&mut inside)?;
        self.0.push(format!(
            "{key} ({}) = {}",
            inside.0.join(", "),
            if value.is_some() { "on" } else { "off" }
        ));
        Ok(())
    }
}

pub(super) fn settings(of: &mut impl Choice) -> String {
    let mut written = Written::default();
    let Ok(()) = of.visit(&mut written);
    written.0.join("; ")
}

/// Sets one word of a scheme's settings.
pub(super) struct Put(pub(super) &'static str, pub(super) &'static str);

impl Visit for Put {
    type Error = Infallible;

    fn word<T: Word>(&mut self, key: &'static str, value: &mut T) -> Result<(), Infallible> {
        if key == self.0 {
            *value = T::WORDS.iter().find(|one| one.0 == self.1).unwrap().1;
        }
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        _: &'static str,
        _: RangeInclusive<T>,
        _: &mut T,
    ) -> Result<(), Infallible> {
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        _: &'static str,
        _: RangeInclusive<Fixed<F>>,
        _: &mut Fixed<F>,
    ) -> Result<(), Infallible> {
        Ok(())
    }

    fn flag(&mut self, _: &'static str, _: &mut bool) -> Result<(), Infallible> {
        Ok(())
    }

    fn group<T: Settings>(&mut self, _: &'static str, _: &mut Option<T>) -> Result<(), Infallible> {
        Ok(())
    }
}
