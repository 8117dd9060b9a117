# The scene of the tests of all bindings in the real engine: a line for each frame, then "ok". Then misuse.
extends SceneTree

const SIDE = 40
const FRAMES = 6

const PCCD = preload("res://pccd.gdns")

func wave(x):
	var f = x - floor(x)
	return f * (0.5 - f) * 16.0 if f < 0.5 else (f - 0.5) * (1.0 - f) * -16.0

func pose(frame):
	var positions = PoolVector3Array()
	for i in range(SIDE * SIDE):
		var u = float(i % SIDE) / (SIDE - 1)
		var v = float(i / SIDE) / (SIDE - 1)
		var height = 0.02 + 0.02 * frame
		var phase = 4.0 * u + 0.3 * wave(0.5 * v) + 0.1 * frame
		positions.append(Vector3(u + height * wave(phase), v, height * wave(phase + 0.25)))
	return positions

func faces():
	var triangles = PoolIntArray()
	for i in range((SIDE - 1) * (SIDE - 1)):
		var a = i / (SIDE - 1) * SIDE + i % (SIDE - 1)
		triangles.append_array(PoolIntArray([a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE]))
	return triangles

func check(holds, what):
	if not holds:
		print("does not hold: ", what)
		quit(1)

func cloth():
	var pccd = PCCD.new()
	check(pccd.set_threads(2) == 0, "two threads")
	var cloth = pccd.create_mesh(pose(0), faces(), 0.0)
	check(cloth > 0, "a mesh has a number")
	for frame in range(1, FRAMES + 1):
		check(pccd.move_mesh(cloth, pose(frame)) == 0, "the mesh moves")
		check(pccd.run() == 0, "the query runs")
		print(frame, " ", pccd.get_contact_count(), " ", pccd.get_hash())
	var count = pccd.get_contact_count()
	var vertices = pccd.get_contact_vertices()
	var times = pccd.get_contact_times()
	var normals = pccd.get_contact_normals()
	var weights = pccd.get_contact_weights()
	var meshes = pccd.get_contact_meshes()
	var kinds = pccd.get_contact_kinds()
	var triangles = pccd.get_contact_triangles()
	check(vertices.size() == 4 * count and times.size() == count and normals.size() == count, "sizes of arrays")
	check(weights.size() == 4 * count and meshes.size() == 2 * count and kinds.size() == count, "sizes of arrays")
	check(triangles.size() == 2 * count, "sizes of arrays")
	for i in range(count):
		check(kinds[i] == 1 or kinds[i] == 2, "kinds")
		check(meshes[2 * i] == cloth and meshes[2 * i + 1] == cloth, "meshes by their numbers")
		check(times[i] >= 0 and times[i] <= 1, "times")
		check(abs(normals[i].length() - 1) < 1e-5, "normals")
		check(vertices[4 * i + 3] >= 0 and vertices[4 * i + 3] < SIDE * SIDE, "vertices")
		check(triangles[2 * i + 1] < 2 * (SIDE - 1) * (SIDE - 1), "triangles")
		var sum = weights[4 * i] + weights[4 * i + 1] + weights[4 * i + 2] + weights[4 * i + 3]
		check(abs(sum - 2) < 1e-5, "weights")

	# Only the earliest contact, and then with a ball of one triangle that does not meet anything.
	check(pccd.set_query(2, 0.0) == 0 and pccd.get_contact_count() == 0, "another query")
	check(pccd.run() == 0 and pccd.get_contact_count() == 1, "the earliest contact")
	var other = pccd.create_mesh(PoolVector3Array([Vector3(9, 9, 9), Vector3(8, 9, 9), Vector3(9, 8, 9)]), PoolIntArray([0, 1, 2]), 0.0)
	check(other == cloth + 1, "numbers count up")
	check(pccd.set_filter(other, 2, 0) == 0, "filters")
	check(pccd.set_motion(other, pose(0), pose(1)) < 0, "another number of vertices")
	check(pccd.destroy_mesh(cloth) == 0 and pccd.run() == 0 and pccd.get_contact_count() == 0, "without the cloth")

# Every one of these says on standard error what is wrong.
func misuse():
	var pccd = PCCD.new()
	check(pccd.create_mesh(pose(0), PoolIntArray([0, 1]), 0.0) < 0, "two indices")
	check(pccd.create_mesh(pose(0), PoolIntArray([0, 1, -1]), 0.0) < 0, "an index below 0")
	check(pccd.create_mesh(pose(0), faces(), -1.0) < 0, "a thickness below 0")
	check(pccd.create_mesh(PoolVector3Array([Vector3(NAN, 0, 0)]), PoolIntArray(), 0.0) < 0, "not a number")
	check(pccd.call("create_mesh", pose(0)) < 0, "one argument")
	check(pccd.call("create_mesh", [1, 2], "x", 0.0) < 0, "wrong types")
	check(pccd.move_mesh(77, pose(0)) < 0, "no such mesh")
	check(pccd.destroy_mesh(0) < 0, "no mesh")
	check(pccd.set_threads(0) < 0 and pccd.set_threads(-1) < 0, "no threads")
	check(pccd.set_query(9, 0.0) < 0 and pccd.set_query(1, -1.0) < 0, "no such query")
	check(pccd.call("run", 1) < 0, "an argument too many")
	check(pccd.call("get_contact_times", 1).size() == 0, "an argument too many for an array")
	check(pccd.run() == 0 and pccd.get_contact_count() == 0, "it still works")

func _init():
	cloth()
	misuse()
	print("ok ", PCCD.new().get_version())
	quit()
