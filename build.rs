//! Hashes what this build is made of, for the records of evaluations: a result belongs to the
//! program that made it, and its version number alone doesn't tell two builds apart.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The versions of everything that is linked.
const LOCK: &str = "Cargo.lock";

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={LOCK}");
    // A package that was made without one is built with whatever cargo finds.
    let lock = std::fs::read_to_string(LOCK).unwrap_or_default();
    let mut features: Vec<String> = std::env::vars()
        .filter_map(|(name, _)| name.strip_prefix("CARGO_FEATURE_").map(str::to_owned))
        .collect();
    features.sort();
    let tool = hash(Path::new("src"), &format!("{lock}{features:?}"))?;
    let interpreter: Vec<&str> =
        lock.split("[[package]]").filter(|package| is_interpreter(package)).collect();
    let python = hash(Path::new("src/python"), &interpreter.concat())?;
    println!("cargo::rustc-env=LOCKSTEP_TOOL_SHA256={tool}");
    println!("cargo::rustc-env=LOCKSTEP_PYTHON_SHA256={python}");
    Ok(())
}

/// Whether a package of the lock file is a part of the interpreter.
fn is_interpreter(package: &str) -> bool {
    package.trim_start().starts_with("name = \"rustpython")
}

/// The hash of all Rust sources below a folder, and of this.
fn hash(folder: &Path, versions: &str) -> std::io::Result<String> {
    let mut hasher = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for path in sources(folder)? {
        add(path.to_string_lossy().replace('\\', "/").as_bytes());
        add(&std::fs::read(&path)?);
    }
    add(versions.as_bytes());
    Ok(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The files below a folder that are compiled in, by name.
fn sources(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            // What tests expect is no part of the program.
            if path.file_name().is_some_and(|name| name != "snapshots") {
                found.append(&mut sources(&path)?);
            }
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
