//! What makes the shadows of a network that is built from a blueprint.

use std::fmt::Debug;

use super::Blueprint;
use crate::shadow::{Shadow, ShadowError};

/// What makes the shadows of a network.
pub trait Shadowing: Debug + Send + Sync {
    /// How many routers have one: the first so many of the network.
    fn routers(&self) -> usize;

    /// The shadow of a router, reset.
    ///
    /// # Errors
    /// When it cannot be started.
    fn shadow(&self, blueprint: &Blueprint, router: usize) -> Result<Box<dyn Shadow>, ShadowError>;
}
