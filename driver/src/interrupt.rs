//! The interrupt line of a switch, as a future.

use super::switch::Switch;
use super::{DelayNs, SpiDevice};
use crate::error::Error;
use crate::readings::Happened;
use embedded_hal::digital::OutputPin;
use embedded_hal_async::digital::Wait;

impl<SPI: SpiDevice, PIN: OutputPin, DELAY: DelayNs> Switch<SPI, PIN, DELAY> {
    /// Waits until an event that software [listens](Self::listen) to raises the line `irq`, and counts the events since the last call.
    ///
    /// # Errors
    /// When the line cannot be read, or no frame comes through. No event is lost then.
    pub async fn wait(
        &mut self,
        irq: &mut impl Wait<Error = PIN::Error>,
    ) -> Result<Happened, Error<SPI::Error, PIN::Error>> {
        irq.wait_for_high().await.map_err(Error::Pin)?;
        self.happened().await
    }
}
