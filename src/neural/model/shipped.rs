//! The model in this binary, put into the cache folder, since llama.cpp reads files.
//!
//! The file is compared with the binary's copy at every use and written anew if it differs; it is
//! written under another name and renamed, so that nobody sees half of it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use etcetera::BaseStrategy;

use super::{ModelError, digest};

/// The model's file.
pub(super) static BYTES: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/models/lockstep-2.6m-q8_0.gguf"));

/// The model's name in the cache, before its hash.
const STEM: &str = "lockstep-2.6m-q8_0";

/// The variable that names another cache folder.
const CACHE_VARIABLE: &str = "LOCKSTEP_CACHE_DIR";

/// The model's file in the cache, and its SHA-256.
pub(super) fn install() -> Result<(PathBuf, String), ModelError> {
    let folder = match std::env::var_os(CACHE_VARIABLE).filter(|folder| !folder.is_empty()) {
        Some(folder) => PathBuf::from(folder),
        None => etcetera::choose_base_strategy()
            .map_err(|_| ModelError::NoCache)?
            .cache_dir()
            .join("lockstep"),
    };
    install_in(&folder)
}

fn install_in(folder: &Path) -> Result<(PathBuf, String), ModelError> {
    let sha256 = digest::sha256_of(BYTES);
    let path = folder.join(format!("{STEM}-{}.gguf", &sha256[..12]));
    if !is_intact(&path) {
        write(folder, &path).map_err(|source| ModelError::Cache { path: path.clone(), source })?;
    }
    Ok((path, sha256))
}

/// Whether the cached file is the binary's copy. What isn't a file of that size is not read.
fn is_intact(path: &Path) -> bool {
    let as_long = |found: std::fs::Metadata| found.is_file() && found.len() == BYTES.len() as u64;
    std::fs::metadata(path).is_ok_and(as_long)
        && std::fs::read(path).is_ok_and(|found| found == BYTES)
}

fn write(folder: &Path, path: &Path) -> std::io::Result<()> {
    static WRITTEN: AtomicU32 = AtomicU32::new(0);
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    std::fs::create_dir_all(folder)?;
    let draft = folder.join(format!("{STEM}-{}-{count}.tmp", std::process::id()));
    let done = std::fs::write(&draft, BYTES).and_then(|()| std::fs::rename(&draft, path));
    if done.is_err() {
        // The error that counts is the first one.
        let _ = std::fs::remove_file(&draft);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cached_file_is_written_once_and_again_when_damaged() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("new/folder");
        let (path, sha256) = install_in(&folder).unwrap();
        assert_eq!(digest::sha256_of_file(&path).unwrap(), sha256);
        let written = std::fs::metadata(&path).unwrap().modified().unwrap();
        install_in(&folder).unwrap();
        assert_eq!(std::fs::metadata(&path).unwrap().modified().unwrap(), written);
        std::fs::write(&path, &BYTES[..1000]).unwrap();
        install_in(&folder).unwrap();
        assert_eq!(digest::sha256_of_file(&path).unwrap(), sha256);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no drafts are left");
    }

    #[cfg(unix)]
    #[test]
    fn an_endless_file_in_the_cache_is_replaced_unread() {
        let cache = tempfile::tempdir().unwrap();
        let (path, sha256) = install_in(cache.path()).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        install_in(cache.path()).unwrap();
        assert_eq!(digest::sha256_of_file(&path).unwrap(), sha256);
    }

    #[test]
    fn a_cache_that_cannot_be_written_says_what_to_do() {
        let cache = tempfile::tempdir().unwrap();
        let file = cache.path().join("file");
        std::fs::write(&file, "").unwrap();
        let message = install_in(&file.join("sub")).unwrap_err().to_string();
        assert!(message.contains("set LOCKSTEP_CACHE_DIR"), "{message}");
    }
}
