//! Blocks of lines, each about a switch, a channel adapter or a router: what `ibnetdiscover` writes, and what `ibsim` reads.
//!
//! ```text
//! Switch  24 "S-00000000000000a0"   # "leaf 1" base port 0 lid 6 lmc 0
//! [22]    "H-00000000000000c1"[1](c1)   # "host 1" lid 4 4xEDR
//! ```

use super::Fault;
use crate::topology::LineError;

/// What a block is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Switch,
    Adapter,
    /// Between subnets; and what `ibnetdiscover` does not know.
    Router,
}

/// A block.
#[derive(Debug, Clone)]
pub(super) struct Block<'t> {
    pub(super) kind: Kind,
    /// What is between the first quotes: `S-` and a GUID, or a name.
    pub(super) id: &'t str,
    /// What is between the quotes behind it.
    pub(super) description: Option<&'t str>,
    /// That of a switch's management port.
    pub(super) lid: Option<u32>,
    pub(super) line: usize,
    pub(super) ports: Vec<Port<'t>>,
}

/// A connected port.
#[derive(Debug, Clone, Copy)]
pub(super) struct Port<'t> {
    /// Its number, from 1.
    pub(super) number: u8,
    /// The block at the other end, and its port there.
    pub(super) far: &'t str,
    pub(super) back: u8,
    /// The description of the other end.
    pub(super) description: Option<&'t str>,
    /// The LID of the other end.
    pub(super) lid: Option<u32>,
    /// Width and speed, such as `4xEDR`.
    pub(super) rate: Option<&'t str>,
    pub(super) line: usize,
}

/// The blocks of a text.
#[derive(Debug, Default)]
pub(super) struct Blocks<'t> {
    pub(super) all: Vec<Block<'t>>,
    /// Lines of other programs, from 1.
    pub(super) strange: Vec<usize>,
}

impl<'t> Blocks<'t> {
    pub(super) fn read(text: &'t str) -> Result<Self, Fault> {
        let mut blocks = Self::default();
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            let fault = |what| Fault::Line(number, what);
            if let Some((kind, rest)) = head(line) {
                let block = block(kind, rest, number).ok_or(fault(LineError::Fabric(HEAD)))?;
                blocks.all.push(block);
            } else if line.starts_with('[') && !is_prompt(line) {
                let block =
                    blocks.all.last_mut().ok_or(fault(LineError::Fabric("a switch before its ports")))?;
                block.ports.push(port(line, number).ok_or(fault(LineError::Fabric(PORT)))?);
            } else if let Some(word) = UNREAD.iter().find(|word| first_word(line) == **word) {
                return Err(fault(LineError::Unread(word)));
            } else if line.starts_with('@') {
                return Err(fault(LineError::Unread("an alias of a port")));
            } else if is_strange(line) {
                blocks.strange.push(number);
            } else if !is_plain(line) {
                return Err(fault(LineError::Fabric("a switch, a channel adapter or a port")));
            }
        }
        Ok(blocks)
    }

    /// Whether a text has blocks: a line is the head of one.
    pub(super) fn are_in(text: &str) -> bool {
        let mut heads = text.lines().filter_map(|line| head(line.trim()));
        heads.any(|(kind, rest)| block(kind, rest, 1).is_some())
    }
}

fn first_word(line: &str) -> &str {
    line.split_whitespace().next().unwrap_or_default()
}

/// What a block is about, and the rest of its first line.
fn head(line: &str) -> Option<(Kind, &str)> {
    let word = first_word(line);
    let kind = match word {
        "Switch" => Kind::Switch,
        "Ca" | "Hca" => Kind::Adapter,
        "Rt" | "???" => Kind::Router,
        _ => return None,
    };
    Some((kind, &line[word.len()..]))
}

/// `24 "S-a0"  # "leaf 1" base port 0 lid 6 lmc 0`
fn block(kind: Kind, text: &str, line: usize) -> Option<Block<'_>> {
    let (ports, rest) = text.split_once('"')?;
    let _: u16 = ports.trim().parse().ok()?;
    let (id, rest) = rest.split_once('"')?;
    let (description, behind) = comment(rest);
    let block = Block { kind, id, description, lid: behind.and_then(lid), line, ports: Vec::new() };
    Some(block).filter(|block| !block.id.is_empty())
}

/// `[6][ext 3](c1)  "S-b0"[3](c2)  # lid 4 lmc 0 "leaf 2" lid 3 4xEDR`
fn port(text: &str, line: usize) -> Option<Port<'_>> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    let number = number.trim().parse().ok().filter(|&number| number > 0)?;
    let (_, rest) = rest.split_once('"')?;
    let (far, rest) = rest.split_once('"')?;
    let back = match rest.trim_start().strip_prefix('[') {
        Some(back) => back.split_once(']')?.0.trim().parse().ok().filter(|&back| back > 0)?,
        None => 1,
    };
    let (description, behind) = comment(rest);
    let (lid, rate) = (behind.and_then(lid), behind.and_then(rate));
    Some(Port { number, far, back, description, lid, rate, line })
}

/// The text between the first and the last quote of a comment, which may have quotes of its own, and what is behind it.
fn comment(text: &str) -> (Option<&str>, Option<&str>) {
    let Some((_, comment)) = text.split_once('#') else { return (None, None) };
    match (comment.find('"'), comment.rfind('"')) {
        (Some(first), Some(last)) if first < last => {
            (Some(&comment[first + 1..last]), Some(&comment[last + 1..]))
        }
        _ => (None, Some(comment)),
    }
}

/// The number behind the last word `lid`.
fn lid(text: &str) -> Option<u32> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).rev().find(|pair| pair[0] == "lid")?[1].parse().ok()
}

/// `4xEDR`, or `2xNDR`; `4x???` or `??EDR` where a part is unknown.
fn rate(text: &str) -> Option<&str> {
    text.split_whitespace().find(|word| {
        word.split_once('x').is_some_and(|(width, speed)| {
            width.parse::<u8>().is_ok()
                && speed.starts_with(|first: char| first.is_ascii_uppercase() || first == '?')
        }) || word.starts_with("??")
    })
}

/// Whether a line is from a program that wrote between the lines of the file: a warning of a library, the prompt of a shell, or what
/// names no node. A line that names one is a damaged one of the file.
fn is_strange(line: &str) -> bool {
    !is_plain(line) && (is_warning(line) || is_prompt(line) || !names_guid(line))
}

/// `[root@head ~]# ibnetdiscover`
fn is_prompt(line: &str) -> bool {
    line.starts_with('[') && ["]#", "]$"].iter().any(|end| line.contains(end))
}

/// Whether a line is one of the file that says nothing about links.
fn is_plain(line: &str) -> bool {
    line.is_empty() || IGNORED.iter().any(|start| line.starts_with(start)) || is_setting(line)
}

/// `ibwarn: [6931] …`, `src/query_smp.c:195; …`
fn is_warning(line: &str) -> bool {
    const STARTS: [&str; 6] = ["ibwarn:", "ibpanic:", "iberror:", "ibdebug:", "libib", "ibnetdiscover:"];
    let of_source = line.split_once(".c:").is_some_and(|(file, rest)| {
        !file.contains(char::is_whitespace) && rest.starts_with(|first: char| first.is_ascii_digit())
    });
    of_source || STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a line names a node by its kind and GUID, as the lines of a block do.
fn names_guid(line: &str) -> bool {
    ["\"S-", "\"H-", "\"R-"].iter().any(|start| line.contains(start))
}

/// `vendid=0x2c9`, and what else is set for blocks that follow.
fn is_setting(line: &str) -> bool {
    const SETTINGS: [&str; 12] = [
        "vendid",
        "devid",
        "sysimgguid",
        "switchguid",
        "caguid",
        "hcaguids",
        "rtguid",
        "???guid",
        "width",
        "speed",
        "extspeed",
        "pdebug",
    ];
    let Some((name, _)) = line.split_once(['=', '+']) else { return false };
    SETTINGS.contains(&name.trim())
}

const HEAD: &str = "a switch's name and GUID";
const PORT: &str = "a port and what it leads to";

/// How lines begin that say nothing about links.
const IGNORED: &[&str] = &["#", "Chassis ", "Non-Chassis Nodes", "Hostname: "];

/// What `ibsim` does while it reads a file.
const UNREAD: [&str; 3] = ["include", "do", "module"];
