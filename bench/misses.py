#!/usr/bin/env python3
"""make bench-misses: cache and TLB misses of a rank for one operation, with 64 to 16,384 ranks; lines and pages of a turn.

Runs misses.c under cachegrind, which simulates two levels of caches of any size. A TLB is a cache whose lines are pages, so each job
runs with three simulations: with the first two levels of caches, with the first and the third, and with the TLBs. turn.py counts the lines and pages
that a rank touches in a barrier. Writes docs/performance/misses.md. Counts, not times: a busy machine does not change them.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import turn
from report import machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 600


@dataclass(frozen=True)
class Cache:
    """Bytes, ways, bytes of a line. cachegrind needs a power of two as the number of sets."""
    size_bytes: int
    ways: int
    line_bytes: int

    def __str__(self):
        return f'{self.size_bytes},{self.ways},{self.line_bytes}'


def tlb(entries, ways):
    return Cache(entries * 4096, ways, 4096)


# Of Zen 4, whatever the machine is, so that counts can be compared: the first level's instructions and data, and the last level.
FIRST = Cache(32 << 10, 8, 64)
GEOMETRIES = {'l2': (FIRST, FIRST, Cache(1 << 20, 8, 64)),
              'l3': (FIRST, FIRST, Cache(32 << 20, 16, 64)),
              'tlb': (tlb(64, 64), tlb(72, 72), tlb(3072, 24))}
DATA_FIRST, DATA_LAST, CODE_FIRST = ('D1mr', 'D1mw'), ('DLmr', 'DLmw'), ('I1mr',)  # cachegrind's names: reads and writes that miss
# Title, geometry, events.
COLUMNS = [('instructions', 'l2', ('Ir',)), ('L1 data', 'l2', DATA_FIRST), ('L2 data', 'l2', DATA_LAST), ('L3 data', 'l3', DATA_LAST),
           ('L1 code', 'l2', CODE_FIRST), ('TLB 1 data', 'tlb', DATA_FIRST), ('TLB 2 data', 'tlb', DATA_LAST), ('TLB 1 code', 'tlb', CODE_FIRST)]
OPERATIONS = {'barrier': 'barrier', 'bcast': 'bcast of 8 B', 'allreduce': 'allreduce of 8 B', 'pairs': 'sendrecv with a neighbour'}
# Ranks: how often an operation is done. The start of a job does not take the same number of instructions each time; the more
# operations, the less that matters. valgrind 3.19 has room for the mappings of 14,000 clones, and its time grows with their square.
CLONES, PRIVATE = {64: 400, 1024: 60, 4096: 60}, {64: 400, 1024: 60, 16384: 30}
WARM_UP = 2


def parse(text):
    """{event: number} of a file that cachegrind has written."""
    events = re.search(r'^events: (.*)$', text, re.M)[1].split()
    numbers = [int(word) for word in re.search(r'^summary: (.*)$', text, re.M)[1].split()]
    return dict(zip(events, numbers, strict=True))


def count(mpiexec, program, ranks, operations, geometry):
    """{event: number} of a job that does `operations`: {operation: how often}."""
    code, data, last = GEOMETRIES[geometry]
    with tempfile.NamedTemporaryFile(prefix='thrum-misses-') as written:
        command = [mpiexec, '-n', str(ranks), '--workers', '1', 'valgrind', '--tool=cachegrind', f'--I1={code}', f'--D1={data}', f'--LL={last}',
                   f'--cachegrind-out-file={written.name}', program]
        command += [str(word) for item in operations.items() for word in item]
        done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
        if done.returncode != 0:
            raise RuntimeError(f'{" ".join(map(str, command))}: exit code {done.returncode}: {done.stderr[-500:]}')
        return parse(Path(written.name).read_text())


def simulate(mpiexec, program, ranks, times, operations, geometry):
    """{operation: {event: number of a rank for one operation}}: what a job needs more that does the operation `times` more often than
    WARM_UP. So what happens at its start, at its end and around the operations drops out."""
    base = dict.fromkeys(operations, WARM_UP)
    fewer, found = count(mpiexec, program, ranks, base, geometry), {}
    for operation in operations:
        more = count(mpiexec, program, ranks, base | {operation: WARM_UP + times}, geometry)
        found[operation] = {event: (more[event] - number) / (times * ranks) for event, number in fewer.items()}
    return found


def row(results, operation):
    """The cells of a table's line."""
    cells = []
    for title, geometry, events in COLUMNS:
        number = max(0.0, sum(results[geometry][operation][event] for event in events))
        cells.append(f'{number:.0f}' if title == 'instructions' else f'{number:.2f}')
    return cells


def compile_program(mpicc, output, *options):
    subprocess.run([mpicc, '-O2', *options, ROOT / 'bench' / 'misses.c', '-o', output], check=True)
    return output


def misses(bin_dir, folder):
    rows = {operation: [] for operation in OPERATIONS}
    for kind, options, sizes in (('clones', [], CLONES), ('--privatize', ['--privatize'], PRIVATE)):
        program = compile_program(bin_dir / 'mpicc', folder / kind.strip('-'), *options)
        for ranks, times in sizes.items():
            results = {}
            for geometry in GEOMETRIES:
                print(f'{ranks} ranks, {kind}, {geometry}', file=sys.stderr, flush=True)
                results[geometry] = simulate(bin_dir / 'mpiexec', program, ranks, times, list(OPERATIONS), geometry)
            for operation, lines in rows.items():
                lines.append([f'{ranks:,}', kind, *row(results, operation)])
    titled = [[OPERATIONS[operation] if i == 0 else '', *line] for operation, lines in rows.items() for i, line in enumerate(lines)]
    return table(['operation', 'ranks', 'program', *(title for title, _, _ in COLUMNS)], titled)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='thrum-misses-') as folder:
        bin_dir, folder = options.build.resolve() / 'bin', Path(folder)
        sections = {'turn': turn.section(bin_dir, folder), 'misses': f'{machine()}. One worker.\n\n{misses(bin_dir, folder)}'}
    print('\n\n'.join(sections.values()))
    write_sections(sections)


if __name__ == '__main__':
    main()
