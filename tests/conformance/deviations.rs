//! The differences from CPython that are known. docs/deviations.md explains each.

/// Where the stream of one program differs.
pub struct Deviation {
    /// The program's name without `.py`.
    pub program: &'static str,
    /// Lines of the golden, 1-based, that the recorder doesn't print there.
    pub missing: &'static [usize],
    /// Lines of the recorder's own, 1-based, that aren't in the golden.
    pub extra: &'static [usize],
}

/// All of them, in the order of the programs' names.
pub const KNOWN: &[Deviation] = &[];
