//! What the RTL has for each option.

use crate::settings::Word;

/// Visits each option that concerns the RTL: the parameter that the module `dsv_router` has for it, or that it has none.
pub trait VisitRtl {
    /// Why it stopped.
    type Error;

    /// A parameter and its value.
    fn parameter(&mut self, name: &'static str, value: u32);

    /// The number of a choice.
    ///
    /// # Errors
    /// When the RTL has no such choice: when `number` gives none.
    fn word<T: Word>(
        &mut self,
        key: &'static str,
        value: T,
        number: fn(T) -> Option<u32>,
    ) -> Result<u32, Self::Error>;

    /// An option that the RTL does not have.
    ///
    /// # Errors
    /// When it is not at its default.
    fn absent(&mut self, key: &'static str, is_default: bool) -> Result<(), Self::Error>;
}
