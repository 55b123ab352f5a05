# The commands for newcomers. The build itself is CMake's; each target here is one or two lines.
PREFIX ?= /usr/local
PRESET ?= release
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
# The Python that Debian's python3-matplotlib is for: the first in PATH may be another.
BENCH_PYTHON ?= /usr/bin/python3
BUILD = build/$(PRESET)
STAMP = build/dependencies.stamp
TEST_STAMP = build/test_dependencies.stamp
CTEST = ctest --preset $(PRESET) -j$(JOBS)

.DEFAULT_GOAL := all
.PHONY: all help run demo-report lesson-pictures test test-sim test-asan test-tsan test-fronts test-front-packages test-hpcc test-third-party test-mumps test-scalapack test-elpa test-mpich-f08 test-mpi4py test-python test-pytest test-libraries test-rsmpi test-roots test-packages test-cluster fuzz mutants bench bench-cluster bench-million bench-privatize bench-checking bench-observing bench-scheduling bench-slopes bench-transfers bench-misses bench-fortran bench-papers bench-mpi4py bench-suites install uninstall wheel deb status format check tidy tidy-changed clean configure

## all          build everything (release)
all: configure
	@cmake --build $(BUILD) -j$(JOBS)

## run          build, then factor a matrix with 1,000 ranks (examples/cholesky.c)
run: configure
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_commands
	@python3 examples/run.py --build $(BUILD)

## test         build, then run all tests; list at the end which were skipped, and why
test: $(TEST_STAMP) all
	@python3 tools/run_tests.py $(BUILD) $(CTEST) -LE long

## demo-report  run a stencil with 512 ranks and open the page of mpiexec --report, or name it where there is no desktop
demo-report: configure
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_commands
	@$(BUILD)/bin/mpifort -g -O2 examples/heat.f90 -o $(BUILD)/heat
	@$(BUILD)/bin/mpiexec --report $(BUILD)/report.html -n 512 $(BUILD)/heat
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ] && command -v xdg-open >/dev/null; then xdg-open $(BUILD)/report.html; fi

## lesson-pictures  run the lessons of docs/teaching.md and photograph their pages into docs/pictures
lesson-pictures: configure
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_commands
	@python3 tools/lesson_pictures.py $(BUILD)

## test-sim     run 2 to 64 simulated node processes with THRUM_SIM_SEEDS (1000) seeds; THRUM_TEST_SEED=N starts at N
test-sim: configure
	@cmake --build $(BUILD) -j$(JOBS) --target fabric_simulation_test
	@THRUM_SIM_SEEDS=$${THRUM_SIM_SEEDS:-1000} $(BUILD)/unit/fabric_simulation_test

## test-asan    run unit tests and a sample of whole programs under AddressSanitizer and UBSan
test-asan:
	@$(MAKE) --no-print-directory all PRESET=asan
	@ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 THRUM_TEST_TIME_SCALE=5 ctest --preset asan -j$(JOBS) -L 'unit|sample'

## test-tsan    run the same under ThreadSanitizer
test-tsan:
	@$(MAKE) --no-print-directory all PRESET=tsan
	@TSAN_OPTIONS=halt_on_error=1:atexit_sleep_ms=50 THRUM_TEST_TIME_SCALE=5 ctest --preset tsan -j$(JOBS) -L 'unit|sample'

## test-fronts  run all test programs of mpi/ that can be compiled for Open MPI or MPICH through the fronts, the suite of mpi4py's wheel, and what test-front-packages runs
test-fronts: all
	@tools/install_dependencies.sh debootstrap python3-venv
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_all_front_programs thrum_installed
	@ctest --preset $(PRESET) -L fronts -j$(JOBS)

## test-front-packages  run programs of Debian 12's packages, built for Open MPI and MPICH, with their MPI and with Thrum in a clean root (as root)
test-front-packages: all
	@tools/install_dependencies.sh debootstrap
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_installed
	@ctest --preset $(PRESET) -L fronts-packages --verbose

## test-hpcc    build Debian's HPC Challenge with our mpicc and check its results
test-hpcc: all
	@ctest --preset $(PRESET) -L hpcc --verbose

## test-third-party  build Debian's ExaML (C) and Palabos (C++) and compare them with their runs as one process
test-third-party: $(TEST_STAMP) all
	@ctest --preset $(PRESET) -L third-party --verbose

## test-mumps   build Debian's MUMPS with our mpifort and check its solutions
test-mumps: all
	@ctest --preset $(PRESET) -L mumps --verbose

## test-scalapack  build Debian's ScaLAPACK with our mpifort and run its own testers
test-scalapack: all
	@ctest --preset $(PRESET) -L scalapack --verbose

## test-elpa    build Debian's ELPA with our mpifort, run its validation programs, and compare eigenvalues of threads and processes
test-elpa: all
	@ctest --preset $(PRESET) -L elpa --verbose

## test-mpich-f08  build the programs with mpi_f08 of MPICH's test suite, from Debian's source package, and run them as threads and as processes
test-mpich-f08: all
	@ctest --preset $(PRESET) -L mpich-f08 --verbose

## test-mpi4py  build PyPI's mpi4py for the standard ABI and run its own test suite: alone, with 1 to 5 processes, as threads
test-mpi4py: all
	@tools/install_dependencies.sh python3-venv python3-dev
	@ctest --preset $(PRESET) -L mpi4py --verbose

## test-python  run the commands of docs/python.md: mpi4py, mpi4py.futures, h5py, in a clean virtual environment
test-python: all
	@tools/install_dependencies.sh python3-venv python3-dev
	@ctest --preset $(PRESET) -L python --verbose

## test-pytest  run the tests and examples of mpi-pytest and pytest-mpi with the pytest plug-in, and what docs/testing.md shows of it
test-pytest: all
	@tools/install_dependencies.sh python3-venv python3-dev
	@ctest --preset $(PRESET) -L pytest --verbose

## test-libraries  build Debian's HDF5, FFTW and PnetCDF with our mpicc and run their own parallel tests with 2, 4 and 6 ranks
test-libraries: all
	@tools/install_dependencies.sh autoconf automake libtool m4 perl
	@ctest --preset $(PRESET) -L libraries --verbose

## test-rsmpi   build rsmpi (the crate mpi) with our mpicc and run its own tests and examples with 2, 4 and 8 ranks, by Cargo's runner
test-rsmpi: all
	@tools/install_dependencies.sh clang-19
	@ctest --preset $(PRESET) -L rsmpi --verbose

## test-roots   run the Dockerfile of docs/continuous_integration.md, make run and make test in clean roots of Debian 12 and 13 (as root; an hour)
test-roots: configure
	@tools/install_dependencies.sh debootstrap
	@ctest --preset $(PRESET) -L roots --verbose

## test-packages  install the wheel and the Debian packages, and run the steps of action.yml, in clean roots of Debian 12 and 13 (as root; an hour)
test-packages: wheel deb
	@tools/install_dependencies.sh debootstrap lintian python3-yaml
	@ctest --preset $(PRESET) -L packages --verbose

## test-cluster run jobs on hosts that are network namespaces, and under the test's own Slurm and PRRTE (as root)
test-cluster: all
	@tools/install_dependencies.sh slurmctld slurmd slurm-client slurm-wlm-basic-plugins munge python3-venv iproute2 openssh-client
	@ctest --preset $(PRESET) -L cluster --verbose

## fuzz         build the libFuzzer targets with clang and run each for FUZZ_SECONDS (60)
fuzz:
	@tools/install_dependencies.sh clang-19 libclang-rt-19-dev
	@python3 tools/fuzz.py --seconds $(FUZZ_SECONDS)

## mutants      change conditions, constants and calls in match, datatype, pt2pt and coll, one at a time: do the tests notice? (hours)
mutants: $(TEST_STAMP) all
	@tools/install_dependencies.sh python3-clang-19
	@python3 tools/mutate.py $(MUTANTS)

## bench        measure Thrum, MPICH and Open MPI, and write the tables of docs/performance
bench: all
	@tools/install_dependencies.sh python3-venv python3-matplotlib
	@$(BENCH_PYTHON) bench/run.py --build $(BUILD)

## bench-cluster  measure processes and nodes (network namespaces, as root) and TMPI's experiments with Thrum, MPICH and Open MPI
bench-cluster: all
	@tools/install_dependencies.sh python3-venv python3-matplotlib libfabric-bin iproute2
	@$(BENCH_PYTHON) bench/cluster.py --build $(BUILD)

## bench-million  measure time and memory of start-up, ring, barrier and allreduce with up to a million ranks
bench-million: all
	@python3 bench/million.py --build $(BUILD)

## bench-privatize  measure the cost of --privatize: access to globals, compilation, HPL and STREAM
bench-privatize: all
	@python3 bench/privatize.py --build $(BUILD) --programs

## bench-checking  measure what --seed, --record, --check, --fuzz and the reports of deadlocks cost, with HPC Challenge
bench-checking: all
	@python3 bench/checking.py --build $(BUILD) --hpcc

## bench-observing  measure what --report and --trace cost: a call, 100 million calls, HPC Challenge
bench-observing: all
	@python3 bench/observing.py --build $(BUILD)

## bench-scheduling  measure where ranks run that talk, and ranks that compute
bench-scheduling: all
	@python3 bench/scheduling.py --build $(BUILD)

## bench-slopes  measure how costs grow with ranks, bytes and objects, and name each that grows faster than its work
bench-slopes: all
	@python3 bench/slopes.py --build $(BUILD)

## bench-transfers  count how often cache lines move between workers, for one operation, with 2 to 64 workers
bench-transfers: all
	@cmake --preset transfers >/dev/null
	@cmake --build build/transfers -j$(JOBS) --target mpi_abi mpiexec
	@python3 bench/transfers/transfers.py --build $(BUILD)

## bench-misses  count simulated cache and TLB misses of a rank for one operation, with 64 to 16,384 ranks, and what a turn touches
bench-misses: all
	@python3 bench/misses.py --build $(BUILD)

## bench-fortran  measure messages of Fortran programs against C's, and array sections against copies
bench-fortran: all
	@python3 bench/fortran.py --build $(BUILD)

## bench-papers  measure the papers' tables with Thrum, MPICH and Open MPI, and write docs/papers
bench-papers: all
	@tools/install_dependencies.sh python3-venv python3-matplotlib
	@$(BENCH_PYTHON) bench/papers/aclmpl.py --build $(BUILD)
	@$(BENCH_PYTHON) bench/papers/cbsp.py --build $(BUILD)
	@$(BENCH_PYTHON) bench/papers/tompi.py --build $(BUILD)
	@$(BENCH_PYTHON) bench/papers/sx4.py --build $(BUILD)

## bench-mpi4py time mpi4py's own test suite with 1 to 5 processes of Thrum, MPICH and Open MPI
bench-mpi4py: all
	@tools/install_dependencies.sh python3-venv python3-dev
	@python3 bench/mpi4py_suite.py --build $(BUILD)

## bench-suites time the test suites of mpi4py, PnetCDF, HDF5 and FFTW and our examples with Thrum, MPICH and Open MPI (an hour)
bench-suites: all
	@tools/install_dependencies.sh python3-venv python3-dev autoconf automake libtool m4 perl
	@python3 bench/suites.py --build $(BUILD)

## install      install under PREFIX (default /usr/local)
install: configure
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_installed
	@cmake --install $(BUILD) --prefix $(abspath $(PREFIX)) >/dev/null
	@echo "Installed under $(abspath $(PREFIX)); try: $(abspath $(PREFIX))/bin/mpiexec --help"

## uninstall    remove the files of the last install
uninstall:
	@test -f $(BUILD)/install_manifest.txt || { echo "Nothing was installed from $(BUILD)"; exit 1; }
	@xargs -d '\n' rm -f < $(BUILD)/install_manifest.txt && echo "Uninstalled"

## wheel        make the wheels thrum-mpi and pytest-thrum in dist (docs/installing.md)
wheel: configure
	@tools/install_dependencies.sh python3-venv
	@packaging/wheel/make.sh $(BUILD) dist

## deb          make the Debian packages thrum, libmpi-abi1-thrum and libthrum-dev in dist (docs/installing.md)
deb: configure
	@tools/install_dependencies.sh debhelper
	@packaging/debian/make.sh $(BUILD) dist

## status       rewrite the tables of docs/status.md from the build
status: all
	@python3 tools/status.py --build $(BUILD)

## format       clang-format all sources
format:
	@tools/install_dependencies.sh clang-format-19
	@git ls-files '*.h' '*.cc' '*.c' | xargs clang-format-19 -i

## check        what continuous integration does besides the tests: the format, and Clang 19's warnings as errors
check: $(STAMP)
	@tools/install_dependencies.sh clang-format-19 clang-19
	@find bench cmd compiler examples include portable src tests -name '*.h' -o -name '*.cc' -o -name '*.c' | xargs clang-format-19 --dry-run -Werror
	@$(MAKE) --no-print-directory configure
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_generated thrum_fortran_generated thrum_fronts_generated
	@python3 tools/check_clang.py --build $(BUILD)

## tidy         clang-tidy all sources (half an hour)
## tidy-changed clang-tidy the lines that have changed in the last 10 commits, or since TIDY_SINCE=COMMIT
tidy tidy-changed: configure
	@tools/install_dependencies.sh clang-tidy-19
	@cmake --build $(BUILD) -j$(JOBS) --target thrum_generated thrum_fortran_generated thrum_fronts_generated
	@python3 tools/tidy.py --build $(BUILD) $(if $(filter tidy,$@),--all) $(TIDY)

## clean        remove everything built
clean:
	@rm -rf build

## help         print this list
help:
	@sed -n 's/^## /  make /p' Makefile

$(STAMP): tools/install_dependencies.sh
	@tools/install_dependencies.sh
	@mkdir -p build && touch $@

# The packages that only tests use are large. CMake looks for them again.
$(TEST_STAMP): $(STAMP) Makefile
	@tools/install_dependencies.sh clang-19 libclang-rt-19-dev llvm-19-dev flang-19 libtinyxml-dev python3-venv strace ltrace numactl time xz-utils meson autoconf automake python3-yaml python3-pytest python3-pytest-xdist chromium poppler-utils otf2-tools python3-otf2
	@rm -f build/*/build.ninja && touch $@

$(BUILD)/build.ninja: | $(STAMP)
	@echo "Configuring $(BUILD)"
	@cmake --preset $(PRESET) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }

configure: $(STAMP) $(BUILD)/build.ninja
