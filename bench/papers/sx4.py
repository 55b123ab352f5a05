#!/usr/bin/env python3
"""The curves of the SX-4 paper rerun: latency and bandwidth of each design step of a shared-memory device.

bench/papers/sx4 has the steps; beside them are Thrum (ranks in one process, and a process for each), MPICH and Open MPI, and
memcpy. Then what the limits of the protocols change, and streams of messages, for which the paper proposes more slots for each
pair and a queue beside them. Writes tables and SVG plots into docs/papers/sx4.md after a complete run, else into build/bench.
"""
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import measure  # noqa: E402
import plots  # noqa: E402
import report  # noqa: E402
import run  # noqa: E402
from report import digits  # noqa: E402

ROOT = run.ROOT
DEVICE = ROOT / 'bench' / 'papers' / 'sx4'
KIB, MIB = 1 << 10, 1 << 20
PROGRAMS = {name: ['-O2'] for name in ('pingpong', 'one_way')}
LATENCY_SIZES = [0, 8, 64, 256, 512, 1024, 1280, 2048, 4096, 8192]
BANDWIDTH_SIZES = [16 * KIB, 32 * KIB, 64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB, MIB, 2 * MIB, 3 * MIB, 4 * MIB]
QUICK_SIZES = [0, 8, 1024, 1280], [64 * KIB, MIB, 4 * MIB]
# Name: step, kind of ranks, what the paper reports (its figure, latency below and above the short limit, bandwidth).
STEPS = {
    'semaphores': ('semaphores', 'processes', ['1', '750 us', 'over 1 ms', 'rising at 4 MB']),
    'slots, semaphores': ('slots-semaphores', 'processes', ['4', '40 us', '-', 'limited by locks']),
    'locked queue': ('locked', 'processes', ['5', '80 us', '120 us', '1.2 GB/s']),
    'slots': ('slots', 'processes', ['6', '37 to 40 us', '90 us', '1.2 GB/s']),
    'slots and queue': ('both', 'processes', ['section 9.1', 'proposed', '-', '-']),
    'threads': ('both', 'threads', ['section 9.2', 'proposed', '-', '-']),
    'threads, single copy': ('single-copy', 'threads', ['section 9.2', 'proposed', '-', 'twice, expected'])}
SHORT = {f'short to {report.size(n)}': [f'short={n}'] for n in (256, 1024, 4096, 16384)}
SHORT_SIZES = [64, 256, 512, 1024, 2048, 4096, 8192, 16384]
EAGER = {('rendezvous above short' if n == 1024 else f'eager to {report.size(n)}'): [f'eager={n}']
         for n in (1024, 16 * KIB, 128 * KIB, MIB)}
EAGER_SIZES = [2048, 8192, 16 * KIB, 32 * KIB, 64 * KIB, 128 * KIB, 256 * KIB, 512 * KIB, MIB]
SEGMENTS = {f'segments of {report.size(n)}': [f'segment={n}'] for n in (16 * KIB, 64 * KIB, 256 * KIB, 3 * MIB)}
SEGMENT_SIZES = [256 * KIB, 512 * KIB, MIB, 2 * MIB, 3 * MIB, 4 * MIB]
STREAMS = {'semaphores': ('semaphores', []), 'locked queue': ('locked', []), '1 slot': ('slots', []), '8 slots': ('slots', ['slots=8']),
           '64 slots': ('slots', ['slots=64']), '1 slot and queue': ('both', []), '8 slots and queue': ('both', ['slots=8'])}
STREAM_SIZES = [8, 1024]


class Sx4Bench(run.Bench):
    def prepare(self):
        self.device = self.work / 'sx4'
        self.compile([DEVICE.with_suffix('.c'), *DEVICE.glob('*.c')], self.device)
        self.compile([ROOT / 'bench' / 'limits.c'], self.work / 'limits')
        self.processes = measure.ThrumProcesses(self.options.build.resolve(), 'Thrum --processes')
        programs = measure.compile_programs(self.thrum.bin, self.work / 'thrum', ROOT, programs=PROGRAMS)
        self.programs[self.thrum] = self.programs[self.processes] = programs
        self.add_peers(PROGRAMS)
        self.beside = [self.thrum, self.processes] + [peer for peer in self.peers if peer.best]

    def compile(self, sources, program):
        subprocess.run([shutil.which('gcc') or 'cc', '-O2', '-pthread', *sources, '-o', program], check=True)

    def sampling(self):
        return ['-r', 3, '-t', 0.01, '-b', 1] if self.options.quick else ['-r', 5, '-t', 0.02, '-b', 2]

    def run_step(self, label, step, kind, limits, test, sizes):
        tests = [f'{test}:{size}' for size in sizes]
        self.run_command(label, test, 2, [self.device, *self.sampling(), step, kind, *limits, *tests])

    # The steps

    def sizes(self):
        return QUICK_SIZES if self.options.quick else (LATENCY_SIZES, BANDWIDTH_SIZES)

    def steps(self):
        small, large = self.sizes()
        for _ in range(self.options.runs):
            self.run_command('memcpy', 'memcpy', 2, [self.work / 'limits', *large])
            for label, (step, kind, _) in STEPS.items():
                self.run_step(label, step, kind, [], 'pingpong', small + large)
            for implementation in self.beside:
                self.once(implementation, 'pingpong', self.sampling() + small + large, 2, 2)
        labels = {label: label for label in STEPS} | {i.name: self.label(i, 2) for i in self.beside}
        rows = [[report.size(size)] + [self.cell(label, 'pingpong', 2, size) for label in labels.values()] for size in small]
        text = ['Half a round trip:', report.table(['message'] + list(labels), rows), '![Latency](sx4/latency.svg)']
        self.draw('latency.svg', 'Half a round trip of small messages', 'time', labels, small[1:], lambda size, time_s: time_s)
        rows = [[report.size(size)] + [self.rate(label, 'pingpong', size) for label in labels.values()] + [self.rate('memcpy', 'memcpy', size)]
                for size in large]
        text += ['Bandwidth, GB/s:', report.table(['message'] + list(labels) + ['memcpy'], rows), '![Bandwidth](sx4/bandwidth.svg)']
        self.draw('bandwidth.svg', 'Bandwidth of a ping-pong', 'MB/s', labels, large, megabytes_a_second)
        self.sections['steps'] = '\n\n'.join(text)
        self.sections['summary'] = self.summary()

    def summary(self):
        rows = [[label] + [paper[0], paper[1], self.cell(label, 'pingpong', 2, 8), paper[2], self.cell(label, 'pingpong', 2, 1280),
                           paper[3], *(self.rate(label, 'pingpong', size, ' GB/s') for size in (MIB, 4 * MIB))]
                for label, (_, _, paper) in STEPS.items()]
        return report.table(['step', "paper's figure", 'short (paper)', '8 B', 'above short (paper)', '1.25 KiB', 'bandwidth (paper)',
                             '1 MiB', '4 MiB'], rows)

    def rate(self, label, test, size, unit=''):
        time_s = self.get(label, test, 2, size)
        return f'{digits(size / time_s / 1e9)}{unit}' if time_s else self.failures.get((label, 'pingpong', 2), '-')

    def draw(self, file, title, unit, labels, sizes, value):
        series = {name: [(size, value(size, time_s)) for size in sizes if (time_s := self.get(label, 'pingpong', 2, size))]
                  for name, label in labels.items()}
        plots.curves(self.options.folder / 'papers' / 'sx4' / file, title, unit, series, 'bytes')

    # The limits

    def limits(self):
        """Step `slots`, with one limit changed and the others as in the paper."""
        text = []
        for file, title, configurations, sizes, is_rate in (
                ('short', 'The short limit', SHORT, SHORT_SIZES, False), ('eager', 'The eager limit', EAGER, EAGER_SIZES, False),
                ('segments', 'Segments of a rendezvous', SEGMENTS, SEGMENT_SIZES, True)):
            sizes = sizes[::3] if self.options.quick else sizes
            for _ in range(self.options.runs):
                for label, limits in configurations.items():
                    self.run_step(label, 'slots', 'processes', limits, 'pingpong', sizes)
            labels = {label: label for label in configurations}
            shown = self.rate if is_rate else lambda label, test, size: self.cell(label, test, 2, size)
            rows = [[report.size(size)] + [shown(label, 'pingpong', size) for label in labels] for size in sizes]
            text += [f'{title}, {"GB/s" if is_rate else "half a round trip"}:', report.table(['message'] + list(labels), rows),
                     f'![{title}](sx4/{file}.svg)']
            self.draw(f'{file}.svg', title, 'MB/s' if is_rate else 'time', labels, sizes,
                      megabytes_a_second if is_rate else lambda size, time_s: time_s)
        self.sections['limits'] = '\n\n'.join(text)

    # Streams

    def streams(self):
        for _ in range(self.options.runs):
            for label, (step, limits) in STREAMS.items():
                self.run_step(label, step, 'processes', limits, 'one_way', STREAM_SIZES)
            for implementation in self.beside:
                self.once(implementation, 'one_way', self.sampling()[:4] + STREAM_SIZES, 2, 2)
        labels = {label: label for label in STREAMS} | {i.name: self.label(i, 2) for i in self.beside}
        rows = [[name] + [self.cell(label, 'one_way', 2, size) for size in STREAM_SIZES] for name, label in labels.items()]
        self.sections['streams'] = report.table(['one message of a stream'] + [report.size(size) for size in STREAM_SIZES], rows)

    # Output

    def write(self):
        self.sections['machine'] = f'{report.machine()}. Medians of {self.options.runs} runs{" (quick)" if self.options.quick else ""}.'
        sections = {name: self.sections.get(name, 'Not measured in this run.') for name in ('machine', 'summary', *PARTS)}
        print(f'Written: {report.write_page(report.DOCS / "papers" / "sx4.md", sections, self.options.folder)}')


def megabytes_a_second(size, time_s):
    return size / time_s / 1e6


PARTS = ['steps', 'limits', 'streams']


if __name__ == '__main__':
    run.run_all(Sx4Bench(run.parse(__doc__, PARTS, 60)))
