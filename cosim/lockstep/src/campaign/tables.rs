//! The forwarding tables of a campaign: a file, for as long as it is read.

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};
use tempfile::TempDir;

/// The names by which a configuration has them, and the tables from service levels to lanes.
pub(super) const FILE: &str = "forwarding.csv";
const LANES: &str = "lanes.csv";

/// A folder with the file, which goes when this does. No other user can have prepared it, nor look into it.
pub(super) struct Folder(TempDir);

impl Folder {
    pub(super) fn make() -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.prefix("desvio-campaign-").tempdir()?;
        fs::write(folder.path().join(FILE), text())?;
        fs::write(folder.path().join(LANES), lanes())?;
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

/// On a torus of 3 × 3 with two nodes at each router: to the first of them along one dimension and then the other, to the second the other
/// way round. One row of seven leads nowhere: it is missing, or has a port that stands for management, leads to a node, or does not exist.
fn text() -> String {
    let mut text = String::from("router,to_node,port\n");
    for (router, node) in (0..9).flat_map(|router| (0..18).map(move |node| (router, node))) {
        let (here, there) = ([router % 3, router / 3], [node / 2 % 3, node / 6]);
        let dimensions = if node % 2 == 0 { [0, 1] } else { [1, 0] };
        let Some(along) = dimensions.into_iter().find(|&along| here[along] != there[along]) else { continue };
        // Behind the nodes' ports, in each dimension the one up first.
        let is_up = there[along] == (here[along] + 1) % 3;
        let port = 2 + 2 * along + usize::from(!is_up);
        let number = 18 * router + node;
        let port =
            if number % 7 == 3 { [None, Some(0), Some(1), Some(99)][number / 7 % 4] } else { Some(port) };
        if let Some(port) = port {
            let _ = writeln!(text, "{router},{node},{port}");
        }
    }
    text
}

/// On four lanes, others for every pair of ports. One level of eleven, not that of usual packets, has a lane that is not there.
fn lanes() -> String {
    let mut text = String::from("router,input,output,lanes\n");
    for number in 0..9 * PORTS * PORTS {
        let (router, input, output) = (number / (PORTS * PORTS), number / PORTS % PORTS, number % PORTS);
        let lane = |level: u32| {
            let drawn = number * 37 + level * level * 5 + level * (input + 3);
            if level > 0 && drawn.is_multiple_of(11) { 4 + drawn % 12 } else { drawn / 3 % 4 }
        };
        let all: Vec<_> = (0..16).map(|level| lane(level).to_string()).collect();
        let _ = writeln!(text, "{router},{input},{output},{}", all.join(" "));
    }
    text
}

/// Two nodes, and two links in each of two dimensions.
const PORTS: u32 = 6;

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::{env, process};

    /// The temporary folder is shared, and a process's number is no secret.
    #[test]
    fn what_another_user_prepared_is_not_written_through() {
        let victim = tempfile::NamedTempFile::new().unwrap();
        fs::write(victim.path(), "precious").unwrap();
        let guessed = (0..32).map(|n| env::temp_dir().join(format!("desvio-campaign-{}-{n}", process::id())));
        let guessed: Vec<_> = guessed.filter(|folder| fs::create_dir(folder).is_ok()).collect();
        for folder in &guessed {
            symlink(victim.path(), folder.join(FILE)).unwrap();
        }
        let made = Folder::make().unwrap();
        for folder in &guessed {
            fs::remove_dir_all(folder).unwrap();
        }
        assert_eq!(fs::read_to_string(victim.path()).unwrap(), "precious");
        let mode = fs::metadata(made.path()).unwrap().permissions().mode();
        assert_eq!((mode & 0o777, fs::read_to_string(made.path().join(FILE)).unwrap()), (0o700, text()));
        let path = made.path().to_owned();
        drop(made);
        assert!(!path.exists());
    }
}
