#!/usr/bin/env python3
"""make bench-scheduling: where ranks run that talk, and ranks that compute, with two workers.

Each figure is divided by the best that the cores allow, taken from one pair of ranks on one worker in the same run. Writes the table of
docs/scheduling.md.
"""
import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import FIGURE, Thrum, compile_programs
from report import machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
WORKERS, LIMIT_S = 2, 120


def figures(mpiexec, program, ranks, test, workers=WORKERS):
    """The figures of a job, by name."""
    command = [mpiexec, '--workers', str(workers), '-n', str(ranks), program, '-r', '9', test]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT_S)
    if done.returncode != 0:
        sys.exit(f'{" ".join(map(str, command))}: exit code {done.returncode}: {done.stderr[-500:]}')
    return {match[1]: float(match[3]) for match in map(FIGURE.match, done.stdout.splitlines()) if match}


def rows(mpiexec, program, runs):
    alone = statistics.median(figures(mpiexec, program, 2, 'pairs', 1)['pairs'] for _ in range(runs))
    yield ['a pair on 1 worker', f'{alone * 1e9:.0f} ns', '1', '-']
    for pairs in 1, 2, 8, 64:
        measured = [figures(mpiexec, program, 2 * pairs, 'pairs') for _ in range(runs)]
        trip, moves = (statistics.median(m[name] for m in measured) for name in ('pairs', 'pairs_moves'))
        least = alone * max(1, pairs / WORKERS)
        yield [f'{pairs} pair{"s" * (pairs > 1)}', f'{trip * 1e9:.0f} ns', f'{trip / least:.2f}', f'{moves:.0f}']
    trip = statistics.median(figures(mpiexec, program, 3, 'mixed')['mixed'] for _ in range(runs))
    yield ['a pair beside a rank that computes', f'{trip * 1e9:.0f} ns', f'{trip / alone:.2f}', '-']
    for ranks in 2, 4, 16:
        factor = statistics.median(figures(mpiexec, program, ranks, 'settle')['settle'] for _ in range(runs))
        yield [f'{ranks} ranks have talked, and compute for 20 ms each', f'{factor * 20 * max(1, ranks / WORKERS):.0f} ms', f'{factor:.2f}', '-']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=5, help='jobs of each case (default 5)')
    options = parser.parse_args()
    thrum = Thrum(options.build.resolve())
    with tempfile.TemporaryDirectory(prefix='thrum-scheduling-') as folder:
        folder = Path(folder)
        compile_programs(thrum.bin, folder, ROOT, programs={'scheduling': ['-O2']})
        body = f'{machine()}.\n\n' + table(['case', 'figure', 'divided by the least', 'moves in a second'],
                                           list(rows(thrum.bin / 'mpiexec', folder / 'scheduling', options.runs)))
    print(body)
    write_sections({'scheduling': body})


if __name__ == '__main__':
    main()
