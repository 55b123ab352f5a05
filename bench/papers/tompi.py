#!/usr/bin/env python3
"""The tables of the TOMPI paper rerun: Thrum beside MPICH and Open MPI.

Tables 1 and 2: a ping-pong of two ranks. Tables 3 to 5: Cholesky factorisation of order 1000 with 1 to 16,384 ranks, on one
core and on two. The speed of the paper's preprocessor: the pass of mpicc --privatize beside the C preprocessor and plain
compilation. Writes tables and SVG plots into docs/papers/tompi.md after a complete run, else into build/bench. A run that exceeds
--limit is ended; more ranks of that implementation are not tried then.
"""
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import measure  # noqa: E402
import plots  # noqa: E402
import privatize  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
from report import digits, duration, ratio  # noqa: E402

ROOT = run.ROOT
PROGRAMS = {name: measure.PROGRAMS[name] for name in ('pingpong', 'cholesky')}
SIZES = [0] + [10 ** power for power in range(7)]
ORDER = 1000
RANKS = [1 << power for power in range(15)]
PEER_RANKS_MAX = 1024
REPEATED_S = 2  # a longer run is made once
# The paper's tables: microseconds by the size of the message, then seconds by the number of processes.
PAPER_PINGPONG = {
    'TOMPI, RS/6000': [161, 163, 165, 166, 189, 579, 3245, 29771],
    'MPICH p4, RS/6000': [2769, 2188, 2181, 2237, 2726, 5806, 120244, 1311691],
    'MPICH shmem, RS/6000': [9950, 9850, 9925, 9900, 9799, 9749, 10940, 132713],
    'TOMPI, Ultra': [24, 24, 24, 25, 30, 79, 572, 5638],
    'MPICH p4, Ultra': [4182, 4191, 3974, 4340, 1214, 758, 400059, 4100617],
    'MPICH shmem, Ultra': [100011, 101312, 100012, 100013, 100012, 99843, 100012, 300044]}
PAPER_CHOLESKY = {
    'TOMPI, RS/6000': [86.3, 93.6, 103.8, 113.3, 124.4, 147.0, 184.9, 253.8, 381.7, 752.0],
    'MPICH p4, RS/6000': [86.4, 94.6, 106.7, 133.6, 257.3],
    'MPICH shmem, RS/6000': [87.0, 93.0, 105.5, 120.1, 155.4, 456.7, 755.1],
    'TOMPI, Ultra': [28.2, 28.5, 28.9, 29.8, 31.1, 34.4, 40.2, 51.2, 70.9, 104.7, 140.4],
    'MPICH p4, Ultra': [28.3, 30.0, 44.1, 59.7, 117.7, 149.3, 171.4],
    'MPICH shmem, Ultra': [28.2, 99.8, 162.3, 254.1, 445.5, 958.1, 1255.6]}
PAPER_SMP = {'TOMPI, SPARC 10, 1 processor': [57.9, 58.6, 60.7, 64.8, 69.1, 80.3, 103.4, 145.7, 226.8, 362.5, 498.8],
             'TOMPI, SPARC 10, 2 processors': [57.9, 35.6, 37.3, 39.2, 43.6]}
# The pass itself, as the paper has its preprocessor convert its own source.
PASS = 'compiler/gcc/rewrite.cc'


class ThrumThreads(measure.Thrum):
    """Each rank an OS thread, as in TOMPI."""

    def settings(self, ranks, workers=None):
        pinned = ['taskset', '-c', measure.first_core()] if workers == 1 else []
        return [*pinned, self.bin / 'mpiexec', '--threads=os', '-n', str(ranks)], {}


class Sockets(measure.Peer):
    """A peer whose ranks send everything through sockets, as the device p4 did."""

    def mpich(self, ranks, workers):
        bound = [] if workers == 1 else ['-bind-to', 'core']
        return [self.bin / 'mpiexec', *bound, '-n', str(ranks)], {'UCX_TLS': 'tcp,self', 'MPIR_CVAR_NOLOCAL': '1'}

    def open(self, ranks, workers):
        command, environment = super().open(ranks, workers)
        return ['self,tcp' if word == 'self,sm' else word for word in command], environment


class TompiBench(run.Bench):
    def prepare(self):
        self.threads = ThrumThreads(self.options.build.resolve(), 'Thrum, OS threads')
        for implementation, options in ((self.thrum, ()), (self.threads, ()), (self.private, ['--privatize'])):
            folder = self.work / ('thrum-privatize' if options else 'thrum')
            self.programs[implementation] = measure.compile_programs(implementation.bin, folder, ROOT, options, PROGRAMS)
        self.add_peers(PROGRAMS)
        self.sockets = [Sockets(f'{peer.name} sockets', peer.bin, True) for peer in self.peers if peer.best]
        for peer in self.sockets:
            self.programs[peer] = self.programs[next(p for p in self.peers if f'{p.name} sockets' == peer.name)]

    def cores(self):
        return (1, 2)[:measure.CORES]

    # Tables 1 and 2

    def pingpong(self):
        implementations = [self.thrum, self.threads, *self.peers, *self.sockets]
        for _ in range(self.options.runs):
            for cores in self.cores():
                for implementation in implementations:
                    self.once(implementation, 'pingpong', ['-r', 5, '-t', 0.02] + SIZES, 2, cores)
        names, text = [i.name for i in implementations], []
        for cores in self.cores():
            labels = [self.label(i, cores) for i in implementations]
            peers = [self.label(i, cores) for i in self.peers + self.sockets]
            rows = [[f'{size:,}'] + [self.cell_or_failure(label, 'pingpong', 2, size) for label in labels] +
                    [ratio(self.least(peers, 'pingpong', 2, size), self.get(labels[0], 'pingpong', 2, size))] for size in SIZES]
            where = 'On one core' if cores == 1 else f'On {cores} cores'
            file = f'pingpong_{cores}.svg'
            text.append(f'{where}:\n\n' + report.table(['bytes'] + names + ['best peer / Thrum'], rows) +
                        f'\n\n![{where}](tompi/{file})')
            series = {name: self.points(label, 'pingpong', SIZES[1:], lambda size: (2, size)) for name, label in zip(names, labels)}
            plots.curves(self.plot_path(file), f'Half a round trip, {where[0].lower()}{where[1:]}', 'time', series, 'bytes of a message')
        self.sections['pingpong'] = '\n\n'.join(text)
        rows = [[f'{size:,}'] + [duration(column[i] * 1e-6) for column in PAPER_PINGPONG.values()] for i, size in enumerate(SIZES)]
        self.sections['pingpong_paper'] = report.table(['bytes'] + list(PAPER_PINGPONG), rows)

    def cell_or_failure(self, label, test, ranks, size):
        """A run that was ended has the figures of the sizes before."""
        value = self.get(label, test, ranks, size)
        return duration(value) if value else self.failures.get((label, test, ranks), 'not run')

    def least(self, labels, test, ranks, size):
        return min((t for label in labels if (t := self.get(label, test, ranks, size))), default=None)

    def points(self, label, test, xs, key):
        return [(x, value) for x in xs if (value := self.get(label, test, *key(x)))]

    def plot_path(self, file):
        return self.options.folder / 'papers' / 'tompi' / file

    # Tables 3 to 5

    def ranks_of(self, implementation):
        ranks = [1, 2, 64, 1024] if self.options.quick else RANKS
        peers = [n for n in ranks if n <= (64 if self.options.quick else PEER_RANKS_MAX)]
        return peers if implementation in self.peers else ranks

    def cholesky(self):
        """Of the peers with their defaults, which poll, on one core only, as the paper has them."""
        slow = set()
        for _ in range(self.options.runs):
            for cores in self.cores():
                for implementation in self.cholesky_columns(cores):
                    self.factorise(implementation, cores, slow)
        self.sections['cholesky'] = self.cholesky_tables()
        for name, paper in (('cholesky_paper', PAPER_CHOLESKY), ('smp_paper', PAPER_SMP)):
            rows = [[f'{ranks:,}'] + [f'{column[i]}' if i < len(column) else '-' for column in paper.values()]
                    for i, ranks in enumerate(RANKS[:11])]
            self.sections[name] = report.table(['processes'] + list(paper), rows)

    def cholesky_columns(self, cores):
        return [self.thrum, self.threads, self.private] + [p for p in self.peers if p.best or cores == 1]

    def factorise(self, implementation, cores, slow):
        """With all numbers of ranks, until one takes too long. `slow` gets the runs that are not worth repeating."""
        label = self.label(implementation, cores)
        for ranks in self.ranks_of(implementation):
            if (label, ranks) in slow:
                continue
            done = self.once(implementation, 'cholesky', ['-n', ORDER], ranks, cores)
            if not done or done.failure:
                return
            if done.wall_s > REPEATED_S:
                slow.add((label, ranks))

    def cholesky_tables(self):
        text = []
        for cores in self.cores():
            columns = self.cholesky_columns(cores)
            labels, names = [self.label(i, cores) for i in columns], [i.name for i in columns]
            peers = [label for label, i in zip(labels, columns) if i in self.peers]
            rows = []
            for ranks in self.ranks_of(self.thrum):
                messages, size = (self.get(labels[0], f'cholesky_{what}', ranks, ORDER) for what in ('messages', 'bytes'))
                counts = [f'{messages:,.0f}', f'{size / 1e6:,.0f}'] if messages is not None else ['-', '-']
                rows.append([f'{ranks:,}'] + counts + [self.cell_or_failure(label, 'cholesky', ranks, ORDER) for label in labels] +
                            [ratio(self.least(peers, 'cholesky', ranks, ORDER), self.get(labels[0], 'cholesky', ranks, ORDER))])
            where = 'On one core' if cores == 1 else f'On {cores} cores'
            file = f'cholesky_{cores}.svg'
            text.append(f'{where}:\n\n' + report.table(['ranks', 'messages', 'MB'] + names + ['best peer / Thrum'], rows) +
                        f'\n\n![Cholesky factorisation, {where.lower()}](tompi/{file})')
            series = {name: self.points(label, 'cholesky', RANKS, lambda n: (n, ORDER)) for name, label in zip(names, labels)}
            paper = ['TOMPI, RS/6000', 'TOMPI, Ultra'] if cores == 1 else []
            series |= {f'{name} (1997)': list(zip(RANKS, PAPER_CHOLESKY[name])) for name in paper}
            plots.curves(self.plot_path(file), f'Cholesky factorisation of order {ORDER:,}, {where.lower()}', 'time', series)
        return '\n\n'.join(text)

    # The preprocessor

    def preprocessor(self):
        rows = [["the paper's preprocessor", '488', '4,055', '74.0 ms', '-', '-', '197 ms', '-', '2.66x']]
        for source in privatize.SOURCES + [PASS]:
            if times := self.compile_times(source):
                rows.append(self.preprocessor_row(source, times))
        self.sections['preprocessor'] = report.table(
            ['source', 'lines', 'preprocessed', 'C preprocessor', 'compilation', 'with the pass', 'the pass', 'pass / compilation',
             'pass / C preprocessor'], rows)

    def compile_times(self, source):
        """{kind: seconds of the processor in each run}, and the lines after the C preprocessor; {} if it cannot be compiled here."""
        extra = []
        if source == PASS:
            folder = subprocess.run(['gcc', '-print-file-name=plugin'], capture_output=True, text=True).stdout.strip()
            if not Path(folder, 'include', 'gcc-plugin.h').exists():
                return {}
            extra = ['-fno-rtti', '-w', '-isystem', f'{folder}/include', f'-I{ROOT}/src']
        command = lambda *options: privatize.compiler_command(self.thrum.bin, source, *extra, *options)
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            text = Path(folder, 'text')
            kinds = {'cpp': ['-E', '-o', text], **{way: [*flags, '-c', '-o', '/dev/null'] for way, flags in privatize.WAYS.items()}}
            times = {kind: [] for kind in kinds}
            for _ in range(3 if self.options.quick else self.options.runs + 2):
                for kind, options in kinds.items():
                    times[kind].append(processor_time(command(*options)))
            with open(text, errors='replace') as lines:
                return times | {'lines': sum(1 for _ in lines)}

    def preprocessor_row(self, source, times):
        cpp, plain, private = (statistics.median(times[kind]) for kind in ('cpp', 'plain', 'private'))
        added = statistics.median(b - a for a, b in zip(times['plain'], times['private']))
        lines = len((ROOT / source).read_text().splitlines())
        return [f'`{source}`', f'{lines:,}', f'{times["lines"]:,}', duration(cpp), duration(plain), duration(private),
                f'{"-" if added < 0 else ""}{digits(abs(added) * 1e3)} ms', f'{added / plain:.3f}x', f'{added / cpp:.2f}x']

    # Output

    def write(self):
        self.sections['machine'] = (f'{report.machine()}. Medians of {self.options.runs} runs; factorisations of more than '
                                    f'{REPEATED_S} s ran once. Time limit of a run: {self.options.limit:g} s.')
        names = ['machine', 'pingpong', 'pingpong_paper', 'cholesky', 'cholesky_paper', 'smp_paper', 'preprocessor']
        sections = {name: self.sections.get(name, 'Not measured in this run.') for name in names}
        print(f'Written: {report.write_page(report.DOCS / "papers" / "tompi.md", sections, self.options.folder)}')


def processor_time(command):
    """Seconds of user and system time that a command and its children take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


PARTS = ['pingpong', 'cholesky', 'preprocessor']


if __name__ == '__main__':
    run.run_all(TompiBench(run.parse(__doc__, PARTS, 15)))
