//! What takes the place of `chip.rs` in QEMU 7.2, whose `netduinoplus2` has no clock controller, no DMA, no straps and no lamp: USARTs that
//! are asked for each byte, and a board's number from the emulator's command line.

use crate::LINES;
use core::convert::Infallible;
use desvio_desk::{Line, Seat, serve, systick};
use embassy_futures::join::join5;
use embassy_futures::yield_now;
use embassy_stm32::pac::usart::Usart;
use embassy_stm32::pac::{USART1, USART2, USART3, USART6};
use embedded_hal::digital::{self, OutputPin, StatefulOutputPin};
use embedded_io_async::{ErrorType, Read, Write};

/// Hertz of the emulated core.
const CORE: u32 = 168_000_000;

/// One direction of a USART without interrupts.
struct Polled(Usart);

impl ErrorType for Polled {
    type Error = Infallible;
}

impl Read for Polled {
    async fn read(&mut self, bytes: &mut [u8]) -> Result<usize, Infallible> {
        while !self.0.sr().read().rxne() {
            yield_now().await;
        }
        let mut came = 0usize;
        for place in bytes {
            if !self.0.sr().read().rxne() {
                break;
            }
            *place = self.0.dr().read().dr() as u8;
            came = came.wrapping_add(1);
        }
        Ok(came)
    }
}

impl Write for Polled {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        for &byte in bytes {
            while !self.0.sr().read().txe() {
                yield_now().await;
            }
            self.0.dr().write(|w| w.set_dr(byte.into()));
        }
        Ok(bytes.len())
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A lamp that is not there.
struct Dark;

impl digital::ErrorType for Dark {
    type Error = Infallible;
}

impl OutputPin for Dark {
    fn set_low(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl StatefulOutputPin for Dark {
    fn is_set_high(&mut self) -> Result<bool, Infallible> {
        Ok(false)
    }

    fn is_set_low(&mut self) -> Result<bool, Infallible> {
        Ok(true)
    }
}

async fn carry(line: &Line, usart: Usart) {
    usart.cr1().write(|w| {
        w.set_ue(true);
        w.set_te(true);
        w.set_re(true);
    });
    line.carry(Polled(usart), Polled(usart)).await;
}

/// Whether the emulator was started with an argument `1`.
fn is_second() -> bool {
    let Ok(arguments) = semihosting::experimental::env::args::<64>() else { return false };
    arguments.into_iter().flatten().any(|argument| argument == "1")
}

/// Runs the board, for ever.
pub(crate) async fn run() {
    systick::start(CORE);
    let seat = Seat::strapped(is_second());
    let [east, west, north, south] = &LINES;
    let ends = LINES.each_ref().map(Line::end);
    let carried = [carry(east, USART1), carry(west, USART2), carry(north, USART3), carry(south, USART6)];
    let [one, two, three, four] = carried;
    join5(serve(seat, ends, Dark), one, two, three, four).await;
}
