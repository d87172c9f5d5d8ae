//! One value per port, read and written without a panic path.

use crate::units::{PortId, VcId, VcSet};

/// An index into `N` values that, where `N` is a power of two, is known to be in range.
#[inline(always)]
pub(crate) const fn wrapped<const N: usize>(index: usize) -> usize {
    if N.is_power_of_two() { index & N.wrapping_sub(1) } else { index }
}

/// One `T` for each of `P` ports.
///
/// For a port of `P` or above, reads return the default and writes are ignored; where `P` is a power of two, the index
/// wraps instead, which costs no comparison. The router refuses such ports where they come in, on a wire.
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
        self.0.get(wrapped::<P>(port.index()))
    }

    /// The value at `port`, to change it.
    #[inline(always)]
    pub fn get_mut(&mut self, port: PortId) -> Option<&mut T> {
        self.0.get_mut(wrapped::<P>(port.index()))
    }

    /// All of them, in the order of the ports.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter()
    }
}

impl<T: Copy, const P: usize> PerPort<T, P> {
    /// One value for all ports.
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

impl<const P: usize> PerPort<VcSet, P> {
    /// Adds a VC of a port.
    #[inline(always)]
    pub(crate) fn insert(&mut self, port: PortId, vc: VcId) {
        if let Some(vcs) = self.get_mut(port) {
            vcs.insert(vc);
        }
    }

    /// Takes a VC of a port out.
    #[inline(always)]
    pub(crate) fn remove(&mut self, port: PortId, vc: VcId) {
        if let Some(vcs) = self.get_mut(port) {
            vcs.remove(vc);
        }
    }
}

/// One `T` for each of `V` virtual channels of each of `P` ports. What does not exist is as in [`PerPort`].
#[derive(Clone, Debug)]
pub struct PerVc<T, const P: usize, const V: usize>([[T; V]; P]);

impl<T: Copy, const P: usize, const V: usize> PerVc<T, P, V> {
    /// One value for all VCs.
    #[inline(always)]
    pub const fn filled(value: T) -> Self {
        Self([[value; V]; P])
    }

    /// The value of a VC.
    #[inline(always)]
    pub fn get(&self, port: PortId, vc: VcId) -> Option<&T> {
        self.0.get(wrapped::<P>(port.index()))?.get(wrapped::<V>(vc.index()))
    }

    /// The value of a VC, to change it.
    #[inline(always)]
    pub fn get_mut(&mut self, port: PortId, vc: VcId) -> Option<&mut T> {
        self.0.get_mut(wrapped::<P>(port.index()))?.get_mut(wrapped::<V>(vc.index()))
    }
}
