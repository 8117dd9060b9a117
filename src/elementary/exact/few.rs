//! A list with a fixed capacity.

/// At most `N` items, without allocation.
#[derive(Clone, Copy, Debug)]
pub struct Few<T, const N: usize> {
    items: [Option<T>; N],
    len: usize,
}

impl<T: Copy, const N: usize> Few<T, N> {
    pub fn new() -> Few<T, N> {
        Few { items: [None; N], len: 0 }
    }

    pub fn push(&mut self, item: T) {
        self.items[self.len] = Some(item);
        self.len += 1;
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.items[..self.len].iter().flatten()
    }
}
