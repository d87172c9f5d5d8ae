//! One table of the tree, read key by key.

use std::fmt::Display;
use std::ops::RangeInclusive;

use router_core::settings::Word;

use super::Document;
use super::place::Place;
use super::problem::{Expected, Problem};
use super::source::clip;
use super::value::{Data, Entry, Value};

/// A table whose keys are all known.
#[derive(Debug, Clone)]
pub struct Section<'a> {
    document: &'a Document,
    /// Such as `router.vcs`.
    path: String,
    /// Where it is named.
    at: Place,
    entries: &'a [Entry],
}

impl<'a> Section<'a> {
    /// A table of the document, without entries if it is not there.
    pub(super) fn open(document: &'a Document, name: &str) -> Result<Self, Problem> {
        let path = name.to_owned();
        let Some(entry) = document.root.entry(name) else {
            return Ok(Self { document, path, at: document.root.at, entries: &[] });
        };
        let Data::Table(entries) = &entry.value.data else {
            let found = entry.value.describe();
            return Err(Problem::new(
                entry.key_at,
                format!("`{name}` must be one table, [{name}], not {found}"),
            ));
        };
        let section = Self { document, path, at: entry.key_at, entries };
        section.only(document.keys(name), &format!("in [{name}]"))?;
        Ok(section)
    }

    /// Refuses every key but these.
    pub fn only(&self, keys: &[&str], whose: &str) -> Result<(), Problem> {
        match self.entries.iter().find(|entry| !keys.contains(&entry.key.as_str())) {
            Some(entry) => {
                let elsewhere = self.document.other_with(&entry.key, &self.path);
                Err(unknown_key(entry, keys, elsewhere, whose))
            }
            None => Ok(()),
        }
    }

    /// The value of a key, if it is written.
    pub fn get(&self, key: &str) -> Option<Field<'a>> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        Some(Field { document: self.document, path: format!("{}.{key}", self.path), value: &entry.value })
    }

    /// The value of a key that has no default.
    pub fn need(&self, key: &str, expected: &str) -> Result<Field<'a>, Problem> {
        self.get(key).ok_or_else(|| {
            Problem::new(self.at, format!("`{}.{key}` is missing, expected {expected}", self.path))
                .expecting(Expected::Key(key.to_owned()))
        })
    }

    /// A choice.
    pub fn word<T: Word>(&self, key: &str, default: T) -> Result<T, Problem> {
        self.get(key).map_or(Ok(default), |field| field.word())
    }

    /// A whole number.
    pub fn whole<T: Whole>(&self, key: &str, range: RangeInclusive<T>, default: T) -> Result<T, Problem> {
        self.get(key).map_or(Ok(default), |field| field.whole(range))
    }

    /// A number.
    pub fn number(&self, key: &str, range: RangeInclusive<f64>, default: f64) -> Result<f64, Problem> {
        self.get(key).map_or(Ok(default), |field| field.number(range))
    }
}

/// One value and the key it belongs to.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    document: &'a Document,
    pub(crate) path: String,
    pub(crate) value: &'a Value,
}

/// The whole numbers of the model.
pub trait Whole: TryFrom<i128> + PartialOrd + Display {}
impl<T: TryFrom<i128> + PartialOrd + Display> Whole for T {}

impl<'a> Field<'a> {
    /// The error for a value that is something else than expected.
    pub fn wrong(&self, expected: impl Display) -> Problem {
        let (path, found, expected) = (&self.path, self.value.describe(), expected.to_string());
        Problem::new(self.value.at, format!("`{path}` must be {expected}, not {found}"))
            .expecting(Expected::Other(expected))
    }

    /// The error for a value that cannot be, whatever its type.
    pub fn refuse(&self, message: impl Into<String>) -> Problem {
        Problem::new(self.value.at, message)
    }

    /// The error for a word that does not exist.
    pub fn unknown_word(&self, found: &str, words: &[&str]) -> Problem {
        let key = self.path.rsplit('.').next().unwrap_or_default();
        let all = listed(words, '"');
        let problem = self.refuse(format!("unknown {key} {:?}, expected one of {all}", clip(found, 40)));
        let problem = problem.expecting(Expected::Words(owned(words)));
        match nearest(found, words) {
            Some(word) => problem.note(format!("did you mean \"{word}\"?")),
            None => problem,
        }
    }

    /// One of these words.
    pub fn one_of(&self, words: &[&str]) -> Result<&'a str, Problem> {
        match &self.value.data {
            Data::Text(text) if words.contains(&text.as_str()) => Ok(text),
            Data::Text(text) => Err(self.unknown_word(text, words)),
            _ => {
                let wrong = self.wrong(format!("one of {}", listed(words, '"')));
                Err(wrong.expecting(Expected::Words(owned(words))))
            }
        }
    }

    /// A choice.
    pub fn word<T: Word>(&self) -> Result<T, Problem> {
        let words: Vec<_> = T::WORDS.iter().map(|(word, _)| *word).collect();
        let text = self.one_of(&words)?;
        let found = T::WORDS.iter().find(|(word, _)| *word == text);
        found.map(|(_, choice)| *choice).ok_or_else(|| self.unknown_word(text, &words))
    }

    /// True or false.
    pub fn flag(&self) -> Result<bool, Problem> {
        match self.value.data {
            Data::Boolean(truth) => Ok(truth),
            _ => Err(self.wrong("true or false").expecting(Expected::Flag)),
        }
    }

    /// A text.
    pub fn text(&self, expected: &str) -> Result<&'a str, Problem> {
        match &self.value.data {
            Data::Text(text) => Ok(text),
            _ => Err(self.wrong(expected).expecting(Expected::Text)),
        }
    }

    /// A whole number.
    pub fn whole<T: Whole>(&self, range: RangeInclusive<T>) -> Result<T, Problem> {
        let number = match &self.value.data {
            Data::Integer(Some(number)) => T::try_from(*number).ok(),
            _ => None,
        };
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start().to_string(), range.end().to_string());
            let wrong = self.wrong(format!("a whole number from {least} to {most}"));
            wrong.expecting(Expected::Whole(least, most))
        })
    }

    /// A whole number that another key bounds: at most `most` of the range.
    pub fn whole_up_to<T: Whole + Copy>(&self, range: RangeInclusive<T>, most: T) -> Result<T, Problem> {
        let number = self.whole(range.clone())?;
        if number <= most {
            return Ok(number);
        }
        Err(self.refuse(format!(
            "`{}` must be a whole number from {} to {most}, not {number}",
            self.path,
            range.start()
        )))
    }

    /// Any number, whole or not; not a number is refused with everything else out of range.
    pub fn number(&self, range: RangeInclusive<f64>) -> Result<f64, Problem> {
        self.real().filter(|number| range.contains(number)).ok_or_else(|| {
            let (least, most) = (range.start().to_string(), range.end().to_string());
            self.wrong(format!("a number from {least} to {most}")).expecting(Expected::Number(least, most))
        })
    }

    /// The number, if it is one.
    pub(crate) fn real(&self) -> Option<f64> {
        match &self.value.data {
            Data::Integer(Some(number)) => Some(*number as f64),
            Data::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// The elements of a list, of which there must be some.
    pub fn list(&self, expected: &str) -> Result<Vec<Self>, Problem> {
        match &self.value.data {
            Data::List(values) if !values.is_empty() => {
                let path = |index| format!("{}[{index}]", self.path);
                let element = |(index, value)| Self { document: self.document, path: path(index), value };
                Ok(values.iter().enumerate().map(element).collect())
            }
            _ => Err(self.wrong(expected)),
        }
    }

    /// The table with these keys.
    pub fn section(&self, keys: &[&str]) -> Result<Section<'a>, Problem> {
        let Data::Table(entries) = &self.value.data else {
            return Err(self.wrong(format!("a table with {}", listed(keys, '`'))));
        };
        let Self { document, path, value } = self;
        let section = Section { document, path: path.clone(), at: value.at, entries };
        section.only(keys, &format!("in `{}`", self.path))?;
        Ok(section)
    }
}

/// The error for a key that does not exist in a table, with the nearest one that does, or another table that has it.
#[must_use]
pub fn unknown_key(entry: &Entry, keys: &[&str], elsewhere: Option<&str>, whose: &str) -> Problem {
    let key = entry.key.as_str();
    let shown = clip(key, 40).escape_debug().to_string();
    let message = format!("unknown key `{shown}` {whose}, expected one of {}", listed(keys, '`'));
    let problem = Problem::new(entry.key_at, message).expecting(Expected::Keys(owned(keys)));
    match (nearest(key, keys), elsewhere) {
        (Some(near), _) => problem.note(format!("did you mean `{near}`?")),
        (None, Some(section)) => problem.note(format!("`{key}` belongs in [{section}]")),
        _ => problem,
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// The words one after the other, each between quotes.
#[must_use]
pub fn listed(words: &[&str], quote: char) -> String {
    words.iter().map(|word| format!("{quote}{word}{quote}")).collect::<Vec<_>>().join(", ")
}

/// The word that was probably meant.
pub(crate) fn nearest<'w>(found: &str, words: &[&'w str]) -> Option<&'w str> {
    let plain = |word: &str| clip(word, 40).to_lowercase().replace(['_', ' '], "-");
    let found = plain(found);
    let distance = |word: &&str| strsim::osa_distance(&found, &plain(word));
    let word = words.iter().copied().min_by_key(distance)?;
    let far = if word.len() < 3 { 0 } else { 1.max(word.len() / 3) };
    if distance(&word) <= far {
        return Some(word);
    }
    // A word that was cut short, or continued otherwise: most of it is how another one begins.
    let common = |word: &str| plain(word).chars().zip(found.chars()).take_while(|(a, b)| a == b).count();
    let most = words.iter().map(|word| common(word)).max()?;
    let begins = most >= 4 && 3 * most >= 2 * found.chars().count();
    begins.then(|| words.iter().copied().filter(|word| common(word) == most).min_by_key(|word| word.len()))?
}
