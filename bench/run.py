#!/usr/bin/env python3
"""make bench: measures Thrum beside the machine's limits and beside MPICH and Open MPI.

Prints the tables of docs/performance and, after a complete run, writes them into its pages together
with the plots. A run with --quick or --only writes into build/bench/performance instead, unless
--output says otherwise. Every figure is the median over --runs runs; a program's figure in one run is
itself a median. Runs of different implementations alternate, so that all see the same machine.
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

import cells
import measure
import privatize
import plots
import report
import ten_figures
from report import duration, ratio, size

ROOT = Path(__file__).resolve().parent.parent
# Operation of one_sided.c, its size, and the plain C beside it.
ONE_SIDED = [('put', 8, 'copy'), ('get', 8, 'copy'), ('accumulate', 8, 'atomic_add'), ('fetch_and_op', 8, 'atomic_add'),
             ('compare_and_swap', 8, 'atomic_add'), ('accumulate_vector', 65536, 'add_vector'),
             ('put_column', 8000, 'copy_column')]
COLLECTIVES = [('barrier', 0), ('bcast', 8), ('allreduce', 8), ('bcast', 1 << 20)]
ROUND_STACKS = (64, 1024, 16384)
GROWTH = [('allreduce', 16384), ('allreduce', 65536), ('reduce', 16384), ('reduce', 65536),
          ('reduce_scatter', 16384), ('reduce_scatter', 65536)]
DUPLICATES_IN_A_ROW = (10, 100, 1000, 2000)
LARGE_RANKS_MAX = 64  # a broadcast of 1 MiB: more ranks would need gigabytes for their buffers
NONBLOCKING = ['barrier', 'bcast', 'gather', 'scatter', 'allgather', 'alltoall', 'reduce', 'allreduce',
               'reduce_scatter_block', 'scan']
NONBLOCKING_SIZES = [8, 1024, 8192, 65536, 1 << 20]
ORDERS = (1000, 6000)  # of the matrix; the page says why two
LARGE_ORDER_RANKS = (2, 64, 1024)  # of the second: half a minute each
PEER_TIME_LIMIT_S = 60
FILE_RANKS = 64


class Bench:
    def __init__(self, options):
        self.options = options
        self.figures = {}   # (label, test, ranks, bytes): list of values
        self.failures = {}  # (label, test, ranks): why
        self.sections, self.targets = {}, []
        self.programs = {}  # implementation: folder
        self.work = ROOT / 'build' / 'bench'
        self.work.mkdir(parents=True, exist_ok=True)
        self.thrum = measure.Thrum(options.build.resolve())
        self.private = measure.Thrum(options.build.resolve(), 'Thrum --privatize')
        self.peers = []
        self.cell_figures = None  # of the part `cells`
        self.barriers = {}  # of the part `collectives`: of Thrum and of the best peer, by ranks

    # Preparation

    def prepare(self):
        self.programs[self.thrum] = measure.compile_programs(self.thrum.bin, self.work / 'thrum', ROOT)
        self.programs[self.private] = measure.compile_programs(
            self.private.bin, self.work / 'thrum-privatize', ROOT, ['--privatize'])
        for name, flags in (('limits', ['-O2']), ('cholesky_limit', measure.PROGRAMS['cholesky'])):
            subprocess.run([shutil.which('gcc') or 'cc', *flags, '-pthread', ROOT / 'bench' / f'{name}.c', '-o',
                            self.work / name], check=True)
        self.add_peers(measure.PROGRAMS)

    def add_peers(self, programs):
        """Installs MPICH and Open MPI, and compiles the programs with each."""
        for name, package in {} if self.options.no_peers else measure.PEER_WHEELS.items():
            folder = self.work / package.split('=')[0]
            bin_dir = measure.install_peer(package, folder)
            if not bin_dir:
                continue
            compiled = measure.compile_programs(bin_dir, folder / 'programs', ROOT, programs=programs)
            for best in (True, False):
                peer = measure.Peer(name if best else f'{name} default', bin_dir, best)
                self.programs[peer] = compiled
                self.peers.append(peer)

    # Running

    def measure_parts(self, parts):
        for part in parts:
            begin = time.monotonic()
            getattr(self, part)()
            self.print_section(part)
            print(f'\n({part}: {time.monotonic() - begin:.0f} s)', flush=True)

    def progress(self, text):
        if sys.stderr.isatty():
            print(f'\r\033[K{text[:100]}', end='', file=sys.stderr, flush=True)

    def add(self, key, value):
        self.figures.setdefault(key, []).append(value)

    def get(self, label, test, ranks, size_bytes=0):
        values = self.figures.get((label, test, ranks, size_bytes))
        return statistics.median(values) if values else None

    def cell(self, label, test, ranks, size_bytes=0):
        value = self.get(label, test, ranks, size_bytes)
        return duration(value) if value else self.failures.get((label, test, ranks), '-')

    def label(self, implementation, workers):
        return f'{implementation.name}, {workers} core' if workers else implementation.name

    def once(self, implementation, program, arguments, ranks, workers=None, hold=None):
        """One run; its figures go under the implementation's label. None if it failed before."""
        label = self.label(implementation, workers)
        if (label, program, ranks) in self.failures:
            return None
        self.progress(f'{label}: {program} with {ranks} ranks')
        command, environment = implementation.settings(ranks, workers)
        command = command + [self.programs[implementation] / program] + [str(a) for a in arguments]
        limit_s = min(self.options.limit, PEER_TIME_LIMIT_S) if implementation in self.peers \
            else self.options.limit
        run = measure.start(command, limit_s, environment, hold)
        for (test, size_bytes), value in run.figures.items():
            self.add((label, test, ranks, size_bytes), value)
        if run.failure:
            self.failures[label, program, ranks] = run.failure
            for test, size_bytes in COLLECTIVES if program == 'collectives' else []:
                self.failures.setdefault((label, test, ranks), run.failure)
        return run

    def run_command(self, label, test, ranks, command, environment=None):
        """Its figures go under (label, test, ranks, bytes). Not tried again once it has failed."""
        if (label, test, ranks) in self.failures:
            return None
        self.progress(f'{label}: {test} with {ranks} ranks')
        done = measure.start([str(word) for word in command], self.options.limit, environment)
        for (name, size_bytes), value in done.figures.items():
            self.add((label, name, ranks, size_bytes), value)
        if done.failure:
            self.failures[label, test, ranks] = done.failure
        return done

    def sampling(self):
        return ['-r', 3, '-t', 0.01, '-b', 1] if self.options.quick else ['-r', 5, '-t', 0.05, '-b', 5]

    def ranks(self, complete, quick):
        return quick if self.options.quick else complete

    def settings_of_two(self):
        """(implementation, workers) for tests between two ranks: on one core, on two."""
        best = [peer for peer in self.peers if peer.best]
        return [(i, w) for w in ((1, 2) if measure.CORES > 1 else (1,)) for i in [self.thrum] + best]

    def target(self, text, value, bound, shown=duration, at_least=False):
        """One line of the table of targets. The last column is value / bound: met if at most 1 (or,
        for a speed, at least 1)."""
        if value is None or bound is None:
            self.targets.append([text, '-', '-', '-', 'not measured'])
            return
        met = value >= bound if at_least else value <= bound
        self.targets.append([text, shown(bound), shown(value), ratio(value, bound),
                             'met' if met else 'missed'])

    # The parts of the benchmark, in the order of the page

    def limits(self):
        sizes = self.pingpong_sizes()[1:]
        for _ in range(self.options.runs):
            self.progress('limits of the machine')
            run = measure.start([self.work / 'limits'] + [str(s) for s in sizes], self.options.limit)
            for (test, size_bytes), value in run.figures.items():
                self.add(('machine', test, 0, size_bytes), value)
        names = {'bare_switch': 'fiber switch, bare', 'fs_base_switch': 'fiber switch with its FS base',
                 'cache_line': 'cache-line hand-over between two cores, one way'}
        rows = [[text, duration(self.get('machine', test, 0, 8 if test == 'cache_line' else 0)), '']
                for test, text in names.items()]
        for n in ROUND_STACKS:
            rows += [[f'{n:,} stacks each get their turn, on two cores', duration(self.get('machine', 'round', 0, n)), ''],
                     ['the same, and write the 22 cache lines that a rank does in a barrier',
                      duration(self.get('machine', 'full_round', 0, n)), '']]
        for s in sizes:
            if time_s := self.get('machine', 'memcpy', 0, s):
                rows.append([f'memcpy of {size(s)}', duration(time_s),
                             f'{report.digits(s / time_s / 1e9)} GB/s'])
        self.sections['limits'] = report.table(['limit', 'time', 'rate'], rows)

    def pingpong_sizes(self):
        return self.ranks([0, 8, 64, 512, 4096, 8192, 16384, 65536, 262144, 1 << 20, 4 << 20],
                          [0, 8, 4096, 1 << 20])

    def pingpong(self):
        sizes, both = self.pingpong_sizes(), self.settings_of_two()
        for _ in range(self.options.runs):
            for implementation, workers in both:
                self.once(implementation, 'pingpong', self.sampling() + sizes, 2, workers)
        labels = [self.label(*pair) for pair in both]
        rows = [[size(s)] + [self.cell(label, 'pingpong', 2, s) for label in labels] +
                [ratio(self.get('machine', 'memcpy', 0, s),
                       self.get(f'Thrum, {w} core', 'pingpong', 2, s)) for w in (1, 2)] for s in sizes]
        self.sections['pingpong'] = report.table(
            ['half round trip'] + labels + ['memcpy / Thrum, 1 core', 'memcpy / Thrum, 2 core'], rows)
        self.pingpong_targets()

    def pingpong_targets(self):
        switch = self.get('machine', 'bare_switch', 0)
        line = self.get('machine', 'cache_line', 0, 8)
        small = {w: self.get(f'Thrum, {w} core', 'pingpong', 2, 8) for w in (1, 2)}
        self.target('8 B half round trip, one worker: 6 bare switches or 80 ns', small[1],
                    max(6 * (switch or 0), 80e-9))
        self.target('8 B half round trip, two workers (free to share one): 3 cache-line hand-overs or 180 ns', small[2],
                    max(3 * (line or 0), 180e-9))
        copy = self.get('machine', 'memcpy', 0, 1 << 20)
        for w in (1, 2):
            large = self.get(f'Thrum, {w} core', 'pingpong', 2, 1 << 20)
            speed = (1 << 20) / large if large else None
            self.target(f'1 MiB, {w} worker{"s" * (w - 1)}: 0.9 of the rate of memcpy', speed,
                        0.9 * (1 << 20) / copy if copy else None,
                        lambda rate: f'{report.digits(rate / 1e9)} GB/s', at_least=True)

    def message_rate(self):
        both = self.settings_of_two()
        for _ in range(self.options.runs):
            for implementation, workers in both:
                self.once(implementation, 'message_rate', self.sampling() + [8], 2, workers)
        rows = []
        for implementation, workers in both:
            label = self.label(implementation, workers)
            time_s = self.get(label, 'message_rate', 2, 8)
            thrum = self.get(self.label(self.thrum, workers), 'message_rate', 2, 8)
            rows.append([label, self.cell(label, 'message_rate', 2, 8),
                         f'{report.digits(1e-6 / time_s)}' if time_s else '-', ratio(time_s, thrum)])
        self.sections['message_rate'] = report.table(
            ['8 B messages', 'time of one', 'million a second', 'time / Thrum'], rows)

    def one_sided(self):
        both = self.settings_of_two()
        for _ in range(self.options.runs):
            for implementation, workers in both:
                self.once(implementation, 'one_sided', self.sampling(), 2, workers)
        labels = [self.label(*pair) for pair in both]
        thrum = [self.label(self.thrum, w) for i, w in both if i is self.thrum]
        rows = []
        for test, size_bytes, plain in ONE_SIDED:
            rows.append([test.replace('_', ' '), size(size_bytes)] +
                        [self.cell(label, test, 2, size_bytes) for label in labels] +
                        [self.cell(thrum[0], plain, 2, size_bytes)] +
                        [ratio(self.get(label, plain, 2, size_bytes), self.get(label, test, 2, size_bytes))
                         for label in thrum])
        self.sections['one_sided'] = report.table(
            ['operation and flush', 'data'] + labels + ['plain C'] + [f'plain C / {label}' for label in thrum], rows)
        for test in ('put', 'get', 'accumulate'):
            self.target(f'{test} of 8 B and flush, MPI_Win_lock_all, two workers: 100 ns',
                        self.get(thrum[-1], test, 2, 8), 100e-9)
        hand, column = (self.get(thrum[-1], test, 2, 8000) for test in ('copy_column', 'put_column'))
        self.target('put of a strided column of 1,000 doubles: 0.8 of the rate of a copy loop',
                    8000 / column if column else None, 0.8 * 8000 / hand if hand else None,
                    lambda rate: f'{report.digits(rate / 1e9)} GB/s', at_least=True)

    def collective_of_all(self, implementation, ranks, workers=None):
        chosen = [(test, b) for test, b in COLLECTIVES if b < 1 << 20 or ranks <= LARGE_RANKS_MAX]
        self.once(implementation, 'collectives', self.sampling() + [f'{t}:{b}' for t, b in chosen],
                  ranks, workers)

    def collectives(self):
        ranks = self.ranks([2, 4, 16, 64, 256, 1024, 4096, 16384], [2, 64, 1024, 4096])
        peer_ranks = self.ranks([2, 16, 64], [2, 16])
        for _ in range(self.options.runs):
            for n in ranks + [n for n in peer_ranks if n not in ranks]:
                for workers in (None, 1):
                    self.collective_of_all(self.thrum, n, workers)
                self.collective_of_all(self.private, n)
                for peer in self.peers if n in peer_ranks else []:
                    self.collective_of_all(peer, n)
        labels = ['Thrum', 'Thrum, 1 core', 'Thrum --privatize'] + [peer.name for peer in self.peers]
        text = []
        for test, size_bytes in COLLECTIVES:
            name = test.capitalize() + (f' of {size(size_bytes)}' if size_bytes else '')
            rows = [[f'{n:,}'] + [self.cell(label, test, n, size_bytes) for label in labels] +
                    [self.advantage(test, n, size_bytes)]
                    for n in sorted(set(ranks + peer_ranks)) if self.get('Thrum', test, n, size_bytes)]
            text.append(f'{name}:\n\n' + report.table(['ranks'] + labels + ['best peer / Thrum'], rows))
        self.sections['collectives'] = '\n\n'.join(text)
        # Kept before the part `nonblocking`, whose program measures blocking barriers, too.
        self.barriers = {n: (self.get('Thrum', 'barrier', n), self.best_peer('barrier', n)) for n in ranks}
        for n, bound in ((64, 5e-6), (1024, 100e-6)):
            self.target(f'barrier of {n:,} ranks: {duration(bound)}', self.get('Thrum', 'barrier', n), bound)
            self.target(f'the same, compiled with --privatize: {duration(bound)}',
                        self.get('Thrum --privatize', 'barrier', n), bound)
        switch = self.get('machine', 'fs_base_switch', 0)
        for n, switches in ((1024, 2.5), (16384, 6)):
            full = self.get('machine', 'full_round', 0, n)
            for label, text in (('Thrum', f'barrier of {n:,} ranks'), ('Thrum --privatize', 'the same, compiled with --privatize')):
                self.target(f'{text}: {switches:g} times ranks x switch / workers', self.get(label, 'barrier', n),
                            switches * n * switch / measure.CORES if switch else None)
                self.target(f'{text}: 1.5 times its cache lines without MPI', self.get(label, 'barrier', n), 1.5 * full if full else None)
        self.plot('barrier', 'Barrier: time against ranks', 'barrier', 0, labels)

    def growth(self):
        """Costs that must not grow faster than the work: large reductions with the ranks, duplicates of a communicator
        with those that there are."""
        ranks = self.ranks([64, 256, 1024, 4096, 16384], [64, 1024])
        duplicate_ranks = self.ranks([64, 1024], [64])
        for _ in range(self.options.runs):
            for n in ranks:
                self.once(self.thrum, 'collectives', self.sampling() + [f'{t}:{b}' for t, b in GROWTH], n)
            for n in duplicate_ranks:
                self.once(self.thrum, 'collectives',
                          self.sampling() + [f'duplicates:{row}' for row in DUPLICATES_IN_A_ROW], n)
        rows = []
        for test, size_bytes in GROWTH:
            times = [self.get('Thrum', test, n, size_bytes) for n in ranks]
            each = [f'{duration(time)} ({duration(time / n)})' if time else '-' for time, n in zip(times, ranks)]
            rows.append([f'{test.replace("_", " ")}, {size(size_bytes)}'] + each)
        text = 'A call, and in brackets its time divided by the ranks:\n\n'
        text += report.table(['operation'] + [f'{n:,} ranks' for n in ranks], rows)
        rows = [[f'{n:,}'] + [self.cell('Thrum', 'duplicates', n, row) for row in DUPLICATES_IN_A_ROW]
                for n in duplicate_ranks]
        text += '\n\n`MPI_Comm_dup`, one of so many in a row:\n\n'
        text += report.table(['ranks'] + [f'{row:,}' for row in DUPLICATES_IN_A_ROW], rows)
        self.sections['growth'] = text

    def nonblocking(self):
        """Non-blocking and persistent operations beside the blocking ones, of Thrum alone."""
        ranks = self.ranks([2, 16, 64, 1024], [2, 64])
        sizes = self.ranks(NONBLOCKING_SIZES, [8, 65536])
        chosen = [(test, b) for test in NONBLOCKING for b in (sizes if test != 'barrier' else [0])]
        for _ in range(self.options.runs):
            for n in ranks:
                fitting = [f'{t}:{b}' for t, b in chosen if b < 1 << 20 or n <= LARGE_RANKS_MAX]
                self.once(self.thrum, 'nonblocking', self.sampling() + fitting, n)
        rows, worst = [], {}
        for test, size_bytes in chosen:
            cells = []
            for n in ranks:
                blocking = self.get('Thrum', test, n, size_bytes)
                for name in (f'i{test}', f'{test}_init'):
                    time_s = self.get('Thrum', name, n, size_bytes)
                    cells.append(ratio(time_s, blocking))
                    if time_s and blocking:
                        worst[n] = max(worst.get(n, 0), time_s / blocking)
            rows.append([test + (f' of {size(size_bytes)}' if size_bytes else '')] + cells)
        head = sum(([f'{n:,} ranks: non-blocking', 'persistent'] for n in ranks), [])
        self.sections['nonblocking'] = report.table(['time / blocking form'] + head, rows)
        for n in ranks:
            self.target(f'the slowest non-blocking or persistent operation of {n:,} ranks: 1.5 times '
                        'the blocking form', worst.get(n), 1.5, lambda value: f'{report.digits(value)}x')

    def neighbors(self):
        """Neighbourhood collectives: the three forms beside each other."""
        ranks, sizes = self.ranks([16, 64, 1024], [16, 64]), [8, 1024, 65536]
        forms = ['neighbor_blocking', 'neighbor_nonblocking', 'neighbor_persistent']
        for _ in range(self.options.runs):
            for n in ranks:
                self.once(self.thrum, 'neighbors', self.sampling() + sizes, n)
        rows = []
        for n in ranks:
            for s in sizes:
                times = [self.get('Thrum', form, n, s) for form in forms]
                rows.append([f'{n:,}', size(s)] + [self.cell('Thrum', form, n, s) for form in forms] +
                            [ratio(time_s, times[0]) for time_s in times[1:]])
        self.sections['neighbors'] = report.table(
            ['ranks', 'block', 'blocking', 'non-blocking', 'persistent', 'non-blocking / blocking',
             'persistent / blocking'], rows)
        for s in (8, 65536):
            blocking = self.get('Thrum', forms[0], 64, s)
            self.target(f'MPI_Ineighbor_alltoall of {size(s)} with 64 ranks: 1.5 times MPI_Neighbor_alltoall',
                        self.get('Thrum', forms[1], 64, s), 1.5 * blocking if blocking else None)

    def best_peer(self, test, ranks, size_bytes=0):
        """The faster of the peers with their best settings."""
        times = [self.get(p.name, test, ranks, size_bytes) for p in self.peers if p.best]
        return min((t for t in times if t), default=None)

    def advantage(self, test, ranks, size_bytes=0):
        return ratio(self.best_peer(test, ranks, size_bytes), self.get('Thrum', test, ranks, size_bytes))

    def startup(self):
        ranks = self.ranks([1, 2, 16, 64, 256, 1024, 4096, 16384], [1, 64, 1024, 16384])
        peer_ranks = self.ranks([2, 16, 64], [2, 16])
        for _ in range(self.options.runs):
            for n in sorted(set(ranks + peer_ranks)):
                implementations = [self.thrum] + [p for p in self.peers if p.best and n in peer_ranks]
                for implementation in implementations:
                    self.start_and_hold(implementation, n)
        labels = ['Thrum'] + [p.name for p in self.peers if p.best]
        rows = []
        for n in sorted(set(ranks + peer_ranks)):
            cells = [[self.cell(label, 'hello', n), self.memory_cell(label, n)] for label in labels]
            rows.append([f'{n:,}'] + sum(cells, []))
        self.sections['startup'] = report.table(
            ['ranks'] + sum(([f'{label}: wall', 'memory a rank'] for label in labels), []), rows)
        self.target('hello with 1,024 ranks: 0.1 s', self.get('Thrum', 'hello', 1024), 0.1)
        self.target('memory of a rank among 1,024: 64 KiB', self.get('Thrum', 'memory', 1024), 65536, size)
        self.target('hello with 16,384 ranks: 2 s', self.get('Thrum', 'hello', 16384), 2.0)
        self.plot('startup', 'Start, barrier, end: wall time against ranks', 'hello', 0, labels)

    def start_and_hold(self, implementation, ranks):
        run = self.once(implementation, 'hello', [], ranks)
        if not run or run.failure:
            return
        self.add((implementation.name, 'hello', ranks, 0), run.wall_s)
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            hold = Path(folder) / 'hold'
            hold.touch()
            run = self.once(implementation, 'hello', [hold], ranks, hold=hold)
        if run and not run.failure:
            self.add((implementation.name, 'memory', ranks, 0), run.pss_bytes / ranks)

    def memory_cell(self, label, ranks):
        value = self.get(label, 'memory', ranks)
        return size(value) if value else '-'

    def cholesky(self):
        ranks = self.ranks([1, 2, 16, 64, 256, 1024, 4096], [2, 64, 1024])
        peer_ranks = self.ranks([2, 16, 64], [2, 64])
        orders = ORDERS[:1] if self.options.quick else ORDERS
        for _ in range(self.options.runs):
            for order in orders:
                for n in ranks if order == ORDERS[0] else LARGE_ORDER_RANKS:
                    self.once(self.thrum, 'cholesky', ['-n', order], n)
                    if order == ORDERS[0]:
                        self.run_command('machine', 'cholesky_limit', n, [self.work / 'cholesky_limit', order, n])
                    for peer in self.peers if n in peer_ranks and order == ORDERS[0] else []:
                        self.once(peer, 'cholesky', ['-n', order], n)
        text = []
        for order in orders:
            labels = ['Thrum'] + [p.name for p in self.peers if order == ORDERS[0]]
            base = self.get('Thrum', 'cholesky', 2, order)
            bound = [[duration(self.get('machine', 'cholesky_limit', n, order))] for n in ranks] \
                if order == ORDERS[0] else [[]] * len(LARGE_ORDER_RANKS)
            rows = [[f'{n:,}'] + [self.cell(label, 'cholesky', n, order) for label in labels] +
                    [ratio(self.get('Thrum', 'cholesky', n, order), base)] +
                    ([self.advantage('cholesky', n, order)] if len(labels) > 1 else []) + alone
                    for n, alone in zip(ranks if order == ORDERS[0] else LARGE_ORDER_RANKS, bound)]
            head = ['ranks'] + labels + ['Thrum / its 2 ranks'] + ['best peer / Thrum'] * (len(labels) > 1) + \
                ['without MPI'] * (order == ORDERS[0])
            text.append(f'Order {order:,}:\n\n' + report.table(head, rows))
        self.sections['cholesky'] = '\n\n'.join(text)
        self.cholesky_targets(orders)
        labels = ['Thrum'] + [p.name for p in self.peers]
        self.plot('cholesky', f'Cholesky factorisation of order {ORDERS[0]:,}: time against ranks',
                  'cholesky', ORDERS[0], labels)

    def cholesky_targets(self, orders):
        for order in orders:
            base = self.get('Thrum', 'cholesky', 2, order)
            self.target(f'Cholesky of order {order:,}, 1,024 ranks: twice the time of 2 ranks',
                        self.get('Thrum', 'cholesky', 1024, order), 2 * base if base else None)
        peer = self.best_peer('cholesky', 64, ORDERS[0])
        self.target(f'Cholesky of order {ORDERS[0]:,}, 64 ranks: a sixth of the time of the faster peer',
                    self.get('Thrum', 'cholesky', 64, ORDERS[0]), peer / 6 if peer else None)

    def files(self):
        """Interleaved blocks of 64 ranks; the stream of one process is measured in the same runs."""
        total = (32 if self.options.quick else 256) << 20
        implementations = [self.thrum] + [peer for peer in self.peers if peer.best]
        for _ in range(self.options.runs):
            for implementation in implementations:
                with tempfile.TemporaryDirectory(dir=self.work) as folder:
                    self.once(implementation, 'files', self.sampling()[:2] + [folder, total], FILE_RANKS)
        rows = []
        for implementation in implementations:
            figures = [self.get(implementation.name, test, FILE_RANKS, total)
                       for test in ('stream_write', 'write_all', 'read_all')]
            rates = [f'{report.digits(total / t / 1e9)} GB/s' if t else
                     self.failures.get((implementation.name, 'files', FILE_RANKS), '-') for t in figures]
            rows.append([implementation.name] + rates + [ratio(figures[0], figures[1])])
        self.sections['files'] = report.table(
            [f'{size(total)}, {FILE_RANKS} ranks', 'one stream', 'write_all', 'read_all', 'write_all / stream'], rows)
        stream, together = (self.get('Thrum', test, FILE_RANKS, total) for test in ('stream_write', 'write_all'))
        self.target(f'collective write of interleaved 1 KiB blocks, {FILE_RANKS} ranks: 0.5 of the rate of one stream',
                    total / together if together else None, 0.5 * total / stream if stream else None,
                    lambda rate: f'{report.digits(rate / 1e9)} GB/s', at_least=True)

    def cells(self):
        """Where peers have led; what AMPI names joins them here."""
        processes = measure.ThrumProcesses(self.options.build.resolve(), 'Thrum, processes')
        peers, programs = [peer for peer in self.peers if peer.best], {}
        if os.environ.get('AMPI'):
            peers += [measure.Ampi(Path(os.environ['AMPI']), cores) for cores in sorted({measure.CORES, 1}, reverse=True)]
        for implementation in [self.thrum, *peers]:
            programs[implementation] = measure.compile_programs(
                implementation.bin, self.work / 'cells' / implementation.name, ROOT, getattr(implementation, 'options', ()),
                cells.PROGRAMS, getattr(implementation, 'compiler', 'mpicc'))
        programs[processes] = programs[self.thrum]
        figures = cells.Cells(self.thrum, processes, peers, programs)
        for _ in range(self.options.runs):
            figures.run_all(self.sampling(), self.options.limit, cells.PEER_TIME_LIMIT_S, self.progress)
        self.sections['cells'] = figures.section()
        self.cell_figures = figures

    def privatize(self):
        self.sections['privatize'] = privatize.section(self.thrum.bin, max(3, self.options.runs))

    # Output

    def plot(self, name, title, test, size_bytes, labels):
        counts = sorted({key[2] for key in self.figures if key[1] == test and key[3] == size_bytes})
        series = {label: [(n, v) for n in counts if (v := self.get(label, test, n, size_bytes))]
                  for label in labels}
        plots.curves(self.options.folder / 'performance' / f'{name}.svg', title, 'time', series)

    def print_section(self, name):
        self.progress('')
        print(f'\n## {name}\n\n{self.sections[name]}', flush=True)

    def write(self):
        self.sections['machine'] = (f'{report.machine()}. Medians of {self.options.runs} runs'
                                    f'{" (quick)" if self.options.quick else ""}.')
        self.sections['targets'] = report.table(
            ['target', 'bound', 'measured', 'measured / bound', ''], self.targets)
        self.print_section('machine')
        self.print_section('targets')
        if self.cell_figures:
            self.sections['figures'] = ten_figures.section(self, self.cell_figures)
            self.print_section('figures')
        sections = {name: self.sections.get(name, 'Not measured in this run.') for name in ['figures', 'machine', 'targets'] + PARTS}
        for page in report.write_sections(sections, self.options.folder):
            print(f'Written: {page}')


PARTS = ['limits', 'pingpong', 'message_rate', 'one_sided', 'collectives', 'growth', 'nonblocking', 'neighbors',
         'startup', 'cholesky', 'files', 'cells', 'privatize']


def parse(description, parts, limit_s):
    """The options of a benchmark that has these parts. `folder` is where its pages belong: docs, after a complete run."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--quick', action='store_true', help='fewer sizes and runs: a couple of minutes')
    parser.add_argument('--no-peers', action='store_true', help='without MPICH and Open MPI')
    parser.add_argument('--only', default=','.join(parts), metavar='PARTS',
                        help=f'comma-separated, of: {", ".join(parts)}')
    parser.add_argument('--runs', type=int, help='runs of each program (default 3; quick: 1)')
    parser.add_argument('--limit', type=float, default=limit_s, metavar='SECONDS',
                        help=f'time limit of one run (default {limit_s})')
    parser.add_argument('--output', type=Path, metavar='FOLDER',
                        help='where to write the pages (default docs, or build/bench unless the run is complete)')
    options = parser.parse_args()
    chosen = options.only.split(',')
    if unknown := set(chosen) - set(parts):
        parser.error(f'--only: no part {", ".join(sorted(unknown))}; there are {", ".join(parts)}')
    options.only = [part for part in parts if part in chosen]
    complete = not options.quick and not options.no_peers and options.only == parts
    options.runs = options.runs or (1 if options.quick else 3)
    options.folder = (options.output or ROOT / ('docs' if complete else 'build/bench')).resolve()
    return options


def run_all(bench):
    measure.become_reaper()
    try:
        bench.prepare()
        bench.measure_parts(bench.options.only)
        bench.write()
    except KeyboardInterrupt:
        measure.kill_descendants()
        sys.exit('\nInterrupted; nothing was written.')


if __name__ == '__main__':
    run_all(Bench(parse(__doc__, PARTS, 120)))
