//! One value per port, read and written without a panic path.

use crate::units::PortId;

/// One `T` for each of `P` ports.
///
/// A port beyond `P` does not exist: reading it gives the default, writing it does nothing. Neither happens while
/// the router's configuration has been checked; the type only saves every stage from saying so.
#[derive(Clone, Debug)]
pub struct PerPort<T, const P: usize>([T; P]);

impl<T, const P: usize> PerPort<T, P> {
    /// One value per port, from a function of the port's index.
    pub fn from_fn(value: impl FnMut(usize) -> T) -> Self {
        Self(core::array::from_fn(value))
    }

    /// The value at `port`.
    #[inline(always)]
    pub fn get(&self, port: PortId) -> Option<&T> {
        self.0.get(port.index())
    }

    /// The value at `port`, to change it.
    #[inline(always)]
    pub fn get_mut(&mut self, port: PortId) -> Option<&mut T> {
        self.0.get_mut(port.index())
    }

    /// All of them, in the order of the ports.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}

impl<T: Copy, const P: usize> PerPort<T, P> {
    /// The same value for all.
    #[inline(always)]
    pub const fn filled(value: T) -> Self {
        Self([value; P])
    }
}

impl<T: Copy + Default, const P: usize> PerPort<T, P> {
    /// A copy of the value at `port`.
    #[inline(always)]
    pub fn at(&self, port: PortId) -> T {
        self.get(port).copied().unwrap_or_default()
    }

    /// Replaces the value at `port`.
    #[inline(always)]
    pub fn set(&mut self, port: PortId, value: T) {
        if let Some(place) = self.get_mut(port) {
            *place = value;
        }
    }
}

impl<T: Copy + Default, const P: usize> Default for PerPort<T, P> {
    fn default() -> Self {
        Self([T::default(); P])
    }
}
