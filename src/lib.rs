//! Lockstep: a differential debugger for Python.
//!
//! It runs a program for real and lets a language model predict, for every debugger action, the
//! state that the program will stop in; it shows both side by side, and where they differ. The
//! module order below is the flow of the data; docs/architecture.md draws it.

pub mod action;
pub mod check;
pub mod diff;
pub mod policy;
pub mod program;
pub mod state;
pub mod tree;
