//! The pins of a switch in memory, by the traits of `embedded-hal-async`.

use super::{Fake, Spi, Time};
use core::convert::Infallible;
use core::future::poll_fn;
use core::task::Poll;
use embedded_hal::digital::ErrorType;
use embedded_hal_async::delay::DelayNs;
use embedded_hal_async::digital::Wait;
use embedded_hal_async::spi::{Operation, SpiDevice};

/// The interrupt line. Whoever waits for it looks at it whenever the executor comes by.
#[derive(Clone, Copy, Debug)]
pub struct Irq<'a, const ROWS: usize>(pub(super) &'a Fake<ROWS>);

impl<const ROWS: usize> Irq<'_, ROWS> {
    async fn until(&self, mut is_there: impl FnMut(bool) -> bool) {
        poll_fn(|context| {
            if is_there(self.0.irq()) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }
}

impl<const ROWS: usize> SpiDevice for Spi<'_, ROWS> {
    async fn transaction(&mut self, operations: &mut [Operation<'_, u8>]) -> Result<(), Infallible> {
        embedded_hal::spi::SpiDevice::transaction(self, operations)
    }
}

impl DelayNs for Time {
    async fn delay_ns(&mut self, _nanoseconds: u32) {}
}

impl<const ROWS: usize> ErrorType for Irq<'_, ROWS> {
    type Error = Infallible;
}

impl<const ROWS: usize> Wait for Irq<'_, ROWS> {
    async fn wait_for_high(&mut self) -> Result<(), Infallible> {
        self.until(|level| level).await;
        Ok(())
    }

    async fn wait_for_low(&mut self) -> Result<(), Infallible> {
        self.until(|level| !level).await;
        Ok(())
    }

    async fn wait_for_rising_edge(&mut self) -> Result<(), Infallible> {
        self.wait_for_low().await?;
        self.wait_for_high().await
    }

    async fn wait_for_falling_edge(&mut self) -> Result<(), Infallible> {
        self.wait_for_high().await?;
        self.wait_for_low().await
    }

    async fn wait_for_any_edge(&mut self) -> Result<(), Infallible> {
        let before = self.0.irq();
        self.until(|level| level != before).await;
        Ok(())
    }
}
