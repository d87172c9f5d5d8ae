//! The register map for people.

use super::{Access, Map, Register, SOURCE, Taken, sentence};
use std::fmt::Write as _;

pub(super) fn markdown(map: &Map) -> String {
    let mut text = format!(
        "<!-- Written from {SOURCE} by `cargo xtask generate`: do not edit. -->\n\n# The registers of the switch\n\n\
         The module `dsv_switch` of `hdl/` has a serial register port; [`control.md`](control.md) says how to use it. This is its map, \
         version {}.{}. Addresses count registers of 32 bits; bits that belong to no field read as 0.\n\n",
        map.version.major, map.version.minor
    );
    frame(map, &mut text);
    let _ = writeln!(
        text,
        "## Registers\n\nA *staged* register is written and read at its address, and put to use by a commit or by a restart; what is in use \
         is read at a second address. Registers start at the value in the column *reset*.\n\n\
         | address | in use | name | | taken at | reset | |\n|---|---|---|---|---|---|---|"
    );
    for register in &map.register {
        row(register, &mut text);
    }
    text.push_str("\n## Fields\n\n| register | bits | field | |\n|---|---|---|---|\n");
    for register in &map.register {
        for field in &register.fields {
            let high = field.at + field.bits - 1;
            let bits = if field.bits == 1 { high.to_string() } else { format!("{high}:{}", field.at) };
            let width = field
                .width
                .as_ref()
                .map_or(String::new(), |width| format!(" As many bits as `{width}` says."));
            let _ = writeln!(
                text,
                "| `{}` | {bits} | `{}` | {}{width} |",
                register.name,
                field.name,
                sentence(&field.doc)
            );
        }
    }
    let _ = writeln!(text, "\n## Outcomes of a commit\n\n| number | name | |\n|---|---|---|");
    for (number, outcome) in map.outcome.iter().enumerate() {
        let _ = writeln!(text, "| {number} | `{}` | {} |", outcome.name, sentence(&outcome.doc));
    }
    text
}

fn frame(map: &Map, text: &mut String) {
    let frame = &map.frame;
    let _ = writeln!(
        text,
        "## Frames\n\nSPI mode 0, the most significant bit first, one frame for each time that `cs_n` is low: 17 bytes.\n\n\
         | bytes | from | |\n|---|---|---|\n\
         | 0 | software | command: `{:#04x}` read, `{:#04x}` write |\n\
         | 1, 2 | software | address |\n\
         | 3 to 6 | software | data; 0 in a read |\n\
         | 7, 8 | software | checksum of bytes 0 to 6 |\n\
         | 9 | | pause |\n\
         | 10 | switch | status |\n\
         | 11 to 14 | switch | data: what the register holds now, after a write too |\n\
         | 15, 16 | switch | checksum of bytes 10 to 14 |\n\n\
         The checksum is a CRC with the polynomial `{:#06x}`, from `{:#06x}` on, not reflected and not inverted. Every change of up to five \
         bits of a request or of an answer is found. A request that is corrupt or ends early is counted and does nothing.\n\n\
         | status | name | |\n|---|---|---|",
        frame.read, frame.write, frame.polynomial, frame.initial
    );
    for answer in &map.answer {
        let _ = writeln!(text, "| `{:#04x}` | `{}` | {} |", answer.code, answer.name, sentence(&answer.doc));
    }
    text.push('\n');
}

fn row(register: &Register, text: &mut String) {
    let stride =
        |at: usize| -> u32 { register.index[at + 1..].iter().map(|index| u32::from(index.count)).product() };
    let places: String = (0..register.index.len())
        .map(|at| match (stride(at), &register.index[at].name) {
            (1, name) => format!(" + {name}"),
            (stride, name) => format!(" + {stride} × {name}"),
        })
        .collect();
    let limits: Vec<_> =
        register.index.iter().map(|index| format!("`{}` below `{}`", index.name, index.limit)).collect();
    let limits = if limits.is_empty() { String::new() } else { format!(" For {}.", limits.join(" and ")) };
    let address = |address: u16| format!("`{address:#06x}`{places}");
    let in_use = register.in_use.map_or(String::new(), address);
    let access = if register.access == Access::Write { "written" } else { "read" };
    let taken = match register.taken {
        None => "",
        Some(Taken::Commit) => "commit",
        Some(Taken::Restart) => "restart",
    };
    let reset = match (register.access, register.index.is_empty()) {
        (Access::Write, true) => format!("`{:#x}`", register.reset),
        _ => String::new(),
    };
    let _ = writeln!(
        text,
        "| {} | {in_use} | `{}` | {access} | {taken} | {reset} | {}{limits} |",
        address(register.address),
        register.name,
        register.doc
    );
}
