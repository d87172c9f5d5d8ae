//! The forwarding tables of a campaign: a file, for as long as it is read.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, fs, io, process};

/// The name by which a configuration has them.
pub(super) const FILE: &str = "forwarding.csv";

/// A folder with the file, which goes when this does.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn make() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = Self(env::temp_dir().join(format!("desvio-campaign-{}-{number}", process::id())));
        fs::create_dir_all(&folder.0)?;
        fs::write(folder.0.join(FILE), text())?;
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over is a kilobyte.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// On a torus of 3 × 3 with two nodes at each router: to the first of them along one dimension and then the other, to the second the other
/// way round.
fn text() -> String {
    let mut text = String::from("router,to_node,next\n");
    for (router, node) in (0..9).flat_map(|router| (0..18).map(move |node| (router, node))) {
        let (here, there) = ([router % 3, router / 3], [node / 2 % 3, node / 6]);
        let dimensions = if node % 2 == 0 { [0, 1] } else { [1, 0] };
        let Some(along) = dimensions.into_iter().find(|&along| here[along] != there[along]) else { continue };
        let mut next = here;
        next[along] = there[along];
        let _ = writeln!(text, "{router},{node},{}", next[0] + 3 * next[1]);
    }
    text
}
