//! Defects that are put into a target on purpose, to see that they are found.

/// What happens on rare inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Planted {
    /// It panics.
    Panic,
    /// It ends its process.
    Abort,
    /// It does not end.
    Endless,
    /// It takes more and more memory.
    Memory,
}

impl Planted {
    /// Does it.
    pub(crate) fn happen(self) {
        match self {
            Self::Panic => panic!("a planted defect"),
            Self::Abort => std::process::abort(),
            Self::Endless => loop {
                std::hint::spin_loop();
            },
            Self::Memory => {
                let mut all = Vec::new();
                loop {
                    all.push(std::hint::black_box(Vec::<u8>::with_capacity(1 << 24)));
                }
            }
        }
    }
}
