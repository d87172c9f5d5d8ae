//! Schemes in the file: the word that chooses one, then its settings, each by its key.

use std::convert::Infallible;
use std::ops::RangeInclusive;

use router_core::fixed::Fixed;
use router_core::settings::{Choice, Settings, Visit, Whole, Word};

use crate::document::write::quoted;
use crate::document::{Data, Field, Lines, Problem, Section};

/// Keys in their order.
pub(super) type Keys = Vec<&'static str>;

/// The word of a scheme in the file, if it is written: the scheme, its settings at their defaults.
pub(super) fn word<C: Choice>(section: &Section<'_>, key: &str) -> Result<Option<C>, Problem> {
    section.get(key).map(|field| of_word(&field)).transpose()
}

fn of_word<C: Choice>(field: &Field<'_>) -> Result<C, Problem> {
    C::named(field.one_of(C::WORDS)?).ok_or_else(|| field.wrong("a scheme"))
}

/// The settings of a scheme. Keys that only other schemes have are read, too, and then forgotten: what is wrong with them is
/// wrong whatever is chosen.
pub(super) fn settings<C: Choice>(section: &Section<'_>, mut chosen: C) -> Result<C, Problem> {
    let mut known = keys_of(chosen);
    chosen.visit(&mut Reader { section, skip: &[] })?;
    for mut other in C::all() {
        let own = keys_of(other);
        other.visit(&mut Reader { section, skip: &known })?;
        known.extend(own);
    }
    Ok(chosen)
}

/// The keys of a scheme's settings.
pub(super) fn keys_of(mut scheme: impl Choice) -> Keys {
    let mut writer = Writer::default();
    let Ok(()) = scheme.visit(&mut writer);
    writer.lines.into_iter().map(|(key, _)| key).collect()
}

/// The keys of a scheme's settings and their values.
pub(super) fn lines(mut scheme: impl Choice) -> Lines {
    let mut writer = Writer::default();
    let Ok(()) = scheme.visit(&mut writer);
    writer.lines
}

/// Reads every setting that is written in a table, but for some keys.
struct Reader<'s, 'v> {
    section: &'s Section<'v>,
    skip: &'s [&'static str],
}

impl<'v> Reader<'_, 'v> {
    fn get(&self, key: &str) -> Option<Field<'v>> {
        if self.skip.contains(&key) { None } else { self.section.get(key) }
    }
}

impl Visit for Reader<'_, '_> {
    type Error = Problem;

    fn word<T: Word>(&mut self, key: &'static str, value: &mut T) -> Result<(), Problem> {
        let Some(field) = self.get(key) else { return Ok(()) };
        *value = field.word()?;
        Ok(())
    }

    fn whole<T: Whole>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Problem> {
        let Some(field) = self.get(key) else { return Ok(()) };
        let (least, most) = range.clone().into_inner();
        let number: u32 = field.whole(least.into()..=most.into())?;
        *value = T::try_from(number).unwrap_or(least);
        Ok(())
    }

    fn number<const F: u32>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Problem> {
        let Some(field) = self.get(key) else { return Ok(()) };
        let (least, most) = range.into_inner();
        *value = Fixed::nearest(field.number(least.to_f64()..=most.to_f64())?);
        Ok(())
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<(), Problem> {
        let Some(field) = self.get(key) else { return Ok(()) };
        *value = field.flag()?;
        Ok(())
    }

    fn group<T: Settings>(&mut self, key: &'static str, value: &mut Option<T>) -> Result<(), Problem> {
        let Some(field) = self.get(key) else { return Ok(()) };
        let keys = keys_of_group::<T>();
        *value = match field.value.data {
            Data::Boolean(false) => None,
            Data::Table(_) => {
                let section = field.section(&keys)?;
                let mut settings = T::default();
                settings.visit(&mut Reader { section: &section, skip: &[] })?;
                Some(settings)
            }
            _ => return Err(field.wrong(format!("{{ {} = … }} or false", keys.join(" = …, ")))),
        };
        Ok(())
    }
}

/// The settings that a table has beside others, where they are written.
pub(super) fn group<T: Settings>(section: &Section<'_>, mut default: T) -> Result<T, Problem> {
    default.visit(&mut Reader { section, skip: &[] })?;
    Ok(default)
}

/// The keys of settings and their values.
pub(super) fn lines_of_group<T: Settings>(mut settings: T) -> Lines {
    let mut writer = Writer::default();
    let Ok(()) = settings.visit(&mut writer);
    writer.lines
}

/// The keys of settings.
pub(super) fn keys_of_group<T: Settings>() -> Keys {
    lines_of_group(T::default()).into_iter().map(|(key, _)| key).collect()
}

/// The shortest text that reads as the same number, and as no whole one.
fn shortest<const F: u32>(value: Fixed<F>) -> String {
    let exact = value.to_f64();
    let mut texts = (1..=u16::BITS as usize).map(|digits| format!("{exact:.digits$}"));
    let reads = |text: &String| text.parse().is_ok_and(|number: f64| Fixed::nearest(number) == value);
    texts.find(reads).unwrap_or_else(|| exact.to_string())
}

/// Writes every setting.
#[derive(Default)]
struct Writer {
    lines: Lines,
}

impl Writer {
    fn push(&mut self, key: &'static str, value: impl ToString) -> Result<(), Infallible> {
        self.lines.push((key, value.to_string()));
        Ok(())
    }
}

impl Visit for Writer {
    type Error = Infallible;

    fn word<T: Word>(&mut self, key: &'static str, value: &mut T) -> Result<(), Infallible> {
        self.push(key, quoted(value.word()))
    }

    fn whole<T: Whole>(
        &mut self,
        key: &'static str,
        _: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Infallible> {
        self.push(key, value)
    }

    fn number<const F: u32>(
        &mut self,
        key: &'static str,
        _: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Infallible> {
        self.push(key, shortest(*value))
    }

    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<(), Infallible> {
        self.push(key, value)
    }

    fn group<T: Settings>(&mut self, key: &'static str, value: &mut Option<T>) -> Result<(), Infallible> {
        let Some(settings) = value else { return self.push(key, false) };
        let mut inner = Self::default();
        settings.visit(&mut inner)?;
        let inner: Vec<_> = inner.lines.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        self.push(key, format!("{{ {} }}", inner.join(", ")))
    }
}
