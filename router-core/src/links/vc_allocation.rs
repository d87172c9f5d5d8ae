//! When a head may take a VC.

/// When a head may take a VC of the next router.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VcAllocation {
    /// When the tail of the packet before it has been sent: its flits may still be in the buffer.
    #[default]
    NonAtomic,
    /// When the buffer of the VC is empty, and all of its credits are back: no two packets are ever in it. Duato's theorems for
    /// wormhole flow control ask for that (Duato, 1993). Holds between routers.
    Atomic,
    /// As [`NonAtomic`](Self::NonAtomic), but with bubble flow control (Carrión et al., 1997; Puente et al., 2001). A packet comes on to an
    /// escape ring only where there is room for two of its length, and goes on along it where there is room for one.
    Bubble,
}

crate::words!(VcAllocation {
    "non-atomic" => [Self::NonAtomic],
    "atomic" => [Self::Atomic],
    "bubble" => [Self::Bubble],
});

impl VcAllocation {
    /// The RTL has the first alone, without a parameter for it.
    pub fn rtl(self) -> Option<u32> {
        (self == Self::NonAtomic).then_some(0)
    }
}
