//! What an allocator is, and the closed list of them.

use super::contest::Contest;
use super::vl_arbiter::VlArbitration;
use super::{Allocator, Grants};
use crate::units::Bits;

/// A way to match inputs and outputs.
///
/// One file beside this one holds all that there is to say about an allocator: its word, how it decides, and its number in
/// the RTL. All of them have the arbiters and pointers of [`Allocator`] to decide by, which [`Allocator::commit`] moves.
pub(crate) trait Method {
    /// Its word.
    const WORD: &'static str;

    /// Whether it goes by diagonals instead of by the arbiters of the outputs.
    const DIAGONALS: bool = false;

    /// Whether each output has one arbiter among the inputs, instead of one for each VC behind it and one among those VCs.
    const ONE_ARBITER: bool = false;

    /// The number of the RTL's parameter `ALLOCATOR`; nothing where the RTL has no such allocator.
    const RTL: Option<u32> = None;

    /// Adds to `grants` what it grants of the requests that are in each other's way: each answers a request, no input and no
    /// output is granted twice, and there is one if there is a request. With `lanes` outputs pick VCs by the tables there; an
    /// allocator whose outputs do not see all requests need not.
    fn decide<const P: usize, const V: usize, B: Bits>(
        allocator: &Allocator<P, V, B>,
        contest: &Contest<P, V, B>,
        lanes: Option<&VlArbitration<P>>,
        grants: &mut Grants<P, B>,
    );
}

/// Makes the closed list of allocators, and sends each call to the one in use.
macro_rules! allocators {
    ($($(#[$about:meta])* $name:ident($module:ident::$type:ident)),* $(,)?) => {
        $(mod $module;)*

        /// How inputs and outputs are matched.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        pub enum AllocatorKind {
            $(
                $(#[$about])*
                #[doc = ""]
                #[doc = concat!("See `alloc/", stringify!($module), ".rs`.")]
                $name
            ),*
        }

        impl $crate::settings::Word for AllocatorKind {
            const WORDS: &'static [(&'static str, Self)] =
                &[$((<$module::$type as Method>::WORD, Self::$name)),*];

            fn word(self) -> &'static str {
                match self { $(Self::$name => <$module::$type as Method>::WORD),* }
            }
        }

        impl AllocatorKind {
            /// The number of the RTL's parameter `ALLOCATOR`, if the RTL has this allocator.
            pub const fn rtl(self) -> Option<u32> {
                match self { $(Self::$name => <$module::$type as Method>::RTL),* }
            }

            /// Whether it goes by diagonals instead of by the arbiters of the outputs.
            pub const fn has_diagonals(self) -> bool {
                match self { $(Self::$name => <$module::$type as Method>::DIAGONALS),* }
            }

            /// Whether each output has one arbiter among the inputs, instead of one for each VC behind it and one among those VCs.
            pub const fn has_one_arbiter(self) -> bool {
                match self { $(Self::$name => <$module::$type as Method>::ONE_ARBITER),* }
            }

            #[inline(always)]
            fn decide<const P: usize, const V: usize, B: Bits>(
                self,
                allocator: &Allocator<P, V, B>,
                contest: &Contest<P, V, B>,
                lanes: Option<&VlArbitration<P>>,
                grants: &mut Grants<P, B>,
            ) {
                match self { $(Self::$name => <$module::$type as Method>::decide(allocator, contest, lanes, grants)),* }
            }
        }
    };
}
