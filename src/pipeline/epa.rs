//! How deep two convex cores are in each other: the expanding polytope algorithm (van den Bergen 2001).
//!
//! The depth is the distance from the origin to the boundary of the difference A − B. A polytope of corners of the difference, with the origin in
//! it, is expanded where it is closest to the origin: by the corner that is farthest along the normal of that face. The faces seen from the new corner are
//! replaced by new ones that join it with their contour.
//!
//! *When it ends.* The depth is at least the distance of the closest face, and at most as far as the farthest corner along any face's normal. It ends
//! when both are the same within rounding errors, when there is no new corner, or when the room for faces or rounds is used up; what is told
//! is the smallest such upper bound: a translation by it separates the cores, up to rounding.

use super::core::Placed;
use super::simplex::{Corner, Simplex};
use super::transform::{perpendicular, unit};
use crate::elementary::vec3::{Vec3, accurate_cross, add, cross, dot, extent, scale, sub};

const MAX_CORNERS: usize = 128;
const MAX_FACES: usize = 2 * MAX_CORNERS;
const NO_FACE: u16 = u16::MAX;

/// Heights below this share of the size are rounding errors.
const FLAT: f64 = 1e-14;

/// Two cores that overlap or touch.
#[derive(Clone, Copy, Debug)]
pub struct Overlap {
    pub depth: f64,
    /// Of length 1, from b to a: moving a that way by the depth separates them.
    pub normal: Vec3,
    /// The points of a and b that are deepest in the other.
    pub on_a: Vec3,
    pub on_b: Vec3,
}

#[derive(Clone, Copy)]
struct Face {
    corners: [u16; 3],
    /// Across the side from corner i to corner i + 1.
    neighbours: [u16; 3],
    normal: Vec3,
    distance: f64,
    alive: bool,
}

/// The polytope; a worker keeps one.
pub struct Polytope {
    corners: [Corner; MAX_CORNERS],
    corner_count: usize,
    faces: [Face; MAX_FACES],
    face_count: usize,
    /// Faces that are to be replaced.
    seen: [u16; MAX_FACES],
    /// Sides of the contour: a face that stays, and its side.
    contour: [(u16, u8); MAX_FACES],
}

impl Default for Polytope {
    fn default() -> Polytope {
        let corner = Corner { difference: [0.0; 3], a: [0.0; 3], b: [0.0; 3] };
        let face = Face {
            corners: [0; 3],
            neighbours: [NO_FACE; 3],
            normal: [0.0; 3],
            distance: f64::INFINITY,
            alive: false,
        };
        Polytope {
            corners: [corner; MAX_CORNERS],
            corner_count: 0,
            faces: [face; MAX_FACES],
            face_count: 0,
            seen: [0; MAX_FACES],
            contour: [(0, 0); MAX_FACES],
        }
    }
}

/// The farthest corner of the difference in a direction.
fn farthest(a: &Placed<'_>, b: &Placed<'_>, direction: Vec3) -> Corner {
    Corner::new(a.support(direction), b.support(scale(direction, -1.0)))
}

/// A face that the answer may come from.
#[derive(Clone, Copy)]
struct Best {
    upper: f64,
    normal: Vec3,
    corners: [Corner; 3],
}

impl Polytope {
    /// The depth of two cores whose difference has the origin in or on this simplex.
    pub fn overlap(&mut self, a: &Placed<'_>, b: &Placed<'_>, simplex: &Simplex) -> Overlap {
        let mut size = simplex.corners().iter().fold(0.0f64, |most, corner| most.max(spread(corner)));
        let corners = match blow_up(a, b, simplex, &mut size) {
            Ok(corners) => corners,
            Err(flat) => return self.touching(flat),
        };
        self.start(corners);
        let tolerance = |size: f64| FLAT * size;
        let mut best: Option<Best> = None;
        while let Some(face) = self.closest() {
            let Face { normal, distance, corners, .. } = self.faces[face];
            let new = farthest(a, b, normal);
            size = size.max(spread(&new));
            let upper = dot(normal, new.difference).max(distance);
            if best.is_none_or(|best| upper < best.upper) {
                let corners = corners.map(|corner| self.corners[corner as usize]);
                best = Some(Best { upper, normal, corners });
            }
            let known = self.corners[..self.corner_count].iter().any(|c| c.difference == new.difference);
            // A better bound than what was found already can't come from this face, nor from those farther away.
            let done = best.is_some_and(|best| distance >= best.upper - tolerance(size));
            if done
                || known
                || upper - distance <= tolerance(size)
                || !self.expand(face, new, tolerance(size))
            {
                break;
            }
        }
        match best {
            Some(best) => answer(best),
            None => self.touching(Flat { normal: [0.0, 0.0, 1.0], corners: [simplex.corners[0]; 3] }),
        }
    }

    fn touching(&self, flat: Flat) -> Overlap {
        answer(Best { upper: 0.0, normal: flat.normal, corners: flat.corners })
    }

    fn start(&mut self, corners: [Corner; 4]) {
        self.corners[..4].copy_from_slice(&corners);
        (self.corner_count, self.face_count) = (4, 0);
        let [a, b, c, d] = corners.map(|corner| corner.difference);
        // Sides run so that normals point outward.
        let inward = dot(accurate_cross(sub(b, a), sub(c, a)), sub(d, a)) > 0.0;
        let faces: [[u16; 3]; 4] = if inward {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        } else {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        };
        for corners in faces {
            let face = self.face(corners);
            self.faces[self.face_count] = face;
            self.face_count += 1;
        }
        for face in 0..4 {
            for side in 0..3 {
                let (from, to) = self.side(face, side);
                let across = (0..4)
                    .find(|&other| other != face && (0..3).any(|back| self.side(other, back) == (to, from)));
                self.faces[face].neighbours[side] = across.map_or(NO_FACE, |other| other as u16);
            }
        }
    }

    fn side(&self, face: usize, side: usize) -> (u16, u16) {
        let corners = self.faces[face].corners;
        (corners[side], corners[(side + 1) % 3])
    }

    fn face(&self, corners: [u16; 3]) -> Face {
        let [a, b, c] = corners.map(|corner| self.corners[corner as usize].difference);
        let normal = unit(accurate_cross(sub(b, a), sub(c, a)));
        let neighbours = [NO_FACE; 3];
        match normal {
            Some(normal) => {
                let distance = dot(normal, a).max(dot(normal, b)).max(dot(normal, c));
                Face { corners, neighbours, normal, distance: distance.max(0.0), alive: true }
            }
            // Three corners on a line: never the closest, and seen from nowhere.
            None => Face { corners, neighbours, normal: [0.0; 3], distance: f64::INFINITY, alive: true },
        }
    }

    fn closest(&self) -> Option<usize> {
        let mut best = None;
        let mut least = f64::INFINITY;
        for (place, face) in self.faces[..self.face_count].iter().enumerate() {
            if face.alive && face.distance < least {
                (best, least) = (Some(place), face.distance);
            }
        }
        best
    }

    /// Replaces the faces seen from a new corner. False if there is no room, or the contour is broken.
    fn expand(&mut self, face: usize, new: Corner, tolerance: f64) -> bool {
        if self.corner_count == MAX_CORNERS {
            return false;
        }
        let point = new.difference;
        let sees = |polytope: &Polytope, face: usize| {
            let Face { normal, corners, .. } = polytope.faces[face];
            dot(normal, sub(point, polytope.corners[corners[0] as usize].difference)) > tolerance
        };
        // Flood from the closest face: what is seen hangs together.
        let (mut seen_count, mut next, mut contour_count) = (1, 0, 0);
        self.seen[0] = face as u16;
        self.faces[face].alive = false;
        while next < seen_count {
            let here = self.seen[next] as usize;
            next += 1;
            for side in 0..3 {
                let across = self.faces[here].neighbours[side];
                if across == NO_FACE {
                    return false;
                }
                let across = across as usize;
                if !self.faces[across].alive {
                    continue;
                }
                if sees(self, across) {
                    self.faces[across].alive = false;
                    self.seen[seen_count] = across as u16;
                    seen_count += 1;
                } else {
                    let (from, to) = self.side(here, side);
                    let Some(back) = (0..3).find(|&back| self.side(across, back) == (to, from)) else {
                        return false;
                    };
                    if contour_count == self.contour.len() {
                        return false;
                    }
                    self.contour[contour_count] = (across as u16, back as u8);
                    contour_count += 1;
                }
            }
        }
        // Room: that of the faces that are gone, and behind the last one.
        let fresh = contour_count.saturating_sub(seen_count);
        if contour_count < 3 || self.face_count + fresh > MAX_FACES {
            return false;
        }
        let corner = self.corner_count as u16;
        self.corners[self.corner_count] = new;
        self.corner_count += 1;
        let mut places = [NO_FACE; MAX_FACES];
        for (number, place) in places[..contour_count].iter_mut().enumerate() {
            *place = if number < seen_count {
                self.seen[number]
            } else {
                self.face_count += 1;
                self.face_count as u16 - 1
            };
        }
        for (number, &place) in places[..contour_count].iter().enumerate() {
            let (across, back) = self.contour[number];
            let (to, from) = self.side(across as usize, back as usize);
            let mut face = self.face([from, to, corner]);
            face.neighbours[0] = across;
            self.faces[place as usize] = face;
            self.faces[across as usize].neighbours[back as usize] = place;
        }
        // Around the new corner: the side from `to` to it is shared with the face that begins at `to`.
        for &place in &places[..contour_count] {
            let here = place as usize;
            let to = self.faces[here].corners[1];
            let Some(after) =
                (0..contour_count).find(|&other| self.faces[places[other] as usize].corners[0] == to)
            else {
                return false;
            };
            let after = places[after] as usize;
            self.faces[here].neighbours[1] = after as u16;
            self.faces[after].neighbours[2] = here as u16;
        }
        // Places of seen faces that are not needed stay dead.
        true
    }
}

/// A difference without volume: the direction it is flat in, and corners with the origin between them.
struct Flat {
    normal: Vec3,
    corners: [Corner; 3],
}

/// How far from 0 the numbers in a corner are, which is what rounding errors are relative to.
fn spread(corner: &Corner) -> f64 {
    extent(corner.a).max(extent(corner.b))
}

/// A tetrahedron with the simplex among its corners.
#[allow(clippy::result_large_err, reason = "both are results, and rare")]
fn blow_up(a: &Placed<'_>, b: &Placed<'_>, simplex: &Simplex, size: &mut f64) -> Result<[Corner; 4], Flat> {
    let mut corners = simplex.corners;
    let mut len = simplex.len;
    let at = |corner: &Corner| corner.difference;
    if len == 4 {
        let [p, q, r, s] = corners.each_ref().map(at);
        let height = dot(accurate_cross(sub(q, p), sub(r, p)), sub(s, p)).abs();
        if height > 0.0 {
            return Ok(corners);
        }
        len = 3;
    }
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let flat = |corners: &[Corner; 4], len: usize, normal: Vec3| {
        let mut three = [corners[0]; 3];
        three[..len.min(3)].copy_from_slice(&corners[..len.min(3)]);
        Flat { normal, corners: three }
    };
    if len == 1 {
        let away = |corner: &Corner| extent(sub(at(corner), at(&corners[0])));
        let mut best: Option<Corner> = None;
        for direction in axes.into_iter().flat_map(|axis| [axis, scale(axis, -1.0)]) {
            let new = farthest(a, b, direction);
            *size = size.max(spread(&new));
            if best.is_none_or(|best| away(&new) > away(&best)) {
                best = Some(new);
            }
        }
        match best {
            Some(new) if away(&new) > FLAT * *size => corners[1] = new,
            _ => return Err(flat(&corners, 1, [0.0, 0.0, 1.0])),
        }
        len = 2;
    }
    if len == 2 {
        let line = sub(at(&corners[1]), at(&corners[0]));
        let Some(line) = unit(line) else { return Err(flat(&corners, 1, [0.0, 0.0, 1.0])) };
        let u = perpendicular(line);
        let v = cross(line, u);
        let off = |corner: &Corner| {
            let away = sub(at(corner), at(&corners[0]));
            extent(sub(away, scale(line, dot(away, line))))
        };
        let mut best: Option<Corner> = None;
        // Six directions, none of which is far from the widest.
        for (cosine, sine) in [(1.0, 0.0), (0.5, 0.8660254), (-0.5, 0.8660254)] {
            let direction = add(scale(u, cosine), scale(v, sine));
            for direction in [direction, scale(direction, -1.0)] {
                let new = farthest(a, b, direction);
                *size = size.max(spread(&new));
                if best.is_none_or(|best| off(&new) > off(&best)) {
                    best = Some(new);
                }
            }
        }
        match best {
            Some(new) if off(&new) > FLAT * *size => corners[2] = new,
            _ => return Err(flat(&corners, 2, u)),
        }
    }
    let [p, q, r] = [at(&corners[0]), at(&corners[1]), at(&corners[2])];
    let Some(normal) = unit(accurate_cross(sub(q, p), sub(r, p))) else {
        let line = unit(sub(q, p)).unwrap_or([1.0, 0.0, 0.0]);
        return Err(flat(&corners, 3, perpendicular(line)));
    };
    let up = farthest(a, b, normal);
    let down = farthest(a, b, scale(normal, -1.0));
    *size = size.max(spread(&up)).max(spread(&down));
    let height = |corner: &Corner| dot(normal, sub(at(corner), p));
    let (up_height, down_height) = (height(&up), -height(&down));
    corners[3] = if up_height >= down_height { up } else { down };
    let higher = up_height.max(down_height);
    if higher <= FLAT * *size {
        return Err(flat(&corners, 3, normal));
    }
    Ok(corners)
}

/// The deepest points: where the origin's projection to the face is.
fn answer(best: Best) -> Overlap {
    let Best { upper, normal, corners: [p, q, r] } = best;
    let lifted = |corner: Corner| {
        let difference = sub(corner.difference, scale(normal, dot(normal, corner.difference)));
        Corner { difference, ..corner }
    };
    let triangle = Simplex { corners: [lifted(p), lifted(q), lifted(r), p], weights: [0.0; 4], len: 3 };
    let (on_a, on_b) = triangle.reduced().points();
    // The farthest face outward is where a has to leave b the other way.
    Overlap { depth: upper.max(0.0), normal: scale(normal, -1.0), on_a, on_b }
}
