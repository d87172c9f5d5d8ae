//! What the boards have that the switch runs on: an entry, a console, an exit status, an instruction counter, a painted
//! stack. All three are emulated; `docs/firmware.md` says what another board needs.
//!
//! With the feature `uarts` also the UARTs of one of them, mps2-an386, and milliseconds.
#![no_std]

pub mod clock;
pub mod console;
#[cfg(all(feature = "uarts", target_arch = "arm"))]
mod ring;
pub mod stack;
#[cfg(all(feature = "uarts", target_arch = "arm"))]
pub mod uart;
#[cfg(all(feature = "uarts", target_arch = "arm"))]
pub mod uptime;

#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;

#[cfg(target_arch = "arm")]
use cortex_m as _;
#[cfg(feature = "defmt")]
use defmt_semihosting as _;
#[cfg(target_arch = "riscv32")]
use riscv as _;

/// What a binary exits with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// All is well.
    Success,
    /// It is not.
    Failure,
    /// The board is not what the binary expects.
    NoBoard,
    /// A panic, where one is possible.
    Panicked,
}

/// Ends the emulation.
pub fn exit(status: Status) -> ! {
    semihosting::process::exit(match status {
        Status::Success => 0,
        Status::Failure => 1,
        Status::NoBoard => 3,
        Status::Panicked => 101,
    })
}

/// For binaries in which something may panic: the panic ends the emulation.
#[macro_export]
macro_rules! exit_on_panic {
    () => {
        #[panic_handler]
        fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
            $crate::exit($crate::Status::Panicked)
        }
    };
}
