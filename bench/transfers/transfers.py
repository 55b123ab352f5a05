#!/usr/bin/env python3
"""make bench-transfers: how often cache lines move between workers, for one operation, with 1 to 64 workers.

Runs transfers.c with a library that counts (directory.cc), and writes docs/performance/transfers.md: the transfers of a rank for each
operation, those of the line that moves most, and where in the code these lines are used. Counts, not times: a busy machine changes
them only as far as it changes who runs when.
"""
import argparse
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
from report import machine, table, write_sections  # noqa: E402

RANKS, COUNT, LIMIT_S = 256, 200, 300
WORKERS = 2, 4, 16, 64
OPERATIONS = {'pairs': 'sendrecv with a neighbour', 'ring': 'sendrecv around a ring', 'far': 'sendrecv with the rank half way around',
              'barrier': 'barrier', 'bcast': 'bcast of 8 B', 'allreduce': 'allreduce of 8 B', 'put': 'put of 8 B and flush',
              'dup': 'MPI_Comm_dup and free'}
SHOWN_MIN = 0.02  # transfers of a rank at one place, for one operation


class Counts:
    """What one run has counted, for one operation."""

    def __init__(self, path):
        self.places, self.lines, self.writers, self.reads, self.writes = Counter(), Counter(), defaultdict(set), 0, 0
        for line in path.read_text().splitlines():
            code, address, thread, reads, writes = line.split()
            reads, writes = int(reads) / COUNT, int(writes) / COUNT
            self.reads += reads / RANKS
            self.writes += writes / RANKS
            self.places[code] += (reads + writes) / RANKS
            self.lines[address] += writes
            if writes:
                self.writers[address].add(thread)

    def hottest(self):
        """Writes of the line that is taken away most, and from how many threads it is written."""
        address, number = max(self.lines.items(), key=lambda item: item[1])
        return number, len(self.writers[address])


def run(mpiexec, program, operation, workers, folder):
    path = folder / 'counts'
    command = [mpiexec, '--workers', str(workers), '-n', str(RANKS), program, operation, str(COUNT), path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}: exit code {done.returncode}: {done.stderr[-500:]}')
    return Counts(path)


def places_of(library, codes):
    """The function and line of each address in the library: the innermost one of ours."""
    codes = list(codes)
    asked = '\n'.join(f'{int(code, 16) - 1:#x}' for code in codes)  # the call, not what it returns to
    lines = subprocess.run(['addr2line', '-a', '-f', '-i', '-C', '-e', library], input=asked, capture_output=True, text=True,
                           check=True).stdout.splitlines()
    found, i = [], 0
    while i < len(lines):
        i += 1  # the address
        names = []
        while i < len(lines) and not lines[i].startswith('0x'):
            names.append((lines[i], lines[i + 1]))
            i += 2
        ours = [(name, where) for name, where in names if '/src/' in where and '/base/' not in where] or names
        name, where = ours[0]
        name = re.sub(r'\(.*|thrum::|\(anonymous namespace\)::', '', name)
        found.append(f'`{name}` ({re.sub(r".*/src/", "", where).split(" ")[0]})')
    return dict(zip(codes, found))


def page(mpiexec, library, program, folder):
    writes, reads, where = [], [], []
    for operation, title in OPERATIONS.items():
        counts = [run(mpiexec, program, operation, workers, folder) for workers in WORKERS]
        hottest = [count.hottest() for count in counts]
        writes.append([title, *(f'{count.writes:.2f}' for count in counts), *(f'{number:.1f} of {threads}' for number, threads in hottest)])
        reads.append([title, *(f'{count.reads:.2f}' for count in counts)])
        last = counts[-1]
        names, named = places_of(library, last.places), Counter()
        for code, number in last.places.items():
            named[names[code]] += number
        where += [[title if i == 0 else '', name, f'{number:.2f}'] for i, (name, number) in enumerate(named.most_common(6)) if number >= SHOWN_MIN]
        print(title, writes[-1][1:], reads[-1][1:], flush=True)
    columns = [f'{workers} workers' for workers in WORKERS]
    return (f'{machine()}. {RANKS} ranks.\n\nWrites of a rank for one operation, and of all ranks to the hottest line:\n\n' +
            table(['operation', *columns, *(f'hottest, {workers}' for workers in WORKERS)], writes) +
            '\n\nReads of a rank for one operation:\n\n' + table(['operation', *columns], reads) + '\n\nWhere:\n\n' +
            table(['operation', f'place in the code, {WORKERS[-1]} workers', 'reads and writes of a rank'], where))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder with mpicc')
    parser.add_argument('--counting', type=Path, default=ROOT / 'build' / 'transfers', help='build folder of preset transfers')
    options = parser.parse_args()
    counting, mpicc = options.counting.resolve(), options.build.resolve() / 'bin' / 'mpicc'
    library = counting / 'lib' / 'libmpi_abi.so.1'
    with tempfile.TemporaryDirectory(prefix='thrum-transfers-') as folder:
        folder = Path(folder)
        program = folder / 'transfers'
        # mpicc's own library has no function that counts; mpiexec loads the one beside itself.
        subprocess.run([mpicc, '-O2', ROOT / 'bench' / 'transfers' / 'transfers.c', '-o', program, library], check=True)
        body = page(counting / 'bin' / 'mpiexec', library, program, folder)
    print(body)
    write_sections({'transfers': body})


if __name__ == '__main__':
    main()
