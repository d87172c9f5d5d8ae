//! What a program installs once, and all readers look up.

use std::sync::OnceLock;

/// A list that is empty until it is installed.
#[derive(Debug)]
pub(crate) struct Installed<T>(OnceLock<Vec<T>>);

impl<T> Installed<T> {
    pub(crate) const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Installs it, for good.
    ///
    /// # Errors
    /// When one is installed already.
    pub(crate) fn set(&self, all: Vec<T>) -> Result<(), String> {
        self.0.set(all).map_err(|_| "a registry is installed already".to_owned())
    }

    pub(crate) fn all(&self) -> &[T] {
        self.0.get().map_or(&[], Vec::as_slice)
    }
}
