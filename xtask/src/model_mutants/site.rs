//! A slip that somebody could have made in the model: where it is, and what would stand there.

/// How a slip is put behind a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Another expression in the place of one.
    Value,
    /// A statement left out.
    Dropped,
    /// Another body of a function that a macro writes.
    Body,
    /// Another constant: it cannot be chosen at run time, and is compiled on its own.
    Constant,
}

/// One slip.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Site {
    /// The file, below `router-core/src`.
    pub(crate) file: String,
    /// What is chosen as a whole: an expression, a statement or a body.
    pub(crate) whole: Bytes,
    /// What the slip replaces in it.
    pub(crate) slip: Bytes,
    /// By this.
    pub(crate) by: String,
    pub(crate) kind: Kind,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bytes {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Bytes {
    /// These bytes of a text.
    pub(crate) fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Whether all of `other` is in here.
    pub(crate) fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }
}

impl Site {
    /// What is chosen as a whole, with the slip in it.
    pub(crate) fn mutant(&self, text: &str) -> String {
        let before = Bytes { start: self.whole.start, end: self.slip.start }.of(text);
        let after = Bytes { start: self.slip.end, end: self.whole.end }.of(text);
        format!("{before}{}{after}", self.by)
    }

    /// The number of the line in which the slip begins, from 1.
    pub(crate) fn line_number(&self, text: &str) -> usize {
        Bytes { start: 0, end: self.slip.start }.of(text).lines().count().max(1)
    }

    /// The text of the line in which the slip begins.
    pub(crate) fn line<'t>(&self, text: &'t str) -> &'t str {
        let start = text[..self.slip.start].rfind('\n').map_or(0, |at| at + 1);
        text[start..].lines().next().unwrap_or_default().trim()
    }

    /// The change, on one line: what stood there, and what stands there.
    pub(crate) fn change(&self, text: &str) -> String {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.kind {
            Kind::Dropped => "dropped".to_owned(),
            _ => format!("{} → {}", words(self.slip.of(text)), words(&self.by)),
        }
    }
}
