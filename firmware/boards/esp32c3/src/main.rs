//! A switch on an ESP32-C3, for instance an ESP32-C3-DevKit-RUST-1: two links over UART0 and 1. `README.md` shows the pins.
#![no_std]
#![no_main]

use defmt_rtt as _;
use desvio_desk::{BAUD, End, Line, Seat, serve};
use embassy_executor::Spawner;
use embassy_futures::join::join3;
use esp_backtrace as _;
use esp_hal::clock::CpuClock;
use esp_hal::gpio::{Input, InputConfig, Level, Output, OutputConfig, Pull};
use esp_hal::timer::timg::TimerGroup;
use esp_hal::uart::{Config, Uart};

esp_bootloader_esp_idf::esp_app_desc!();

/// To the neighbours: east and west. There is no third UART.
static LINES: [Line; 2] = [const { Line::new() }; 2];

#[esp_rtos::main]
async fn main(_spawner: Spawner) {
    let p = esp_hal::init(esp_hal::Config::default().with_cpu_clock(CpuClock::max()));
    esp_rtos::start(TimerGroup::new(p.TIMG0).timer0, p.FROM_CPU_INTR0);
    let strap = Input::new(p.GPIO10, InputConfig::default().with_pull(Pull::Up));
    let seat = Seat::strapped(strap.is_low());
    let lamp = Output::new(p.GPIO7, Level::Low, OutputConfig::default());
    let config = Config::default().with_baudrate(BAUD);
    let (Ok(one), Ok(two)) = (Uart::new(p.UART0, config), Uart::new(p.UART1, config)) else {
        defmt::error!("no UART makes {} baud of its clock", BAUD);
        return;
    };
    let (from_one, to_one) = one.with_rx(p.GPIO4).with_tx(p.GPIO5).into_async().split();
    let (from_two, to_two) = two.with_rx(p.GPIO0).with_tx(p.GPIO1).into_async().split();
    let [east, west] = &LINES;
    let ends = [east.end(), west.end(), End::NONE, End::NONE];
    join3(serve(seat, ends, lamp), east.carry(from_one, to_one), west.carry(from_two, to_two)).await;
}
