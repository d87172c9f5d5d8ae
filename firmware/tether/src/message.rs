//! Requests of a host and answers of a microcontroller: the payloads of frames.
//!
//! ```text
//! setup      'S', the setup                        → ready
//! reset      'R'                                   → ready
//! cycles     'C', cycles as in `wires`             → 'C', then for each: what was driven, a digest (4 bytes)
//! registers  'Q'                                   → 'Q', all of them as numbers, in the order of `registers`
//! end        'E'                                   → nothing
//! ready      'K', ports, most bytes of a payload in either direction (2)
//! refused    'X', why
//! ```
//!
//! The digest of a cycle is that of what was driven in it and of all registers after it. A host sends as many cycles at a
//! time as their answers fit a payload: [`batch`].

use crate::wires;

/// Describes a router, and resets it.
pub const SETUP: u8 = b'S';
/// Resets it.
pub const RESET: u8 = b'R';
/// Steps it.
pub const CYCLES: u8 = b'C';
/// Asks for its registers.
pub const REGISTERS: u8 = b'Q';
/// Ends the binary.
pub const END: u8 = b'E';
/// There is a router, as after reset.
pub const READY: u8 = b'K';
/// There is none, or the request makes no sense.
pub const REFUSED: u8 = b'X';

/// Why a request was refused.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such request, or it ends too early.
    Unknown = 1,
    /// No router has been described yet.
    NoRouter = 2,
    /// The setup makes no sense.
    Senseless = 3,
    /// The router is larger than the binary is compiled for.
    TooLarge = 4,
    /// The answer does not fit a payload.
    TooLong = 5,
    /// The binary is compiled with the feature `small` of `router-core`, which leaves out something that the router needs.
    LeftOut = 6,
}

/// Cycles that a payload of `bytes` bytes holds for sure, for a router with `ports` ports.
pub const fn batch(bytes: usize, ports: usize) -> usize {
    let longest = wires::longest(ports).saturating_add(4);
    match bytes.saturating_sub(1).checked_div(longest) {
        Some(cycles) if cycles > 0 => cycles,
        _ => 1,
    }
}
