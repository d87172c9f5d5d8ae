//! `[infiniband]`: bytes, metres and nanoseconds, turned into flits and cycles. The one place that knows both.
//!
//! A link of `lanes` lanes of `lane_gbaud` Gbaud carries lanes · lane_gbaud · efficiency Gbit/s of data. A cycle is the time of a flit of
//! `flit_bytes` bytes on it. InfiniBand's first rate, one lane of 2.5 Gbaud with 8b/10b, carries 2 Gbit/s: a flit of 32 bytes takes 128 ns
//! and a packet of 256 bytes 1.024 µs. The table is read and resolved: flits and cycles are written back.

use router_core::lifetime::{MOST_LIFETIME, TICKS};
use router_core::words;

use super::model::{PacketFlits, Scenario};
use super::vl_arbitration;
use super::{Keys, PerClass};
use crate::document::{Field, Problem, Section};

/// How bits are coded on a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// 8 bits of data in 10: SDR, DDR, QDR.
    Of8In10,
    /// 64 bits of data in 66: FDR, EDR.
    Of64In66,
}

words!(Encoding {
    "8b/10b" => [Self::Of8In10],
    "64b/66b" => [Self::Of64In66],
});

impl Encoding {
    fn efficiency(self) -> f64 {
        match self {
            Self::Of8In10 => 0.8,
            Self::Of64In66 => 64.0 / 66.0,
        }
    }
}

/// A signal in a cable, in ns per metre.
const NS_PER_METRE: f64 = 5.0;
/// The unit of CCTI_Timer, in ns.
const TIMER_NS: f64 = 1024.0;
/// The unit of HOQLife and LifeTimeValue, in ns: the limit is as many times that as two to the power of the value.
const LIFE_NS: f64 = 4096.0;
/// The highest value that limits: from the next one on there is no limit.
pub const MOST_LIFE: u32 = 19;

/// A link, and what a flit is on it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Link {
    lane_gbaud: f64,
    lanes: u32,
    encoding: Encoding,
    flit_bytes: u32,
}

impl Link {
    fn read(section: &Section<'_>) -> Result<Self, Problem> {
        Ok(Self {
            lane_gbaud: section.number("lane_gbaud", 0.1..=1000.0, 2.5)?,
            lanes: section.whole("lanes", 1..=16, 1)?,
            encoding: section.word("encoding", Encoding::Of8In10)?,
            flit_bytes: section.whole("flit_bytes", 1..=4096, 32)?,
        })
    }

    /// Gbit/s of data, which are bits per ns.
    fn data_rate(&self) -> f64 {
        self.lane_gbaud * f64::from(self.lanes) * self.encoding.efficiency()
    }

    /// The time of a flit, in ns.
    fn cycle_ns(&self) -> f64 {
        f64::from(self.flit_bytes) * 8.0 / self.data_rate()
    }

    /// Whole flits that hold so many bytes.
    fn flits(&self, bytes: u32) -> u32 {
        bytes.div_ceil(self.flit_bytes)
    }

    /// Cycles of a HOQLife or LifeTimeValue; 0 where it is none.
    fn lifetime(&self, life: u32) -> u32 {
        if life > MOST_LIFE { 0 } else { self.cycles(LIFE_NS * f64::from(1u32 << life)) }
    }

    /// The nearest number of cycles to a time, 1 at least.
    fn cycles(&self, ns: f64) -> u32 {
        (ns / self.cycle_ns()).round().max(1.0) as u32
    }
}

/// The keys of the table.
pub(super) fn keys() -> Keys {
    vec![
        "lane_gbaud",
        "lanes",
        "encoding",
        "flit_bytes",
        "mtu_bytes",
        "cable_metres",
        "ccti_timer_units",
        "hoq_life",
        "lifetime_value",
    ]
}

/// Sets the values of the table in a scenario that leaves them out: packets of an MTU, the latency of all links, the timer, and the bytes
/// of a flit that VL arbitration counts. It also sets the limits of the time of packets at the head of a queue and in a router.
pub(super) fn resolve(
    section: &Section<'_>,
    [traffic, links, congestion, router]: [&Section<'_>; 4],
    scenario: &mut Scenario,
) -> Result<(), Problem> {
    let link = Link::read(section)?;
    if let Some(tables) = router.get("vl_arbitration").filter(|_| scenario.router.vl_arbitration.is_some()) {
        let tables = tables.section(&vl_arbitration::KEYS)?;
        let is_here = keys().iter().any(|key| section.get(key).is_some());
        if let (true, Some(settings)) = (is_here, &mut scenario.router.vl_arbitration) {
            if let Some(field) = tables.get("flit_bytes") {
                let message = format!("`{}` and `[infiniband]` set the same", field.path);
                return Err(field.refuse(message).note("leave one of them out"));
            }
            settings.flit_bytes = link.flit_bytes as u16;
        }
    }
    if let Some(field) = alone(section, "mtu_bytes", traffic, "packet_flits")? {
        let flits = link.flits(field.whole(1..=65_536)?);
        scenario.traffic.packet_flits = PacketFlits::Same(within(&field, flits, 1023, "flits")?);
    }
    if let Some(field) = alone(section, "cable_metres", links, "latency")? {
        let cycles = link.cycles(field.number(0.0..=100_000.0)? * NS_PER_METRE);
        let cycles = within(&field, cycles, 10_000, "cycles")?;
        scenario.links.latency = PerClass::all(scenario.topology.classes().len(), cycles);
        if links.get("credit_latency").is_none() {
            scenario.links.credit_latency = scenario.links.latency;
        }
    }
    if let Some(field) = alone(section, "ccti_timer_units", congestion, "ccti_timer")? {
        let cycles = link.cycles(f64::from(field.whole(1..=65_535u32)?) * TIMER_NS);
        scenario.congestion.adapter.timer = within(&field, cycles, 16_777_216, "cycles")?;
    }
    if let Some(field) = alone(section, "hoq_life", router, "head_lifetime")? {
        let classes = scenario.topology.classes();
        let lives = PerClass::read(section, "hoq_life", classes, 0..=31, PerClass::all(classes.len(), 31))?;
        let cycles = |life: &u32| within(&field, link.lifetime(*life), MOST_LIFETIME, "cycles");
        scenario.router.head_lifetime =
            PerClass::new(&lives.as_slice().iter().map(cycles).collect::<Result<Vec<_>, _>>()?);
    }
    if let Some(field) = alone(section, "lifetime_value", router, "packet_lifetime")? {
        let cycles = within(&field, link.lifetime(field.whole(0..=31)?), MOST_LIFETIME, "cycles")?;
        let ticks = TICKS as u32;
        // Whole ticks, of a cycle at least.
        scenario.router.options.packet_lifetime =
            if cycles == 0 { 0 } else { (cycles - cycles % ticks).max(ticks) };
    }
    Ok(())
}

/// The value of a key, where it is written; the key of the other table that it stands for is not, then.
fn alone<'a>(
    section: &Section<'a>,
    key: &str,
    other: &Section<'_>,
    replaced: &str,
) -> Result<Option<Field<'a>>, Problem> {
    let Some(field) = section.get(key) else { return Ok(None) };
    match other.get(replaced) {
        Some(other) => Err(field
            .refuse(format!("`{}` and `{}` set the same", field.path, other.path))
            .note("leave one of them out")),
        None => Ok(Some(field)),
    }
}

/// A number that its key can be.
fn within(field: &Field<'_>, number: u32, most: u32, unit: &str) -> Result<u32, Problem> {
    let refused =
        || field.refuse(format!("`{}` is {number} {unit}, at most {most} are possible", field.path));
    if number <= most { Ok(number) } else { Err(refused()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SDR: Link = Link { lane_gbaud: 2.5, lanes: 1, encoding: Encoding::Of8In10, flit_bytes: 32 };

    /// Packets of 256, 1024 and 4096 bytes take 1.024, 4.096 and 16.384 µs at 2 Gbit/s; a cable takes 5 ns per metre.
    #[test]
    fn one_lane_of_2_5_gbaud_carries_2_gigabits() {
        assert_eq!((SDR.data_rate(), SDR.cycle_ns()), (2.0, 128.0));
        for (bytes, ns) in [(256, 1024.0), (1024, 4096.0), (4096, 16_384.0)] {
            assert_eq!(f64::from(SDR.flits(bytes)) * SDR.cycle_ns(), ns);
        }
        assert_eq!((SDR.flits(1), SDR.flits(32), SDR.flits(33)), (1, 1, 2));
        assert_eq!((SDR.cycles(20.0 * NS_PER_METRE), SDR.cycles(200.0 * NS_PER_METRE)), (1, 8));
        assert_eq!(SDR.cycles(150.0 * TIMER_NS), 1200);
        assert_eq!([0, 1, 16, 19, 20, 31].map(|life| SDR.lifetime(life)), [32, 64, 32 << 16, 32 << 19, 0, 0]);
    }

    /// Four lanes of 10 Gbaud carry 32 Gbit/s, of 25.78125 with 64b/66b 100.
    #[test]
    fn wider_and_faster_links_have_shorter_cycles() {
        let qdr = Link { lane_gbaud: 10.0, lanes: 4, ..SDR };
        assert_eq!((qdr.data_rate(), qdr.cycle_ns()), (32.0, 8.0));
        let edr = Link { lane_gbaud: 25.78125, lanes: 4, encoding: Encoding::Of64In66, flit_bytes: 64 };
        assert!((edr.data_rate() - 100.0).abs() < 1e-9);
        assert_eq!(edr.cycles(10.0 * NS_PER_METRE), 10);
    }
}
