//! One run of a subject, short enough for callgrind: `cargo xtask instructions`. Without an argument, the subjects.

use desvio_benches::SUBJECTS;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(name) = std::env::args().nth(1) else {
        SUBJECTS.iter().for_each(|subject| println!("{},{}", subject.name, subject.counted));
        return ExitCode::SUCCESS;
    };
    let Some(subject) = SUBJECTS.iter().find(|subject| subject.name == name) else {
        eprintln!("no subject {name}");
        return ExitCode::FAILURE;
    };
    match subject.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
