//! Why a board started.

use core::fmt;

/// Why a board started, as its hardware says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Reset {
    /// The hardware does not say.
    #[default]
    Unknown,
    /// The power came.
    Power,
    /// A pin, or a debugger.
    Pin,
    /// The program asked for it.
    Software,
    /// The supply was too low for a while.
    BrownOut,
    /// The watchdog was not fed.
    Watchdog,
}

impl Reset {
    /// Whether something was wrong before.
    #[must_use]
    pub const fn is_trouble(self) -> bool {
        matches!(self, Self::BrownOut | Self::Watchdog)
    }
}

impl fmt::Display for Reset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "unknown",
            Self::Power => "power-on",
            Self::Pin => "pin",
            Self::Software => "software",
            Self::BrownOut => "brown-out",
            Self::Watchdog => "watchdog",
        })
    }
}
