//! Files that are there whole or not at all.
//!
//! What is written goes into a draft beside the file, under a name that nobody has, and is moved to
//! its place when it is whole: what stood there before is only replaced by something whole, and no
//! other file is touched. A device or a pipe has nothing to replace, and is written to as it is.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file by `write`, which is given the draft.
///
/// # Errors
///
/// That of `write`, or of the file system; the draft is gone then, and the file as it was.
pub fn write<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<T, E>,
) -> Result<T, E> {
    if path.exists() && !path.is_file() {
        let mut out = BufWriter::new(File::create(path)?);
        let value = write(&mut out)?;
        out.flush()?;
        return Ok(value);
    }
    let (draft, file) = draft(path)?;
    let mut out = BufWriter::new(file);
    let done = write(&mut out).and_then(|value| {
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        std::fs::rename(&draft, path)?;
        Ok(value)
    });
    if done.is_err() {
        // The error that counts is the first one.
        let _ = std::fs::remove_file(&draft);
    }
    done
}

/// A new file beside another.
fn draft(path: &Path) -> io::Result<(PathBuf, File)> {
    loop {
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{:016x}.part", fastrand::u64(..)));
        let draft = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&draft) {
            Ok(file) => return Ok((draft, file)),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_by_a_whole_one_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let put = |text: &str, fails: bool| {
            write(&path, |out| {
                out.write_all(text.as_bytes())?;
                if fails { Err(io::Error::other("full")) } else { Ok(()) }
            })
        };
        put("one", false).unwrap();
        assert_eq!(put("two", true).unwrap_err().to_string(), "full");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
        put("three", false).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "three");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no draft is left");
    }
}
