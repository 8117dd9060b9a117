//! Every contact of the meshes in a hierarchy.

use super::contacts::{self, Contact, Contacts, Ranks};
use super::features::Sides;
use super::pairs::{Detection, Workspace};
use crate::bvh::{Body, Bvh, MeshOf, MovingBox, Reach};
use crate::elementary::{Kind, Settings};
use crate::memory::{Buffer, Memory, MemoryError};
use crate::mesh::Mesh;
use crate::simd::{self, Level};
use std::time::Instant;

/// What is wanted of the contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every contact.
    All,
    /// Only the first one in time; of several, the first in sorted order.
    Earliest,
    /// Pairs whose moving boxes meet, without elementary tests.
    Candidates,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuerySettings {
    pub within_meshes: bool,
    pub between_meshes: bool,
    pub mode: Mode,
    pub elementary: Settings,
    /// Most contacts that are kept.
    pub capacity: usize,
}

/// Counts and milliseconds of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QueryStats {
    pub triangle_count: u64,
    pub node_pairs: u64,
    pub leaf_pairs: u64,
    pub candidates_vf: u64,
    pub candidates_ee: u64,
    pub contacts_vf: u64,
    pub contacts_ee: u64,
    pub dropped: u64,
    /// Pairs that floating point could not decide.
    pub exact_tests: u64,
    pub state_bytes: u64,
    pub ms_update: f64,
    pub ms_traverse: f64,
    pub ms_elementary: f64,
    pub ms_sort: f64,
    pub ms_total: f64,
}

/// What to look for, and afterwards what was found.
pub struct MeshQuery {
    pub settings: QuerySettings,
    sorted: Buffer<Contact>,
    contacts: Contacts,
    workspace: Option<Workspace>,
    /// Ids of the meshes of the last run, sorted.
    ids: Buffer<u64>,
    /// Places of meshes with where their sweeps begin and end on the x axis, sorted by the beginning.
    sweep: Buffer<Sweep>,
    stats: QueryStats,
    memory: Memory,
}

#[derive(Clone, Copy)]
struct Sweep {
    lower: f64,
    upper: f64,
    place: usize,
}

impl MeshQuery {
    pub fn new(memory: &Memory, settings: QuerySettings) -> MeshQuery {
        MeshQuery {
            settings,
            sorted: Buffer::new(memory.clone()),
            contacts: Contacts::new(memory),
            workspace: None,
            ids: Buffer::new(memory.clone()),
            sweep: Buffer::new(memory.clone()),
            stats: QueryStats::default(),
            memory: memory.clone(),
        }
    }

    /// Updates the hierarchy, then finds the contacts. On an error the results are empty.
    pub fn run(&mut self, level: Level, bvh: &mut Bvh, mesh_of: MeshOf<'_>) -> Result<(), MemoryError> {
        let started = Instant::now();
        self.sorted.clear();
        self.ids.clear();
        self.stats = QueryStats::default();
        bvh.update(mesh_of)?;
        self.stats.ms_update = milliseconds_since(started);
        self.contacts.start(self.settings.mode);
        if self.workspace.is_none() {
            self.workspace = Some(Workspace::new(&self.memory)?);
        }
        for body in bvh.bodies() {
            self.ids.push(body.id)?;
        }
        let bodies = bvh.bodies();
        for place in 0..bodies.len() {
            let itself = self.settings.within_meshes && mesh_of(bodies[place].id).settings.self_collision;
            if itself {
                self.detect::<true>(level, bodies, [place; 2], mesh_of)?;
            }
        }
        if self.settings.between_meshes {
            self.detect_between(level, bodies, mesh_of)?;
        }
        let sorting = Instant::now();
        let ranks = RankedMeshes { bodies, mesh_of, separation: self.settings.elementary.min_separation };
        let count = self.contacts.finish(level, &ranks, self.settings.capacity, &mut self.sorted)?;
        self.stats.dropped = (count - self.sorted.len()) as u64;
        let edge_edge = self.sorted.iter().filter(|contact| contact.kind == Kind::EdgeEdge).count();
        self.stats.contacts_ee = edge_edge as u64;
        self.stats.contacts_vf = (self.sorted.len() - edge_edge) as u64;
        self.stats.ms_sort = milliseconds_since(sorting);
        let meshes = || bodies.iter().map(|body| mesh_of(body.id));
        self.stats.triangle_count = meshes().map(|mesh| mesh.triangle_count() as u64).sum();
        self.stats.state_bytes = meshes().map(|mesh| mesh.bytes() as u64).sum::<u64>() + bvh.bytes() as u64;
        self.stats.ms_total = milliseconds_since(started);
        Ok(())
    }

    /// All pairs of different meshes whose boxes meet: sorted along the x axis, then one after the other against those that begin before it ends.
    fn detect_between(
        &mut self,
        level: Level,
        bodies: &[Body],
        mesh_of: MeshOf<'_>,
    ) -> Result<(), MemoryError> {
        self.sweep.clear();
        for (place, body) in bodies.iter().enumerate() {
            let Some(MovingBox(planes)) = body.tree.root() else { continue };
            let reach = mesh_of(body.id).settings.thickness + self.settings.elementary.min_separation;
            // Boxes are compared with the distance rounded up to a float, and so must be sweeps.
            let reach = reach * (1.0 + f32::EPSILON as f64) + f32::MIN_POSITIVE as f64;
            let lower = (planes[0].min(planes[6]) as f64 - reach).next_down();
            let upper = (-(planes[3].min(planes[9]) as f64) + reach).next_up();
            self.sweep.push(Sweep { lower, upper, place })?;
        }
        self.sweep.sort_unstable_by(|a, b| a.lower.total_cmp(&b.lower).then(a.place.cmp(&b.place)));
        for i in 0..self.sweep.len() {
            for j in i + 1..self.sweep.len() {
                let (first, second) = (self.sweep[i], self.sweep[j]);
                if second.lower > first.upper {
                    break;
                }
                let places = [first.place.min(second.place), first.place.max(second.place)];
                let [a, b] = places.map(|place| mesh_of(bodies[place].id));
                if a.settings.may_meet(&b.settings) {
                    self.detect::<false>(level, bodies, places, mesh_of)?;
                }
            }
        }
        Ok(())
    }

    fn detect<const SAME: bool>(
        &mut self,
        level: Level,
        bodies: &[Body],
        places: [usize; 2],
        mesh_of: MeshOf<'_>,
    ) -> Result<(), MemoryError> {
        let Some(workspace) = &mut self.workspace else { return Ok(()) };
        let trees = places.map(|place| &bodies[place].tree);
        let meshes = places.map(|place| mesh_of(bodies[place].id));
        let mut settings = self.settings.elementary;
        settings.min_separation += meshes[0].settings.thickness + meshes[1].settings.thickness;
        let ranks = places.map(|place| place as u32);
        let sides = Sides { trees, meshes, same: SAME };
        let (contacts, stats, mode) = (&mut self.contacts, &mut self.stats, self.settings.mode);
        if !SAME && !roots_meet(trees.map(|tree| tree.root()), settings.min_separation) {
            return Ok(());
        }
        let detection = Detection::<SAME> { sides, ranks, settings, mode, workspace, contacts, stats };
        simd::dispatch(level, detection)
    }

    /// Sorted by meshes, kind, vertices and triangles; at most `capacity`.
    pub fn contacts(&self) -> &[Contact] {
        &self.sorted
    }

    /// Of all contacts kept, with the rank of the meshes instead of their ids.
    pub fn hash(&self) -> u64 {
        let rank_of = |id: u64| self.ids.binary_search(&id).unwrap_or(usize::MAX) as u64;
        contacts::hash(&self.sorted, &rank_of)
    }

    pub fn stats(&self) -> &QueryStats {
        &self.stats
    }
}

/// The meshes of a hierarchy by their places in it.
struct RankedMeshes<'a, 'm> {
    bodies: &'a [Body],
    mesh_of: MeshOf<'m>,
    separation: f64,
}

impl Ranks for RankedMeshes<'_, '_> {
    fn id(&self, rank: u32) -> u64 {
        self.bodies[rank as usize].id
    }

    fn mesh(&self, rank: u32) -> &Mesh {
        (self.mesh_of)(self.id(rank))
    }

    fn separation(&self, ranks: [u32; 2]) -> f64 {
        let [a, b] = ranks.map(|rank| self.mesh(rank).settings.thickness);
        self.separation + (a + b)
    }
}

fn roots_meet(roots: [Option<MovingBox>; 2], distance: f64) -> bool {
    let [Some(a), Some(b)] = roots else { return false };
    let mut group = crate::bvh::BoxGroup::EMPTY;
    group.set(0, &b);
    a.broadcast::<[f32; 8]>().meets(&group, &Reach::new(distance)) & 1 != 0
}

fn milliseconds_since(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}
