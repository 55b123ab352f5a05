#!/usr/bin/env python3
"""make bench-million: start-up, a ring, a barrier, an allreduce and the end for up to a million ranks.

examples/ring.c, compiled with --privatize (1,000 to 1,000,000 ranks) and plain, as clones (up to 30,000). Wall time of
mpiexec; memory is the largest resident size of the process plus its page tables, divided by the ranks. A number of ranks
for which the machine has too little free memory is left out, and said so. A complete run writes docs/performance/ranks.md.
"""
import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from report import machine, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
COUNTS = {'--privatize': [1_000, 10_000, 100_000, 1_000_000], 'clones': [1_000, 10_000, 30_000]}
KIB_A_RANK_MAX, LIMITS_S = 16, {100_000: 4, 1_000_000: 60}


def field(path, *names):
    """Sum of the fields of a /proc file, in KiB."""
    try:
        text = Path(path).read_text()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.split(':')[0] in names)


class Watch(threading.Thread):
    """The largest size of the processes that mpiexec starts."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self.pid, self.largest_kib, self.over = pid, 0, False

    def run(self):
        while not self.over:
            try:
                children = Path(f'/proc/{self.pid}/task/{self.pid}/children').read_text().split()
            except OSError:
                return
            for child in children:
                self.largest_kib = max(self.largest_kib, field(f'/proc/{child}/status', 'VmHWM', 'VmPTE'))
            time.sleep(0.02)


def run(mpiexec, program, ranks):
    start = time.monotonic()
    process = subprocess.Popen([mpiexec, '-n', str(ranks), program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    watch = Watch(process.pid)
    watch.start()
    output, _ = process.communicate()
    wall_s = time.monotonic() - start
    watch.over = True
    if process.returncode or f'{ranks} ranks:' not in output:
        sys.exit(f'{ranks} ranks: exit code {process.returncode}: {output.strip()[:500]}')
    return wall_s, watch.largest_kib / ranks


def measure(mpiexec, programs, runs):
    for way, counts in COUNTS.items():
        for ranks in counts:
            free_kib = field('/proc/meminfo', 'MemAvailable')
            if free_kib < 1.1 * ranks * KIB_A_RANK_MAX:
                yield [way, f'{ranks:,}', f'needs {ranks * KIB_A_RANK_MAX >> 20} GiB, free {free_kib >> 20}', '-', '-']
                continue
            results = [run(mpiexec, programs[way], ranks) for _ in range(1 if ranks >= 100_000 else runs)]
            wall_s, kib = min(r[0] for r in results), max(r[1] for r in results)
            bound = f'{LIMITS_S[ranks]} s' if way == '--privatize' and ranks in LIMITS_S else '-'
            yield [way, f'{ranks:,}', f'{wall_s:.2f} s', bound, f'{kib:.1f}']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=3, help='of the small numbers; the best counts (default 3)')
    parser.add_argument('--max', type=int, default=1_000_000, metavar='RANKS', help='leave larger numbers out')
    options = parser.parse_args()
    bin_dir = options.build.resolve() / 'bin'
    for counts in COUNTS.values():
        counts[:] = [n for n in counts if n <= options.max]
    with tempfile.TemporaryDirectory(prefix='thrum-million-') as folder:
        programs = {way: Path(folder) / way.strip('-') for way in COUNTS}
        for way, program in programs.items():
            flags = ['--privatize'] if way == '--privatize' else []
            subprocess.run([bin_dir / 'mpicc', *flags, '-O2', ROOT / 'examples' / 'ring.c', '-o', program], check=True)
        rows = list(measure(bin_dir / 'mpiexec', programs, options.runs))
    figures = table(['ranks are', 'ranks', 'wall time', 'bound', 'KiB a rank'], rows)
    print(figures)
    if options.max >= 1_000_000:
        write_sections({'million': f'{machine()}.\n\n{figures}'})
    print(f'\nBound for --privatize: {KIB_A_RANK_MAX} KiB a rank. AMPI, as its authors and others quote it: 24-30 KB a rank, '
          '5.6 s for 65,000 ranks.')


if __name__ == '__main__':
    main()
