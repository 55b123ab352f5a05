#!/usr/bin/env python3
"""Figures 2 to 4 of the cBSP paper rerun: counting against global synchronisation.

Latency of small messages (2 and 8 processes) and four applications (8 processes): in one process of the operating
system, and in a process for each over tcp (THRUM_FABRIC=tcp: also on one machine). Writes tables and SVG plots into
docs/papers/cbsp.md after a complete run, else into build/bench/papers. Runs with counting and with global
synchronisation alternate; every application compares its result with one process.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / 'bench'))
import plots  # noqa: E402
import report  # noqa: E402

LATENCY = re.compile(r'^(\S+) processes (\d+) bytes (\d+) counting (\S+) global (\S+)$', re.M)
RESULT = re.compile(r'seconds (\S+) supersteps (\d+) known (\d+) result (.+)$', re.M)
# The paper's figure 3: supersteps, percent known, speed-up.
PAPER = {'gauss': (1025, 100.0, 1.116), 'lu': (2564, 79.95, 1.052), 'ocean': (2634, 100.0, 1.139),
         'nbody': (180, 26.11, 1.180)}
SOURCES = {'gauss': 'gauss.c', 'lu': 'lu.c', 'ocean': 'ocean.c', 'nbody': 'nbody.cc'}
SMALL = {'gauss': ['-n', '128'], 'lu': ['-n', '96'], 'ocean': ['-n', '66', '-s', '5'],
         'nbody': ['-n', '1000', '-s', '3']}
PROCESSES = 8
# How the processes are placed: options of mpiexec, environment, rounds of the latency program (complete, quick).
PLACES = {
    'one': ('one process', [], {}, (4000, 200)),
    'tcp': ('node processes over tcp', ['--processes'], {'THRUM_FABRIC': 'tcp'}, (300, 20)),
}


class Bench:
    def __init__(self, options):
        self.options = options
        self.bin = options.build.resolve() / 'bin'
        self.work = ROOT / 'build' / 'bench' / 'papers'
        self.work.mkdir(parents=True, exist_ok=True)
        self.plots = self.work if options.quick else ROOT / 'docs' / 'papers' / 'cbsp'
        self.plots.mkdir(parents=True, exist_ok=True)
        self.sections = {}

    def compile(self, source):
        program = self.work / source.stem
        compiler = 'mpicxx' if source.suffix == '.cc' else 'mpicc'
        flags = ['-std=c++20'] if source.suffix == '.cc' else []
        subprocess.run([self.bin / compiler, '-O2', *flags, source, '-o', program, '-lm'], check=True)
        return program

    def run(self, place, processes, program, *arguments):
        _, options, variables, _ = PLACES[place]
        command = [self.bin / 'mpiexec', '-n', str(processes), *options, '--timeout', '600', program, *arguments]
        done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True,
                              env=os.environ | variables)
        if done.returncode:
            sys.exit(f'{" ".join(map(str, command))}: exit code {done.returncode}\n{done.stdout}')
        return done.stdout

    def measure_latency(self, place):
        program = self.compile(ROOT / 'bench' / 'papers' / 'cbsp_latency.c')
        rounds = PLACES[place][3][self.options.quick]
        figures = {}
        for _ in range(self.options.runs):
            for processes in (2, PROCESSES):
                for kind, _, size, counting, whole in LATENCY.findall(self.run(place, processes, program, str(rounds))):
                    figures.setdefault((kind, processes, int(size)), []).append((float(counting), float(whole)))
        rows, series = [], {}
        for (kind, processes, size), samples in figures.items():
            counting, whole = (statistics.median(column) for column in zip(*samples))
            rows.append([f'{kind}, {processes} processes', report.size(size), report.duration(counting * 1e-9),
                         report.duration(whole * 1e-9), f'{counting / whole:.2f}',
                         'met' if counting <= whole / 2 else 'missed'])
            for name, value in (('counting', counting), ('global', whole)):
                series.setdefault(f'{kind} {processes}, {name}', []).append((size, value * 1e-9))
        self.sections[f'latency_{place}'] = report.table(
            ['case', 'message', 'counting', 'global', 'counting / global', 'at most half'],
            rows) + f'\n\n![Latency of small messages](cbsp/latency_{place}.svg)'
        plots.curves(self.plots / f'latency_{place}.svg', f'Latency of small messages, {PLACES[place][0]}', 'time', series,
                    'bytes')

    def measure_applications(self, place):
        rows, relative = [], {'counting': [], 'global': []}
        for name, source in SOURCES.items():
            program = self.compile(ROOT / 'examples' / 'bsp' / source)
            size = SMALL[name] if self.options.quick else []
            times, facts = {'counting': [], 'global': []}, None
            for number in range(self.options.runs):
                for way in times:
                    arguments = size + (['-g'] if way == 'global' else []) + (['-c'] if number == 0 else [])
                    found = RESULT.search(self.run(place, PROCESSES, program, *arguments))
                    times[way].append(float(found[1]))
                    if way == 'counting':
                        facts = int(found[2]), int(found[3])
            counting, whole = (statistics.median(times[way]) for way in ('counting', 'global'))
            supersteps, known, speedup = PAPER[name]
            rows.append([name, str(facts[0]), f'{supersteps}', f'{100 * facts[1] / facts[0]:.2f} %', f'{known:.2f} %',
                         report.duration(counting), report.duration(whole), f'{whole / counting:.3f}', f'{speedup}',
                         'met' if whole / counting >= speedup else 'missed'])
            for way, time in (('counting', counting), ('global', whole)):  # the longer of the two is 100, as in the paper's figure 4
                relative[way].append(100 * time / max(counting, whole))
        self.sections[f'applications_{place}'] = report.table(
            ['application', 'supersteps', '(paper)', 'known', '(paper)', 'counting', 'global', 'speed-up', '(paper)',
             'at or above'], rows) + f'\n\n![Relative running time](cbsp/applications_{place}.svg)'
        plots.relative_bars(self.plots / f'applications_{place}.svg', 'Relative running time (shorter is better)', list(SOURCES),
                            relative)

    def write(self):
        how = 'quick run' if self.options.quick else 'complete run'
        self.sections['machine'] = f'{report.machine()}. Medians of {self.options.runs} runs ({how}).'
        page = ROOT / 'docs' / 'papers' / 'cbsp.md'
        text = page.read_text()
        for name, section in self.sections.items():
            text = report.replace_section(text, name, section)
        if self.options.quick:
            page = self.work / 'cbsp.md'
        page.write_text(text)
        print(f'Wrote {page}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release')
    parser.add_argument('--runs', type=int, default=7)
    parser.add_argument('--quick', action='store_true', help='small sizes; writes into build/bench/papers')
    parser.add_argument('--places', nargs='+', choices=PLACES, default=list(PLACES), help='measure these only')
    bench = Bench(parser.parse_args())
    for place in bench.options.places:
        bench.measure_latency(place)
        bench.measure_applications(place)
    bench.write()


if __name__ == '__main__':
    main()
