# The commands of this project. `make help` lists them.

CARGO ?= cargo
# Where `make install` puts things, if given: see packaging/install.sh.
export PREFIX LIBDIR INCLUDEDIR DESTDIR
# The ground truth, if there is one. The tests and benchmarks have the same default.
PCCD_DATA ?= ../shared/data
# Handed to the test programs; for instance TEST_ARGS=--nocapture shows all they print.
TEST_ARGS ?=

.PHONY: help examples demo queries install uninstall dist test test-bindings test-godot4 test-cinstall abidiff loom tsan bench header doc unity unreal godot fuzz clean

help:
	@echo "make demo     build the library and the C examples, and simulate a cloth on a spinning ball"
	@echo "make queries  run all elementary queries of the ground truth"
	@echo "make install  header, libraries, pkg-config and CMake files to PREFIX (/usr/local); make uninstall removes them"
	@echo "make dist     an archive for a release, in target/dist: headers, libraries, bindings, licences"
	@echo "make test     run everything there is to test"
	@echo "make loom     try every order in which the threads of the scheduler may act, on small models"
	@echo "make test-bindings  test C#, Godot and Unreal; installs Mono and Godot if it can"
	@echo "make test-godot4    test the extension for Godot 4 in the engine, which is fetched from Debian unstable into target/godot4"
	@echo "make test-cinstall  compare cargo cinstall with make install (needs cargo-c)"
	@echo "make unity    a package for Unity, in target/unity; make unreal: a plugin, in target/unreal; make godot: libraries for Godot 3 and 4"
	@echo "make doc      a page about the C interface, target/doc/c/html/index.html (needs doxygen)"
	@echo "make abidiff  compare the binary interface with that of the last release"
	@echo "make tsan     look for data races with ThreadSanitizer (needs a nightly toolchain)"
	@echo "make bench    compare with the textbook method (make bench BENCH_ARGS=--summary: only the table)"
	@echo "make header   write include/pccd.h and what is made from it anew, after a change of the C interface"
	@echo "make fuzz     a million random queries of each kind against exact arithmetic"
	@echo "make clean    remove everything that was built"
	@echo
	@echo "PCCD_DATA names the folder of the ground truth (now $(PCCD_DATA))"

# Builds the library, too.
examples:
	@$(MAKE) --no-print-directory -C examples_c

demo: examples
	@echo
	@examples_c/build/hello
	@echo
	@examples_c/build/cloth --threads $$(nproc 2>/dev/null || echo 1)

queries: examples
	@if [ -d "$(PCCD_DATA)/queries" ]; then \
		echo "Every query of the ground truth, and its exact answer:"; \
		find "$(PCCD_DATA)/queries" "$(PCCD_DATA)/candidates" -name '*.csv' -o -name '*.bin' | sort \
			| tr '\n' '\0' | xargs -0 examples_c/build/queries --; \
	else \
		echo "There is no ground truth in $(PCCD_DATA): random queries instead."; \
		examples_c/build/queries --demo 200000; \
	fi

# Respects PREFIX, LIBDIR, INCLUDEDIR and DESTDIR.
install:
	$(CARGO) build --release
	@packaging/install.sh install

uninstall:
	@packaging/install.sh uninstall

# An archive for a release, in target/dist.
dist: godot
	@packaging/dist.sh

test:
	$(CARGO) fmt --all --check
	$(CARGO) test --release -- $(TEST_ARGS)

# Installs what that takes, if it can.
test-bindings:
	tests/bindings.sh $(TEST_ARGS)

test-godot4:
	tests/godot4.sh $(TEST_ARGS)

test-cinstall:
	tests/cinstall.sh

# Built beside everything else, which has other flags.
loom:
	$(CARGO) test --manifest-path tests/loom/Cargo.toml --target-dir target/loom -- $(TEST_ARGS)

abidiff:
	@tests/abi/diff.sh

# Leaves target/doc/c/html/index.html.
doc:
	@mkdir -p target/doc/c
	@doxygen docs/doxygen/Doxyfile

tsan:
	tests/tsan/run.sh

bench:
	$(CARGO) bench --bench elementary -- $(BENCH_ARGS)

header:
	PCCD_UPDATE_HEADER=1 $(CARGO) test --test header

unity:
	$(CARGO) build --release
	rm -rf target/unity
	bindings/unity/pack.sh target/unity target/release/libpccd.so

unreal:
	$(CARGO) build --release
	rm -rf target/unreal
	bindings/unreal/pack.sh target/unreal/Pccd target/release/libpccd.so

godot:
	$(CARGO) build --release
	@$(MAKE) --no-print-directory -C bindings/godot

fuzz:
	PCCD_FUZZ_QUERIES=1000000 $(CARGO) test --release --test elementary_fuzz -- --nocapture

clean:
	$(CARGO) clean
	$(MAKE) --no-print-directory -C examples_c clean
	rm -rf tests/c/build
	$(MAKE) --no-print-directory -C bindings/godot clean
