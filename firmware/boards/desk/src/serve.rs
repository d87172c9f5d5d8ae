//! The switch, for ever.

use crate::diary::Diary;
use crate::line::{End, news};
use crate::seat::Seat;
use desvio_link::Tick;
use desvio_tile::{CABLES, Record, Records, Store, Tile};
use embassy_futures::select::select;
use embassy_futures::yield_now;
use embassy_time::{Instant, Timer};
use embedded_hal::digital::StatefulOutputPin;

/// Steps that a flit takes at most from one port to the next, where nothing else is in its way.
const PATIENCE: u8 = 6;

/// Runs a board: east, west, north and south are the ends of its lines. The lamp changes with each packet that comes.
pub async fn serve(seat: Seat, ends: [End; CABLES], mut lamp: impl StatefulOutputPin) {
    let clock = || Tick(Instant::now().as_millis() as u32);
    let mut store = Store::new();
    let Ok(mut tile) = Tile::new(&seat.order(), ends, clock, &mut store) else {
        defmt::error!("there is no board {} in a row of two", seat.board);
        return;
    };
    let mut diary = Diary::new(seat);
    let mut records = Records::new(|record: &Record| {
        diary.note(record);
        if let Record::Delivered { .. } = record {
            let _ = lamp.toggle();
        }
    });
    let mut idle = 0u8;
    loop {
        let Ok(moved) = tile.step(&mut records);
        idle = if moved { 0 } else { idle.saturating_add(1) };
        if idle > PATIENCE {
            // A millisecond of the link's clock passes, or there is something to read.
            select(news(), Timer::after_millis(1)).await;
            idle = 0;
        } else {
            yield_now().await;
        }
    }
}
