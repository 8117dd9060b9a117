//! Once its buffers have grown the library allocates nothing, neither from the caller's allocator nor from the system's; and
//! what it keeps is small.

mod support;

use pccd::bvh::{Bvh, BvhSettings};
use pccd::detect::{MeshQuery, SchedulerKind};
use pccd::kdet::{DiscreteQuery, DiscreteSettings, Hashing, Method};
use pccd::memory::{Hook, Memory};
use pccd::mesh::Mesh;
use pccd::simd::Level;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use support::random::Random;
use support::scene::{Body, Point, Scene, World, pool};
use support::scenes::shapes;

thread_local! {
    // By thread, as the test harness has others. Needs no destructor and no allocation itself.
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting.
struct Counting;

#[global_allocator]
static GLOBAL: Counting = Counting;

// SAFETY: everything is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_allocation();
        // SAFETY: promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_allocation();
        // SAFETY: promised by the caller.
        unsafe { System.realloc(memory, layout, size) }
    }
}

fn count_allocation() {
    ALLOCATIONS.with(|count| count.set(count.get() + 1));
}

/// What the library takes from a hook.
#[derive(Default)]
struct Ledger {
    calls: AtomicUsize,
    live_bytes: AtomicUsize,
    /// The most that was asked for at once.
    largest: AtomicUsize,
}

impl Ledger {
    fn hook(&self) -> Hook {
        Hook { alloc, free, user: (&raw const *self).cast_mut().cast() }
    }
}

unsafe extern "C" fn alloc(size: usize, alignment: usize, user: *mut c_void) -> *mut c_void {
    // SAFETY: `user` is the ledger of `hook`, which outlives the world that uses it.
    let ledger = unsafe { &*user.cast::<Ledger>() };
    ledger.calls.fetch_add(1, Ordering::Relaxed);
    let layout = Layout::from_size_align(size, alignment).expect("a layout");
    // SAFETY: the library asks for no empty memory.
    let memory = unsafe { System.alloc(layout) };
    if !memory.is_null() {
        ledger.live_bytes.fetch_add(size, Ordering::Relaxed);
        ledger.largest.fetch_max(size, Ordering::Relaxed);
    }
    memory.cast()
}

unsafe extern "C" fn free(memory: *mut c_void, size: usize, alignment: usize, user: *mut c_void) {
    // SAFETY: as above.
    let ledger = unsafe { &*user.cast::<Ledger>() };
    ledger.calls.fetch_add(1, Ordering::Relaxed);
    ledger.live_bytes.fetch_sub(size, Ordering::Relaxed);
    let layout = Layout::from_size_align(size, alignment).expect("a layout");
    // SAFETY: `alloc` gave it, with this size and alignment.
    unsafe { System.dealloc(memory.cast(), layout) };
}

/// A cloth folded over itself whose layers swing through each other, forth and back. `columns` and `rows` of squares.
fn swinging_cloth(columns: usize, rows: usize) -> Scene {
    let mut random = Random::new(5);
    let mut cloth = shapes::grid(columns, rows);
    shapes::fold(&mut cloth, 4, 0.01);
    let wrinkled = |height: f64, random: &mut Random| -> Vec<Point> {
        let wrinkle = |&[x, y, z]: &Point, random: &mut Random| {
            [x, y, z + height * (9.0 * x).sin() * (7.0 * y).cos() + random.between(-1e-3, 1e-3)]
        };
        cloth.points.iter().map(|point| wrinkle(point, random)).collect()
    };
    let frames = vec![wrinkled(0.0, &mut random), wrinkled(0.01, &mut random)];
    Scene::new("swinging cloth", vec![Body::new(3, cloth.triangles, frames)])
}

/// The same with all layers in one, which is not quite flat.
fn pressed_cloth() -> Scene {
    let mut scene = swinging_cloth(64, 33);
    let mut random = Random::new(6);
    for [_, _, z] in scene.bodies[0].frames.iter_mut().flatten() {
        *z = random.between(-1e-3, 1e-3);
    }
    scene
}

/// A body at its first frame.
fn mesh_of(body: &Body, memory: &Memory) -> Mesh {
    let Body { settings, triangles, frames, .. } = body;
    let start = &frames[0];
    Mesh::new(memory, *settings, start.len(), &|i| start[i], triangles.len(), &|i| triangles[i])
        .expect("memory")
}

fn allocations() -> usize {
    ALLOCATIONS.with(Cell::get)
}

#[test]
fn nothing_is_allocated() {
    let mut scene = swinging_cloth(64, 33);
    scene.bodies.push({
        let ball = shapes::sphere(&mut Random::new(2), 501);
        let aside: Vec<Point> = ball.points.iter().map(|&[x, y, z]| [x + 0.1, y, z]).collect();
        Body::new(8, ball.triangles, vec![ball.points, aside])
    });
    for min_separation in [0.0, 1.0 / 1024.0] {
        scene.query.elementary.min_separation = min_separation;
        // 1 rebuilds all the time, which must not allocate either.
        for rebuild_quality in [0.5, 0.0, 1.0] {
            check_no_allocation(&scene, rebuild_quality);
        }
    }
}

fn check_no_allocation(scene: &Scene, rebuild_quality: f64) {
    let ledger = Ledger::default();
    let memory = Memory::new(Some(ledger.hook())).expect("memory");
    let mut world = World::in_memory(memory, scene, rebuild_quality);
    assert!(ledger.calls.load(Ordering::Relaxed) > 0, "the hook is used");
    let mut before = (0, 0);
    for frame in 0..22 {
        if frame == 2 {
            before = (allocations(), ledger.calls.load(Ordering::Relaxed));
        }
        // Frame 0 goes back, frame 1 forth: after both, every buffer has seen what it will have to hold.
        for body in &scene.bodies {
            world.move_to(body.id, &body.frames[frame % 2]);
        }
        let contacts = world.run_in_place(Level::best(), &scene.query).len();
        assert!(contacts > 100, "a scene with {contacts} contacts shows nothing");
    }
    let (system, hook) = (allocations() - before.0, ledger.calls.load(Ordering::Relaxed) - before.1);
    let label = format!("rebuild quality {rebuild_quality}");
    assert_eq!(system, 0, "{label}: allocations from the system, in 20 frames");
    assert_eq!(hook, 0, "{label}: calls of the hook, in 20 frames");
    drop(world);
    assert_eq!(ledger.live_bytes.load(Ordering::Relaxed), 0, "{label}: not everything was given back");
}

/// Whichever worker does what.
#[test]
fn nothing_is_allocated_by_discrete_queries() {
    let scene = pressed_cloth();
    let methods =
        [(Method::Bvh, Hashing::Morton), (Method::Grid, Hashing::Morton), (Method::Grid, Hashing::Djb2)];
    for (threads, (method, hashing)) in [1, 2, 3, 7].into_iter().flat_map(|n| methods.map(|way| (n, way))) {
        let ledger = Ledger::default();
        let memory = Memory::new(Some(ledger.hook())).expect("memory");
        let Body { id, frames, .. } = &scene.bodies[0];
        let mut mesh = mesh_of(&scene.bodies[0], &memory);
        let mut bvh = Bvh::new(&memory, Level::best(), BvhSettings::default());
        bvh.add(*id, &mesh).expect("memory");
        let crew = pool(threads);
        let settings = DiscreteSettings { method, hashing, ..DiscreteSettings::default() };
        let mut query = DiscreteQuery::new(&memory, settings);
        let mut before = (0, 0);
        for frame in 0..52 {
            if frame == 2 {
                before = (allocations(), ledger.calls.load(Ordering::Relaxed));
            }
            mesh.move_to(&|i| frames[frame % 2][i]);
            let meshes = [(*id, &mesh)].into_iter();
            assert!(query.run(&crew, Level::best(), meshes, Some(&mut bvh)).expect("memory"));
            let found = query.intersections().len();
            assert!(found > 100, "a scene with {found} intersections shows nothing");
        }
        let (system, hook) = (allocations() - before.0, ledger.calls.load(Ordering::Relaxed) - before.1);
        let label = format!("{method:?} {hashing:?}, {threads} threads");
        assert_eq!((system, hook), (0, 0), "{label}: allocations, in 50 frames");
        drop((mesh, bvh, query, memory));
        assert_eq!(ledger.live_bytes.load(Ordering::Relaxed), 0, "{label}: not everything was given back");
    }
}

/// Whoever finds them.
#[test]
fn room_for_contacts_can_be_made_ahead() {
    /// Less than room for a thousand contacts.
    const SMALL: usize = 60_000;
    let scene = pressed_cloth();
    let Body { id, frames, .. } = &scene.bodies[0];
    for threads in [1, 2, 3, 7] {
        let ledger = Ledger::default();
        let memory = Memory::new(Some(ledger.hook())).expect("memory");
        let mut mesh = mesh_of(&scene.bodies[0], &memory);
        let mut bvh = Bvh::new(&memory, Level::best(), BvhSettings::default());
        bvh.add(*id, &mesh).expect("memory");
        mesh.move_to(&|i| frames[1][i]);
        let crew = pool(threads);
        let scheduler = SchedulerKind::Assignment;
        let mut largest_of = |query: &mut MeshQuery| {
            ledger.largest.store(0, Ordering::Relaxed);
            query.run(&crew, scheduler, Level::best(), &mut bvh, &|_| &mesh).expect("memory");
            ledger.largest.load(Ordering::Relaxed)
        };
        let mut unprepared = MeshQuery::new(&memory, scene.query);
        let grown = largest_of(&mut unprepared);
        let mut prepared = MeshQuery::new(&memory, scene.query);
        let count = unprepared.contacts().len();
        assert!(count > 5000, "a scene with {count} contacts shows nothing");
        prepared.reserve(threads, scheduler, count).expect("memory");
        let reserved = largest_of(&mut prepared);
        assert_eq!(prepared.contacts(), unprepared.contacts());
        let most = 2 * size_of_val(unprepared.contacts());
        assert!(grown >= most, "{grown} bytes at once, where the next run may find twice as much");
        // Stacks and queues of workers, which do not grow with the contacts.
        assert!(reserved < SMALL, "{threads} threads: {reserved} bytes at once in spite of the room");
        // Fewer make no difference, and results are gone.
        prepared.reserve(threads, scheduler, count / 2).expect("memory");
        assert!(prepared.contacts().is_empty());
        let reserved = largest_of(&mut prepared);
        assert!(reserved < SMALL, "{threads} threads: {reserved} bytes at once, with room for fewer");
        // Too many are refused, and nothing is lost but the results.
        assert!(prepared.reserve(threads, scheduler, usize::MAX).is_err());
        largest_of(&mut prepared);
        assert_eq!(prepared.contacts(), unprepared.contacts());
        drop((mesh, bvh, prepared, unprepared, memory));
        assert_eq!(ledger.live_bytes.load(Ordering::Relaxed), 0, "not everything was given back");
    }
}

#[test]
fn bytes_of_a_triangle() {
    const MOST: f64 = 400.0;
    let scene = swinging_cloth(400, 125);
    let ledger = Ledger::default();
    let memory = Memory::new(Some(ledger.hook())).expect("memory");
    let system = allocations();
    let mut world = World::in_memory(memory, &scene, 0.5);
    // The list of meshes is the test's.
    assert!(allocations() - system <= 1, "memory that the hook doesn't know of");
    for frame in 0..4 {
        world.move_to(3, &scene.bodies[0].frames[frame % 2]);
        world.run_in_place(Level::best(), &scene.query);
    }
    let triangles = scene.triangle_count() as f64;
    let held = ledger.live_bytes.load(Ordering::Relaxed) as f64;
    let stats = world.stats();
    let contacts = stats.contacts_vf + stats.contacts_ee;
    println!(
        "{triangles} triangles, {contacts} contacts: {:.1} bytes a triangle held, {:.1} in the statistics",
        held / triangles,
        stats.state_bytes as f64 / triangles
    );
    assert_eq!(triangles, 100_000.0);
    assert!(contacts > 1000, "a scene with {contacts} contacts shows nothing");
    assert!(held <= MOST * triangles, "{} bytes a triangle", held / triangles);
    let ratio = stats.state_bytes as f64 / held;
    assert!((0.9..=1.0).contains(&ratio), "the statistics tell {ratio} of what is held");
}
