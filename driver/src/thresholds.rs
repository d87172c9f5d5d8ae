//! Triggers and thresholds, as registers have them.

use crate::bus::Bus;
use crate::error::BusError;
use crate::registers::{
    ContentionFactor, ContentionThreshold, MinimalOccupancy, RelativeThreshold, Restriction,
    RestrictionFactor, RestrictionPackets, Trigger,
};
use embedded_hal::spi::SpiDevice;
use router_core::layout::TRIGGER_ALWAYS;
use router_core::select::occupancy::OccupancyTrigger;
use router_core::select::{Selection, Thresholds};

/// Whether a switch that was built with `trigger` can select like this at run time.
pub(crate) fn is_built(trigger: u32, selection: &Selection) -> bool {
    // Such a switch asks for any output with room, and has no setting to turn that off.
    let asks_any = trigger == TRIGGER_ALWAYS;
    selection.rtl().is_some() && asks_any == selection.asks_any() && selection.thresholds().fit(trigger)
}

/// Stages all thresholds and the trigger. A threshold that nothing reads stays as it is.
pub(crate) fn stage<SPI: SpiDevice>(
    bus: &mut Bus<SPI>,
    selection: &Selection,
) -> Result<(), BusError<SPI::Error>> {
    let thresholds = selection.thresholds();
    let Thresholds { occupancy, contention, average, .. } = thresholds;
    let trigger = Trigger::default().with_occupancy(occupancy.is_some());
    bus.write(trigger.with_contention(thresholds.counts()))?;
    if let Some(threshold) = contention {
        bus.write(ContentionThreshold::default().with_packets(threshold.into()))?;
    }
    if let Some(factor) = average {
        bus.write(ContentionFactor::default().with_factor(factor.to_bits().into()))?;
    }
    occupancy.map_or(Ok(()), |trigger| stage_occupancy(bus, &trigger))
}

fn stage_occupancy<SPI: SpiDevice>(
    bus: &mut Bus<SPI>,
    trigger: &OccupancyTrigger,
) -> Result<(), BusError<SPI::Error>> {
    bus.write(MinimalOccupancy::default().with_share(trigger.minimal_occupancy.to_bits().into()))?;
    bus.write(RelativeThreshold::default().with_share(trigger.relative_threshold.to_bits().into()))?;
    let restriction = trigger.global_restriction;
    bus.write(Restriction::default().with_enable(restriction.is_some()))?;
    let Some(restriction) = restriction else { return Ok(()) };
    bus.write(RestrictionFactor::default().with_factor(restriction.factor.to_bits().into()))?;
    bus.write(RestrictionPackets::default().with_packets(restriction.packets.into()))
}
