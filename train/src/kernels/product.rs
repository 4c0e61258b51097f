//! Products of small matrices inside larger buffers.

/// A matrix inside a buffer: element (r, c) is `data[r * row_stride + c * column_stride]`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Matrix<'a> {
    pub data: &'a [f32],
    pub rows: usize,
    pub columns: usize,
    pub row_stride: usize,
    pub column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// Rows that follow each other at a distance of `stride`.
    pub fn rows(data: &'a [f32], rows: usize, columns: usize, stride: usize) -> Self {
        Matrix { data, rows, columns, row_stride: stride, column_stride: 1 }
    }

    /// The same elements with rows and columns exchanged.
    pub fn transposed(self) -> Self {
        Matrix {
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
            ..self
        }
    }

    fn fits(&self) -> bool {
        fits(self.data.len(), self.rows, self.columns, self.row_stride, self.column_stride)
    }
}

fn fits(len: usize, rows: usize, columns: usize, row_stride: usize, column_stride: usize) -> bool {
    rows > 0 && columns > 0 && (rows - 1) * row_stride + (columns - 1) * column_stride < len
}

/// What becomes of the values that are in the result's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// The product replaces them.
    Replace,
    /// The product is added to them.
    Add,
}

/// Writes `a * b` into rows of `result` that are `stride` apart.
///
/// # Panics
/// If the matrices don't fit each other or their buffers: a fault of this crate.
pub(super) fn multiply(result: &mut [f32], stride: usize, a: Matrix, b: Matrix, before: Before) {
    assert!(
        a.columns == b.rows
            && a.fits()
            && b.fits()
            && b.columns <= stride
            && fits(result.len(), a.rows, b.columns, stride, 1),
        "matrices of {}x{} and {}x{} leave their buffers",
        a.rows,
        a.columns,
        b.rows,
        b.columns
    );
    let alpha = if before == Before::Add { 1.0 } else { 0.0 };
    // SAFETY: every element that is read or written lies inside its slice (asserted above), and
    // `result` is borrowed mutably, so it overlaps neither input.
    unsafe {
        gemm::gemm(
            a.rows,
            b.columns,
            a.columns,
            result.as_mut_ptr(),
            1,
            stride as isize,
            before == Before::Add,
            a.data.as_ptr(),
            a.column_stride as isize,
            a.row_stride as isize,
            b.data.as_ptr(),
            b.column_stride as isize,
            b.row_stride as isize,
            alpha,
            1.0f32,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}
