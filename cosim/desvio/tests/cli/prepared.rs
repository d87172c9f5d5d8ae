//! Folders that another user, a careless one or a failing disk has prepared: nothing in them is believed.

use super::conform::verilator_is_here;
use super::{DESVIO, Place, end};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the program keeps what it compiled, unpacked or synthesised.
const CACHES: [&str; 3] = ["VERILATED_CACHE", "DESVIO_HDL_CACHE", "DESVIO_COST_CACHE"];

/// The command in a world of its own: no folder of the user, and a shared one for temporary files.
fn alone(place: &Place, arguments: &[&str]) -> Command {
    let mut command = place.command(DESVIO, arguments);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.env_clear().env("PATH", path).env("TMPDIR", place.path("shared"));
    command
}

/// Every file below a folder, with what is in it.
fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else {
            found.push((entry.clone(), fs::read(&entry).unwrap()));
        }
    }
    found.sort();
    found
}

/// A shared folder for temporary files in which everything is that the program has ever looked for there, with Verilog that runs a
/// program.
fn prepare(place: &Place) -> PathBuf {
    let shared = place.path("shared");
    let evil = format!(
        "module dsv_router; initial $system(\"touch {}\"); endmodule\n",
        place.path("reached").display()
    );
    for folder in
        ["desvio-hdl-fdd8239e2a1e521a/rtl/router", "desvio/hdl/rtl/router", "verilated", "desvio/cost"]
    {
        fs::create_dir_all(shared.join(folder)).unwrap();
        fs::write(shared.join(folder).join("dsv_router.sv"), &evil).unwrap();
    }
    shared
}

#[test]
fn what_lies_prepared_in_a_shared_temporary_folder_is_not_used() {
    let place = Place::new();
    let shared = prepare(&place);
    let before = files(&shared);
    for arguments in [
        &["lockstep", "scenarios/tiny.toml", "--cycles", "2000"][..],
        &["run", "scenarios/tiny.toml", "--rtl", "1", "--out", "r"],
        &["cost", "scenarios/tiny.toml"],
    ] {
        let ended = end(alone(&place, arguments));
        let sentence = "error: there is no folder for a cache: set HOME, XDG_CACHE_HOME or ";
        assert!(ended.status == Some(2) && ended.err.contains(sentence), "{arguments:?}: {ended:?}");
    }
    // With a folder of the user's own the RTL that is built in is unpacked there, also where something else lies in its place.
    let own = place.path("own");
    let unpack = || {
        let mut command = alone(&place, &["lockstep", "scenarios/tiny.toml", "--cycles", "2000"]);
        command.env("XDG_CACHE_HOME", &own).env("VERILATOR", place.path("no-verilator"));
        end(command)
    };
    let ended = unpack();
    assert!(ended.status == Some(2) && ended.err.contains("Verilator was not found"), "{ended:?}");
    let hdl = own.join("desvio/hdl");
    let whole = files(&hdl);
    let router = whole.iter().find(|(path, _)| path.ends_with("rtl/router/dsv_router.sv")).unwrap().0.clone();
    fs::copy(shared.join("verilated/dsv_router.sv"), &router).unwrap();
    let ended = unpack();
    assert!(ended.err.contains(": damaged; it is made anew\n"), "{ended:?}");
    assert!(files(&hdl) == whole, "the RTL that is built in");
    assert!(files(&shared) == before && !place.exists("reached"));
}

#[test]
#[cfg(unix)]
fn a_cache_that_belongs_to_another_user_is_refused() {
    use std::os::unix::fs::chown;
    let place = Place::new();
    prepare(&place);
    fs::create_dir(place.path("given")).unwrap();
    // Only root can give a folder away; the root of the file system belongs to another user than any but root.
    let is_given = chown(place.path("given"), Some(65534), None).is_ok();
    let foreign = if is_given { place.path("given") } else { PathBuf::from("/") };
    for variable in CACHES {
        let arguments = match variable {
            "DESVIO_COST_CACHE" => &["cost", "scenarios/tiny.toml"][..],
            _ => &["lockstep", "scenarios/tiny.toml", "--cycles", "2000"],
        };
        let mut command = alone(&place, arguments);
        command.env("XDG_CACHE_HOME", place.path("own")).env(variable, &foreign);
        let ended = end(command);
        let told = format!("{}: ", foreign.display());
        assert!(ended.status == Some(2) && ended.err.contains(&told), "{variable}: {ended:?}");
        assert!(
            ended.err.contains("a cache must belong to the user who runs it, not to user "),
            "{variable}: {ended:?}"
        );
    }
}

/// A campaign has forwarding tables in a file for a moment.
#[test]
fn a_temporary_folder_that_is_not_there_is_not_made() {
    let place = Place::new();
    let mut command =
        alone(&place, &["lockstep", "--campaign", "--only", "forwarding-tables", "--cycles", "100"]);
    command.env("XDG_CACHE_HOME", place.path("own")).env("TMPDIR", place.path("nowhere"));
    let ended = end(command);
    assert!(ended.status == Some(2) && ended.err.contains("nowhere"), "{ended:?}");
    assert!(!place.exists("nowhere"));
}

/// The slow half of the tests.
mod slow {
    use super::*;

    /// Verilator 5.006 cuts names of files at a space.
    #[test]
    fn a_home_with_a_space_in_its_name_has_caches() {
        if !verilator_is_here() {
            return;
        }
        let place = Place::new();
        let mut lockstep =
            alone(&place, &["lockstep", "scenarios/tiny.toml", "--cycles", "2000", "--out", "r"]);
        fs::create_dir_all(place.path("shared")).unwrap();
        lockstep.env("HOME", place.path("a home"));
        let ended = end(lockstep);
        assert!(ended.status == Some(0) && ended.out.contains("no difference: "), "{ended:?}");
        assert!(place.path("a home/.cache/desvio/hdl").is_dir());
    }
}
