//! SHA-256 of models: what a report names them by, since names and paths say little.

use sha2::{Digest, Sha256};

use crate::hexadecimal::hexadecimal;

/// SHA-256 of a file, in hexadecimal; of no more than it has when it is opened.
#[cfg(feature = "llama")]
pub(super) fn sha256_of_file(path: &std::path::Path) -> std::io::Result<String> {
    use std::io::Read;

    let file = std::fs::File::open(path)?;
    let size = file.metadata()?.len();
    let mut file = file.take(size);
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hexadecimal(&hasher.finalize())),
            read => hasher.update(&buffer[..read]),
        }
    }
}

/// SHA-256 of bytes, in hexadecimal.
pub(super) fn sha256_of(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

#[cfg(all(test, feature = "llama"))]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_the_standard_ones() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of(b"abc"), abc);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("abc");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(sha256_of_file(&path).unwrap(), abc);
    }
}
