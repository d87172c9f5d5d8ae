//! From the text of a map file to the map.

mod ports;
mod side;

use super::document::{Document, Item, Problem, Table};
use super::map::{Count, Field, Fields, Kind, MapError, Named, Part, PortMap, Reset, Setting, Source, Value};
use super::rule::Rule;
use super::slice::Vectors;
use desvio_sim::bounded;
use ports::{order, ports};
use router_core::layout;
use side::{SIDE, side};
use std::path::Path;
use toml::de::DeTable;

impl PortMap {
    /// Reads and checks a map file.
    ///
    /// # Errors
    /// The first thing that is wrong, complete with its place and what was expected.
    pub fn load(path: &Path) -> Result<Self, MapError> {
        let file = path.display().to_string();
        let unreadable = |reason: String| MapError::Unreadable { file: file.clone(), reason };
        let bytes = bounded::read(path, LARGEST).map_err(|error| unreadable(error.to_string()))?;
        match std::str::from_utf8(&bytes) {
            Ok(text) => Self::parse(text, &file),
            Err(error) => {
                let at = error.valid_up_to();
                let document = Document { file, text: String::from_utf8_lossy(&bytes).into_owned() };
                let problem = Problem::new(at..at, "not a text file: this is not UTF-8");
                Err(MapError::Refused(document.refuse(problem)))
            }
        }
    }

    /// Reads and checks the text of a map file; `file` names it in errors.
    ///
    /// # Errors
    /// The first thing that is wrong, complete with its place and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Self, MapError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document = Document { file: file.to_owned(), text: text.to_owned() };
        read(&document).map_err(|problem| MapError::Refused(document.refuse(problem)))
    }
}

/// Reads a whole map.
fn read(document: &Document) -> Result<PortMap, Problem> {
    let parsed = DeTable::parse(&document.text).map_err(|error| {
        Problem::new(error.span().unwrap_or(0..0), format!("not valid TOML: {}", error.message()))
    })?;
    let root = Table::root(parsed.get_ref(), KEYS)?;
    let open = |key: &str, keys: &[&str], expected: &str| root.need(key, expected)?.table(keys);
    // Unknown keys first, since they explain missing ones.
    let input = open("input", SIDE, "a table with the signals by which flits come in")?;
    let output = open("output", SIDE, "a table with the signals by which flits go out")?;
    let flit = open("flit", FIELDS, "a table with the places of the flit's fields")?;
    let (ports, port_names) =
        ports(&root.need("ports", "the ports of the switch: how many, or a list of their names")?)?;
    Ok(PortMap {
        clock: name(&root.need("clock", "the name of the clock input")?)?,
        reset: root.get("reset").map(|item| reset(&item)).transpose()?,
        ports,
        order: root.get("order").map(|item| order(&item, ports, port_names.as_deref())).transpose()?,
        port_names,
        vcs: root.get("vcs").map(|item| item.whole(1..=8)).transpose()?.map(|vcs| vcs as u32),
        cycles_per_flit: root.get("cycles_per_flit").map(|item| item.whole(1..=8)).transpose()?,
        vectors: root.get("vectors").map_or(Ok(Vectors::Descending), |item| item.word(VECTORS))?,
        parameters: settings(&root, "parameters")?,
        constants: settings(&root, "constants")?,
        input: side(&input, "input")?,
        output: side(&output, "output")?,
        flit: fields(&flit)?,
        errors: root.get("error").map_or(Ok(Vec::new()), |item| names(&item))?,
        allow: root.get("allow").map_or(Ok(Vec::new()), |item| allow(&item))?,
        document: document.clone(),
    })
}

fn name(item: &Item<'_>) -> Result<Named, Problem> {
    Ok(Named { text: item.text("the name of a signal")?.to_owned(), at: item.at() })
}

fn optional(table: &Table<'_>, key: &str) -> Result<Option<Named>, Problem> {
    table.get(key).map(|item| name(&item)).transpose()
}

/// A signal, or a list of signals, not empty.
fn names(item: &Item<'_>) -> Result<Vec<Named>, Problem> {
    match item.as_list() {
        Some(list) if list.is_empty() => Err(item.wrong("the name of a signal, or a list of names")),
        Some(list) => list.iter().map(name).collect(),
        None => Ok(vec![name(item)?]),
    }
}

fn reset(item: &Item<'_>) -> Result<Reset, Problem> {
    let table = item.table(&["name", "active", "cycles"])?;
    Ok(Reset {
        name: name(&table.need("name", "the name of the reset input")?)?,
        active: table
            .need("active", "\"high\" or \"low\", the level that resets")?
            .word(&[("high", true), ("low", false)])?,
        cycles: table.get("cycles").map_or(Ok(4), |item| item.whole(1..=100_000))?,
    })
}

/// Rules that do not end the run, each of them one behind which it can go on.
fn allow(item: &Item<'_>) -> Result<Vec<Rule>, Problem> {
    let list = item.as_list().ok_or_else(|| item.wrong("a list of rules that are allowed to break"))?;
    let names = Rule::ALL.map(|rule| (rule.name(), rule));
    let rule = |element: &Item<'_>| {
        let rule = element.word(&names)?;
        let refuse = |why| Problem::new(element.at(), format!("{rule} cannot be allowed: {why}"));
        rule.ends_the_run().map_or(Ok(rule), |why| Err(refuse(why)))
    };
    list.iter().map(rule).collect()
}

fn settings(root: &Table<'_>, key: &str) -> Result<Vec<(Named, Setting)>, Problem> {
    let Some(item) = root.get(key) else { return Ok(Vec::new()) };
    let table = item.any_table("a table of names and values")?;
    let setting = |(name, item): (toml::Spanned<String>, Item<'_>)| {
        let name = Named { at: name.span(), text: name.into_inner() };
        Ok((name, Setting { value: value(&item)?, at: item.at() }))
    };
    table.all().into_iter().map(setting).collect()
}

fn value(item: &Item<'_>) -> Result<Value, Problem> {
    if item.is_table() {
        let table = item.table(&["from", "bits"])?;
        let source = table.need("from", "what the scenario knows")?.word(SOURCES)?;
        let bits = match source {
            Source::NextPort => table.need("bits", "the number of bits of each entry")?.whole(1..=32)?,
            _ => match table.get("bits") {
                None => 0,
                Some(bits) => return Err(Problem::new(bits.at(), "`bits` belongs to \"next-port\"")),
            },
        };
        return Ok(Value::From { source, bits: bits as u32 });
    }
    let whole = item.as_whole().map(Value::Whole);
    whole
        .or_else(|| item.as_text().map(|text| Value::Text(text.to_owned())))
        .ok_or_else(|| item.wrong("a whole number that is not negative, a text, or { from = … }"))
}

fn fields(table: &Table<'_>) -> Result<Fields, Problem> {
    let get = |key: &str| table.get(key).map(|item| field(&item)).transpose();
    let need = |key: &str, expected: &str| field(&table.need(key, expected)?);
    let mut header = Vec::new();
    for (key, part) in Part::ALL.iter().filter(|(_, part)| *part != Part::Length) {
        header.extend(get(key)?.map(|field| (*part, field)));
    }
    let length = table.get("length").map(|item| length(&item)).transpose()?;
    let count = length.as_ref().map_or(Count::FLITS, |(_, count)| *count);
    header.extend(length.map(|(field, _)| (Part::Length, field)));
    let fields = Fields {
        head: get("head")?,
        tail: get("tail")?,
        kind: table.get("kind").map(|item| kind(&item)).transpose()?,
        vc: get("vc")?,
        header,
        count,
        constants: constants(table)?,
        number: need("number", "bits of every flit that carry the packet's number")?,
        index: need("index", "bits of every flit that carry its place in the packet")?,
        lookahead: lookahead(table)?,
        rewrites: rewrites(table)?,
        lengths: table.get("lengths").map(|item| lengths(&item)).transpose()?,
    };
    let flags = [&fields.head, &fields.tail];
    if let Some(flag) = flags.into_iter().flatten().find(|flag| flag.bits() != 1) {
        let message = format!("`{}` is one bit, not {}", flag.path, flag.bits());
        return Err(Problem::new(flag.at.clone(), message));
    }
    if fields.number.bits() < LEAST_NUMBER_BITS {
        let (at, found) = (fields.number.at.clone(), fields.number.bits());
        let message = format!(
            "`flit.number` must have at least {LEAST_NUMBER_BITS} bits to tell packets apart, not {found}"
        );
        return Err(Problem::new(at, message));
    }
    apart(&fields)?;
    Ok(fields)
}

/// The field of a packet's length: bits, or a table that also says how it counts.
fn length(item: &Item<'_>) -> Result<(Field, Count), Problem> {
    if !item.is_table() {
        return field(item).map(|field| (field, Count::FLITS));
    }
    let table = item.table(&["bits", "offset", "unit"])?;
    let field = field(&table.need("bits", "the bits of the packet's length")?)?;
    let offset = table.get("offset").map_or(Ok(0), |item| item.signed(-1023..=1023))?;
    let unit = table.get("unit").map_or(Ok(1), |item| item.whole(1..=4096))?;
    Ok((field, Count { offset, unit }))
}

/// Bits of every flit that keep one value, by their places.
fn constants(table: &Table<'_>) -> Result<Vec<(Field, Setting)>, Problem> {
    let Some(item) = table.get("constants") else { return Ok(Vec::new()) };
    let all = item.any_table("a table of bits and values")?.all();
    let constant = |(name, item): (toml::Spanned<String>, Item<'_>)| {
        let at = name.span();
        let text = name.into_inner();
        let (low, bits) = bits_of(&text).ok_or_else(|| {
            Problem::new(at.clone(), format!("`{text}` must be bits of the flit such as 7 or \"11:8\""))
        })?;
        let field = Field { path: format!("flit.constants.\"{text}\""), pieces: vec![(low, bits)], at };
        Ok((field, Setting { value: value(&item)?, at: item.at() }))
    };
    all.into_iter().map(constant).collect()
}

/// Refuses fields that share a bit.
fn apart(fields: &Fields) -> Result<(), Problem> {
    let flags = [&fields.head, &fields.tail, &fields.vc].into_iter().flatten();
    let kind = fields.kind.iter().map(|kind| &kind.field);
    let all = flags.chain(kind).chain(fields.header.iter().map(|(_, field)| field));
    let mut seen: Vec<(&Field, u32, u32)> = Vec::new();
    let constants = fields.constants.iter().map(|(field, _)| field);
    for field in all.chain([&fields.number, &fields.index]).chain(constants) {
        for &(low, bits) in &field.pieces {
            let shared = seen.iter().find(|(_, other, count)| low < other + count && *other < low + bits);
            if let Some((other, other_low, _)) = shared {
                let bit = low.max(*other_low);
                let message = format!("`{}` and `{}` share bit {bit}", field.path, other.path);
                return Err(Problem::new(field.at.clone(), message));
            }
            seen.push((field, low, bits));
        }
    }
    Ok(())
}

/// Bits, as Verilog writes them: `7`, `"11:8"`, or a list of such pieces, the least significant first.
fn field(item: &Item<'_>) -> Result<Field, Problem> {
    let pieces = match item.as_list() {
        Some(list) => list.iter().map(piece).collect::<Result<_, _>>()?,
        None => vec![piece(item)?],
    };
    let field = Field { path: item.path.clone(), pieces, at: item.at() };
    if field.bits() > layout::HEADER_BITS {
        return Err(Problem::new(
            item.at(),
            format!(
                "`{}` has {} bits, at most {} are possible",
                item.path,
                field.bits(),
                layout::HEADER_BITS
            ),
        ));
    }
    Ok(field)
}

fn piece(item: &Item<'_>) -> Result<(u32, u32), Problem> {
    let found = match (item.as_whole(), item.as_text()) {
        (Some(bit), _) => bits_of(&bit.to_string()),
        (None, text) => text.and_then(bits_of),
    };
    found.ok_or_else(|| item.wrong("bits of the flit such as 7 or \"11:8\""))
}

/// Lowest bit and number of bits of `7` or `11:8`.
fn bits_of(text: &str) -> Option<(u32, u32)> {
    let number = |text: &str| text.trim().parse::<u32>().ok().filter(|bit| *bit < MOST_BITS);
    let (high, low) = text.split_once(':').unwrap_or((text, text));
    let (high, low) = number(high).zip(number(low)).filter(|(high, low)| high >= low)?;
    Some((low, high - low + 1))
}

fn kind(item: &Item<'_>) -> Result<Kind, Problem> {
    let table = item.table(&["bits", "head", "body", "tail", "single"])?;
    let field = field(&table.need("bits", "the bits that say what kind of flit it is")?)?;
    let most = if field.bits() >= 64 { u64::MAX } else { (1 << field.bits()) - 1 };
    let number = |key: &str| table.need(key, "the number for such a flit")?.whole(0..=most);
    Ok(Kind {
        head: number("head")?,
        body: number("body")?,
        tail: number("tail")?,
        single: number("single")?,
        field,
    })
}

fn lookahead(table: &Table<'_>) -> Result<bool, Problem> {
    let Some(item) = table.get("lookahead") else { return Ok(false) };
    match table.get("next_port") {
        Some(_) => item.truth(),
        None => Err(Problem::new(item.at(), "`flit.lookahead` belongs to `flit.next_port`")),
    }
}

fn rewrites(table: &Table<'_>) -> Result<Vec<Part>, Problem> {
    let Some(item) = table.get("rewrites") else { return Ok(Vec::new()) };
    let list = item.as_list().ok_or_else(|| item.wrong("a list of fields that the switch may change"))?;
    list.iter().map(|element| element.word(Part::ALL)).collect()
}

fn lengths(item: &Item<'_>) -> Result<(Vec<u16>, super::document::Place), Problem> {
    let list = item.as_list().ok_or_else(|| item.wrong("a list of packet lengths in flits"))?;
    let lengths: Result<_, _> =
        list.iter().map(|element| element.whole(1..=1023).map(|length| length as u16)).collect();
    Ok((lengths?, item.at()))
}

/// The keys of the file.
const KEYS: &[&str] = &[
    "clock",
    "reset",
    "ports",
    "order",
    "vcs",
    "cycles_per_flit",
    "vectors",
    "parameters",
    "constants",
    "input",
    "output",
    "flit",
    "error",
    "allow",
];
/// The keys of `flit`.
const FIELDS: &[&str] = &[
    "head",
    "tail",
    "kind",
    "vc",
    "header",
    "to_router",
    "to_port",
    "via",
    "progress",
    "length",
    "next_port",
    "lookahead",
    "constants",
    "number",
    "index",
    "rewrites",
    "lengths",
];
const SOURCES: &[(&str, Source)] = &[
    ("address", Source::Address),
    ("next-port", Source::NextPort),
    ("node-ports", Source::NodePorts),
    ("wired-ports", Source::WiredPorts),
];
/// Which way vectors are declared: `[N-1:0]` or `[0:N-1]`.
const VECTORS: &[(&str, Vectors)] = &[("descending", Vectors::Descending), ("ascending", Vectors::Ascending)];
/// Widest flit.
const MOST_BITS: u32 = 4096;
/// Fewest bits of a packet's number: 256 packets.
const LEAST_NUMBER_BITS: u32 = 8;

/// A map has a page.
const LARGEST: u64 = 1 << 20;
