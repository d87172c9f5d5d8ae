//! What a trigger is, and the closed list of them.

use super::occupancy::OccupancyTrigger;
use super::{Outputs, Waiting};
use crate::fixed::U8F8;
use crate::layout;
use crate::route::HopKind;
use crate::settings::Settings;
use crate::units::{Bits, PortId};

/// When a detour is considered, and which detour is good enough. It sees queues and counters and never the map.
///
/// One file beside this one holds all that there is to say about a trigger: its settings with their keys, ranges and
/// defaults, its word, its two conditions, and what the RTL's registers hold for it.
pub trait Trigger: Settings {
    /// Its word.
    const WORD: &'static str;

    /// Whether a packet asks for any candidate with room: all of them at once, or one where requests are registered. Neither condition
    /// matters then.
    const ASKS_ANY: bool = false;

    /// Whether it looks at the broadcasts of other routers of the group ([`crate::notice`]).
    const LISTENS: bool = false;

    /// The number of the RTL's parameter `TRIGGER`; nothing where the RTL has no such trigger.
    const RTL: Option<u32> = None;

    /// Whether a detour is considered: the minimal output of `packet` is bad enough.
    fn fires<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool;

    /// Whether a detour is good enough, should there be room for it. Called after [`Self::fires`] held in the same cycle.
    fn allows<const P: usize, const V: usize, B: Bits>(
        &self,
        packet: &Waiting<'_, B>,
        detour: Detour,
        outputs: &Outputs<'_, P, V, B>,
    ) -> bool;

    /// What the RTL's threshold registers hold.
    fn thresholds(&self) -> Thresholds {
        Thresholds::NONE
    }
}

/// A misroute that was drawn.
#[derive(Clone, Copy, Debug)]
pub struct Detour {
    /// Its port.
    pub port: PortId,
    /// What the hop is for.
    pub kind: HopKind,
}

/// What the RTL's threshold registers hold: of each comparator the thresholds, if it is in use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thresholds {
    /// Compares occupancies.
    pub occupancy: Option<OccupancyTrigger>,
    /// Compares contention counters with a number of packets.
    pub contention: Option<u16>,
    /// Compares contention counters with this many times their mean.
    pub average: Option<U8F8>,
    /// Compares the sums of a group's counters with a number of packets.
    pub combined: Option<u16>,
    /// Compares queues times hops, with this much in favour of the minimal output.
    pub bias: Option<u16>,
}

impl Thresholds {
    /// No comparator is in use.
    pub const NONE: Self =
        Self { occupancy: None, contention: None, average: None, combined: None, bias: None };

    /// Whether contention counters are compared.
    pub const fn counts(&self) -> bool {
        self.contention.is_some() || self.average.is_some()
    }

    /// Whether RTL that was built with this `TRIGGER` has the comparators.
    pub const fn fit(&self, built: u32) -> bool {
        let occupancy = matches!(built, layout::TRIGGER_OCCUPANCY | layout::TRIGGER_HYBRID);
        let combined = built == layout::TRIGGER_ECTN;
        let contention = combined || matches!(built, layout::TRIGGER_CONTENTION | layout::TRIGGER_HYBRID);
        let average = built == layout::TRIGGER_CONTENTION_AVERAGE;
        (occupancy || self.occupancy.is_none())
            && (contention || self.contention.is_none())
            && (average || self.average.is_none())
            && (combined || self.combined.is_none())
            && (built == layout::TRIGGER_UGAL || self.bias.is_none())
    }
}

/// Makes the closed list of triggers, [`Selection`](super::Selection), and sends each call to the one in use.
macro_rules! triggers {
    ($($(#[$about:meta])* $name:ident($module:ident::$type:ident)),* $(,)?) => {
        $(pub mod $module;)*

        $crate::settings::choice! {
            /// The trigger in use: one for all routers of a network.
            // With a tag of its own: taken out of the settings of one, it costs as much as a condition.
            #[repr(u8)]
            Selection: Trigger { $($(#[$about])* $name($module::$type)),* }
        }

        impl Selection {
            #[inline(always)]
            fn fires<const P: usize, const V: usize, B: Bits>(
                &self,
                packet: &Waiting<'_, B>,
                outputs: &Outputs<'_, P, V, B>,
            ) -> bool {
                match self { $(Self::$name(trigger) => trigger.fires(packet, outputs)),* }
            }

            #[inline(always)]
            fn allows<const P: usize, const V: usize, B: Bits>(
                &self,
                packet: &Waiting<'_, B>,
                detour: Detour,
                outputs: &Outputs<'_, P, V, B>,
            ) -> bool {
                match self { $(Self::$name(trigger) => trigger.allows(packet, detour, outputs)),* }
            }

            /// Whether a packet asks for any candidate with room.
            #[inline(always)]
            pub const fn asks_any(&self) -> bool {
                match self { $(Self::$name(_) => <$module::$type as Trigger>::ASKS_ANY),* }
            }

            /// Whether it looks at the broadcasts of other routers of the group. The feature `small` leaves that out: a microcontroller
            /// has no wires for it.
            #[inline(always)]
            pub const fn listens(&self) -> bool {
                !cfg!(feature = "small")
                    && match self { $(Self::$name(_) => <$module::$type as Trigger>::LISTENS),* }
            }

            /// The number of the RTL's parameter `TRIGGER`, if the RTL has this trigger.
            pub const fn rtl(&self) -> Option<u32> {
                match self { $(Self::$name(_) => <$module::$type as Trigger>::RTL),* }
            }

            /// What the RTL's threshold registers hold.
            pub fn thresholds(&self) -> Thresholds {
                match self { $(Self::$name(trigger) => trigger.thresholds()),* }
            }
        }
    };
}
