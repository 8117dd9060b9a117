//! A scene, frame by frame: what it takes to split meshes, to move them, to bring the hierarchy up to date and to find all contacts.

use super::models::{self, Model, Point, Random};
use super::scenes::Scene;
use pccd::bvh::{Bvh, BvhSettings, Metric, break_all};
use pccd::detect::{MeshQuery, QuerySettings, SchedulerKind};
use pccd::memory::Memory;
use pccd::mesh::{Broken, Mesh, Split};
use pccd::schedule::{Crew, Pool};
use pccd::simd::Level;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::time::Instant;

/// How the hierarchy of the parts comes about.
pub struct Way {
    pub name: &'static str,
    pub settings: BvhSettings,
    pub from_scratch: bool,
}

pub const WAYS: [Way; 3] = [
    Way { name: "full rebuild", settings: BvhSettings::DEFAULT, from_scratch: true },
    Way { name: "split, volume ratio", settings: BvhSettings::DEFAULT, from_scratch: false },
    Way {
        name: "split, traversal cost, grid",
        settings: BvhSettings {
            metric: Metric::TraversalCost,
            rebuild_quality: 0.0,
            grid_limit: 512,
            ..BvhSettings::DEFAULT
        },
        from_scratch: false,
    },
];

/// What one frame took.
#[derive(Clone, Copy, Default)]
pub struct Frame {
    pub is_breaking: bool,
    pub ms_split: f64,
    pub ms: f64,
    pub contacts: usize,
    pub hash: u64,
}

pub struct Piece {
    pub mesh: Mesh,
    pub velocity: Point,
}

pub struct Play<'a> {
    way: &'a Way,
    memory: Memory,
    crew: Crew,
    bvh: Bvh,
    query: MeshQuery,
    pub pieces: BTreeMap<u64, Piece>,
    /// What is whole yet, as the scene sees it.
    pub whole: Vec<u64>,
    pub random: Random,
    pub opens: bool,
    next_id: u64,
    seconds: f64,
}

const SCHEDULER: SchedulerKind = SchedulerKind::Assignment;

/// How much smaller a part becomes when cracks open.
const SMALLER: f64 = 0.99;

impl Play<'_> {
    pub fn add(&mut self, model: &Model, velocity: Point) {
        let mesh = models::mesh(&self.memory, model);
        self.bvh.add_on(Some(&self.crew), self.next_id, &mesh).expect("the system has memory");
        self.pieces.insert(self.next_id, Piece { mesh, velocity });
        self.next_id += 1;
    }

    /// Breaks meshes, and returns the ids of the parts of each, which rest.
    pub fn split(&mut self, splits: &[(u64, Split<'_>)]) -> Vec<Range<u64>> {
        let old: Vec<Piece> = splits.iter().map(|(id, _)| self.pieces.remove(id).expect("a piece")).collect();
        let broken: Vec<Broken<'_>> = splits
            .iter()
            .zip(&old)
            .map(|(&(id, split), piece)| Broken { id, mesh: &piece.mesh, split })
            .collect();
        let gone: Vec<u64> = splits.iter().map(|&(id, _)| id).collect();
        let first = self.next_id;
        let ids: Vec<Range<u64>> = splits
            .iter()
            .map(|(_, split)| {
                let first = self.next_id;
                self.next_id += split.part_count as u64;
                first..self.next_id
            })
            .collect();
        let all: Vec<u64> = (first..self.next_id).collect();
        let began = Instant::now();
        let mut made = if self.way.from_scratch {
            let made = break_all(&self.memory, &self.crew, &mut [], &broken).expect("the splits are right");
            for (pieces, (&id, ids)) in made.iter().zip(gone.iter().zip(&ids)) {
                self.bvh.remove(id);
                for (id, mesh) in ids.clone().zip(pieces.meshes.iter()) {
                    self.bvh.add_on(Some(&self.crew), id, mesh).expect("the system has memory");
                }
            }
            made
        } else {
            let made = break_all(&self.memory, &self.crew, &mut [&mut self.bvh], &broken)
                .expect("the splits are right");
            let new: Vec<&Mesh> = made.iter().flat_map(|pieces| pieces.meshes.iter()).collect();
            self.bvh.replace(&gone, &all, &|place| new[place]);
            made
        };
        // As `pccd_bvh_split_all` does: what broke is destroyed when its parts are there.
        drop(old);
        self.seconds += began.elapsed().as_secs_f64();
        let mut all = all.into_iter().rev();
        while let Some(mut pieces) = made.pop() {
            while let Some(mesh) = pieces.meshes.pop() {
                let id = all.next().expect("an id for each mesh");
                self.pieces.insert(id, Piece { mesh, velocity: [0.0; 3] });
            }
        }
        ids
    }

    /// Opens the cracks around a part, if cracks are to be open: it shrinks a little.
    pub fn open(&mut self, id: u64) {
        if !self.opens {
            return;
        }
        let mesh = &mut self.pieces.get_mut(&id).expect("a piece").mesh;
        let at: Vec<Point> =
            mesh.motions().iter().map(|motion| [motion.0[4], motion.0[5], motion.0[6]]).collect();
        let middle: Point =
            std::array::from_fn(|axis| at.iter().map(|point| point[axis]).sum::<f64>() / at.len() as f64);
        let smaller =
            |i: usize| std::array::from_fn(|axis| middle[axis] + SMALLER * (at[i][axis] - middle[axis]));
        let began = Instant::now();
        mesh.set_motion(&smaller, &smaller);
        self.seconds += began.elapsed().as_secs_f64();
    }

    /// Every piece goes on, and a sheet waves.
    fn move_on(&mut self, frame: usize) {
        for piece in self.pieces.values_mut() {
            let velocity = piece.velocity;
            let wave = if velocity == [0.0; 3] { 0.002 } else { 0.0 };
            let points: Vec<Point> = piece
                .mesh
                .motions()
                .iter()
                .map(|motion| {
                    let [x, y, z] = std::array::from_fn(|axis| motion.0[4 + axis] + velocity[axis]);
                    [x, y, z + wave * (3.0 * x + 0.4 * frame as f64).sin()]
                })
                .collect();
            let began = Instant::now();
            piece.mesh.move_to(&|i| points[i]);
            self.seconds += began.elapsed().as_secs_f64();
        }
    }

    fn run(&mut self) {
        let pieces = &self.pieces;
        let began = Instant::now();
        self.query
            .run(&self.crew, SCHEDULER, Level::best(), &mut self.bvh, &|id| &pieces[&id].mesh)
            .expect("the system has memory");
        self.seconds += began.elapsed().as_secs_f64();
    }
}

/// What is played.
#[derive(Clone, Copy)]
pub struct Show<'a> {
    pub way: &'a Way,
    pub scene: &'a Scene,
    /// How large it is.
    pub percent: usize,
    pub frames: usize,
    pub threads: usize,
    /// Whether cracks open.
    pub opens: bool,
    /// For how many contacts room is made ahead.
    pub room: usize,
}

/// All frames of a scene, played several times: frames are those of the first play, with the least of their times: a play does the same work each time, and what makes it longer is the machine. And how many bodies and triangles there are at the end.
pub fn play_often(plays: usize, show: &Show<'_>) -> (Vec<Frame>, [usize; 2]) {
    let played: Vec<_> = (0..plays).map(|_| play(show)).collect();
    let (mut fastest, counts) = played[0].clone();
    for (place, frame) in fastest.iter_mut().enumerate() {
        let mut times: Vec<[f64; 2]> = Vec::new();
        for (frames, _) in &played {
            assert_eq!(frames[place].hash, frame.hash, "contacts differ from one play to the next");
            times.push([frames[place].ms, frames[place].ms_split]);
        }
        let least = times.into_iter().min_by(|a, b| a[0].total_cmp(&b[0]));
        [frame.ms, frame.ms_split] = least.expect("there is a play at least");
    }
    (fastest, counts)
}

/// All frames of a scene, and how many bodies and triangles there are at the end.
fn play(show: &Show<'_>) -> (Vec<Frame>, [usize; 2]) {
    let Show { way, scene, percent, frames, threads, opens, room } = *show;
    let memory = Memory::new(None).expect("the system has memory");
    let mut query = MeshQuery::new(&memory, QuerySettings::default());
    if room > 0 {
        query.reserve(threads, SCHEDULER, room).expect("the system has memory");
    }
    let threads = NonZeroUsize::new(threads).expect("at least one thread");
    let mut play = Play {
        way,
        crew: Crew::Pool(Pool::new(threads).expect("the system has threads")),
        bvh: Bvh::new(&memory, Level::best(), way.settings),
        query,
        memory,
        pieces: BTreeMap::new(),
        whole: Vec::new(),
        random: Random(3),
        opens,
        next_id: 1,
        seconds: 0.0,
    };
    (scene.begin)(&mut play, percent);
    let mut played = Vec::new();
    for frame in 0..frames {
        play.seconds = 0.0;
        let is_breaking = (scene.change)(&mut play, frame, frames);
        let ms_split = 1e3 * play.seconds;
        play.move_on(frame);
        play.run();
        let (contacts, hash) = (play.query.contacts().len(), play.query.hash());
        played.push(Frame { is_breaking, ms_split, ms: 1e3 * play.seconds, contacts, hash });
    }
    let triangles = play.pieces.values().map(|piece| piece.mesh.triangle_count()).sum();
    (played, [play.pieces.len(), triangles])
}
