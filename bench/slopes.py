#!/usr/bin/env python3
"""make bench-slopes: no operation's cost grows faster than its work.

bench/slopes.c with 2 to 16,384 ranks (compiled with --privatize up to 1,000,000, as far as memory allows), 8 B to 1 MiB, and 1 to 10,000
communicators, windows, types, groups, requests, messages and files. Each point is the least of its samples: what the machine adds is not
the operation's. The slope of a case is that of the straight line through its points when both axes are logarithmic: time against work (ranks, or ranks
times ranks where each rank has something for each; bytes; objects). 1: time grows as the work. Points that take less than twice as long
as the first one are left out: there something else than the work takes the time. Writes docs/performance/slopes.md; exit code 1 if a
slope is above 1.15.
"""
import argparse
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import FIGURE, Thrum, compile_programs
from report import duration, machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
SLOPE_MAX, LIMIT_S = 1.15, 600
RANKS = [2, 8, 32, 128, 512, 2048, 8192, 16384]
PRIVATE_RANKS = [2, 128, 2048, 16384, 131072, 1000000]
PRIVATE = ['barrier:0', 'bcast:8', 'allreduce:8', 'pairs:8']
KIB_A_RANK = 16  # of a privatised rank
SQUARE_RANKS_MAX = 2048  # 16,384 ranks would need 4 GB for the buffers alone
LINEAR = ['barrier:0', 'bcast:8', 'reduce:8', 'allreduce:8', 'allreduce:1024', 'allreduce:16384', 'scan:8', 'gather:8', 'scatter:8', 'pairs:8',
          'split:0', 'put:8']
SQUARE = ['allgather:8', 'alltoall:8']
SIZES = [8, 64, 512, 4096, 32768, 262144, 1048576]
SIZED = {2: ['pairs', 'put', 'bcast', 'allreduce'], 16: ['pairs', 'bcast', 'reduce', 'allreduce', 'scan', 'gather', 'scatter', 'allgather', 'alltoall']}
COUNTS = [1, 10, 100, 1000, 10000]
OBJECTS = {2: ['comms', 'windows', 'types', 'groups', 'requests', 'unexpected', 'persistent', 'files'], 64: ['comms', 'windows']}
FILES_MAX = 1000  # descriptors


def run(mpiexec, program, ranks, tests, folder):
    """The least samples of a job by name and number; those of a test that there was no time for are missing."""
    command = [mpiexec, '-n', str(ranks), program, '-r', '5', '-t', '0.01', '-b', '1', *tests]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S, env={**os.environ, 'SLOPES_FILE': str(folder / 'file')})
    if done.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}: exit code {done.returncode}: {done.stderr[-500:]}')
    return {(match[1], int(match[2])): float(match[4]) for match in map(FIGURE.match, done.stdout.splitlines()) if match}


def start(mpiexec, program, ranks):
    """Seconds from the start to the end of a job that does nothing else."""
    begin = time.monotonic()
    subprocess.run([mpiexec, '-n', str(ranks), program], check=True, capture_output=True, timeout=LIMIT_S)
    return time.monotonic() - begin


def slope(points):
    """Of (work, seconds); None if no point takes twice as long as the first."""
    first = points[0][1]
    grown = [(math.log(work), math.log(seconds)) for work, seconds in points if seconds >= 2 * first]
    if len(grown) < 2:
        return None
    return statistics.linear_regression(*zip(*grown)).slope


def free_kib():
    return next(int(line.split()[1]) for line in Path('/proc/meminfo').read_text().splitlines() if line.startswith('MemAvailable:'))


def private_series(mpiexec, program, folder):
    """As series(), of programs whose ranks need no clones."""
    points = {}
    for ranks in PRIVATE_RANKS:
        if free_kib() < 1.1 * ranks * KIB_A_RANK:
            print(f'{ranks} ranks need {ranks * KIB_A_RANK >> 20} GiB: left out', file=sys.stderr)
            continue
        print(f'{ranks} ranks, --privatize', file=sys.stderr, flush=True)
        for (name, size), seconds in run(mpiexec, program, ranks, PRIVATE, folder).items():
            points.setdefault(f'{name} of {size} B' if size else name, []).append((ranks, ranks, seconds))
    yield from ((f'{label}, --privatize', 'ranks', of_label) for label, of_label in points.items())


def series(mpiexec, programs, folder):
    """(What, unit of the axis, [(number, work, seconds)]) of each case."""
    program = programs / 'slopes'
    by_ranks = {}
    for ranks in RANKS:
        print(f'{ranks} ranks', file=sys.stderr, flush=True)
        tests = LINEAR + (SQUARE if ranks <= SQUARE_RANKS_MAX else [])
        for (name, size), seconds in run(mpiexec, program, ranks, tests, folder).items():
            square = f'{name}:{size}' in SQUARE
            label = f'{name} of {size} B' if size else name
            by_ranks.setdefault(label, []).append((ranks, ranks ** 2 if square else ranks, seconds))
        by_ranks.setdefault('start and end of a job', []).append((ranks, ranks, start(mpiexec, programs / 'hello', ranks)))
    yield from ((label, 'ranks', points) for label, points in by_ranks.items())
    yield from private_series(mpiexec, programs / 'private' / 'slopes', folder)
    for ranks, names in SIZED.items():
        print(f'sizes, {ranks} ranks', file=sys.stderr, flush=True)
        figures = run(mpiexec, program, ranks, [f'{name}:{size}' for name in names for size in SIZES], folder)
        yield from ((f'{name}, {ranks} ranks', 'B', [(size, size, figures[name, size]) for size in SIZES]) for name in names)
    for ranks, names in OBJECTS.items():
        print(f'objects, {ranks} ranks', file=sys.stderr, flush=True)
        wanted = [(name, count) for name in names for count in COUNTS if name != 'files' or count <= FILES_MAX]
        figures = run(mpiexec, program, ranks, [f'{name}:{count}' for name, count in wanted], folder)
        for name in names:
            yield f'{name}, {ranks} ranks', 'objects', [(count, count, figures[key]) for key in wanted if key[0] == name for count in [key[1]]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    options = parser.parse_args()
    thrum = Thrum(options.build.resolve())
    rows, steep = [], []
    with tempfile.TemporaryDirectory(prefix='thrum-slopes-', dir='/dev/shm') as folder:
        folder = Path(folder)
        compile_programs(thrum.bin, folder, ROOT, programs={'slopes': ['-O2'], 'hello': ['-O2']})
        compile_programs(thrum.bin, folder / 'private', ROOT, ['--privatize'], programs={'slopes': ['-O2']})
        for what, unit, points in series(thrum.bin / 'mpiexec', folder, folder):
            found = slope([(work, seconds) for _, work, seconds in points])
            if found and found > SLOPE_MAX:
                steep.append(f'{what} ({found:.2f})')
            (first, _, first_s), (last, _, last_s) = points[0], points[-1]
            rows.append([what, f'{first:,} to {last:,} {unit}', duration(first_s), duration(last_s), f'{found:.2f}' if found else 'level'])
    said = f'Steeper than {SLOPE_MAX}: {", ".join(steep)}.' if steep else f'None is steeper than {SLOPE_MAX}.'
    body = f'{machine()}.\n\n{table(["case", "from, to", "first", "last", "slope"], rows)}\n\n{said}'
    print(body)
    write_sections({'slopes': body})
    return bool(steep)


if __name__ == '__main__':
    sys.exit(main())
