//! The tree over the bodies of a hierarchy (FASTCD paper, section 5.3): which bodies are close enough to be compared at all.
//!
//! A body is a leaf here and knows its node. When bodies come, go, break or become one, the tree is changed in that place only: a leaf is taken out and its sibling takes the place of
//! their parent; parts take the place of the whole; a whole goes below the lowest common ancestor of its parts; and what is new goes down from the root, each time to the child
//! whose traversal cost grows less. Boxes and costs are brought up to date once before each use. What the tree looks like decides how fast pairs are found, and never which.
//!
//! *Where to go down.* By equation 6 the cost of a node with children l and r is 1 + (Vol l · TC l + Vol r · TC r) / Vol, and Vol l · TC l = Vol l + Σ Vol · TC of the children
//! of l. If a body goes below l, the sum grows by its own part, which is the same everywhere, and by the growth of Vol l. The volume of the node itself is the same either way. So the
//! cost grows less on the side whose volume grows less.

use super::bounds::MovingBox;
use crate::memory::{Buffer, Memory, MemoryError};

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// A box that is thinner than this share of its longest side counts as that thick: see `quality`.
const THINNEST: f64 = 1.0 / 1024.0;

/// A node of two children is rebuilt when its cost has come to this multiple of what it was when it was built, and bodies below it are at least this many.
const WORSE: f32 = 1.25;
const FEWEST: u32 = 16;

#[derive(Clone, Copy)]
struct Node {
    around: MovingBox,
    /// Of the box.
    volume: f64,
    parent: u32,
    /// None for a leaf.
    children: [u32; 2],
    /// Of a leaf: the place of the body among all. Of a free node: the next free one.
    place: u32,
    /// Bodies below.
    count: u32,
    /// Expected tests of boxes against another node that meets this one, and of what is below among itself (equations 6 and 7); and the latter when the node was built.
    inter: f32,
    own: f32,
    built: f32,
}

/// A binary tree with bodies at its leaves.
pub(super) struct BodyTree {
    nodes: Buffer<Node>,
    root: u32,
    free: u32,
    stack: Buffer<[u32; 2]>,
    leaves: Buffer<(u32, [f32; 3])>,
    rebuild_count: u64,
    memory: Memory,
}

/// What [`pairs`](BodyTree::pairs) calls for two places of bodies whose boxes meet.
pub type PairFound<'a> = &'a mut dyn FnMut(u32, u32) -> Result<(), MemoryError>;

/// Sum of the volumes at t = 0 and t = 1.
fn volume(around: &MovingBox) -> f64 {
    let mut sum = 0.0;
    for end in [0, 6] {
        let side = |axis: usize| -(around.0[end + axis] as f64 + around.0[end + 3 + axis] as f64);
        let thinnest = side(0).max(side(1)).max(side(2)).max(0.0) * THINNEST;
        sum += (0..3).fold(1.0, |product, axis| product * side(axis).max(thinnest));
    }
    sum
}

/// Whether one box is farther from another than `distance`, on the same side of the same axis, at both ends. Planes are floats, so their sums in doubles are exact, or rounded
/// monotonously.
fn are_apart(a: &MovingBox, b: &MovingBox, distance: f64) -> bool {
    // Lower planes of the one with upper planes of the other, and the other way round; no branch depends on where the boxes are.
    let is_gap = |end: usize, side: usize| {
        let opposite = (side + 3) % 6;
        a.0[end + side] as f64 + b.0[end + opposite] as f64 > distance
    };
    (0..6).fold(false, |apart, side| apart | (is_gap(0, side) & is_gap(6, side)))
}

impl BodyTree {
    pub fn new(memory: &Memory) -> BodyTree {
        BodyTree {
            nodes: Buffer::new(memory.clone()),
            root: NONE,
            free: NONE,
            stack: Buffer::new(memory.clone()),
            leaves: Buffer::new(memory.clone()),
            rebuild_count: 0,
            memory: memory.clone(),
        }
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.stack.capacity() * size_of::<[u32; 2]>()
            + self.leaves.capacity() * size_of::<(u32, [f32; 3])>()
    }

    /// How often a part of the tree was built anew.
    #[cfg(test)]
    pub fn rebuild_count(&self) -> u64 {
        self.rebuild_count
    }

    /// Makes room for so many bodies in all.
    pub fn reserve(&mut self, bodies: usize) -> Result<(), MemoryError> {
        let needed = 2 * bodies;
        self.nodes.reserve(needed.saturating_sub(self.nodes.len()))?;
        self.stack.reserve(needed.saturating_sub(self.stack.len()))?;
        self.leaves.reserve(bodies.saturating_sub(self.leaves.len()))
    }

    fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn node_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    fn is_leaf(&self, node: u32) -> bool {
        self.node(node).children[0] == NONE
    }

    fn set_box(&mut self, node: u32, around: &MovingBox) {
        let node = self.node_mut(node);
        (node.around, node.volume) = (*around, volume(around));
    }

    fn take(&mut self) -> u32 {
        let fresh = Node {
            around: MovingBox::EMPTY,
            volume: 0.0,
            parent: NONE,
            children: [NONE; 2],
            place: 0,
            count: 1,
            inter: 1.0,
            own: 0.0,
            built: 0.0,
        };
        if self.free != NONE {
            let node = self.free;
            self.free = self.node(node).place;
            *self.node_mut(node) = fresh;
            return node;
        }
        self.nodes.push(fresh).expect("room was made");
        self.nodes.len() as u32 - 1
    }

    fn give_back(&mut self, node: u32) {
        let free = self.free;
        let given = self.node_mut(node);
        given.place = free;
        given.count = 0;
        self.free = node;
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
        } else {
            let children = &mut self.node_mut(parent).children;
            children[usize::from(children[1] == old)] = new;
        }
        if new != NONE {
            self.node_mut(new).parent = parent;
        }
    }

    /// Puts a body below a node, or below the root. There is room for it.
    pub fn add(&mut self, around: &MovingBox, below: u32) -> u32 {
        let leaf = self.take();
        self.set_box(leaf, around);
        let mut node = if below == NONE { self.root } else { below };
        if node == NONE {
            self.root = leaf;
            return leaf;
        }
        while !self.is_leaf(node) {
            let growth = self.node(node).children.map(|child| {
                let child = self.node(child);
                volume(&child.around.union(around)) - child.volume
            });
            node = self.node(node).children[usize::from(growth[1] < growth[0])];
        }
        self.pair_with(node, leaf);
        leaf
    }

    /// A new node in the place of an old one, with that and another one below it.
    fn pair_with(&mut self, old: u32, other: u32) {
        let parent = self.take();
        let above = self.node(old).parent;
        self.replace_child(above, old, parent);
        let around = self.node(old).around.union(&self.node(other).around);
        self.set_box(parent, &around);
        self.node_mut(parent).children = [old, other];
        self.node_mut(old).parent = parent;
        self.node_mut(other).parent = parent;
    }

    /// Takes a body out: its sibling takes the place of their parent.
    pub fn remove(&mut self, leaf: u32) {
        let parent = self.node(leaf).parent;
        if parent == NONE {
            self.root = NONE;
        } else {
            let [a, b] = self.node(parent).children;
            let sibling = if a == leaf { b } else { a };
            let above = self.node(parent).parent;
            self.replace_child(above, parent, sibling);
            self.give_back(parent);
        }
        self.give_back(leaf);
    }

    /// Puts parts in the place of the body that they were. There is room for them.
    pub fn split(&mut self, whole: u32, parts: &[MovingBox], mut added: impl FnMut(usize, u32)) {
        let above = self.node(whole).parent;
        self.leaves.clear();
        for (part, around) in parts.iter().enumerate() {
            let leaf = self.take();
            self.set_box(leaf, around);
            self.leaves.push((leaf, around.centre())).expect("room was made");
            added(part, leaf);
        }
        let top = self.build();
        self.replace_child(above, whole, top);
        self.give_back(whole);
    }

    /// Puts a whole in the place of the bodies that it was: below their lowest common ancestor.
    pub fn merge(&mut self, parts: &[u32], around: &MovingBox) -> u32 {
        let mut ancestor = self.lowest_common_ancestor(parts);
        // The paths up from it are there still when nodes below are not.
        self.stack.clear();
        while ancestor != NONE {
            self.stack.push([ancestor, self.node(ancestor).parent]).expect("room was made");
            ancestor = self.node(ancestor).parent;
        }
        for &part in parts {
            self.remove(part);
        }
        let is_there = |tree: &BodyTree, node: u32| tree.node(node).count > 0;
        let below = (0..self.stack.len()).map(|i| self.stack[i][0]).find(|&node| is_there(self, node));
        self.add(around, below.filter(|_| self.root != NONE).unwrap_or(NONE))
    }

    /// The lowest node that has all the given ones below it, or is the only one of them.
    fn lowest_common_ancestor(&self, nodes: &[u32]) -> u32 {
        let depth = |mut node: u32| {
            let mut depth = 0;
            while self.node(node).parent != NONE {
                node = self.node(node).parent;
                depth += 1;
            }
            depth
        };
        let mut common = nodes[0];
        let mut common_depth = depth(common);
        for &node in &nodes[1..] {
            let (mut other, mut other_depth) = (node, depth(node));
            while other != common {
                if other_depth >= common_depth {
                    other = self.node(other).parent;
                    other_depth -= 1;
                } else {
                    common = self.node(common).parent;
                    common_depth -= 1;
                }
            }
        }
        common
    }

    /// A tree over `leaves` by median splits; returns its root.
    fn build(&mut self) -> u32 {
        let mut leaves = std::mem::replace(&mut self.leaves, Buffer::new(self.memory.clone()));
        let top = self.build_over(&mut leaves);
        self.leaves = leaves;
        top
    }

    fn build_over(&mut self, leaves: &mut [(u32, [f32; 3])]) -> u32 {
        if let [(leaf, _)] = leaves {
            return *leaf;
        }
        let mut lower = [f32::INFINITY; 3];
        let mut upper = [f32::NEG_INFINITY; 3];
        for (_, centre) in leaves.iter() {
            for axis in 0..3 {
                lower[axis] = lower[axis].min(centre[axis]);
                upper[axis] = upper[axis].max(centre[axis]);
            }
        }
        let width = |axis: usize| upper[axis] - lower[axis];
        let axis = (1..3).fold(0, |best, axis| if width(axis) > width(best) { axis } else { best });
        let middle = leaves.len() / 2;
        leaves.select_nth_unstable_by(middle, |a, b| a.1[axis].total_cmp(&b.1[axis]).then(a.0.cmp(&b.0)));
        let (left, right) = leaves.split_at_mut(middle);
        let children = [self.build_over(left), self.build_over(right)];
        let node = self.take();
        for child in children {
            self.node_mut(child).parent = node;
        }
        self.node_mut(node).children = children;
        self.update_node(node);
        let own = self.node(node).own;
        self.node_mut(node).built = own;
        node
    }

    /// Box and costs of a node from those of its children.
    fn update_node(&mut self, node: u32) {
        let [a, b] = self.node(node).children.map(|child| self.node(child));
        let around = a.around.union(&b.around);
        let whole = volume(&around);
        // Bodies all at one point, or beyond all numbers: every test is expected.
        let share = |child: &Node| {
            let share = child.volume / whole;
            if share.is_finite() { share as f32 } else { 1.0 }
        };
        let inter = 1.0 + share(a) * a.inter + share(b) * b.inter;
        let (count, own) = (a.count + b.count, a.inter + b.inter + a.own + b.own);
        let Node { parent, children, place, built, .. } = *self.node(node);
        *self.node_mut(node) =
            Node { around, volume: whole, parent, children, place, count, inter, own, built };
    }

    /// The box of a body has changed, or its place among all bodies.
    pub fn set(&mut self, leaf: u32, place: u32, around: &MovingBox) {
        self.set_box(leaf, around);
        self.node_mut(leaf).place = place;
    }

    /// Brings boxes and costs up to date with those of the bodies, and builds anew what has become bad.
    pub fn refit(&mut self) -> Result<(), MemoryError> {
        if self.root == NONE || self.is_leaf(self.root) {
            return Ok(());
        }
        // A node is there before those below it; backwards, after them.
        self.stack.clear();
        self.stack.push([self.root, 0])?;
        let mut next = 0;
        while next < self.stack.len() {
            for child in self.node(self.stack[next][0]).children {
                if !self.is_leaf(child) {
                    self.stack.push([child, 0])?;
                }
            }
            next += 1;
        }
        for place in (0..self.stack.len()).rev() {
            self.update_node(self.stack[place][0]);
        }
        self.restructure()
    }

    /// Builds parts anew whose cost has grown: the largest ones that have (section 5.4). What a tree over bodies costs to build is so little against what one bad
    /// node can cost that no account is kept.
    fn restructure(&mut self) -> Result<(), MemoryError> {
        self.stack.clear();
        self.stack.push([self.root, 0])?;
        let mut has_changed = false;
        while let Some([node, _]) = self.stack.pop() {
            let Node { count, own, built, children, .. } = *self.node(node);
            if count < FEWEST {
                continue;
            }
            if own > WORSE * built {
                self.rebuild(node)?;
                has_changed = true;
                continue;
            }
            for child in children {
                self.stack.push([child, 0])?;
            }
        }
        if has_changed {
            self.update_all()?;
        }
        Ok(())
    }

    fn update_all(&mut self) -> Result<(), MemoryError> {
        self.stack.clear();
        self.stack.push([self.root, 0])?;
        while let Some([node, is_done]) = self.stack.pop() {
            if self.is_leaf(node) {
                continue;
            }
            if is_done != 0 {
                self.update_node(node);
                continue;
            }
            self.stack.push([node, 1])?;
            for child in self.node(node).children {
                self.stack.push([child, 0])?;
            }
        }
        Ok(())
    }

    fn rebuild(&mut self, node: u32) -> Result<(), MemoryError> {
        let above = self.node(node).parent;
        self.leaves.clear();
        let first = self.stack.len();
        self.stack.push([node, 0])?;
        while self.stack.len() > first {
            let [node, _] = self.stack.pop().expect("there is one");
            if self.is_leaf(node) {
                let centre = self.node(node).around.centre();
                self.leaves.push((node, centre))?;
                continue;
            }
            for child in self.node(node).children {
                self.stack.push([child, 0])?;
            }
            self.give_back(node);
        }
        let top = self.build();
        self.replace_child(above, node, top);
        self.rebuild_count += 1;
        Ok(())
    }

    /// All pairs of bodies whose boxes are not farther than `distance` from each other. Boxes are up to date. Returns how many tests that took.
    pub fn pairs(&mut self, distance: f64, found: PairFound<'_>) -> Result<u64, MemoryError> {
        let BodyTree { nodes, stack, root, .. } = self;
        let mut tests = 0;
        stack.clear();
        // A node with itself stands for all pairs below it.
        if *root != NONE {
            stack.push([*root; 2])?;
        }
        while let Some([a, b]) = stack.pop() {
            let one = &nodes[a as usize];
            if a == b {
                let [left, right] = one.children;
                if left != NONE {
                    stack.push([left, right])?;
                    stack.push([left; 2])?;
                    stack.push([right; 2])?;
                }
                continue;
            }
            tests += 1;
            let other = &nodes[b as usize];
            if are_apart(&one.around, &other.around, distance) {
                continue;
            }
            match [one, other].map(|node| node.children[0] == NONE) {
                [true, true] => found(one.place.min(other.place), one.place.max(other.place))?,
                [is_leaf, other_is_leaf] => {
                    // The one with more below it is opened.
                    let opens_first = other_is_leaf || (!is_leaf && one.count >= other.count);
                    let (opened, kept) = if opens_first { (one, b) } else { (other, a) };
                    for child in opened.children {
                        stack.push([child, kept])?;
                    }
                }
            }
        }
        Ok(tests)
    }

    /// Says what is wrong with the tree, whose bodies have the given nodes.
    pub fn validate(&self, leaves: &mut dyn Iterator<Item = u32>) -> Result<(), String> {
        let mut expected: Vec<u32> = leaves.collect();
        expected.sort_unstable();
        let (mut found, mut inner) = (Vec::new(), 0);
        let mut stack = Vec::from_iter((self.root != NONE).then_some((self.root, NONE)));
        while let Some((node, parent)) = stack.pop() {
            let Node { parent: told, children, .. } = *self.node(node);
            if told != parent {
                return Err(format!("node {node} says that its parent is {told}, which is {parent}"));
            }
            if self.is_leaf(node) {
                found.push(node);
            } else {
                inner += 1;
                stack.extend(children.map(|child| (child, node)));
            }
        }
        found.sort_unstable();
        if found != expected {
            return Err(format!("{} leaves in the tree over bodies, {} bodies", found.len(), expected.len()));
        }
        let mut free = 0;
        let mut node = self.free;
        while node != NONE {
            free += 1;
            node = self.node(node).place;
        }
        if found.len() + inner + free != self.nodes.len() {
            return Err("nodes of the tree over bodies are lost".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (self.0 >> 33) as usize % limit
        }

        fn coordinate(&mut self) -> f64 {
            self.below(1000) as f64 / 100.0
        }

        fn moving_box(&mut self) -> MovingBox {
            let point = |random: &mut Random| -> [f64; 3] { std::array::from_fn(|_| random.coordinate()) };
            let (start, end) = (point(self), point(self));
            let size = self.below(100) as f64 / 50.0;
            let other = |p: [f64; 3]| p.map(|x| x + size);
            MovingBox::around(start, end).union(&MovingBox::around(other(start), other(end)))
        }
    }

    /// Bodies come, go, break, become one and move; pairs are those of a comparison of all with all.
    #[test]
    fn pairs_are_found_whatever_was_done() {
        let memory = Memory::new(None).unwrap();
        let mut tree = BodyTree::new(&memory);
        let mut random = Random(1);
        let mut bodies: Vec<(u32, MovingBox)> = Vec::new();
        let (mut found_in_all, mut largest) = (0, 0);
        for round in 0..3000 {
            tree.reserve(bodies.len() + 8).unwrap();
            match random.below(6) {
                0 | 1 => {
                    let around = random.moving_box();
                    bodies.push((tree.add(&around, NONE), around));
                }
                2 if !bodies.is_empty() && bodies.len() > random.below(400) => {
                    let (node, _) = bodies.swap_remove(random.below(bodies.len()));
                    tree.remove(node);
                }
                3 if !bodies.is_empty() => {
                    let (node, _) = bodies.swap_remove(random.below(bodies.len()));
                    let parts: Vec<MovingBox> =
                        (0..1 + random.below(6)).map(|_| random.moving_box()).collect();
                    tree.split(node, &parts, |part, node| bodies.push((node, parts[part])));
                }
                4 if bodies.len() > 1 => {
                    let count = 2 + random.below(bodies.len().min(5) - 1);
                    for place in 0..count {
                        let other = place + random.below(bodies.len() - place);
                        bodies.swap(place, other);
                    }
                    let gone: Vec<u32> = bodies.drain(..count).map(|(node, _)| node).collect();
                    let around = random.moving_box();
                    bodies.push((tree.merge(&gone, &around), around));
                }
                _ => {
                    for body in &mut bodies {
                        if random.below(3) == 0 {
                            body.1 = random.moving_box();
                        }
                    }
                }
            }
            tree.validate(&mut bodies.iter().map(|(node, _)| *node)).unwrap();
            largest = largest.max(bodies.len());
            if round % 10 != 0 {
                continue;
            }
            for (place, (node, around)) in bodies.iter().enumerate() {
                tree.set(*node, place as u32, around);
            }
            tree.refit().unwrap();
            tree.validate(&mut bodies.iter().map(|(node, _)| *node)).unwrap();
            let distance = [0.0, 0.5][random.below(2)];
            let mut found = Vec::new();
            tree.pairs(distance, &mut |a, b| {
                found.push((a, b));
                Ok(())
            })
            .unwrap();
            found.sort_unstable();
            let all =
                (0..bodies.len()).flat_map(|a| (a + 1..bodies.len()).map(move |b| (a as u32, b as u32)));
            let expected: Vec<(u32, u32)> = all
                .filter(|&(a, b)| !are_apart(&bodies[a as usize].1, &bodies[b as usize].1, distance))
                .collect();
            assert_eq!(found, expected, "round {round}");
            found_in_all += found.len();
        }
        assert!(found_in_all > 1000 && largest > 100 && tree.rebuild_count() > 0, "{found_in_all} {largest}");
    }
}
