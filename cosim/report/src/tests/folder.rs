//! The folder of a run, while it is written and after.

use super::*;

#[test]
fn every_finished_load_is_on_disk_before_the_run_ends() {
    let place = tempfile::tempdir().unwrap();
    let dir = place.path().join("new/results");
    let folder = Arc::new(Folder::take(&dir).unwrap());
    let mut store = Store::create(folder, vec![curve("OLM", Vec::new())]).unwrap();
    let loads = || {
        let text = fs::read_to_string(dir.join("summary.csv")).unwrap();
        let rows = text.lines().skip(1);
        rows.map(|row| row.split(',').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(loads().is_empty());
    for (load, expected) in [(0.3, vec!["0.3"]), (0.1, vec!["0.1", "0.3"]), (0.2, vec!["0.1", "0.2", "0.3"])]
    {
        store.push(0, point(load)).unwrap();
        assert_eq!(loads(), expected);
    }
    let names = fs::read_dir(&dir).unwrap().map(|entry| entry.unwrap().file_name());
    let left_over: Vec<_> = names.filter(|name| name.to_string_lossy().ends_with(".tmp")).collect();
    assert!(left_over.is_empty(), "{left_over:?}");
}

#[test]
fn a_load_that_could_not_be_written_is_written_with_the_next() {
    let place = tempfile::tempdir().unwrap();
    let folder = Arc::new(Folder::take(place.path()).unwrap());
    let mut store = Store::create(folder, vec![curve("OLM", Vec::new())]).unwrap();
    let table = place.path().join("summary.csv");
    fs::remove_file(&table).unwrap();
    fs::create_dir(&table).unwrap();
    store.push(0, point(0.1)).unwrap_err();
    fs::remove_dir(&table).unwrap();
    store.push(0, point(0.2)).unwrap();
    assert_eq!(fs::read_to_string(&table).unwrap().lines().count(), 3);
    assert!(store.finish().unwrap().iter().all(|path| path.is_file()));
}

#[test]
fn a_folder_has_one_writer_and_goes_when_nothing_was_written() {
    let place = tempfile::tempdir().unwrap();
    let inner = place.path().join("new/results");
    let first = Folder::take(&inner).unwrap();
    let error = Folder::take(&inner).unwrap_err();
    assert_eq!(error.to_string(), format!("another desvio writes to {}", inner.display()));
    drop(first);
    assert!(!place.path().join("new").exists());
    let second = Folder::take(&inner).unwrap();
    fs::write(inner.join("found.txt"), "").unwrap();
    drop(second);
    drop(Folder::take(&inner).unwrap());
    assert!(inner.join("found.txt").is_file());
}

#[test]
fn a_new_run_clears_the_results_of_the_old_one_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    write_all(place.path(), &two_curves()).unwrap();
    for name in [".compare.csv.4711.tmp", "notes.txt", "other.csv", ".compare.csv.tmp"] {
        fs::write(place.path().join(name), "").unwrap();
    }
    fs::create_dir(place.path().join("hops.svg.d")).unwrap();
    Store::create(Arc::new(Folder::take(place.path()).unwrap()), vec![curve("OLM", Vec::new())]).unwrap();
    let mut names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    let expected = [
        ".compare.csv.tmp",
        "hops.svg.d",
        "notes.txt",
        "other.csv",
        "provenance.json",
        "scenario.toml",
        "summary.csv",
        "summary.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn an_error_names_the_file_and_keeps_what_was_there() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join("summary.csv")).unwrap();
    let error = write_all(place.path(), &two_curves()[..1]).unwrap_err();
    assert!(error.to_string().contains("summary.csv: "), "{error}");
    let mut names: Vec<_> = fs::read_dir(place.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["provenance.json", "summary.csv"], "no temporary file stays behind");
}
