//! A program as the system finds it: its file, whatever else is in `PATH`.

use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

/// The identity of the program behind a command: its file, with all links followed, the file's size and
/// the time of its last change. The command itself where no such file is found: running it says why.
pub(crate) fn identity(command: &str) -> String {
    file(command, env::var_os("PATH").as_deref()).map_or_else(|| command.to_owned(), |path| described(&path))
}

/// The file that a command runs. A command with a separator in it is a path; others are looked for in the folders of `path`.
fn file(command: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    let is_path = command.contains(std::path::is_separator);
    let folders: Vec<_> = if is_path { vec![PathBuf::new()] } else { env::split_paths(path?).collect() };
    let mut files = folders.into_iter().map(|folder| folder.join(command)).filter(|file| is_program(file));
    files.next().and_then(|file| fs::canonicalize(file).ok())
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

fn described(path: &Path) -> String {
    let found = fs::metadata(path).ok();
    let size = found.as_ref().map_or(0, fs::Metadata::len);
    let changed = found.and_then(|found| found.modified().ok()?.duration_since(UNIX_EPOCH).ok());
    format!("{} {size} {}", path.display(), changed.unwrap_or_default().as_nanos())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    #[test]
    fn other_folders_of_the_path_make_no_other_program() {
        let (here, empty) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let program = here.path().join("tool-1");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        symlink(&program, here.path().join("tool")).unwrap();
        let found = |folders: &[&Path]| file("tool", Some(&env::join_paths(folders).unwrap()));
        let program = fs::canonicalize(program).unwrap();
        assert_eq!(found(&[here.path()]), Some(program.clone()));
        assert_eq!(found(&[empty.path(), here.path()]), Some(program.clone()));
        // A file that cannot be run is passed over.
        fs::write(empty.path().join("tool"), "").unwrap();
        assert_eq!(found(&[empty.path(), here.path()]), Some(program.clone()));
        assert_eq!(found(&[empty.path()]), None);
        let before = described(&program);
        fs::write(&program, "#!/bin/sh\nexit\n").unwrap();
        assert_ne!(described(&program), before, "another program in its place");
    }
}
