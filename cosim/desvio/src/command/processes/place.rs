//! Which process of how many this one is, and where the first one is found.

use std::env;
use std::net::{SocketAddr, ToSocketAddrs};
use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

/// Most processes of a run: each has a connection to each other one.
const MOST: usize = 1024;
/// Ports that runs under Slurm meet at, chosen by the number of job and step: below those that a system gives to connections.
const PORTS: std::ops::Range<u64> = 20_000..32_768;

/// The place of this process in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// It starts the others itself, on this machine: so many in all.
    Here(usize),
    /// It has been started, as all others have.
    One(Member),
}

/// One of several processes that were started from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Member {
    /// Its number, from 0 on.
    pub(crate) own: usize,
    /// How many there are.
    pub(crate) count: usize,
    /// The host of process 0.
    pub(crate) host: String,
    /// The port at which process 0 waits for the others.
    pub(crate) port: u16,
}

impl Place {
    /// How many processes there are.
    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Here(count) | Self::One(Member { count, .. }) => *count,
        }
    }

    /// The threads of each process where nobody asks for a number: its share of this machine, if all of them are here.
    pub(crate) fn threads(&self) -> Option<u16> {
        let Self::Here(count) = self else { return None };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Some(u16::try_from(cores / count).unwrap_or(u16::MAX).max(1))
    }
}

impl Member {
    /// Where process 0 waits.
    pub(crate) fn first(&self) -> std::io::Result<Vec<SocketAddr>> {
        Ok((self.host.as_str(), self.port).to_socket_addrs()?.collect())
    }
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { own, count, host, port } = self;
        write!(f, "{own}/{count}@{host}:{port}")
    }
}

const FORMS: &str = "a number of processes, `slurm`, or NUMBER/COUNT@HOST:PORT";

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "slurm" {
            return Member::of_slurm(&|name| env::var(name).ok()).map(Self::One);
        }
        let count = |text: &str| match text.parse().map(NonZeroUsize::get) {
            Ok(count @ ..=MOST) => Ok(count),
            Ok(_) => Err(format!("at most {MOST} processes")),
            Err(_) => Err(FORMS.to_owned()),
        };
        let Some((numbers, at)) = text.split_once('@') else { return count(text).map(Self::Here) };
        let (own, all) = numbers.split_once('/').ok_or(FORMS)?;
        let (host, port) = at.rsplit_once(':').ok_or(FORMS)?;
        let (own, count) = (own.parse().map_err(|_| FORMS)?, count(all)?);
        if own >= count {
            return Err(format!("process {own} of {count}: they are numbered from 0 on"));
        }
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self::One(Member { own, count, host, port: port.parse().map_err(|_| FORMS)? }))
    }
}

impl Member {
    /// What `srun` has set in the environment of each of its tasks.
    fn of_slurm(variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, String> {
        let find = |name: &str| variable(name).ok_or(format!("{name} is not set: start it by srun"));
        let number = |name: &str| find(name)?.parse().map_err(|_| format!("{name} is not a number"));
        let (own, count) = (number("SLURM_PROCID")?, number("SLURM_STEP_NUM_TASKS")?);
        if own >= count || count > MOST {
            return Err(format!("task {own} of {count}: at most {MOST} processes run together"));
        }
        let host = first_host(&find("SLURM_STEP_NODELIST")?);
        // A machine need not find its own name. Tasks of other machines come to it all the same.
        let is_here = variable("SLURMD_NODENAME").is_some_and(|name| name == host);
        let host = if is_here { "localhost".to_owned() } else { host };
        let (job, step) = (number("SLURM_JOB_ID")? as u64, number("SLURM_STEP_ID")? as u64);
        let port = PORTS.start + (job * 131 + step) % (PORTS.end - PORTS.start);
        Ok(Self { own, count, host, port: port as u16 })
    }
}

/// The first host of a list as Slurm writes it, such as `node[07-09,12],login1`.
fn first_host(list: &str) -> String {
    let (mut first, mut rest) = (String::new(), list);
    while let Some(at) = rest.find([',', '[']) {
        first += &rest[..at];
        let Some(numbers) = rest[at..].strip_prefix('[') else { return first };
        let end = numbers.find(']').unwrap_or(numbers.len());
        first += numbers.split(['-', ',', ']']).next().unwrap_or("");
        rest = numbers.get(end + 1..).unwrap_or("");
    }
    first + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(own: usize, count: usize, host: &str, port: u16) -> Place {
        Place::One(Member { own, count, host: host.to_owned(), port })
    }

    #[test]
    fn places_are_read_as_they_are_written() {
        assert_eq!("2".parse(), Ok(Place::Here(2)));
        assert_eq!("1/4@node7:5000".parse(), Ok(one(1, 4, "node7", 5000)));
        assert_eq!("0/2@[::1]:80".parse(), Ok(one(0, 2, "::1", 80)));
        for wrong in ["", "0", "-1", "two", "1/2", "1@h:1", "1/2@h", "1/2@h:x", "a/2@h:1", "1/0@h:1"] {
            assert_eq!(wrong.parse::<Place>(), Err(FORMS.to_owned()), "{wrong}");
        }
        assert_eq!("2/2@h:1".parse::<Place>().unwrap_err(), "process 2 of 2: they are numbered from 0 on");
        assert_eq!("5000".parse::<Place>().unwrap_err(), "at most 1024 processes");
        let member = Member { own: 1, count: 4, host: "node7".to_owned(), port: 5000 };
        assert_eq!(member.to_string().parse(), Ok(Place::One(member)));
    }

    #[test]
    fn the_first_host_of_a_list() {
        let pairs = [
            ("n1", "n1"),
            ("n1,n2", "n1"),
            ("n[07-09,12]", "n07"),
            ("n[3]", "n3"),
            ("a,b[1-2]", "a"),
            ("n[01-02]-ib,m", "n01-ib"),
            ("r[0-1]n[2,5-7]", "r0n2"),
        ];
        for (list, first) in pairs {
            assert_eq!(first_host(list), first);
        }
    }

    #[test]
    fn slurm_says_who_is_who() {
        let of = |pairs: &'static [(&str, &str)]| {
            Member::of_slurm(&move |name| {
                let pair = pairs.iter().find(|(key, _)| *key == name);
                pair.map(|(_, value)| (*value).to_owned())
            })
        };
        let there = of(&[
            ("SLURM_PROCID", "3"),
            ("SLURM_STEP_NUM_TASKS", "8"),
            ("SLURM_STEP_NODELIST", "n[4-7]"),
            ("SLURMD_NODENAME", "n5"),
            ("SLURM_JOB_ID", "77"),
            ("SLURM_STEP_ID", "2"),
        ]);
        let port = 20_000 + 77 * 131 + 2;
        assert_eq!(there, Ok(Member { own: 3, count: 8, host: "n4".to_owned(), port }));
        let error = of(&[("SLURM_PROCID", "3")]).unwrap_err();
        assert_eq!(error, "SLURM_STEP_NUM_TASKS is not set: start it by srun");
    }
}
