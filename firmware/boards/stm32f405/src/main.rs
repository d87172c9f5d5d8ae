//! A switch on an STM32F405, for instance an Olimex STM32-H405: four links over USART1, 2, 3 and 6. `README.md` shows the pins.
#![no_std]
#![no_main]

#[cfg(feature = "real")]
use defmt_rtt as _;
#[cfg(feature = "emulated")]
use defmt_semihosting as _;
use desvio_desk::{CABLES, Line};
use embassy_executor::Spawner;
use panic_probe as _;

#[cfg_attr(feature = "emulated", path = "emulated.rs")]
mod chip;

/// To the neighbours: east, west, north, south.
static LINES: [Line; CABLES] = [const { Line::new() }; CABLES];

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    chip::run().await;
}
