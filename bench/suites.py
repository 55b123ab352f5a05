#!/usr/bin/env python3
"""make bench-suites: wall time of test suites over Thrum, MPICH and Open MPI, each with its best settings.

The suites: mpi4py's own tests, the parallel tests of PnetCDF, HDF5 and FFTW (Debian's source packages), and our own examples and small
applications with up to 64 ranks. The same sources are compiled with the mpicc of each implementation. A suite is a row of commands; the
implementations take turns at each. The figure is the sum of their wall times, a median over --runs. A command of a peer ends after
--patience times Thrum's time (at least 60 s) and counts with that. Commands that fail are counted in the table and printed.
A complete run writes the table into README.md, between the lines <!-- begin suites --> and <!-- end suites -->, if they are there.
"""
import argparse
import importlib.util
import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

import measure
from report import machine, replace_section, table

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / 'build' / 'bench' / 'suites'
RANKS = 4  # of the suites of others
PATIENCE_LEAST_S = 60
NEEDS_MPI_4_1 = {'matrix_product_by_cannon'}  # MPI_Buffer_flush, which Open MPI 5.0 does not have
EXAMPLES = {'examples/ring.c': ([], [4, 64]), 'examples/cholesky.c': (['-n', '1000'], [4, 16])}


def module_of(path):
    """The run.py of a folder in tests/third_party, as a module."""
    folder = ROOT / 'tests' / 'third_party' / path
    sys.path.insert(0, str(folder.parent))
    spec = importlib.util.spec_from_file_location(f'{path}_run', folder / 'run.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Command:
    """One job, or a program that starts jobs. `may_fail`: it ends with another exit code on purpose."""

    def __init__(self, name, words, folder, environment, may_fail=False):
        self.name, self.words, self.folder, self.environment, self.may_fail = name, words, folder, environment, may_fail


class Mpi4py:
    name, ranks = "mpi4py's tests", str(RANKS)

    def build(self, implementation, folder):
        self.runner = module_of('mpi4py')
        settings = self.runner.STANDARD_ABI if implementation.name == 'Thrum' else {}
        self.runner.build(implementation.bin / 'mpicc', folder, settings=settings)

    def commands(self, implementation, folder):
        launcher, environment = implementation.settings(RANKS)
        yield Command('mpi4py', launcher + self.runner.suite_of(folder), folder, {**environment, 'MPI4PY_TEST_SPAWN': 'no'})


class Library:
    ranks = str(RANKS)

    def __init__(self, library, name):
        self.library, self.name = library, f"{name}'s parallel tests"

    def build(self, implementation, folder):
        self.runner = module_of('libraries')
        self.runner.build(self.library, implementation.bin, folder)

    def commands(self, implementation, folder):
        launcher, environment = implementation.settings(RANKS)
        for name, words, place, _ in self.runner.tests_of(self.library, folder / self.library, launcher, RANKS):
            # t_pflush1 of HDF5 leaves without MPI_Finalize.
            yield Command(name, words, place, {'MAKEFLAGS': '', **environment}, may_fail=name == 't_pflush1')


class OwnPrograms:
    name, ranks = 'our examples and applications', '1 to 64'

    def sources(self):
        for path, (arguments, ranks) in EXAMPLES.items():
            yield ROOT / path, arguments, ranks
        for path in sorted((ROOT / 'tests' / 'programs' / 'applications').glob('*.c*')):
            if path.stem in NEEDS_MPI_4_1:
                continue
            ranks = re.search(r'(?m)^// ranks: ([\d ]+)$', path.read_text())[1]
            yield path, [], [int(word) for word in ranks.split()]

    def build(self, implementation, folder):
        folder.mkdir(parents=True, exist_ok=True)
        for path, _, _ in self.sources():
            compiler = implementation.bin / ('mpicc' if path.suffix == '.c' else 'mpicxx')
            subprocess.run([compiler, '-O2', '-w', f'-I{ROOT}/tests/harness', path, '-o', folder / path.stem, '-lm'], check=True)

    def commands(self, implementation, folder):
        for path, arguments, counts in self.sources():
            for ranks in counts:
                launcher, environment = implementation.settings(ranks)
                yield Command(f'{path.stem} {ranks}', launcher + [folder / path.stem, *arguments], folder, environment)


SUITES = {'mpi4py': Mpi4py(), 'pnetcdf': Library('pnetcdf', 'PnetCDF'), 'hdf5': Library('hdf5', 'HDF5'),
          'fftw3': Library('fftw3', 'FFTW'), 'examples': OwnPrograms()}


def implementations_of(options):
    found = [measure.Thrum(options.build.resolve())]
    for name, package in {} if options.no_peers else measure.PEER_WHEELS.items():
        bin_dir = measure.install_peer(package, ROOT / 'build' / 'bench' / package.split('=')[0])
        if bin_dir:
            found.append(measure.Peer(name, bin_dir, best=True))
    return found


def place_of(suite, implementation):
    return WORK / suite / implementation.name.replace(' ', '_').lower()


def build_suite(name, implementations):
    for implementation in implementations:
        SUITES[name].build(implementation, place_of(name, implementation))


def measure_suite(name, implementations, options):
    """The cells of a suite's row, one for each implementation."""
    suite = SUITES[name]
    commands = [list(suite.commands(i, place_of(name, i)))[:options.first] for i in implementations]
    seconds = [[] for _ in implementations]
    failed = [set() for _ in implementations]
    for _ in range(options.runs):
        sums = [0.0] * len(implementations)
        for turn in zip(*commands):
            thrums = options.limit
            for at, command in enumerate(turn):
                limit = options.limit if at == 0 else min(options.limit, max(PATIENCE_LEAST_S, options.patience * thrums))
                run = measure.start([str(word) for word in command.words], limit, command.environment, folder=command.folder)
                thrums = run.wall_s if at == 0 else thrums
                sums[at] += run.wall_s
                if run.failure and not (command.may_fail and run.failure.startswith('exit code')):
                    failed[at].add(command.name)
                print(f'{implementations[at].name}, {name}, {command.name}: {run.wall_s:.2f} s {run.failure}', flush=True)
        for at, total in enumerate(sums):
            seconds[at].append(total)
    number = len(commands[0])
    return [f'{statistics.median(seconds[at]):.1f} s' + (f' ({len(failed[at])} of {number} fail)' if failed[at] else '')
            for at in range(len(implementations))]


def how(options):
    """Says how the figures were made."""
    runs = 'Single runs' if options.runs == 1 else f'Medians of {options.runs} runs'
    return f'{runs}; a command of another MPI ends after {options.patience:g} times Thrum\'s time, and counts with that.'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=3, help='of each suite; medians count (default 3)')
    parser.add_argument('--only', nargs='+', choices=SUITES, help='these suites alone')
    parser.add_argument('--first', type=int, help='only so many commands of each suite')
    parser.add_argument('--limit', type=float, default=1800, help='seconds for one command (default 1800)')
    parser.add_argument('--patience', type=float, default=20, help="a peer's command ends after so many times Thrum's time (default 20)")
    parser.add_argument('--no-peers', action='store_true', help='Thrum alone')
    parser.add_argument('--build-only', action='store_true', help='build the suites, which needs no quiet machine, and end')
    parser.add_argument('--fresh', action='store_true', help='build the suites anew')
    options = parser.parse_args()
    if options.fresh:
        shutil.rmtree(WORK, ignore_errors=True)
    os.environ['OPENBLAS_NUM_THREADS'] = '1'
    measure.become_reaper()
    implementations = implementations_of(options)
    names = options.only or list(SUITES)
    for name in names:
        build_suite(name, implementations)
    if options.build_only:
        return
    rows = []
    for name in names:
        rows.append([SUITES[name].name, SUITES[name].ranks] + measure_suite(name, implementations, options))
        figures = table(['suite', 'ranks'] + [i.name for i in implementations], rows)
        print(f'\n{figures}\n', flush=True)
    if not options.only and not options.first and len(implementations) == 1 + len(measure.PEER_WHEELS):
        page, body = ROOT / 'README.md', f'{machine()}. {how(options)}\n\n{figures}'
        if '<!-- begin suites -->' in page.read_text():
            page.write_text(replace_section(page.read_text(), 'suites', body))
        else:
            print(f'README.md has no place for the table:\n\n{body}')


if __name__ == '__main__':
    main()
