//! Choices and settings that describe themselves: the word of each choice, the key and the range of each setting.
//!
//! A scheme (a routing, a trigger) lists its settings once, in [`Settings::visit`]. Reading a scenario, writing it, the list
//! of keys, and the bytes that a microcontroller gets are visitors of that one list.

use crate::fixed::Fixed;
use core::fmt::{Debug, Display};
use core::ops::RangeInclusive;

/// A choice named by a word in files, in logs and on the command line.
pub trait Word: Copy + PartialEq + 'static {
    /// Every word and what it means. A choice's place in the list is its number.
    const WORDS: &'static [(&'static str, Self)];

    /// The word of this choice.
    fn word(self) -> &'static str;

    /// The number of this choice.
    fn number(self) -> u8 {
        Self::WORDS.iter().position(|&(_, other)| other == self).unwrap_or_default() as u8
    }

    /// The choice of this number, if there is one.
    fn numbered(number: u8) -> Option<Self> {
        Self::WORDS.get(usize::from(number)).map(|&(_, choice)| choice)
    }
}

/// Gives each choice of a type its word, in the order of their numbers; a choice without a word does not compile.
#[macro_export]
macro_rules! words {
    ($type:ty { $($word:literal => [$($choice:tt)+],)+ }) => {
        impl $crate::settings::Word for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $($choice)+)),+];

            fn word(self) -> &'static str {
                match self {
                    $($($choice)+ => $word,)+
                }
            }
        }
    };
}

/// A whole number of a setting, of at most 32 bits.
pub trait Whole: Copy + PartialOrd + Display + Into<u32> + TryFrom<u32> {}
impl<T: Copy + PartialOrd + Display + Into<u32> + TryFrom<u32>> Whole for T {}

/// Visits every setting of a scheme, in order, by its key: reads it, writes it, or only looks.
pub trait Visit {
    /// Why it stopped.
    type Error;

    /// A choice.
    ///
    /// # Errors
    /// When there is no such choice.
    fn word<T: Word>(&mut self, key: &'static str, value: &mut T) -> Result<(), Self::Error>;

    /// A whole number of this range.
    ///
    /// # Errors
    /// When there is no such number.
    fn whole<T: Whole>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<T>,
        value: &mut T,
    ) -> Result<(), Self::Error>;

    /// A number of this range.
    ///
    /// # Errors
    /// When there is no such number.
    fn number<const F: u32>(
        &mut self,
        key: &'static str,
        range: RangeInclusive<Fixed<F>>,
        value: &mut Fixed<F>,
    ) -> Result<(), Self::Error>;

    /// Yes or no.
    ///
    /// # Errors
    /// When it is neither.
    fn flag(&mut self, key: &'static str, value: &mut bool) -> Result<(), Self::Error>;

    /// Further settings under one key, or none of them.
    ///
    /// # Errors
    /// When one of them is wrong.
    fn group<T: Settings>(&mut self, key: &'static str, value: &mut Option<T>) -> Result<(), Self::Error>;
}

/// Settings that can be visited. Their `Default` is what holds for every key that a file leaves out.
pub trait Settings: Default + Copy + PartialEq + Debug {
    /// Visits each of them, always in the same order; the keys do not depend on the values.
    ///
    /// # Errors
    /// The first that the visitor stops at.
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error>;
}

/// Writes [`Settings`] for a scheme that has none.
#[macro_export]
macro_rules! no_settings {
    ($type:ty) => {
        impl $crate::settings::Settings for $type {
            fn visit<V: $crate::settings::Visit>(&mut self, _: &mut V) -> Result<(), V::Error> {
                Ok(())
            }
        }
    };
}

/// One of a closed list of schemes, with its settings.
pub trait Choice: Copy + PartialEq + Debug {
    /// The word of each, in the order of the list.
    const WORDS: &'static [&'static str];

    /// The scheme at a place of the list, all settings at their defaults.
    fn at(place: usize) -> Option<Self>;

    /// Its place in the list.
    fn place(&self) -> usize;

    /// Visits its settings.
    ///
    /// # Errors
    /// The first that the visitor stops at.
    fn visit<V: Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error>;

    /// Its word.
    fn word(&self) -> &'static str {
        Self::WORDS.get(self.place()).copied().unwrap_or_default()
    }

    /// The scheme of this word, all settings at their defaults.
    fn named(word: &str) -> Option<Self> {
        Self::WORDS.iter().position(|&other| other == word).and_then(Self::at)
    }

    /// The scheme of this one's kind, all settings at their defaults.
    fn at_defaults(self) -> Self {
        Self::at(self.place()).unwrap_or(self)
    }

    /// Every scheme, all settings at their defaults.
    fn all() -> impl Iterator<Item = Self> {
        (0..Self::WORDS.len()).filter_map(Self::at)
    }
}

/// Makes an enum of schemes and writes [`Choice`] for it; `$trait` is what the schemes implement and has their `WORD`.
macro_rules! choice {
    (
        $(#[$doc:meta])*
        $list:ident: $trait:path { $($(#[$about:meta])* $name:ident($module:ident::$type:ident)),* $(,)? }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum $list {
            $(
                $(#[$about])*
                #[doc = ""]
                #[doc = concat!("See [`", stringify!($module), "::", stringify!($type), "`].")]
                $name($module::$type)
            ),*
        }

        const _: () = {
            enum Place { $($name),* }

            impl $crate::settings::Choice for $list {
                const WORDS: &'static [&'static str] = &[$(<$module::$type as $trait>::WORD),*];

                fn at(place: usize) -> Option<Self> {
                    $(if place == Place::$name as usize {
                        return Some(Self::$name(Default::default()));
                    })*
                    None
                }

                #[inline]
                fn place(&self) -> usize {
                    match self { $(Self::$name(_) => Place::$name as usize),* }
                }

                fn visit<V: $crate::settings::Visit>(&mut self, visitor: &mut V) -> Result<(), V::Error> {
                    match self { $(Self::$name(scheme) => $crate::settings::Settings::visit(scheme, visitor)),* }
                }
            }

            $(
                impl From<$module::$type> for $list {
                    fn from(scheme: $module::$type) -> Self {
                        Self::$name(scheme)
                    }
                }

                impl TryFrom<$list> for $module::$type {
                    type Error = $list;

                    fn try_from(one: $list) -> Result<Self, $list> {
                        match one {
                            $list::$name(scheme) => Ok(scheme),
                            other => Err(other),
                        }
                    }
                }
            )*
        };
    };
}
pub(crate) use choice;
