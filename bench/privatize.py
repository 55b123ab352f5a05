#!/usr/bin/env python3
"""Measures the cost of mpicc --privatize: `make bench` part "privatize", or `make bench-privatize`: this script, with --programs.

Access to globals (bench/access.c, rank 1 of 2 on one worker) and compilation, each plain against privatised in
turn; the best of the runs for access, medians for compilation. --programs: also HPL and STREAM of HPC Challenge
(Debian's source package, as tests/third_party/hpcc builds it), one run after the other in turn, medians of the ratios of such pairs.
Both share libopenblas, which cannot be compiled with --privatize.
"""
import argparse
import importlib.util
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import digits, table

ROOT = Path(__file__).resolve().parent.parent
WAYS = {'plain': [], 'private': ['--privatize']}
# Fair to compare: real programs of this repository, in two languages and sizes.
SOURCES = ['examples/cholesky.c', 'bench/access.c', 'tests/programs/torture/cxx/containers_in_globals_are_private.cc']
# Both programs have their functions and loops at the beginning of cache lines: where a function of ten instructions lies
# otherwise makes it up to 1.3 times slower, in either way, and hides what is compared.
ALIGNED = ['-falign-functions=64', '-falign-loops=64']
ACCESS_LIMIT, COMPILE_LIMIT, PROGRAM_LIMIT = 1.10, 1.5, 1.03
# Rates in the summary of HPC Challenge.
RATES = {'HPL': ['HPL_Tflops'], 'STREAM': [f'{which}STREAM_{kernel}' for which in ('Star', 'Single')
                                           for kernel in ('Copy', 'Scale', 'Add', 'Triad')]}
HPL_ORDER = 4000


def build(bin_dir, folder):
    for way, flags in WAYS.items():
        subprocess.run([bin_dir / 'mpicc', *flags, '-O2', *ALIGNED, ROOT / 'bench' / 'access.c', ROOT / 'bench' / 'other_unit.c',
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


def compiler_command(bin_dir, source, *options):
    compiler, standard = ('mpicxx', '-std=c++20') if source.endswith('.cc') else ('mpicc', '-std=gnu11')
    return [bin_dir / compiler, '-O2', '-g', standard, f'-I{ROOT}/tests/harness', f'-I{ROOT}/tests/programs/torture', *options, ROOT / source]


def compilation(bin_dir, runs):
    """{source: {way: s}}"""
    times = {}
    for _ in range(runs):
        for source in SOURCES:
            for way, flags in WAYS.items():
                start = time.monotonic()
                subprocess.run(compiler_command(bin_dir, source, *flags, '-c', '-o', '/dev/null'), check=True)
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


def load_hpcc():
    """tests/third_party/hpcc/run.py as a module."""
    specification = importlib.util.spec_from_file_location('hpcc', ROOT / 'tests' / 'third_party' / 'hpcc' / 'run.py')
    hpcc = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(hpcc)
    return hpcc


def run_hpcc(hpcc, bin_dir, work, ranks):
    """{rate: value} of one run."""
    folder = work / 'measured'
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    example = work / 'source' / '_hpccinf.txt'
    (folder / 'hpccinf.txt').write_text(hpcc.input_file(example, 1, ranks, HPL_ORDER, '1'))
    subprocess.run([bin_dir / 'mpiexec', '-n', str(ranks), '--timeout', '600', work / 'source' / 'hpcc'], cwd=folder, check=True,
                   env={**os.environ, 'OPENBLAS_NUM_THREADS': '1', 'THRUM_SHARED': 'libopenblas'}, stdout=subprocess.DEVNULL)
    return {name: float(value) for name, value in re.findall(r'(?m)^(\w+)=([\d.eE+-]+)$', (folder / 'hpccoutf.txt').read_text())}


def programs(bin_dir, work, runs, ranks):
    """HPL and STREAM: the table of time private / time plain of pairs of runs."""
    hpcc = load_hpcc()
    for way, flags in WAYS.items():
        hpcc.build(bin_dir, work / way, flags)
    ratios = {name: [] for name in RATES}
    for number in range(runs):
        pair = {}
        for way in list(WAYS)[::-1 if number % 2 else 1]:
            pair[way] = run_hpcc(hpcc, bin_dir, work / way, ranks)
        for name, rates in RATES.items():
            ratios[name].append(statistics.geometric_mean(pair['plain'][rate] / pair['private'][rate] for rate in rates))
            print(f'pair {number + 1} of {runs}: {name} {ratios[name][-1]:.3f}', file=sys.stderr)
    return '\n\n'.join([
        table(['program', 'time private / plain', 'from', 'to', 'bound'],
              [[name, *(f'{f(values):.3f}' for f in (statistics.median, min, max)), f'{PROGRAM_LIMIT:.2f}']
               for name, values in ratios.items()]),
        f'{ranks} ranks, {runs} pairs of runs; HPL of order {HPL_ORDER}; STREAM: all kernels, alone and in all ranks at a time.'])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=5)
    parser.add_argument('--programs', action='store_true', help='also HPL and STREAM')
    parser.add_argument('--ranks', type=int, default=2, help='of HPL and STREAM')
    options = parser.parse_args()
    bin_dir = options.build.resolve() / 'bin'
    print(section(bin_dir, options.runs))
    if options.programs:
        print('\n' + programs(bin_dir, options.build.resolve().parent / 'bench' / 'privatize', options.runs, options.ranks))


if __name__ == '__main__':
    main()
