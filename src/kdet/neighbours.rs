//! Which vertices of a soup are clean: their triangles intersect none of each other. So neighbours do not have to be looked at pair by pair.

use super::clean::Clean;
use super::fans::{Alike, Fans};
use super::soup::Soup;
use crate::memory::{Buffer, Memory, MemoryError, Owned};
use crate::simd::{self, Level};

/// Fans of a unit of work.
const SHARE: usize = 1 << 10;

/// The fans of a mesh, kept under the stamp of its features.
struct Known {
    stamp: u64,
    fans: Owned<Fans>,
    is_used: bool,
}

#[derive(Clone, Copy)]
struct Unit {
    part: u32,
    /// Among those that are known.
    known: u32,
    kind: Alike,
    begin: usize,
}

pub struct Neighbours {
    memory: Memory,
    /// Sorted by stamp.
    known: Buffer<Known>,
    units: Buffer<Unit>,
    /// By vertex of the soup: 1 if it is clean.
    pub clean: Buffer<u8>,
}

impl Neighbours {
    pub fn new(memory: &Memory) -> Neighbours {
        Neighbours {
            memory: memory.clone(),
            known: Buffer::new(memory.clone()),
            units: Buffer::new(memory.clone()),
            clean: Buffer::new(memory.clone()),
        }
    }

    /// Takes the meshes of a soup. Returns the number of units of work.
    pub fn start(&mut self, soup: &Soup) -> Result<usize, MemoryError> {
        self.units.clear();
        self.clean.clear();
        self.clean.resize(soup.vertex_count, 0)?;
        for known in self.known.iter_mut() {
            known.is_used = false;
        }
        for part in soup.parts.iter() {
            // SAFETY: the soup was promised that its meshes stay.
            let mesh = unsafe { &*part.mesh };
            if soup.wanted.within_meshes && mesh.settings.self_collision {
                let stamp = mesh.features().stamp();
                match self.known.binary_search_by_key(&stamp, |known| known.stamp) {
                    Ok(place) => self.known[place].is_used = true,
                    Err(place) => {
                        let fans = Fans::new(&self.memory, mesh.features())?;
                        let fans = Owned::new(self.memory.clone(), fans)?;
                        self.known.push(Known { stamp, fans, is_used: true })?;
                        self.known[place..].rotate_right(1);
                    }
                }
            }
        }
        self.forget();
        for (number, part) in soup.parts.iter().enumerate() {
            // SAFETY: as above.
            let stamp = unsafe { (*part.mesh).features().stamp() };
            let Ok(known) = self.known.binary_search_by_key(&stamp, |known| known.stamp) else { continue };
            for kind in self.known[known].fans.kinds() {
                for begin in (0..kind.count).step_by(SHARE) {
                    self.units.push(Unit { part: number as u32, known: known as u32, kind, begin })?;
                }
            }
        }
        Ok(self.units.len())
    }

    /// Drops what is no longer used.
    fn forget(&mut self) {
        let mut kept = 0;
        for place in 0..self.known.len() {
            if self.known[place].is_used {
                self.known.swap(kept, place);
                kept += 1;
            }
        }
        self.known.truncate(kept);
    }

    /// Looks at the vertices of a unit.
    ///
    /// # Safety
    ///
    /// Nobody else looks at the same unit, and nobody reads `clean` meanwhile.
    pub unsafe fn look(&self, level: Level, soup: &Soup, unit: usize) {
        let Unit { part, known, kind, begin } = self.units[unit];
        let part = &soup.parts[part as usize];
        // SAFETY: the soup was promised that its meshes stay.
        let mesh = unsafe { &*part.mesh };
        assert!(part.first_vertex as usize + mesh.vertex_count() <= self.clean.len());
        // SAFETY: inside, as asserted.
        let clean = unsafe { self.clean.start().add(part.first_vertex as usize) };
        let range = begin..kind.count.min(begin + SHARE);
        simd::dispatch(level, Clean { mesh, fans: &self.known[known as usize].fans, kind, range, clean });
    }

    pub fn bytes(&self) -> usize {
        let fans: usize = self.known.iter().map(|known| known.fans.bytes()).sum();
        self.clean.capacity() + fans
    }
}
