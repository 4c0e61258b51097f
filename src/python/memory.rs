//! Counts the memory that this process holds, so that a debuggee's can be bounded.
//!
//! RustPython ends the process when an allocation fails, and no operating system says in time that
//! one will. So the allocator counts, and the host asks it at every event and between them
//! ([`super::host`]). In the parent nothing is bounded.
//!
//! The executable that hosts programs chooses its allocator itself, and should choose
//! [`CountingAllocator`]. In one that doesn't, nothing is counted, and no run ends for its memory
//! until the kernel's own bound, which lies far above the limit, makes an allocation fail.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes held now.
static HELD: AtomicU64 = AtomicU64::new(0);
/// Bytes beyond which [`exceeded`] says so.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
/// Bytes beyond which allocations fail.
static CEILING: AtomicU64 = AtomicU64::new(u64::MAX);

/// Room between the limit and the ceiling: what a program may allocate before the host notices.
const SLACK: u64 = 256 * 1024 * 1024;

/// Bounds what is allocated from here on, in bytes beyond what is held now. An allocation beyond
/// the ceiling fails, which is a `MemoryError` where RustPython can handle it.
pub fn limit(bytes: u64) {
    let limit = HELD.load(Relaxed).saturating_add(bytes);
    LIMIT.store(limit, Relaxed);
    CEILING.store(limit.saturating_add(SLACK), Relaxed);
}

/// Whether more is held than the limit allows.
pub fn exceeded() -> bool {
    HELD.load(Relaxed) > LIMIT.load(Relaxed)
}

/// The system's allocator, counted: what makes the limit on memory hold.
///
/// ```
/// use lockstep::python::CountingAllocator;
///
/// #[global_allocator]
/// static ALLOCATOR: CountingAllocator = CountingAllocator;
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct CountingAllocator;

/// Counts `size` bytes more; false, with nothing counted, if they would pass the ceiling.
fn take(size: usize) -> bool {
    let size = size as u64;
    let held = HELD.fetch_add(size, Relaxed);
    let fits = held.saturating_add(size) <= CEILING.load(Relaxed);
    if !fits {
        HELD.fetch_sub(size, Relaxed);
    }
    fits
}

fn give(size: usize) {
    HELD.fetch_sub(size as u64, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator with its own arguments, or answered
// with null, which the trait allows for any reason. The trait leaves no safe way to do this.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps this method's contract, which is the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !take(layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as in `alloc`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        give(layout.size());
        // SAFETY: as in `alloc`; the pointer came from the system's allocator.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > layout.size() && !take(size - layout.size()) {
            return std::ptr::null_mut();
        }
        // SAFETY: as in `dealloc`.
        let moved = unsafe { System.realloc(pointer, layout, size) };
        if size < layout.size() && !moved.is_null() {
            give(layout.size() - size);
        }
        moved
    }
}
