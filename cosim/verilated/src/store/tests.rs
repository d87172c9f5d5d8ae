#![cfg(unix)]

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt as _, chown, symlink},
    path::Path,
};

use super::{Store, StoreError};

fn open(folder: &Path) -> Result<Store, StoreError> {
    Store::open(Some(folder), "UNUSED", "unused")
}

/// Makes an entry of two files, or finds it; whether it was found.
fn obtain(store: &Store) -> bool {
    let filled = store.once("entry", |folder| {
        fs::create_dir(folder.join("inner")).unwrap();
        fs::write(folder.join("inner/number"), "20928").unwrap();
        fs::write(folder.join("library"), [0x7f, b'E', b'L', b'F']).unwrap();
        Ok::<_, StoreError>(())
    });
    let kept = filled.unwrap();
    assert_eq!(fs::read_to_string(kept.folder.join("inner/number")).unwrap(), "20928");
    assert_eq!(fs::read(kept.folder.join("library")).unwrap(), [0x7f, b'E', b'L', b'F']);
    kept.was_kept
}

#[test]
fn a_damaged_folder_is_made_anew_once() {
    let place = tempfile::tempdir().unwrap();
    let store = open(place.path()).unwrap();
    assert!(!obtain(&store) && obtain(&store));
    let entry = store.path("entry");
    let damages: [(&str, &dyn Fn()); 12] = [
        ("another number", &|| fs::write(entry.join("inner/number"), "34936").unwrap()),
        ("cut in half", &|| fs::write(entry.join("library"), [0x7f, b'E']).unwrap()),
        ("a bit flipped", &|| fs::write(entry.join("library"), [0x7f, b'E', b'L', b'G']).unwrap()),
        ("emptied", &|| fs::write(entry.join("library"), "").unwrap()),
        ("missing", &|| fs::remove_file(entry.join("library")).unwrap()),
        ("open to others", &|| {
            fs::set_permissions(entry.join("inner"), Permissions::from_mode(0o777)).unwrap();
        }),
        ("a link", &|| {
            fs::rename(entry.join("library"), place.path().join("elsewhere")).unwrap();
            symlink(place.path().join("elsewhere"), entry.join("library")).unwrap();
        }),
        ("one more", &|| fs::write(entry.join("inner/more"), "").unwrap()),
        ("no list", &|| fs::remove_file(entry.join("SHA256SUMS")).unwrap()),
        ("an empty list", &|| fs::write(entry.join("SHA256SUMS"), "").unwrap()),
        ("an empty folder", &|| {
            fs::remove_dir_all(&entry).unwrap();
            fs::create_dir(&entry).unwrap();
        }),
        ("a file", &|| {
            fs::remove_dir_all(&entry).unwrap();
            fs::write(&entry, "").unwrap();
        }),
    ];
    for (what, damage) in damages {
        damage();
        assert!(!obtain(&store), "{what}: found as if it were whole");
        assert!(obtain(&store), "{what}: not kept after it was made anew");
    }
}

#[test]
fn what_another_user_made_is_made_anew() {
    let place = tempfile::tempdir().unwrap();
    let store = open(place.path()).unwrap();
    assert!(!obtain(&store));
    // Only root can give a file away: elsewhere nothing is tested.
    if chown(store.path("entry").join("library"), Some(65534), None).is_ok() {
        assert!(!obtain(&store));
    }
    assert!(obtain(&store));
}

#[test]
fn what_killed_processes_left_is_swept_and_what_living_ones_use_is_not() {
    let place = tempfile::tempdir().unwrap();
    let store = open(place.path()).unwrap();
    let living = store.work_folder().unwrap();
    fs::create_dir_all(place.path().join(".work-killed/generated")).unwrap();
    let next = store.work_folder().unwrap();
    assert!(living.path().is_dir() && next.path().is_dir());
    assert!(!place.path().join(".work-killed").exists());
}

#[test]
fn no_other_user_can_write_into_a_store() {
    let place = tempfile::tempdir().unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let fresh = place.path().join("a/b");
    open(&fresh).unwrap();
    assert_eq!((mode(&fresh), mode(&place.path().join("a"))), (0o700, 0o700));
    let open_to_all = place.path().join("open");
    fs::create_dir(&open_to_all).unwrap();
    fs::set_permissions(&open_to_all, Permissions::from_mode(0o777)).unwrap();
    open(&open_to_all).unwrap();
    assert_eq!(mode(&open_to_all), 0o755);
}

#[test]
fn the_folder_of_another_user_is_refused() {
    let place = tempfile::tempdir().unwrap();
    // Only root can give a folder away; the root of the file system belongs to another user than any but root.
    let is_given = chown(place.path(), Some(65534), None).is_ok();
    let folder = if is_given { place.path() } else { Path::new("/") };
    assert!(matches!(open(folder), Err(StoreError::Foreign { .. })));
}
