//! The model side: models, engines that run them, dialects they speak, and the debugger over them.

pub mod dialect;
pub mod vocabulary;
