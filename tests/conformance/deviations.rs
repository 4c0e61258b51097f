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
pub const KNOWN: &[Deviation] = &[
    Deviation { program: "deviation-comprehension-left-by-exception", missing: &[6], extra: &[] },
    Deviation {
        program: "deviation-comprehension-of-two-loops",
        missing: &[],
        extra: &[6, 12, 21],
    },
    Deviation { program: "deviation-comprehension-over-lines", missing: &[], extra: &[12] },
    Deviation { program: "deviation-conditional-with-and", missing: &[4], extra: &[] },
    Deviation { program: "deviation-coroutine-throw-answered", missing: &[19, 20], extra: &[20] },
    Deviation { program: "deviation-except-not-a-class", missing: &[7], extra: &[7] },
    Deviation { program: "deviation-exception-group-merged", missing: &[15], extra: &[15] },
    Deviation {
        program: "deviation-generator-closed-by-exception",
        missing: &[11, 12, 13],
        extra: &[15, 16, 17],
    },
    Deviation {
        program: "deviation-generator-loop-of-many-instructions",
        missing: &[24],
        extra: &[],
    },
    Deviation { program: "deviation-generator-throw-passed-on", missing: &[15, 16], extra: &[] },
    Deviation { program: "deviation-list-search-text", missing: &[4, 9], extra: &[4, 9] },
    Deviation {
        program: "deviation-raise-not-an-exception",
        missing: &[4, 6, 7],
        extra: &[4, 6, 7],
    },
    Deviation { program: "deviation-set-order", missing: &[4], extra: &[4] },
    Deviation { program: "deviation-string-iterator-name", missing: &[3, 4, 5], extra: &[3, 4, 5] },
    Deviation { program: "deviation-sum-of-floats", missing: &[3, 4], extra: &[3, 4] },
    Deviation { program: "deviation-syntax-error-details", missing: &[6], extra: &[6] },
    Deviation { program: "deviation-unbound-local-text", missing: &[6, 15], extra: &[6, 15] },
    Deviation {
        program: "deviation-unhashable-text",
        missing: &[7, 9, 17, 19],
        extra: &[7, 9, 17, 19],
    },
    Deviation { program: "deviation-with-left-by-exception", missing: &[16], extra: &[] },
];
