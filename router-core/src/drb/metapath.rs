//! The open paths of a source and a destination.

use super::{Balancing, Bandwidth, Latency, MultiStep};

/// One path, and what its ACKs said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Path {
    /// The routers on its way.
    pub via: MultiStep,
    /// Its latency: transmission and queueing \[3\], a mean over its last packets. Before the first ACK, that in an empty network, so
    /// that a new path gets its share.
    pub latency: Latency,
}

/// Most paths of a metapath.
pub const MOST_PATHS: u8 = 64;

/// What an ACK has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Change {
    /// As many paths as before.
    None,
    /// So many are opened.
    Opened(u8),
    /// One is closed.
    Closed,
}

/// The open paths of a source and a destination, up to as many as `P` has places for, the canonical one first. 1 to [`MOST_PATHS`] are
/// possible.
///
/// Three brakes keep a path that has just been opened from being closed again, since by \[7\] one more path of equal latency halves that of
/// the metapath. Nothing changes in a band round each threshold. A path is closed only where *the others alone* are below the lower
/// threshold, as \[10\] requires of the bandwidth that is left. It is closed only when as many ACKs in a row as [`Metapath::PATIENCE`]
/// allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Metapath<P> {
    paths: P,
    open: u8,
    /// ACKs in a row after which a path could be closed.
    calm: u8,
    /// Of the canonical path in an empty network.
    canonical: Latency,
}

impl<P: AsRef<[Path]> + AsMut<[Path]>> Metapath<P> {
    /// ACKs in a row after which a path is closed.
    pub const PATIENCE: u8 = 16;

    /// A metapath with the first of these places alone open: the canonical path, with its latency in an empty network.
    #[must_use]
    pub fn new(paths: P) -> Self {
        let canonical = paths.as_ref().first().map_or(Latency::cycles(1), |path| path.latency);
        Self { paths, open: 1, calm: 0, canonical }
    }

    /// The open paths, in the order in which they were opened.
    pub fn open(&self) -> impl Iterator<Item = &Path> + Clone {
        self.paths.as_ref().iter().take(usize::from(self.open))
    }

    /// How many are open.
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.open
    }

    /// The canonical latency: that of the canonical path in an empty network.
    #[must_use]
    pub const fn canonical(&self) -> Latency {
        self.canonical
    }

    /// \[8\]: the bandwidth of the first `count` paths.
    fn bandwidth(&self, count: u8) -> Bandwidth {
        let bandwidths = self.open().take(count.into()).map(|path| path.latency.bandwidth());
        bandwidths.fold(Bandwidth::default(), Bandwidth::and)
    }

    /// \[7\]
    #[must_use]
    pub fn latency(&self) -> Latency {
        self.bandwidth(self.open).latency()
    }

    /// \[11\] and \[12\]: the path whose share of the bandwidth `random` falls into, and its number. All values of `random` are equally
    /// likely.
    ///
    /// \[12\] asks for F(i − 1) < R ≤ F(i), by which R = 0 is no path's: here it is F(i − 1) ≤ R < F(i).
    #[must_use]
    pub fn select(&self, random: u32) -> (u8, Path) {
        let all = u64::from(self.bandwidth(self.open).bits());
        let drawn = all.saturating_mul(random.into()).wrapping_shr(u32::BITS);
        let mut reached = 0u64;
        let mut chosen = (0, self.paths.as_ref().first().copied().unwrap_or(self.nothing()));
        for (number, path) in (0..).zip(self.open()) {
            chosen = (number, *path);
            reached = reached.saturating_add(path.latency.bandwidth().bits().into());
            if drawn < reached {
                break;
            }
        }
        chosen
    }

    /// No path: there always is a place for one.
    const fn nothing(&self) -> Path {
        Path { via: MultiStep { first: 0, second: 0 }, latency: self.canonical }
    }

    /// An ACK has come: a packet took `latency` by path `number`. Opens or closes paths by `rules`; `next` is the path to open after those
    /// that are open, with its latency in an empty network, if there is one. What a path that has been closed since says is ignored.
    pub fn report(
        &mut self,
        number: u8,
        latency: Latency,
        rules: &Balancing,
        mut next: impl FnMut(&Self) -> Option<Path>,
    ) -> Change {
        let open = usize::from(self.open);
        let Some(path) =
            self.paths.as_mut().get_mut(..open).and_then(|open| open.get_mut(usize::from(number)))
        else {
            return Change::None;
        };
        path.latency = path.latency.averaged(latency);
        let together = self.latency();
        if rules.widens(together, self.canonical) {
            self.calm = 0;
            return self.widen(rules.widening(together, self.canonical), rules, &mut next);
        }
        self.settle(rules)
    }

    /// Opens up to `delta` paths.
    fn widen(
        &mut self,
        delta: u8,
        rules: &Balancing,
        next: &mut impl FnMut(&Self) -> Option<Path>,
    ) -> Change {
        let before = self.open;
        for _ in 0..delta {
            if self.open >= rules.max_paths {
                break;
            }
            let Some(path) = next(self) else { break };
            let Some(place) = self.paths.as_mut().get_mut(usize::from(self.open)) else { break };
            *place = path;
            self.open = self.open.saturating_add(1);
        }
        match self.open.saturating_sub(before) {
            0 => Change::None,
            opened => Change::Opened(opened),
        }
    }

    /// Closes the path that was opened last, if the others have been enough for long enough.
    fn settle(&mut self, rules: &Balancing) -> Change {
        let rest = self.open.saturating_sub(1);
        if rest == 0 || !rules.shrinks(self.bandwidth(rest).latency(), self.canonical) {
            self.calm = 0;
            return Change::None;
        }
        self.calm = self.calm.saturating_add(1);
        if self.calm < Self::PATIENCE {
            return Change::None;
        }
        self.calm = 0;
        self.open = rest;
        Change::Closed
    }
}
