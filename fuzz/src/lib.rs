//! The modules under test, compiled from their own sources without the interpreter and llama.cpp:
//! so a build with sanitizers takes seconds, and nothing has to become public for fuzzing.
//!
//! This tree mirrors the library's; a path that no longer fits is a compile error here.

// The rest of the library, which uses all of it, isn't here.
#![allow(dead_code, unused_imports, missing_docs)]

#[path = "../../src/action.rs"]
pub mod action;
#[path = "../../src/program.rs"]
pub mod program;
#[path = "../../src/state.rs"]
pub mod state;
#[path = "../../src/tree.rs"]
pub mod tree;

/// Of the real side: what comes over the pipe, and what is kept of it.
#[path = "."]
pub mod python {
    #[path = "../../src/python/edit.rs"]
    pub mod edit;
    #[path = "../../src/python/limits.rs"]
    pub mod limits;
    #[path = "../../src/python/question.rs"]
    pub mod question;
    #[path = "../../src/python/store.rs"]
    pub mod store;
    #[path = "../../src/python/wire.rs"]
    pub mod wire;
}

/// Of the model's side: what it writes, and how that is read.
#[path = "."]
pub mod neural {
    #[path = "../../src/neural/dialect/mod.rs"]
    pub mod dialect;
    #[path = "../../src/neural/vocabulary.rs"]
    pub mod vocabulary;
}
