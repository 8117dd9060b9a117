//! Triangles that cut through each other, several pairs in lanes: [`triangle_pair::touch`](super::triangle_pair::touch), bit for bit. All eleven axes are looked at in lanes; what follows from the one that is least deep is
//! another thing for every pair, and done one by one.

use super::near_triangles::{Row, Waiting, lanes};
use super::triangle_axes::{edges, ends, relative};
use super::triangle_pair::{CLEAR, EDGE_BIAS, Feature, Least, PARALLEL, SINE, Touch, end};
use crate::elementary::vec3::{cross, dot, extent, sub};
use crate::simd::{self, Doubles, Kernel, Lanes, Level, MAX_LANES, Mask};

/// Tells what all of them are to each other, and forgets them.
pub fn solve(waiting: &mut Waiting<'_>, level: Level, margin: f64, tell: &mut impl FnMut(usize, Touch)) {
    if waiting.count == 0 {
        return;
    }
    let depths = simd::dispatch(level, Depths { sides: &waiting.sides, count: waiting.count, margin });
    for lane in 0..waiting.count {
        let is = |lanes: u32| lanes >> lane & 1 != 0;
        let touch = if !is(depths.sound) {
            Touch::Unclear
        } else if is(depths.far) {
            Touch::Apart
        } else if is(depths.clear) {
            depths.end(lane, waiting.sides.map(|side| side[lane]))
        } else {
            Touch::Unclear
        };
        tell(waiting.places[lane], touch);
    }
    waiting.count = 0;
}

/// Of eight pairs: what can be said of them, and the axis of the least depth.
struct Depths8 {
    sound: u32,
    far: u32,
    clear: u32,
    along: u32,
    square: [f64; MAX_LANES],
    axis: [[f64; MAX_LANES]; 3],
    /// 0 and 1 for faces, 2 + 3 i + j for edges.
    feature: [f64; MAX_LANES],
}

impl Depths8 {
    fn end(&self, lane: usize, rows: [&Row; 2]) -> Touch {
        let [a, b] = rows.map(Row::corners);
        let size = a.iter().chain(&b).fold(0.0f64, |most, &corner| most.max(extent(corner)));
        let origin = a[0];
        let (a, b) = (a.map(|corner| sub(corner, origin)), b.map(|corner| sub(corner, origin)));
        let feature = match self.feature[lane] as usize {
            0 => Feature::FaceA,
            1 => Feature::FaceB,
            edges => Feature::Edges((edges - 2) / 3, (edges - 2) % 3),
        };
        let (square, axis) = (self.square[lane], self.axis.map(|row| row[lane]));
        let least = Least { square, axis, along: self.along >> lane & 1 != 0, feature };
        end(&least, origin, &a, &b, CLEAR * size)
    }
}

struct Depths<'a> {
    sides: &'a [[&'a Row; MAX_LANES]; 2],
    count: usize,
    margin: f64,
}

impl Kernel for Depths<'_> {
    type Output = Depths8;

    #[inline(always)]
    fn run<V: Doubles>(self) -> Depths8 {
        let mut all = Depths8 {
            sound: 0,
            far: 0,
            clear: 0,
            along: 0,
            square: [0.0; MAX_LANES],
            axis: [[0.0; MAX_LANES]; 3],
            feature: [0.0; MAX_LANES],
        };
        for first in (0..self.count).step_by(V::COUNT) {
            let (a, b) = (lanes::<V>(&self.sides[0], first), lanes::<V>(&self.sides[1], first));
            let (looked, sound) = look(a, b, V::splat(self.margin));
            all.sound |= sound.bits() << first;
            all.far |= looked.far.bits() << first;
            all.clear |= (looked.clear & looked.well).bits() << first;
            all.along |= looked.along.bits() << first;
            let end = first + V::COUNT;
            all.square[first..end].copy_from_slice(&looked.square.to_array()[..V::COUNT]);
            all.feature[first..end].copy_from_slice(&looked.feature.to_array()[..V::COUNT]);
            for (row, axis) in all.axis.iter_mut().zip(looked.axis) {
                row[first..end].copy_from_slice(&axis.to_array()[..V::COUNT]);
            }
        }
        all
    }
}

/// What the axes so far have shown.
struct Looked<V: Lanes> {
    square: V,
    axis: [V; 3],
    feature: V,
    along: V::Mask,
    well: V::Mask,
    far: V::Mask,
    clear: V::Mask,
    /// Squares of the gap and of the depth that count.
    reach: V,
    least: V,
}

impl<V: Lanes> Looked<V> {
    /// One more axis, for the lanes where it counts.
    #[inline(always)]
    fn look(
        &mut self,
        (axis, square): ([V; 3], V),
        [of_a, of_b]: [[V; 2]; 2],
        bias: f64,
        feature: usize,
        [counts, well]: [V::Mask; 2],
    ) {
        let zero = V::splat(0.0);
        let (along, against) = (of_b[1] - of_a[0], of_a[1] - of_b[0]);
        let depth = along.min(against);
        let depth_square = depth * depth;
        self.far = self.far | (counts & depth.lt(zero) & depth_square.gt(self.reach * square));
        self.clear = self.clear & (!counts | (depth.gt(zero) & depth_square.gt(self.least * square)));
        let depth_square = depth_square / square;
        let is_less = counts & depth_square.lt(self.square * V::splat(bias));
        self.square = depth_square.select(is_less, self.square);
        for (known, new) in self.axis.iter_mut().zip(axis) {
            *known = new.select(is_less, *known);
        }
        self.feature = V::splat(feature as f64).select(is_less, self.feature);
        self.along = (is_less & !along.gt(against)) | (!is_less & self.along);
        self.well = (is_less & well) | (!is_less & self.well);
    }
}

/// As in `touch`: the same operations in the same order.
#[inline(always)]
fn look<V: Lanes>(a: [[V; 3]; 3], b: [[V; 3]; 3], margin: V) -> (Looked<V>, V::Mask) {
    let mut size = V::splat(0.0);
    for corner in [a[0], a[1], a[2], b[0], b[1], b[2]] {
        size = size.max(corner[0].abs().max(corner[1].abs()).max(corner[2].abs()));
    }
    let (a, b) = (relative(a, a[0]), relative(b, a[0]));
    let (edges_a, edges_b) = (edges(&a), edges(&b));
    let squares_a = [dot(edges_a[0], edges_a[0]), dot(edges_a[1], edges_a[1]), dot(edges_a[2], edges_a[2])];
    let squares_b = [dot(edges_b[0], edges_b[0]), dot(edges_b[1], edges_b[1]), dot(edges_b[2], edges_b[2])];
    let (normal_a, normal_b) = (cross(edges_a[0], edges_a[1]), cross(edges_b[0], edges_b[1]));
    let (area_a, area_b) = (dot(normal_a, normal_a), dot(normal_b, normal_b));
    let turn = cross(normal_a, normal_b);
    let sine = V::splat(SINE * SINE);
    let sound = is_sound(area_a, squares_a)
        & is_sound(area_b, squares_b)
        & !dot(turn, turn).lt(sine * area_a * area_b);
    let all = V::splat(0.0).lt(V::splat(1.0));
    let reach = margin + V::splat(CLEAR) * (size + margin);
    let least = V::splat(CLEAR) * size;
    let mut looked = Looked {
        square: V::splat(f64::INFINITY),
        axis: normal_a,
        feature: V::splat(0.0),
        along: all,
        well: all,
        far: !all,
        clear: all,
        reach: reach * reach,
        least: least * least,
    };
    for (feature, (normal, area)) in [(normal_a, area_a), (normal_b, area_b)].into_iter().enumerate() {
        looked.look((normal, area), [ends(normal, &a), ends(normal, &b)], 1.0, feature, [all; 2]);
    }
    for i in 0..3 {
        for j in 0..3 {
            let axis = cross(edges_a[i], edges_b[j]);
            let square = dot(axis, axis);
            let whole = squares_a[i] * squares_b[j];
            let counts = square.gt(V::splat(PARALLEL * PARALLEL) * whole);
            let well = square.gt(sine * whole);
            let of_a = both(dot(axis, a[i]), dot(axis, a[(i + 2) % 3]));
            let of_b = both(dot(axis, b[j]), dot(axis, b[(j + 2) % 3]));
            let bias = EDGE_BIAS * EDGE_BIAS;
            looked.look((axis, square), [of_a, of_b], bias, 2 + 3 * i + j, [counts, well]);
        }
    }
    (looked, sound)
}

/// Whether a triangle has enough of an area.
#[inline(always)]
fn is_sound<V: Lanes>(area: V, squares: [V; 3]) -> V::Mask {
    let longest = squares[0].max(squares[1]).max(squares[2]);
    area.gt(V::splat(SINE * SINE) * longest * longest) & area.gt(V::splat(1e-200)) & area.lt(V::splat(1e200))
}

#[inline(always)]
fn both<V: Lanes>(x: V, y: V) -> [V; 2] {
    [x.min(y), x.max(y)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elementary::vec3::Vec3;
    use crate::pipeline::manifold::Contact;
    use crate::pipeline::random;
    use crate::pipeline::triangle_pair::touch;

    fn bits(touch: Touch) -> (u32, [[u64; 3]; 4]) {
        let of = |Contact { normal, depth, on_a, on_b }: Contact| {
            [normal, on_a, on_b, [depth; 3]].map(|v| v.map(f64::to_bits))
        };
        match touch {
            Touch::Apart => (0, [[0; 3]; 4]),
            Touch::Unclear => (1, [[0; 3]; 4]),
            Touch::Point(contact) => (2, of(contact)),
            Touch::Faces(contact) => (3, of(contact)),
        }
    }

    /// Of triangles all over the place, some of them flat, degenerate or equal.
    #[test]
    fn lanes_tell_what_one_pair_alone_does() {
        let mut state = 11;
        let mut kinds = [0; 4];
        for case in 0..4000 {
            let spread = [0.1, 0.5, 1.0][case % 3];
            let mut triangle = || {
                let centre = [0; 3].map(|_| spread * random(&mut state));
                let mut corners = [0; 3].map(|_| [0, 1, 2].map(|axis| centre[axis] + random(&mut state)));
                match case % 13 {
                    3 => corners.iter_mut().for_each(|corner| corner[2] = 0.25),
                    5 => corners[2] = corners[1],
                    7 => corners.iter_mut().for_each(|corner| corner[2] = 0.01 * corner[0]),
                    9 => corners.iter_mut().flatten().for_each(|x| *x = (4.0 * *x).round()),
                    11 => corners.iter_mut().flatten().for_each(|x| *x *= 1e60),
                    _ => (),
                }
                corners
            };
            let pairs: [[[Vec3; 3]; 2]; 8] = [(); 8].map(|()| [triangle(), triangle()]);
            let rows = pairs.each_ref().map(|pair| pair.each_ref().map(Row::new));
            let (count, margin) = (1 + case % 8, [0.0, 0.05][case % 2]);
            for level in Level::ALL.into_iter().filter(|level| level.is_supported()) {
                let mut waiting = Waiting::NONE;
                for (place, pair) in rows[..count].iter().enumerate() {
                    assert_eq!(waiting.add(pair.each_ref(), place), place == 7);
                }
                let mut told = 0;
                solve(&mut waiting, level, margin, &mut |place, found| {
                    let [a, b] = &pairs[place];
                    let (found, expected) = (bits(found), bits(touch(a, b, margin)));
                    assert_eq!(found, expected, "case {case}, pair {place}, {level:?}");
                    kinds[found.0 as usize] += 1;
                    told += 1;
                });
                assert_eq!(told, count);
            }
        }
        assert!(kinds.iter().all(|&count| count > 500), "{kinds:?}");
    }
}
