#!/usr/bin/env python3
"""What mpicc --privatize costs: `make bench` part "privatize", or this script alone.

Access to globals (bench/access.c, rank 1 of 2 on one worker) and compilation, each plain against privatised in
turn; the best of the runs for access, medians for compilation.
"""
import argparse
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from report import digits, table

ROOT = Path(__file__).resolve().parent.parent
WAYS = {'plain': [], 'private': ['--privatize']}
# Fair to compare: real programs of this repository, in two languages and sizes.
SOURCES = ['examples/cholesky.c', 'bench/access.c', 'tests/torture/cxx/containers_in_globals_are_private.cc']
ACCESS_LIMIT, COMPILE_LIMIT = 1.10, 1.5


def build(bin_dir, folder):
    for way, flags in WAYS.items():
        subprocess.run([bin_dir / 'mpicc', *flags, '-O2', ROOT / 'bench' / 'access.c', ROOT / 'bench' / 'other_unit.c',
                        '-o', folder / f'access-{way}'], check=True)


def access(bin_dir, folder, runs):
    """{kernel: {way: ns}}"""
    times = {}
    for _ in range(runs):
        for way in WAYS:
            out = subprocess.run([bin_dir / 'mpiexec', '-n', '2', '--workers', '1', folder / f'access-{way}'],
                                 check=True, capture_output=True, text=True).stdout
            for line in out.splitlines():
                kernel, ns = line.split('\t')
                times.setdefault(kernel, {}).setdefault(way, []).append(float(ns))
    return {kernel: {way: min(values) for way, values in ways.items()} for kernel, ways in times.items()}


def compilation(bin_dir, runs):
    """{source: {way: s}}"""
    times = {}
    for _ in range(runs):
        for source in SOURCES:
            compiler = 'mpicxx' if source.endswith('.cc') else 'mpicc'
            for way, flags in WAYS.items():
                start = time.monotonic()
                subprocess.run([bin_dir / compiler, *flags, '-O2', '-g', '-std=c++20' if compiler == 'mpicxx' else '-std=gnu11',
                                f'-I{ROOT}/tests', f'-I{ROOT}/tests/torture', '-c', ROOT / source, '-o', '/dev/null'],
                               check=True)
                times.setdefault(source, {}).setdefault(way, []).append(time.monotonic() - start)
    return {source: {way: statistics.median(v) for way, v in ways.items()} for source, ways in times.items()}


def rows(results, unit):
    for name, ways in results.items():
        ratio = ways['private'] / ways['plain']
        yield [name, f'{digits(ways["plain"])} {unit}', f'{digits(ways["private"])} {unit}', f'{ratio:.2f}']


def geometric_mean(results):
    return statistics.geometric_mean(ways['private'] / ways['plain'] for ways in results.values())


def section(bin_dir, runs):
    with tempfile.TemporaryDirectory(prefix='thrum-privatize-') as folder:
        folder = Path(folder)
        build(bin_dir, folder)
        by_kernel, by_source = access(bin_dir, folder, runs), compilation(bin_dir, runs)
    mean, compile_mean = geometric_mean(by_kernel), geometric_mean(by_source)
    return '\n\n'.join([
        table(['access to globals', 'plain', 'private', 'ratio'], list(rows(by_kernel, 'ns'))),
        f'Geometric mean {mean:.2f} (bound {ACCESS_LIMIT:.2f}).',
        table(['compilation', 'plain', 'private', 'ratio'], list(rows(by_source, 's'))),
        f'Geometric mean {compile_mean:.2f} (bound {COMPILE_LIMIT:.2f}).'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=5)
    options = parser.parse_args()
    print(section(options.build.resolve() / 'bin', options.runs))


if __name__ == '__main__':
    main()
