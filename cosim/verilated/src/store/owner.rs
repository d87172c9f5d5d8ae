//! Whose a file or folder of a store is.

#[cfg(unix)]
mod unix {
    use std::fs::{self, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::path::Path;

    /// The right of group and others to write.
    const OTHERS_WRITE: u32 = 0o022;

    /// Whether it is of this user.
    pub(crate) fn is_of_user(found: &Metadata) -> bool {
        found.uid() == rustix::process::geteuid().as_raw()
    }

    /// Whether it is of this user, and no other user can write into it. A link is not: it leads anywhere.
    pub(crate) fn is_own(path: &Path) -> bool {
        fs::symlink_metadata(path)
            .is_ok_and(|found| is_of_user(&found) && !found.is_symlink() && found.mode() & OTHERS_WRITE == 0)
    }

    /// Takes from others the right to write.
    pub(crate) fn close(path: &Path) -> io::Result<()> {
        let mode = fs::metadata(path)?.mode();
        if mode & OTHERS_WRITE == 0 {
            return Ok(());
        }
        fs::set_permissions(path, Permissions::from_mode(mode & 0o7777 & !OTHERS_WRITE))
    }
}

#[cfg(unix)]
pub(super) use unix::{close, is_of_user, is_own};

/// Elsewhere the user's folders are private by themselves.
#[cfg(not(unix))]
pub(super) fn is_own(_: &std::path::Path) -> bool {
    true
}

#[cfg(not(unix))]
pub(super) fn close(_: &std::path::Path) -> std::io::Result<()> {
    Ok(())
}
