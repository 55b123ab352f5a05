#!/usr/bin/env python3
"""make bench-mpi4py: mpi4py's own test suite with a process for each rank, over Thrum, MPICH and Open MPI.

The same source distribution is built for each. Runs of the implementations alternate; the figure is the wall time of the
whole job. Peers run with their defaults and with the best settings known for so many ranks (measure.py), and no longer
than --patience times as long as Thrum did. Tests that spawn further interpreters are left out for all. A complete run
writes docs/performance/between_processes.md.
"""
import argparse
import importlib.util
import math
import statistics
from pathlib import Path

import measure
from report import machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
COUNTS = [1, 2, 3, 4, 5]


class Suite:
    """One implementation: how it is started, and its results."""

    def __init__(self, name, settings, work):
        self.name, self.settings, self.work = name, settings, work
        self.seconds, self.remarks = {}, {}  # by number of ranks

    def run(self, ranks, limit_s, command):
        if ranks in self.remarks:
            return  # a job that has failed or taken too long is not tried again
        launcher, environment = self.settings(ranks)
        run = measure.start([str(word) for word in launcher + command], limit_s,
                            {**environment, 'MPI4PY_TEST_SPAWN': 'no'})
        print(f'{self.name}, {ranks} ranks: {run.wall_s:.1f} s {run.failure}', flush=True)
        if run.failure:
            self.remarks[ranks] = run.failure
        if not run.failure.startswith('over'):
            self.seconds.setdefault(ranks, []).append(run.wall_s)

    def cell(self, ranks):
        seconds, remark = self.seconds.get(ranks), self.remarks.get(ranks)
        return '; '.join(([f'{statistics.median(seconds):.1f} s'] if seconds else []) + ([remark] if remark else []))


def prepare(options, suite_runner):
    work = ROOT / 'build' / 'bench' / 'mpi4py'
    thrum = options.thrum_work or work / 'thrum'
    suite_runner.build(options.build / 'bin' / 'mpicc', thrum)
    mpiexec = [options.build / 'bin' / 'mpiexec', '--processes', '-n']
    suites = [Suite('Thrum', lambda ranks: (mpiexec + [ranks], {}), thrum)]
    for name, package in measure.PEER_WHEELS.items():
        bin_dir = measure.install_peer(package, ROOT / 'build' / 'bench' / package.split('=')[0])
        if not bin_dir:
            continue
        place = work / package.split('=')[0]
        suite_runner.build(bin_dir / 'mpicc', place, settings={})
        for best in (True, False)[:1 if options.best else 2]:
            peer = measure.Peer(name if best else f'{name} default', bin_dir, best)
            suites.append(Suite(peer.name, peer.settings, place))
    return suites


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--thrum-work', type=Path, help='folder in which tests/third_party/mpi4py/run.py has built mpi4py already')
    parser.add_argument('--runs', type=int, default=1, help='of each suite; medians count (default 1)')
    parser.add_argument('--ranks', type=int, nargs='+', default=COUNTS, help='numbers of ranks (default 1 to 5)')
    parser.add_argument('--limit', type=float, default=600, help='seconds for one run (default 600)')
    parser.add_argument('--patience', type=float, default=3,
                        help="a peer's run ends after so many times Thrum's time (default 3)")
    parser.add_argument('--best', action='store_true', help='peers with their best settings only')
    parser.add_argument('--quick', nargs='+', metavar='TEST', help='only these files of the suite (test_rma ...)')
    options = parser.parse_args()
    options.build = options.build.resolve()
    spec = importlib.util.spec_from_file_location('mpi4py_run', ROOT / 'tests' / 'third_party' / 'mpi4py' / 'run.py')
    suite_runner = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(suite_runner)
    measure.become_reaper()
    suites = prepare(options, suite_runner)
    chosen = [word for test in options.quick or [] for word in ('-i', test)]
    for ranks in options.ranks:
        for _ in range(options.runs):
            for suite in suites:
                thrums = suites[0].seconds.get(ranks)
                limit = min(options.limit, math.ceil(options.patience * thrums[-1])) if thrums else options.limit
                suite.run(ranks, limit, suite_runner.suite_of(suite.work) + chosen)
    rows = [[suite.name] + [suite.cell(ranks) for ranks in options.ranks] for suite in suites]
    figures = table(['implementation'] + [f'{ranks} ranks' for ranks in options.ranks], rows)
    print(figures)
    if options.ranks == COUNTS and not options.quick:
        write_sections({'mpi4py': f'{machine()}.\n\n{figures}'})


if __name__ == '__main__':
    main()
