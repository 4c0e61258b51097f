//! Lockstep: a differential debugger for Python.
//!
//! It runs a program for real and lets a language model predict, for every debugger action, the
//! state that the program will stop in; it shows both side by side, and where they differ.
//! docs/architecture.md draws how the data flows through these modules.

pub mod action;
pub mod benchmark;
pub mod branches;
pub mod check;
pub mod cli;
mod columns;
pub mod dataset;
pub mod diff;
pub mod eval;
pub mod generate;
mod hexadecimal;
pub mod inverse;
pub mod multiverse;
pub mod neural;
pub mod points;
pub mod policy;
pub mod program;
pub mod python;
pub mod session;
pub mod state;
pub mod travel;
pub mod tree;
mod whole;
