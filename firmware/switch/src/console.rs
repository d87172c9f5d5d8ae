//! A console for a human, over a serial line.
//!
//! It never waits: in each call it writes what the line takes, at most a row of text, or reads what has come. Bytes that are no text are left
//! out, and a line that is too long is refused.

use crate::link::Report;
use crate::service::{Checked, Clock, Service, Watchdog};
use crate::text::Text;
use core::fmt::Write as _;
use desvio_link::PortState;
use embedded_io::{Read, ReadReady, Write, WriteReady};
use router_core::event::ProtocolError;
use router_core::units::{Channel, PortId};

/// Bytes of a command.
const COMMAND: usize = 32;
/// Bytes of a row.
const ROW: usize = 120;

/// What is written, a row in each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Page {
    Help,
    Ports,
    Table,
    Checks,
    Counters,
    /// One row: these kinds of findings were cleared.
    Cleared(u32),
    Unknown,
    TooLong,
}

/// The console.
#[derive(Clone, Copy, Debug)]
pub struct Console {
    command: Text<COMMAND>,
    is_too_long: bool,
    page: Option<Page>,
    row: usize,
    text: Text<ROW>,
    written: usize,
}

impl Console {
    /// Nothing has come so far.
    #[must_use]
    pub const fn new() -> Self {
        Self { command: Text::new(), is_too_long: false, page: None, row: 0, text: Text::new(), written: 0 }
    }

    /// Writes or reads a little. Says whether there was something to do.
    ///
    /// # Errors
    /// When the line fails.
    pub fn serve<'g, T, C, W, const P: usize, const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        line: &mut T,
        switch: &impl Checked<'g, P, V, F, ROWS>,
        service: &mut Service<C, W, P>,
    ) -> Result<bool, T::Error>
    where
        T: Read + ReadReady + Write + WriteReady,
        C: Clock,
        W: Watchdog,
    {
        if self.page.is_none() {
            return self.read(line);
        }
        if self.text.bytes().is_empty() && !self.fill(switch, service) {
            self.page = None;
            return Ok(true);
        }
        while self.written < self.text.bytes().len() && line.write_ready()? {
            let rest = self.text.bytes().get(self.written..).unwrap_or_default();
            self.written = self.written.saturating_add(line.write(rest)?.max(1));
        }
        if self.written >= self.text.bytes().len() {
            self.text.clear();
            (self.row, self.written) = (self.row.wrapping_add(1), 0);
        }
        Ok(true)
    }

    /// Reads up to the end of a command.
    fn read<T: Read + ReadReady>(&mut self, line: &mut T) -> Result<bool, T::Error> {
        let mut came = false;
        let mut byte = [0];
        // A line that never falls silent has its turn, too, and no more.
        for _ in 0..COMMAND {
            if !line.read_ready()? || line.read(&mut byte)? == 0 {
                break;
            }
            came = true;
            let [byte] = byte;
            match byte {
                b'\r' | b'\n' if self.is_too_long || !self.command.bytes().is_empty() => {
                    let page = if self.is_too_long { Page::TooLong } else { page(self.command.bytes()) };
                    *self = Self { page: Some(page), ..Self::new() };
                    break;
                }
                0x08 | 0x7f => self.command.pop(),
                b' '..=b'~' => self.is_too_long |= !self.command.push(byte),
                _ => {}
            }
        }
        Ok(came)
    }

    /// Writes the next row of the page; says whether there is one.
    fn fill<'g, C: Clock, W: Watchdog, const P: usize, const V: usize, const F: usize, const ROWS: usize>(
        &mut self,
        switch: &impl Checked<'g, P, V, F, ROWS>,
        service: &mut Service<C, W, P>,
    ) -> bool {
        let (row, text) = (self.row, &mut self.text);
        let is_there = match self.page {
            None => false,
            Some(Page::Help) => help(text, row),
            Some(Page::Ports) => ports(text, row, switch),
            Some(Page::Table) => table(text, row, switch),
            Some(Page::Checks) => checks(text, row, service),
            Some(Page::Counters) => counters(text, row, switch),
            Some(_) if row > 0 => false,
            Some(Page::Cleared(ones)) => {
                service.clear(ones);
                text.write_str("cleared").is_ok()
            }
            Some(Page::Unknown) => text.write_str("? try help").is_ok(),
            Some(Page::TooLong) => text.write_str("? too long").is_ok(),
        };
        is_there && text.write_str("\r\n").is_ok()
    }
}

/// What a command asks for.
fn page(command: &[u8]) -> Page {
    let words = || command.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0u32, |number, &digit| {
            let digit = digit.checked_sub(b'0').filter(|&digit| digit < 10)?;
            number.checked_mul(10)?.checked_add(digit.into())
        })
    };
    let second = words().nth(1);
    match (words().next().unwrap_or_default(), second) {
        (b"help", None) => Page::Help,
        (b"ports", None) => Page::Ports,
        (b"table", None) => Page::Table,
        (b"checks", None) => Page::Checks,
        (b"counters", None) => Page::Counters,
        (b"clear", None) => Page::Cleared(u32::MAX),
        (b"clear", Some(digits)) => match number(digits).and_then(|kind| 1u32.checked_shl(kind)) {
            Some(one) => Page::Cleared(one),
            None => Page::Unknown,
        },
        _ => Page::Unknown,
    }
}

fn help(text: &mut Text<ROW>, row: usize) -> bool {
    let rows = [
        "ports      all ports: link, flits, credits, errors",
        "table      the routing table in use",
        "counters   cycles, flits, protocol errors",
        "checks     what the board found wrong with itself",
        "clear [N]  clears findings: all, or those of a kind",
    ];
    rows.get(row).is_some_and(|row| text.write_str(row).is_ok())
}

fn state(report: Report) -> &'static str {
    match report.state {
        None => "-",
        Some(PortState::Down) => "down",
        Some(PortState::Training) => "training",
        Some(PortState::Up) => "up",
        Some(PortState::Failed(_)) => "failed",
    }
}

fn ports<'g, const P: usize, const V: usize, const F: usize, const ROWS: usize>(
    text: &mut Text<ROW>,
    row: usize,
    switch: &impl Checked<'g, P, V, F, ROWS>,
) -> bool {
    let Some(port) = row.checked_sub(1) else {
        return text.write_str("port link      in         out        errors     credits/places").is_ok();
    };
    let (view, port) = (switch.view(), PortId::new(port as u8));
    let links = &view.plan().links;
    if port.index() >= links.radix() {
        return false;
    }
    let (counters, report) = (view.counters().port(port), switch.link(port));
    let _ = write!(text, "{}", port.number());
    text.pad_to(5);
    let _ = text.write_str(if view.pins().here().wired.contains(port) { state(report) } else { "unwired" });
    for (column, number) in [(15, counters.flits_in), (26, counters.flits_out), (37, report.errors)] {
        text.pad_to(column);
        let _ = write!(text, "{number}");
    }
    text.pad_to(47);
    let output = view.pins().router().output(port);
    for vc in links.vcs(port) {
        let left = output.map_or(0, |output| output.credits.left(vc));
        let _ = write!(text, " {left}/{}", links.depth(Channel::new(port, vc)));
    }
    true
}

fn table<'g, const P: usize, const V: usize, const F: usize, const ROWS: usize>(
    text: &mut Text<ROW>,
    row: usize,
    switch: &impl Checked<'g, P, V, F, ROWS>,
) -> bool {
    let view = switch.view();
    let Some(file) = view.file().filter(|file| file.declared().is_some()) else {
        return row == 0 && text.write_str("no table").is_ok();
    };
    let Some(ports) = file.rows().get(row) else { return false };
    let _ = write!(text, "to {row}:");
    ports.iter().for_each(|port| _ = write!(text, " {}", port.number()));
    true
}

fn counters<'g, const P: usize, const V: usize, const F: usize, const ROWS: usize>(
    text: &mut Text<ROW>,
    row: usize,
    switch: &impl Checked<'g, P, V, F, ROWS>,
) -> bool {
    let view = switch.view();
    let Some(error) = row.checked_sub(2) else {
        let total = view.counters().total();
        let _ = match row {
            // As a number of 64 bits it would need a division that the core does not have.
            0 => write!(text, "cycles {}", view.counters().cycles() as u32),
            _ => write!(text, "flits in {} out {}", total.flits_in, total.flits_out),
        };
        return true;
    };
    let Some(&error) = ProtocolError::ALL.get(error) else { return false };
    let _ = write!(text, "{} {error}", view.pins().router().errors(error));
    true
}

fn checks<C: Clock, W: Watchdog, const P: usize>(
    text: &mut Text<ROW>,
    row: usize,
    service: &Service<C, W, P>,
) -> bool {
    let Some(found) = row.checked_sub(2) else {
        let pace = service.pace();
        let _ = match row {
            0 => write!(text, "started by {}; {} rounds of checks", service.reset(), service.rounds()),
            _ => write!(
                text,
                "{} late ticks; the longest took {}, the budget is {}",
                pace.late(),
                pace.longest(),
                pace.budget()
            ),
        };
        return true;
    };
    match service.findings().iter().nth(found) {
        Some(latched) => {
            let _ = write!(text, "{}: {} ({} times)", latched.finding.kind(), latched.finding, latched.times);
            true
        }
        None => found == 0 && text.write_str("nothing was found").is_ok(),
    }
}

#[cfg(test)]
#[allow(clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]
mod tests;
