//! Which program's file a text is: by its first lines, and by the ending of its name where they do not say it.

use super::blocks::Blocks;
use super::tokens::{Token, Tokens};
use super::{anynet, slurm};

/// The formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    EdgeList,
    Dot,
    GraphMl,
    Gml,
    /// What `ibnetdiscover` writes.
    Discovered,
    /// What `ibsim` reads.
    Described,
    Slurm,
    Anynet,
}

/// The format of a text whose file has a name with this ending, or what it is instead.
pub(super) fn of(ending: &str, text: &str) -> Result<Kind, &'static str> {
    let by_name = match ending {
        "dot" | "gv" => Kind::Dot,
        "graphml" => Kind::GraphMl,
        "gml" => Kind::Gml,
        "ibnetdiscover" => Kind::Discovered,
        _ => return of_text(text),
    };
    match (of_text(text), by_name) {
        (Ok(Kind::EdgeList) | Err(UNKNOWN), _) => Ok(by_name),
        (Ok(Kind::Described), Kind::Discovered) | (Err(XML), Kind::GraphMl) => Ok(by_name),
        (found, _) => found,
    }
}

fn of_text(text: &str) -> Result<Kind, &'static str> {
    let first = lines(text).next().unwrap_or_default();
    let is_list = first.starts_with(|first: char| first.is_ascii_digit());
    let is_headed = text.lines().any(|line| line.trim_start().starts_with(HEAD));
    let is_xml = first.starts_with('<') && !first.starts_with("< ");
    match () {
        () if Blocks::are_in(text) && (is_headed || names_guids(text)) => Ok(Kind::Discovered),
        () if is_headed => Ok(Kind::Discovered),
        () if is_list && is_table(first) => Err(TABLE),
        () if is_list || first.is_empty() => Ok(Kind::EdgeList),
        () if Blocks::are_in(text) => Ok(Kind::Described),
        () if lines(text).take(FEW).any(slurm::is_line) => Ok(Kind::Slurm),
        () if anynet::is_line(first) => Ok(Kind::Anynet),
        () if is_xml => of_xml(text),
        () if is_gml(text) => Ok(Kind::Gml),
        () if is_dot(text) => Ok(Kind::Dot),
        () => match OTHERS.iter().find(|(_, is)| is(text, first)) {
            Some((other, _)) => Err(other),
            None if lines(text).take(FEW).all(is_edge) => Ok(Kind::EdgeList),
            None => Err(UNKNOWN),
        },
    }
}

/// The lines that say something, from the first: `#` and `//` begin comments in most languages.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#') && !line.starts_with("//"))
}

fn of_xml(text: &str) -> Result<Kind, &'static str> {
    match () {
        () if text.contains("<graphml") || text.contains(":graphml") => Ok(Kind::GraphMl),
        () if text.contains("<gexf") => Err("GEXF, as Gephi writes it"),
        () => Err(XML),
    }
}

/// Whether a line begins with a number and a comma or semicolon.
fn is_table(line: &str) -> bool {
    line.split_once([',', ';']).is_some_and(|(number, _)| number.trim().parse::<u32>().is_ok())
}

/// Whether a line may be one of a list of edges, with words that are no numbers of routers.
fn is_edge(line: &str) -> bool {
    let mut words: Vec<&str> = line.split('#').next().unwrap_or_default().split_whitespace().collect();
    words.retain(|word| *word != "->");
    words.len() >= 2 && words.iter().skip(2).all(|word| word.contains('='))
}

/// `graph [`, perhaps behind `Creator "…"` and `Version 1`.
fn is_gml(text: &str) -> bool {
    let mut words = lines(text).take(FEW).flat_map(str::split_whitespace);
    let is_graph = |word: &str| word.eq_ignore_ascii_case("graph");
    match words.find(|word| is_graph(word) || is_graph(word.trim_end_matches('['))) {
        Some(word) => word.ends_with('[') || words.next().is_some_and(|next| next.starts_with('[')),
        None => false,
    }
}

/// `graph name {`, or `digraph`, perhaps `strict`.
fn is_dot(text: &str) -> bool {
    let is_word = |word: &str| ["graph", "digraph", "strict"].iter().any(|is| word.eq_ignore_ascii_case(is));
    Tokens::new(text).next().is_ok_and(|(token, _)| matches!(token, Token::Word(word) if is_word(&word)))
        && text.contains('{')
}

fn names_guids(text: &str) -> bool {
    lines(text).any(|line| line.starts_with("Switch") && line.contains("\"S-"))
}

/// What else is met, and how it begins. None of it is read.
type Other = (&'static str, fn(&str, &str) -> bool);
const OTHERS: &[Other] = &[
    ("a list of nodes, as `ibnetdiscover -l` writes it; without -l it writes the links", |_, first| {
        ["Switch", "Ca", "Router"].iter().any(|word| first.starts_with(word)) && first.contains(": 0x")
    }),
    ("a report of ports, as `ibnetdiscover -p` writes it; without -p it writes the links", |_, first| {
        ["SW ", "CA ", "RT "].iter().any(|word| first.starts_with(word)) && first.contains("0x")
    }),
    ("what `iblinkinfo` writes; `ibnetdiscover` writes the links, too", |_, first| {
        (first.starts_with("CA: ") || first.starts_with("Switch: ") || first.starts_with("Switch 0x"))
            && first.ends_with(':')
    }),
    ("a list of links, as `ibdiagnet` writes it; `ibnetdiscover` writes the links, too", |_, first| {
        first.starts_with("{ SW ") || first.starts_with("{ CA ")
    }),
    ("what `ibdiagnet` writes of a fabric; `ibnetdiscover` writes the links", |text, _| {
        text.lines().any(|line| line.trim() == "START_NODES")
    }),
    ("forwarding tables; routing.tables names them", |_, first| {
        ["Unicast lids", "Multicast mlids"].iter().any(|words| first.starts_with(words))
    }),
    ("Slurm's topology.conf of blocks, which names no switch", |_, first| {
        first.get(..10).is_some_and(|key| key.eq_ignore_ascii_case("BlockName="))
    }),
    ("a Pajek network", |text, first| {
        first.starts_with('*') && text.to_ascii_lowercase().contains("*vertices")
    }),
    ("a Matrix Market file", |text, _| text.starts_with("%%MatrixMarket")),
    ("a scenario: topology.file names the file of the network", |text, _| {
        text.lines().any(|line| line.trim() == "[topology]")
    }),
    ("JSON", |_, first| first.starts_with('{') || first.starts_with('[')),
    ("Slurm's topology.yaml; its topology.conf is read", |text, _| text.contains("- topology:")),
    ("YAML", |_, first| {
        let words: Vec<&str> = first.split_whitespace().collect();
        first == "---" || words.len() <= 2 && words[0].ends_with(':')
    }),
    ("a configuration of BookSim; topology.file names its network_file", |text, _| {
        lines(text).any(|line| line.starts_with("topology") && line.ends_with(';'))
    }),
    (TABLE, |_, first| first.contains(',') && !first.contains(['(', '"'])),
];

const TABLE: &str = "a table of comma-separated values; an edge is two numbers with a space between them";
const XML: &str = "XML, but not GraphML";
const UNKNOWN: &str = "a text of another kind";

/// How `ibnetdiscover` begins its files, behind what libraries wrote before.
const HEAD: &str = "# Topology file: generated";

/// Lines that are enough to tell a format by.
const FEW: usize = 50;
