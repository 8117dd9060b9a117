//! What breaks: a wall of bricks, a shell, and a sheet that tears (FASTCD paper, section 6).

use super::models::{self, Model, Point, Random};
use super::play::Play;
use pccd::mesh::{Mesh, Split};

/// How a scene begins, and what breaks before a frame; whether anything did.
pub struct Scene {
    pub name: &'static str,
    pub begin: fn(&mut Play, usize),
    pub change: fn(&mut Play, usize, usize) -> bool,
}

/// Triangles of the full scenes are those of the paper: 42 to 140 thousand in eight events, 252 thousand in four, and a sheet of 38 thousand.
pub const ALL: [Scene; 3] = [
    Scene { name: "wall", begin: begin_wall, change: change_wall },
    Scene { name: "shell", begin: begin_shell, change: change_shell },
    Scene { name: "sheet", begin: begin_sheet, change: change_sheet },
];

/// Whether one of `events` comes before a frame.
fn is_event(frame: usize, frames: usize, events: usize) -> bool {
    let step = (frames / (events + 1)).max(1);
    frame > 0 && frame.is_multiple_of(step) && frame / step <= events
}

fn at(mesh: &Mesh, vertex: usize) -> Point {
    let motion = mesh.motions()[vertex].0;
    [motion[4], motion[5], motion[6]]
}

// The wall: a brick has four cells a side, and is made of the points of a lattice that are on its surface. When it shatters, every cell becomes a cube.

const SIDE: usize = 4;
const LINE: usize = SIDE + 1;
const CUBES: usize = SIDE * SIDE * SIDE;
const BRICK: [f64; 3] = [1.0, 2.0, 1.0];
const BRICK_TRIANGLES: usize = 12 * SIDE * SIDE;

struct Lattice {
    /// Points of the surface first, then those inside.
    points: Vec<[usize; 3]>,
    surface_count: usize,
    /// Triangles of the surface first; and of which cube each is.
    triangles: Vec<[u32; 3]>,
    cubes: Vec<u32>,
}

fn lattice() -> Lattice {
    let all: Vec<[usize; 3]> =
        (0..LINE * LINE * LINE).map(|i| [i / (LINE * LINE), i / LINE % LINE, i % LINE]).collect();
    let is_inside = |p: &[usize; 3]| p.iter().all(|&i| i > 0 && i < SIDE);
    let (inside, mut points): (Vec<_>, Vec<_>) = all.into_iter().partition(is_inside);
    let surface_count = points.len();
    points.extend(inside);
    let number = |p: [usize; 3]| points.iter().position(|&other| other == p).expect("a point of it") as u32;
    let (mut triangles, mut cubes) = (Vec::new(), Vec::new());
    for on_surface in [true, false] {
        for cube in 0..CUBES {
            let cell = [cube / (SIDE * SIDE), cube / SIDE % SIDE, cube % SIDE];
            for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, 1)]) {
                if (cell[axis] == if side == 0 { 0 } else { SIDE - 1 }) != on_surface {
                    continue;
                }
                let corner = |u: usize, v: usize| {
                    let mut p = cell;
                    p[axis] += side;
                    p[(axis + 1) % 3] += u;
                    p[(axis + 2) % 3] += v;
                    number(p)
                };
                let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                triangles.extend(if side == 1 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
                cubes.extend([cube as u32; 2]);
            }
        }
    }
    Lattice { points, surface_count, triangles, cubes }
}

fn place(low: Point, p: [usize; 3]) -> Point {
    std::array::from_fn(|axis| low[axis] + BRICK[axis] * p[axis] as f64 / SIDE as f64)
}

fn begin_wall(play: &mut Play, percent: usize) {
    let lattice = lattice();
    let part = (percent as f64 / 100.0).sqrt();
    let (rows, columns) = ((20.0 * part).ceil() as usize, (11.0 * part).ceil() as usize);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let shift = if row % 2 == 0 { 0.0 } else { 0.5 };
        let low = [0.0, (column as f64 + shift) * 1.01 * BRICK[1], row as f64 * 1.01 * BRICK[2]];
        let points = lattice.points[..lattice.surface_count].iter().map(|&p| place(low, p)).collect();
        let triangles = lattice.triangles[..BRICK_TRIANGLES].to_vec();
        play.add(&Model { name: "brick", points, triangles }, [0.0; 3]);
    }
    play.whole = play.pieces.keys().copied().collect();
}

/// A tenth of the bricks, from the middle outwards.
fn change_wall(play: &mut Play, frame: usize, frames: usize) -> bool {
    if !is_event(frame, frames, 8) {
        return false;
    }
    let lattice = lattice();
    let copies = vec![0; lattice.points.len() - lattice.surface_count];
    let broken = (play.pieces.len().min(220) * 21 / 220).max(1).min(play.whole.len());
    let ids: Vec<u64> = (0..broken).map(|_| play.whole.remove(play.whole.len() / 2)).collect();
    let lows: Vec<Point> = ids.iter().map(|id| at(&play.pieces[id].mesh, 0)).collect();
    let corners = |triangle: usize| lattice.triangles[triangle];
    let split = Split { part_count: CUBES, parts: &lattice.cubes, copies: &copies, corners: Some(&corners) };
    let splits: Vec<(u64, Split<'_>)> = ids.iter().map(|&id| (id, split)).collect();
    for (ids, low) in play.split(&splits).into_iter().zip(lows) {
        for (part, id) in ids.enumerate() {
            // What was inside was not there before, and gets its own place now.
            let own = (0..lattice.cubes.len()).filter(|&t| lattice.cubes[t] == part as u32);
            let mut used: Vec<u32> = own.flat_map(corners).collect();
            used.sort_unstable();
            used.dedup();
            let points: Vec<Point> = used.iter().map(|&p| place(low, lattice.points[p as usize])).collect();
            let push = play.random.direction().map(|x| 0.02 * x);
            let piece = play.pieces.get_mut(&id).expect("a new one");
            piece.mesh.set_motion(&|i| points[i], &|i| points[i]);
            piece.velocity = [0.03 + push[0], push[1], push[2]];
            play.open(id);
        }
    }
    true
}

fn begin_shell(play: &mut Play, percent: usize) {
    play.add(&models::shell(252_000 * percent / 100), [0.0; 3]);
}

fn change_shell(play: &mut Play, frame: usize, frames: usize) -> bool {
    if !is_event(frame, frames, 4) {
        return false;
    }
    let ids: Vec<u64> = play.pieces.keys().copied().collect();
    let cuts: Vec<(Vec<u32>, usize)> =
        ids.iter().map(|id| cut(&mut play.random, &play.pieces[id].mesh)).collect();
    let splits: Vec<(u64, Split<'_>)> = ids
        .iter()
        .zip(&cuts)
        .map(|(&id, (parts, part_count))| {
            (id, Split { part_count: *part_count, parts, copies: &[], corners: None })
        })
        .collect();
    for id in play.split(&splits).into_iter().flatten() {
        play.open(id);
        let push = play.random.direction();
        let piece = play.pieces.get_mut(&id).expect("a new one");
        let first = at(&piece.mesh, 0);
        piece.velocity = std::array::from_fn(|axis| 0.004 * (first[axis] + push[axis]));
    }
    true
}

/// By three planes through the middle.
fn cut(random: &mut Random, mesh: &Mesh) -> (Vec<u32>, usize) {
    let count = mesh.vertex_count() as f64;
    let middle: Point =
        std::array::from_fn(|axis| (0..mesh.vertex_count()).map(|v| at(mesh, v)[axis]).sum::<f64>() / count);
    let planes: [Point; 3] = std::array::from_fn(|_| random.direction());
    let side = |vertex: u32, plane: &Point| {
        let here = at(mesh, vertex as usize);
        (0..3).map(|axis| (here[axis] - middle[axis]) * plane[axis]).sum::<f64>() > 0.0
    };
    let mut parts: Vec<u32> = mesh
        .features()
        .triangles()
        .iter()
        .map(|t| planes.iter().fold(0, |part, plane| 2 * part + u32::from(side(t[0], plane))))
        .collect();
    let mut used = parts.clone();
    used.sort_unstable();
    used.dedup();
    parts.iter_mut().for_each(|part| *part = used.binary_search(part).expect("it is used") as u32);
    (parts, used.len())
}

const SHEET: usize = 38_400;

fn begin_sheet(play: &mut Play, percent: usize) {
    play.add(&models::sheet(SHEET * percent / 100), [0.0; 3]);
    // the row of vertices that it tears along
    let mesh = &play.pieces[&1].mesh;
    let rows = ((SHEET * percent / 100) as f64 / 4.0).sqrt() as usize;
    let stride = mesh.vertex_count() / (rows + 1);
    play.whole = (0..stride as u64).map(|column| (rows / 2 * stride) as u64 + column).collect();
}

/// Some vertices of the row are there twice from now on: what is beyond gets the new ones. What tears is one body still.
fn change_sheet(play: &mut Play, frame: usize, frames: usize) -> bool {
    if frame == 0 || frame >= frames * 4 / 5 {
        return false;
    }
    let &id = play.pieces.keys().next().expect("the sheet");
    let mesh = &play.pieces[&id].mesh;
    let step = (play.whole.len() / (frames * 4 / 5)).max(1);
    let torn: Vec<u32> = play.whole.drain(..step.min(play.whole.len() - 1)).map(|v| v as u32).collect();
    let vertex_count = mesh.vertex_count() as u32;
    let corners: Vec<[u32; 3]> = mesh
        .features()
        .triangles()
        .iter()
        .map(|&t| {
            let is_beyond =
                t.iter().any(|&v| v > *torn.last().expect("one at least") + play.whole.len() as u32);
            t.map(|v| match torn.binary_search(&v) {
                Ok(copy) if is_beyond => vertex_count + copy as u32,
                _ => v,
            })
        })
        .collect();
    let parts = vec![0; corners.len()];
    let corner = |triangle: usize| corners[triangle];
    let split = Split { part_count: 1, parts: &parts, copies: &torn, corners: Some(&corner) };
    let id = play.split(&[(id, split)])[0].start;
    if play.opens {
        let mesh = &mut play.pieces.get_mut(&id).expect("the new one").mesh;
        let points: Vec<Point> = (0..mesh.vertex_count())
            .map(|v| {
                let here = at(mesh, v);
                if v < vertex_count as usize { here } else { [here[0], here[1] + 1e-4, here[2]] }
            })
            .collect();
        mesh.set_motion(&|i| points[i], &|i| points[i]);
    }
    true
}
