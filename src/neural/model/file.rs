//! Checks on a model's file that llama.cpp makes with a worse message or not at all.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use super::ModelError;
use crate::python::Grouped;

/// What every GGUF file starts with.
const MAGIC: [u8; 4] = *b"GGUF";
/// Magic, version, number of tensors, number of metadata pairs.
const HEADER: usize = 24;
/// Fewest bytes that a tensor's or a pair's description takes.
const SMALLEST_ENTRY: u64 = 12;

/// Whether `path` is a file that may be a model: there, regular, readable, GGUF by its first bytes, and with
/// counts that fit its size. Returns the size in bytes.
pub(super) fn check(path: &Path) -> Result<u64, ModelError> {
    let unreadable = |source: std::io::Error| match source.kind() {
        ErrorKind::NotFound => ModelError::Missing { path: path.to_owned() },
        _ => ModelError::Unreadable { path: path.to_owned(), source },
    };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(ModelError::Folder { path: path.to_owned() });
    }
    // Before it is opened: opening a pipe waits for a writer.
    if !metadata.is_file() {
        return Err(ModelError::NotRegular { path: path.to_owned() });
    }
    let mut header = Vec::with_capacity(HEADER);
    let file = File::open(path).map_err(unreadable)?;
    file.take(HEADER as u64).read_to_end(&mut header).map_err(unreadable)?;
    match check_header(&header, metadata.len()) {
        Ok(()) => Ok(metadata.len()),
        Err(cause) => Err(ModelError::NotGguf { path: path.to_owned(), cause }),
    }
}

fn check_header(header: &[u8], size: u64) -> Result<(), String> {
    if header.is_empty() {
        return Err("it is empty".to_owned());
    }
    if !header.starts_with(&MAGIC) {
        let start: String =
            header.iter().take(4).map(|byte| byte.escape_ascii().to_string()).collect();
        return Err(format!("it starts with \"{start}\", not with \"GGUF\""));
    }
    let word = |at: usize| -> Option<u64> {
        let bytes = header.get(at..at + 8)?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    };
    let (Some(tensors), Some(pairs)) = (word(8), word(16)) else {
        return Err(format!("it is cut off after {} bytes", header.len()));
    };
    for (count, what) in [(tensors, "tensors"), (pairs, "metadata pairs")] {
        if count > size / SMALLEST_ENTRY {
            let (count, size) = (Grouped(count), Grouped(size));
            return Err(format!("its header tells of {count} {what}, but it has {size} bytes"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn message(content: Option<&[u8]>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.gguf");
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        let message = check(&path).unwrap_err().to_string();
        message.replace(&path.display().to_string(), "m.gguf")
    }

    #[test]
    fn files_that_are_no_model_are_named() {
        assert_eq!(message(None), "m.gguf: no such file; --model takes a GGUF file");
        let not = |cause| {
            format!("m.gguf: not a GGUF file: {cause}; --model takes a model in GGUF format")
        };
        assert_eq!(message(Some(b"")), not("it is empty"));
        assert_eq!(
            message(Some(b"\x7fELF..")),
            not("it starts with \"\\x7fELF\", not with \"GGUF\"")
        );
        assert_eq!(message(Some(b"GGUF\x03\0\0\0\x01")), not("it is cut off after 9 bytes"));
        let mut header = b"GGUF\x03\0\0\0".to_vec();
        header.extend(u64::MAX.to_le_bytes());
        header.extend(1u64.to_le_bytes());
        assert_eq!(
            message(Some(&header)),
            not("its header tells of 18,446,744,073,709,551,615 tensors, but it has 24 bytes")
        );
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(check(folder.path()), Err(ModelError::Folder { .. })));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_refused_without_waiting_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&*pipe, Path::new("/dev/zero")] {
            let message = check(path).unwrap_err().to_string();
            let expected = format!(
                "{}: not a regular file; a model is read more than once, so save it to a file and \
                 name that",
                path.display()
            );
            assert_eq!(message, expected);
        }
    }

    proptest! {
        #[test]
        fn any_header_is_judged(header in proptest::collection::vec(any::<u8>(), 0..30), size: u64) {
            let _ = check_header(&header, size);
        }
    }
}
