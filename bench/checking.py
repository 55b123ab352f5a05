#!/usr/bin/env python3
"""make bench-checking: what seeds, records, --check and reports cost.

--seed 1, --record and --check against a free run of the same program, in turn, all on one worker; medians of the ratios of such
pairs. Then the time of a deadlock's report with many ranks, and of 1,000 seeds of a ring. --hpcc: also --check on all of HPC
Challenge (Debian's source package, as tests/third_party/hpcc builds it). A complete run writes docs/performance/observing.md.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import Thrum, compile_programs, start
from privatize import load_hpcc
from report import duration, machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 300
# Each case: ranks, program, arguments.
CASES = {'8 B there and back, 2 ranks': (2, 'pingpong', ['8']),
         'stream of 8 B messages, 2 ranks': (2, 'message_rate', ['8']),
         'wildcard receives, 16 ranks': (16, 'wildcards', []),
         'barrier, 64 ranks': (64, 'collectives', ['barrier:0']),
         'Cholesky, 64 ranks': (64, 'cholesky', [])}
WAYS = {'--seed': ['--seed', '1'], '--record': ['--record'], '--check': ['--check']}
BOUNDS = {'--seed': 1.5, '--record': 1.05}
HPCC_BOUND, FUZZ_BOUND_S, REPORT_BOUND_S = 2, 60, 2
HPCC_SIZE = 4000  # of its matrices; the other parts follow. A run takes 10 s
FUZZ_SEEDS, FUZZ_RANKS = 1000, 16
REPORT_RANKS = (1_000, 10_000)


def figure(mpiexec, options, ranks, program, arguments):
    """Seconds of one operation."""
    run = start([mpiexec, *options, '--workers', '1', '-n', str(ranks), program, *arguments], LIMIT_S)
    if run.failure or len(run.figures) != 1:
        sys.exit(f'{program} {" ".join(arguments)}: {run.failure or "no figure"}')
    return next(iter(run.figures.values()))


def ratios(mpiexec, folder, runs):
    """Rows: the case, a free run, and the median ratio of each way."""
    for name, (ranks, program, arguments) in CASES.items():
        free, pairs = [], {way: [] for way in WAYS}
        for number in range(runs):
            for way, options in WAYS.items():
                record = folder / 'record'
                shutil.rmtree(record, ignore_errors=True)
                options = [*options, record] if way == '--record' else options
                measured = [figure(mpiexec, o, ranks, folder / program, arguments) for o in ([], options)]
                free.append(measured[0])
                pairs[way].append(measured[1] / measured[0])
        yield [name, duration(statistics.median(free)), *(f'{statistics.median(pairs[way]):.2f}' for way in WAYS)]


def wall_s(command, code):
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != code:
        sys.exit(f'{" ".join(map(str, command))}: exit code {done.returncode}: {done.stderr[-500:]}')
    return time.monotonic() - begin


def times(bin_dir, folder, runs):
    """Rows: reports of deadlocks, and fuzzing."""
    for name, source in (('deadlock', 'tests/wrong/deadlock_ring.c'), ('ring', 'examples/ring.c')):
        subprocess.run([bin_dir / 'mpicc', '-g', '-O2', ROOT / source, '-o', folder / name], check=True)
    mpiexec = bin_dir / 'mpiexec'
    for ranks in REPORT_RANKS:
        took = statistics.median(wall_s([mpiexec, '-n', str(ranks), folder / 'deadlock'], 86) for _ in range(runs))
        alone = statistics.median(wall_s([mpiexec, '-n', str(ranks), folder / 'ring'], 0) for _ in range(runs))
        yield [f'deadlock of {ranks:,} ranks, from start to report', f'{took:.2f} s', f'{REPORT_BOUND_S} s']
        yield [f'a right job of {ranks:,} ranks, for comparison', f'{alone:.2f} s', '-']
    took = wall_s([mpiexec, '--fuzz', str(FUZZ_SEEDS), '-n', str(FUZZ_RANKS), folder / 'ring'], 0)
    yield [f'--fuzz {FUZZ_SEEDS}: a ring of {FUZZ_RANKS} ranks', f'{took:.1f} s', f'{FUZZ_BOUND_S} s']


def hpcc_ratio(bin_dir, work, options, runs, ranks):
    """How many times as long all of HPC Challenge takes with `options`: the median of pairs of runs."""
    hpcc = load_hpcc()
    hpcc.build(bin_dir, work)
    folder = work / 'measured'
    environment = {'OPENBLAS_NUM_THREADS': '1', 'THRUM_SHARED': 'libopenblas'}
    os.environ.update(environment)

    def run_with(options):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / 'hpccinf.txt').write_text(hpcc.input_file(work / 'source' / '_hpccinf.txt', 1, ranks, HPCC_SIZE, '1'))
        begin = time.monotonic()
        subprocess.run([bin_dir / 'mpiexec', *options, '-n', str(ranks), work / 'source' / 'hpcc'], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        return time.monotonic() - begin

    pairs = [(run_with([]), run_with(options)) for _ in range(runs)]
    return statistics.median(other / free for free, other in pairs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=5, help='pairs of runs (default 5)')
    parser.add_argument('--hpcc', action='store_true', help='also HPC Challenge')
    parser.add_argument('--ranks', type=int, default=2, help='of HPC Challenge')
    options = parser.parse_args()
    thrum = Thrum(options.build.resolve())
    with tempfile.TemporaryDirectory(prefix='thrum-checking-') as folder:
        folder = Path(folder)
        compile_programs(thrum.bin, folder, ROOT, programs={'pingpong': ['-O2'], 'message_rate': ['-O2'], 'wildcards': ['-O2'],
                                                            'collectives': ['-O2'], 'cholesky': ['-O3', '-march=native']})
        first = table(['program', 'free run', *(f'{way} / free' for way in WAYS)], list(ratios(thrum.bin / 'mpiexec', folder, options.runs)))
        rows = list(times(thrum.bin, folder, min(options.runs, 3)))
        if options.hpcc:
            ratio = hpcc_ratio(thrum.bin, options.build.resolve().parent / 'bench' / 'checking', ['--check'], min(options.runs, 3),
                               options.ranks)
            rows.append([f'--check: HPC Challenge, {options.ranks} ranks, time against a free run', f'{ratio:.2f}', f'{HPCC_BOUND:.2f}'])
    bounds = ', '.join(f'{way} {bound:.2f}' for way, bound in BOUNDS.items())
    body = f'{machine()}.\n\n{first}\n\nBounds: {bounds}.\n\n{table(["what", "figure", "bound"], rows)}'
    print(body)
    if options.hpcc:
        write_sections({'checking': body})


if __name__ == '__main__':
    main()
