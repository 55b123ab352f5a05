#!/usr/bin/env python3
"""The tables of the ACLMPL paper rerun: ACLMPL beside MPI send/receive of Thrum, of MPICH and of Open MPI.

Six cases (one-to-all, all-to-all, all-to-one, broadcast, reduce, latency) on 2, 32 and 128 ranks over message sizes;
table 2 (1 KiB on 32 ranks); where binary swap overtakes the tree. Writes tables and SVG plots into
docs/papers/aclmpl.md after a complete run, else into build/bench/. Runs of different implementations alternate.
"""
import argparse
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
import measure  # noqa: E402
import plots  # noqa: E402
import report  # noqa: E402

SOURCE = ROOT / 'bench' / 'papers' / 'acl_cases.c'
SIZES = {2: [1024, 8, 64, 4096, 32768, 262144, 1 << 20], 32: [1024, 8, 64, 4096, 32768, 262144],
         128: [1024, 8, 64, 4096, 16384]}
THROUGHPUT = ['all_to_all', 'all_to_one', 'one_to_all']
GLOBAL = ['broadcast', 'reduce']
SWAP_SIZES = [1024, 8192, 32768, 131072, 1 << 20]
TITLES = {'all_to_all': 'all-to-all', 'all_to_one': 'all-to-one', 'one_to_all': 'one-to-all',
          'broadcast': 'broadcast', 'reduce': 'reduce'}
TARGET = 7


class Bench:
    def __init__(self, options):
        self.options = options
        self.figures, self.failures, self.sections = {}, {}, {}
        self.work = ROOT / 'build' / 'bench' / 'papers'
        self.work.mkdir(parents=True, exist_ok=True)
        self.thrum = measure.Thrum(options.build.resolve())
        self.columns = []  # (name, implementation, program, layer)

    def compile(self, bin_dir, name, flags):
        program = self.work / f'acl_cases_{name}'
        subprocess.run([bin_dir / 'mpicc', '-O2', *flags, SOURCE, '-o', program], check=True)
        return program

    def prepare(self):
        program = self.compile(self.thrum.bin, 'thrum', ['-DACLMPL'])
        self.columns += [('ACLMPL', self.thrum, program, 'acl'), ('ACLMPL async', self.thrum, program, 'acl-async'),
                         ('Thrum MPI', self.thrum, program, 'mpi'),
                         ('Thrum MPI async', self.thrum, program, 'mpi-async')]
        for name, package in {} if self.options.no_peers else measure.PEER_WHEELS.items():
            bin_dir = measure.install_peer(package, ROOT / 'build' / 'bench' / package.split('=')[0])
            if not bin_dir:
                continue
            program = self.compile(bin_dir, package.split('=')[0], [])
            peer = measure.Peer(name, bin_dir, True)
            self.columns += [(name, peer, program, 'mpi'), (f'{name} async', peer, program, 'mpi-async')]

    def cases(self, ranks, layer):
        asynchronous = layer.endswith('async')
        for size in SIZES[ranks] if not self.options.quick else SIZES[ranks][:3]:
            if ranks == 2:
                yield f'latency:{size}'
            for case in THROUGHPUT + ([] if asynchronous else GLOBAL):
                yield f'{case}:{size}'

    def once(self, column, ranks, cases):
        name, implementation, program, layer = column
        if (name, ranks) in self.failures:
            return
        if sys.stderr.isatty():
            print(f'\r\033[K{name} with {ranks} ranks', end='', file=sys.stderr, flush=True)
        command, environment = implementation.settings(ranks)
        sampling = ['-r', '3', '-t', '0.005', '-b', '0.5'] if self.options.quick else \
            ['-r', '5', '-t', '0.02', '-b', '2']
        run = measure.start(command + [program, layer, *sampling, *cases], self.options.limit, environment)
        for (case, size), value in run.figures.items():
            self.figures.setdefault((name, ranks, case, size), []).append(value)
        if run.failure:
            self.failures[name, ranks] = run.failure

    def measure(self):
        for _ in range(self.options.runs):
            for ranks in self.options.ranks:
                for column in self.columns:
                    self.once(column, ranks, list(self.cases(ranks, column[3])))
                swaps = [f'{case}:{size}' for size in SWAP_SIZES for case in ('reduce_by_tree', 'reduce_by_binary_swap')]
                self.once(('switch-over', *self.columns[0][1:]), ranks, swaps)

    def time(self, name, ranks, case, size):
        values = self.figures.get((name, ranks, case, size))
        return statistics.median(values) if values else None

    def rate(self, name, ranks, case, size):
        """Bytes a second: through rank 0, or, all-to-all, out of each rank."""
        time_s = self.time(name, ranks, case, size)
        return (ranks - 1) * size / time_s if time_s else None

    def sizes(self, ranks, case):
        """The values that have a figure, ascending."""
        return sorted({size for _, r, c, size in self.figures if (r, c) == (ranks, case)})

    def names(self):
        return [column[0] for column in self.columns]

    def peer_names(self):
        return [column[0] for column in self.columns if isinstance(column[1], measure.Peer)]

    def shown(self, name, ranks, case, size):
        if case in THROUGHPUT:
            rate = self.rate(name, ranks, case, size)
            return report.digits(rate / 1e6) if rate else self.failures.get((name, ranks), '-')
        time_s = self.time(name, ranks, case, size)
        return report.duration(time_s) if time_s else self.failures.get((name, ranks), '-')

    def best_peer(self, ranks, case, size):
        times = [t for name in self.peer_names() if (t := self.time(name, ranks, case, size))]
        return min(times) if times else None

    def advantage(self, ranks, case, size):
        return report.ratio(self.best_peer(ranks, case, size), self.time('ACLMPL', ranks, case, size))

    def table_2(self):
        if 32 not in self.options.ranks:
            return
        rows = [[TITLES[case] + (', MB/s' if case in THROUGHPUT else ', time')] +
                [self.shown(name, 32, case, 1024) for name in self.names()] + [self.advantage(32, case, 1024)]
                for case in THROUGHPUT + GLOBAL]
        self.sections['table2'] = report.table(
            ['1 KiB on 32 ranks'] + self.names() + ['ACLMPL against the faster process MPI'], rows)
        rows = []
        for case in THROUGHPUT:
            peer, own = self.best_peer(32, case, 1024), self.time('ACLMPL', 32, case, 1024)
            met = 'not measured' if not (peer and own) else 'met' if peer / own >= TARGET else 'missed'
            rows.append([TITLES[case], f'{TARGET}x', report.ratio(peer, own), met])
        self.sections['targets'] = report.table(['case', 'at least', 'measured', ''], rows)

    def latency(self):
        if 2 not in self.options.ranks:
            return
        rows = [[report.size(size)] + [self.shown(name, 2, 'latency', size) for name in self.names()]
                for size in self.sizes(2, 'latency')]
        self.sections['latency'] = report.table(['half round trip'] + self.names(), rows)

    def series(self):
        parts = []
        for ranks in self.options.ranks:
            for case in THROUGHPUT + GLOBAL:
                names = [n for n in self.names() if case in THROUGHPUT or not n.endswith('async')]
                rows = [[report.size(size)] + [self.shown(name, ranks, case, size) for name in names] +
                        [self.advantage(ranks, case, size)] for size in self.sizes(ranks, case)]
                unit = 'MB/s' if case in THROUGHPUT else 'time'
                plot = self.plot(ranks, case, names)
                parts.append(f'### {TITLES[case].capitalize()} on {ranks} ranks ({unit})\n\n' + report.table(
                    ['message'] + names + ['ACLMPL / best process MPI'], rows) + f'\n\n{plot}')
        self.sections['cases'] = '\n\n'.join(parts)

    def plot(self, ranks, case, names):
        value = self.rate if case in THROUGHPUT else self.time
        scale = 1e-6 if case in THROUGHPUT else 1
        series = {name: [(size, scale * v) for size in self.sizes(ranks, case) if (v := value(name, ranks, case, size))]
                  for name in names}
        path = self.options.output.parent / 'aclmpl' / f'{case}_{ranks}.svg'
        plots.curves(path, f'{TITLES[case].capitalize()} on {ranks} ranks',
                    'MB/s' if case in THROUGHPUT else 'time', series, 'bytes')
        return f'![{TITLES[case]} on {ranks} ranks](aclmpl/{path.name})'

    def switch_over(self):
        rows = []
        for ranks in self.options.ranks:
            for size in SWAP_SIZES:
                tree, swap = (self.time('switch-over', ranks, f'reduce_by_{how}', size)
                              for how in ('tree', 'binary_swap'))
                rows.append([str(ranks), report.size(size), report.duration(tree), report.duration(swap),
                             report.ratio(tree, swap)])
        self.sections['switch_over'] = report.table(['ranks', 'array', 'tree', 'binary swap', 'tree / swap'], rows)

    def write(self):
        runs = 'One quick run' if self.options.quick else f'Medians of {self.options.runs} runs'
        note = f' {self.options.note}' if self.options.note else ''
        self.sections['machine'] = f'{report.machine()}. {runs}.{note}'
        text = (ROOT / 'docs' / 'papers' / 'aclmpl.md').read_text()
        for name in ('machine', 'table2', 'targets', 'latency', 'switch_over', 'cases'):
            text = report.replace_section(text, name, self.sections.get(name, 'Not measured in this run.'))
        self.options.output.parent.mkdir(parents=True, exist_ok=True)
        self.options.output.write_text(text)
        for name in ('machine', 'table2', 'targets', 'latency', 'switch_over'):
            print(f'\n{self.sections.get(name, "")}')
        print(f'\nWritten: {self.options.output}')


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--quick', action='store_true', help='three sizes, one run: a couple of minutes')
    parser.add_argument('--no-peers', action='store_true', help='without MPICH and Open MPI')
    parser.add_argument('--ranks', default='2,32,128', help='numbers of ranks (default 2,32,128)')
    parser.add_argument('--runs', type=int, help='runs of each program (default 3; quick: 1)')
    parser.add_argument('--limit', type=float, default=120, metavar='SECONDS', help='of one run (default 120)')
    parser.add_argument('--note', help='a sentence about the run, for the page')
    parser.add_argument('--output', type=Path, help='page to write')
    options = parser.parse_args()
    options.ranks = [int(text) for text in options.ranks.split(',')]
    if unknown := set(options.ranks) - set(SIZES):
        parser.error(f'--ranks: {unknown}; there are 2, 32 and 128')
    complete = not options.quick and not options.no_peers and len(options.ranks) == len(SIZES)
    options.runs = options.runs or (1 if options.quick else 3)
    options.output = (options.output or ROOT / ('docs' if complete else 'build/bench') / 'papers' / 'aclmpl.md').resolve()
    return options


def main():
    bench = Bench(parse())
    measure.become_reaper()
    try:
        bench.prepare()
        bench.measure()
    except KeyboardInterrupt:
        measure.kill_descendants()
        sys.exit('\nInterrupted; nothing was written.')
    for part in (bench.table_2, bench.latency, bench.switch_over, bench.series, bench.write):
        part()


if __name__ == '__main__':
    main()
