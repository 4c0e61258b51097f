//! Programs and what is found in them.
