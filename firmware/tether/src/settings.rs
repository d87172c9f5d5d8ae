//! Choices and settings as bytes: a choice is its number, a scheme its place in the list and then its settings.

use crate::bytes::{Reader, Writer};
use crate::error::SetupError;
use core::convert::Infallible;
use core::ops::RangeInclusive;
use router_core::fixed::Fixed;
use router_core::settings::{Choice, Settings, Visit, Whole, Word};

/// Writes the number of a choice.
pub(crate) fn write_word(to: &mut Writer<'_>, word: impl Word) {
    to.u8(word.number());
}

/// Reads it.
pub(crate) fn read_word<T: Word>(from: &mut Reader<'_>) -> Result<T, SetupError> {
    T::numbered(from.u8()?).ok_or(SetupError::Unknown)
}

/// Writes a scheme with its settings.
pub(crate) fn write_choice(to: &mut Writer<'_>, mut choice: impl Choice) {
    to.u8(choice.place() as u8);
    let Ok(()) = choice.visit(&mut Written(to));
}

/// Reads it.
pub(crate) fn read_choice<T: Choice>(from: &mut Reader<'_>) -> Result<T, SetupError> {
    let mut choice = T::at(from.u8()?.into()).ok_or(SetupError::Unknown)?;
    choice.visit(&mut Read(from))?;
    Ok(choice)
}

/// Writes settings.
pub(crate) fn write_settings(to: &mut Writer<'_>, mut settings: impl Settings) {
    let Ok(()) = settings.visit(&mut Written(to));
}

/// Reads them.
pub(crate) fn read_settings<T: Settings>(from: &mut Reader<'_>) -> Result<T, SetupError> {
    let mut settings = T::default();
    settings.visit(&mut Read(from))?;
    Ok(settings)
}

/// Reads yes or no.
pub(crate) fn read_flag(from: &mut Reader<'_>) -> Result<bool, SetupError> {
    match from.u8()? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(SetupError::Unknown),
    }
}

/// Writes each setting.
struct Written<'w, 'b>(&'w mut Writer<'b>);

impl Visit for Written<'_, '_> {
    type Error = Infallible;

    fn word<T: Word>(&mut self, _: &'static str, value: &mut T) -> Result<(), Infallible> {
        write_word(self.0, *value);
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        _: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Infallible> {
        let number = (*value).into();
        match (*range.end()).into() {
            most if most <= u8::MAX.into() => self.0.u8(number as u8),
            most if most <= u16::MAX.into() => self.0.u16(number as u16),
            _ => self.0.u32(number),
        }
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        _: &'static str,
        _: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Infallible> {
        self.0.u16(value.to_bits());
        Ok(())
    }

    fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<(), Infallible> {
        self.0.u8((*value).into());
        Ok(())
    }

    fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
        self.0.u8(value.is_some().into());
        value.as_mut().map_or(Ok(()), |settings| settings.visit(self))
    }
}

/// Reads each setting.
struct Read<'r, 'b>(&'r mut Reader<'b>);

impl Visit for Read<'_, '_> {
    type Error = SetupError;

    fn word<T: Word>(&mut self, _: &'static str, value: &mut T) -> Result<(), SetupError> {
        *value = read_word(self.0)?;
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        _: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), SetupError> {
        let number = match (*range.end()).into() {
            most if most <= u8::MAX.into() => self.0.u8()?.into(),
            most if most <= u16::MAX.into() => self.0.u16()?.into(),
            _ => self.0.u32()?,
        };
        let read = T::try_from(number).ok();
        *value = read.filter(|number| range.contains(number)).ok_or(SetupError::Unknown)?;
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        _: &'static str,
        range: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), SetupError> {
        *value = Fixed::from_bits(self.0.u16()?);
        if range.contains(value) { Ok(()) } else { Err(SetupError::Unknown) }
    }

    fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<(), SetupError> {
        *value = read_flag(self.0)?;
        Ok(())
    }

    fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), SetupError> {
        *value = None;
        if read_flag(self.0)? {
            let mut settings = T::default();
            settings.visit(self)?;
            *value = Some(settings);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use router_core::alloc::{AllocatorKind, ArbiterKind};
    use router_core::route::RoutingScheme;
    use router_core::route::olm::Rules;
    use router_core::select::Selection;

    /// Puts each setting at one end of its range.
    struct End {
        last: bool,
    }

    impl Visit for End {
        type Error = Infallible;

        fn word<T: Word>(&mut self, _: &'static str, value: &mut T) -> Result<(), Infallible> {
            let place = if self.last { T::WORDS.len().saturating_sub(1) } else { 0 };
            *value = T::WORDS[place].1;
            Ok(())
        }

        fn whole<T: Whole>(
            &mut self,
            _: &'static str,
            range: RangeInclusive<T>,
            value: &mut T,
        ) -> Result<(), Infallible> {
            *value = if self.last { *range.end() } else { *range.start() };
            Ok(())
        }

        fn number<const F: u32>(
            &mut self,
            _: &'static str,
            range: RangeInclusive<Fixed<F>>,
            value: &mut Fixed<F>,
        ) -> Result<(), Infallible> {
            *value = if self.last { *range.end() } else { *range.start() };
            Ok(())
        }

        fn flag(&mut self, _: &'static str, value: &mut bool) -> Result<(), Infallible> {
            *value = self.last;
            Ok(())
        }

        fn group<T: Settings>(&mut self, _: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
            *value = self.last.then(T::default);
            value.as_mut().map_or(Ok(()), |settings| settings.visit(self))
        }
    }

    fn comes_back<T: Choice>(choice: T) {
        let mut bytes = [0; 32];
        let mut writer = Writer::new(&mut bytes);
        write_choice(&mut writer, choice);
        let length = writer.length().unwrap();
        let mut reader = Reader::new(&bytes[..length]);
        assert_eq!(read_choice::<T>(&mut reader), Ok(choice));
        assert!(reader.is_empty());
        for short in 0..length {
            let read = read_choice::<T>(&mut Reader::new(&bytes[..short]));
            assert_eq!(read, Err(SetupError::TooShort), "{choice:?} in {short} bytes");
        }
    }

    fn all_come_back<T: Choice>() {
        for choice in T::all() {
            comes_back(choice);
            for last in [false, true] {
                let mut at_end = choice;
                let Ok(()) = at_end.visit(&mut End { last });
                comes_back(at_end);
            }
        }
        let beyond = [T::WORDS.len() as u8];
        assert_eq!(read_choice::<T>(&mut Reader::new(&beyond)), Err(SetupError::Unknown));
    }

    #[test]
    fn every_scheme_comes_back_with_its_settings() {
        all_come_back::<RoutingScheme>();
        all_come_back::<Selection>();
    }

    #[test]
    fn every_choice_comes_back() {
        fn comes_back<T: Word + core::fmt::Debug>() {
            for (number, &(_, choice)) in (0..).zip(T::WORDS) {
                assert_eq!(read_word::<T>(&mut Reader::new(&[number])), Ok(choice));
                assert_eq!(choice.number(), number);
            }
            let beyond = [T::WORDS.len() as u8];
            assert_eq!(read_word::<T>(&mut Reader::new(&beyond)), Err(SetupError::Unknown));
        }
        comes_back::<AllocatorKind>();
        comes_back::<ArbiterKind>();
        comes_back::<Rules>();
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let contention = Selection::named("contention").unwrap().place() as u8;
        assert_eq!(
            read_choice::<Selection>(&mut Reader::new(&[contention, 0, 0, 0, 0])),
            Err(SetupError::Unknown)
        );
        let average = Selection::named("contention-average").unwrap().place() as u8;
        assert_eq!(read_choice::<Selection>(&mut Reader::new(&[average, 1, 16])), Err(SetupError::Unknown));
        assert!(read_choice::<Selection>(&mut Reader::new(&[average, 0, 16])).is_ok());
    }
}
