#!/usr/bin/env python3
"""make bench-observing: what --report and --trace cost.

Nanoseconds that a call takes longer than in a free run of the same program, on one worker; the two run in turn. Then jobs of 100
million calls, whose traces are cut as docs/traces.md says, and the time of HPC Challenge (Debian's source package, as
tests/third_party/hpcc builds it). Writes docs/performance/observing.md.
"""
import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from checking import LIMIT_S, figure, hpcc_ratio
from measure import Thrum, compile_programs
from report import machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
# Each case: ranks, program, arguments, calls of all ranks in one operation, events of a call (docs/traces.md): itself; its end of a message,
# or a round; two for a wait, which every receive but no send has.
CASES = {'MPI_Comm_rank, 1 rank': (1, 'calls', [], 1, 1),
         'MPI_Send to MPI_PROC_NULL, 1 rank': (1, 'calls', ['send'], 1, 1),
         'MPI_Send and MPI_Recv of 8 B, 2 ranks': (2, 'pingpong', ['8'], 2, 3),
         'MPI_Barrier, 64 ranks': (64, 'collectives', ['barrier:0'], 64, 4)}
CALL_BOUND_NS, EVENT_BOUND_NS, HPCC_BOUND = 60, 100, 1.02
MANY_RANKS, MANY_CALLS = 100, 1_000_000


def ways(folder):
    return {'--report': ['--report', folder / 'run.html'], '--trace': ['--trace', folder / 'run.json', '--trace-limit', '4G']}


def costs(mpiexec, folder, runs):
    """Rows: the case, the time of a call in a free run, by how many nanoseconds each way makes it longer, and what of that is for one event."""
    for name, (ranks, program, arguments, calls, events) in CASES.items():
        free, more = [], {way: [] for way in ways(folder)}
        for _ in range(runs):
            for way, options in ways(folder).items():
                without, observed = [figure(mpiexec, o, ranks, folder / program, arguments) / calls * 1e9 for o in ([], options)]
                free.append(without)
                more[way].append(observed - without)
        noted, traced = (statistics.median(values) for values in more.values())
        yield [name, f'{statistics.median(free):.1f} ns', f'{noted:.0f} ns', f'{traced:.0f} ns', str(events), f'{traced / events:.0f} ns']


def many_events(mpiexec, folder):
    """Rows: jobs with 100 million calls."""
    def run(options):
        begin = time.monotonic()
        done = subprocess.run([mpiexec, *options, '-n', str(MANY_RANKS), folder / 'calls', str(MANY_CALLS)], capture_output=True, text=True,
                              timeout=LIMIT_S)
        if done.returncode != 0:
            sys.exit(f'{" ".join(map(str, options))}: exit code {done.returncode}: {done.stderr[-500:]}')
        return time.monotonic() - begin

    yield ['without', f'{run([]):.1f} s', '-', '-']
    page, trace = folder / 'many.html', folder / 'many.json'
    yield ['--report', f'{run(["--report", page]):.1f} s', 'all', f'{page.stat().st_size / 1e6:.1f} MB']
    for keep in 'first', 'last':
        took = run(['--trace', trace, '--trace-keep', keep])
        with trace.open('rb') as lines:  # too many for a JSON parser
            calls = sum(b'"ph":"X"' in line for line in lines)
        yield [f'--trace --trace-keep {keep}', f'{took:.1f} s', f'{calls:,}', f'{trace.stat().st_size / 1e6:.0f} MB']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=7, help='pairs of runs (default 7)')
    options = parser.parse_args()
    thrum = Thrum(options.build.resolve())
    mpiexec = thrum.bin / 'mpiexec'
    with tempfile.TemporaryDirectory(prefix='thrum-observing-') as folder:
        folder = Path(folder)
        compile_programs(thrum.bin, folder, ROOT, programs={'calls': ['-O2'], 'pingpong': ['-O2'], 'collectives': ['-O2']})
        calls = table(['call', 'free run', *(f'{way}, more' for way in ways(folder)), 'events', 'an event'], list(costs(mpiexec, folder, options.runs)))
        many = table([f'{MANY_RANKS * MANY_CALLS // 1_000_000} million calls of {MANY_RANKS} ranks', 'time', 'calls in it', 'file'],
                     list(many_events(mpiexec, folder)))
        hpcc = hpcc_ratio(thrum.bin, options.build.resolve().parent / 'bench' / 'checking', ['--report', folder / 'hpcc.html'],
                          options.runs, 2)
    body = (f'{machine()}.\n\n{calls}\n\nBounds: {CALL_BOUND_NS} ns a call for --report, {EVENT_BOUND_NS} ns an event for --trace.\n\n{many}\n\n'
            f'HPC Challenge with 2 ranks and --report takes {hpcc:.3f} times as long as without (median of {options.runs} pairs; bound {HPCC_BOUND}).')
    print(body)
    write_sections({'observing': body})


if __name__ == '__main__':
    main()
