#!/usr/bin/env python3
"""make bench-fortran: messages of Fortran programs against C's, and array sections against copies.

8 B there and back on one worker from C, mpif.h, mpi and mpi_f08; and rows of a matrix (8, n) as buffers, of 1 to 1,000,000 elements:
with mpi_f08 the section itself, with mpi the copy that the compiler makes, and a copy by hand. The runs take turns; medians of them.
Then the start of many ranks of a C and a Fortran program. A complete run writes docs/performance/fortran.md.
"""
import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Thrum, compile_programs, start
from report import digits, duration, machine, size, table, write_sections

ROOT = Path(__file__).resolve().parent.parent
LIMIT_S = 300
INTERFACES = {'mpif.h': '77', 'mpi': '90', 'mpi_f08': '8'}
START_RANKS = 1000


def succeeded(run, name):
    if run.failure:
        sys.exit(f'{name}: {run.failure}')
    return run


def figures(mpiexec, ranks, program, *arguments):
    return succeeded(start([mpiexec, '--workers', '1', '-n', str(ranks), program, *arguments], LIMIT_S), program).figures


def compile_fortran(bin_dir, folder):
    for name, number in INTERFACES.items():
        subprocess.run([bin_dir / 'mpifort', '-O2', '-fno-inline', '-w', f'-DINTERFACE={number}', ROOT / 'bench' / 'sections.F90', '-o', folder / name,
                        '-J', folder], check=True)


def pingpong_table(mpiexec, folder, runs):
    programs = {'C': ('pingpong', '8')} | {name: (name,) for name in INTERFACES}
    times = {name: [] for name in programs}
    for _ in range(runs):
        for name, (program, *arguments) in programs.items():
            times[name] += figures(mpiexec, 2, folder / program, *arguments).values()
    differences = {name: statistics.median(t - c for t, c in zip(times[name], times['C'])) for name in programs}
    return table(['8 B, half a round trip', 'time', 'more than C'],
                 [[name, duration(statistics.median(times[name])), f'{differences[name] * 1e9:.1f} ns'] for name in programs])


def sections_table(mpiexec, folder, runs):
    collected = {}
    for _ in range(runs):
        for interface in 'mpi_f08', 'mpi':
            for (test, n), seconds in figures(mpiexec, 1, folder / interface).items():
                collected.setdefault((interface, test, n), []).append(seconds)
    median = lambda *key: statistics.median(collected[key])
    rows = []
    for n in sorted({n for _, _, n in collected}):
        section, by_compiler = median('mpi_f08', 'section', n), median('mpi', 'section', n)
        by_hand, loop = median('mpi_f08', 'by_hand', n), median('mpi_f08', 'loop', n)
        rows.append([f'{n:,}', duration(section), duration(by_compiler), duration(by_hand), duration(loop),
                     *(f'{digits(other / section)}x' for other in (by_compiler, by_hand))])
    return table(['elements', 'section', "compiler's copy", 'copied by hand', 'only copied', "compiler's / section", 'by hand / section'],
                 rows)


def start_table(bin_dir, folder, runs):
    """Rows: wall time, and memory while all ranks have passed a barrier."""
    subprocess.run([bin_dir / 'mpifort', '-O2', ROOT / 'bench' / 'hello.F90', '-o', folder / 'hello_fortran'], check=True)
    programs = {'C': folder / 'hello', 'Fortran (mpi_f08)': folder / 'hello_fortran'}
    wall, memory = {name: [] for name in programs}, {name: [] for name in programs}
    for _ in range(runs):
        for name, program in programs.items():
            command = [bin_dir / 'mpiexec', '-n', str(START_RANKS), program]
            wall[name].append(succeeded(start(command, LIMIT_S), name).wall_s)
            hold = folder / 'hold'
            hold.touch()
            memory[name].append(succeeded(start([*command, hold], LIMIT_S, hold=hold), name).pss_bytes / START_RANKS)
    median = {name: statistics.median(wall[name]) for name in programs}
    return table([f'{START_RANKS:,} ranks', 'start to end', 'against C', 'memory a rank'],
                 [[name, duration(median[name]), f'{median[name] / median["C"]:.2f}', size(statistics.median(memory[name]))] for name in programs])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--build', type=Path, default=ROOT / 'build' / 'release', help='build folder')
    parser.add_argument('--runs', type=int, default=5, help='of each program (default 5)')
    options = parser.parse_args()
    thrum = Thrum(options.build.resolve())
    mpiexec = thrum.bin / 'mpiexec'
    with tempfile.TemporaryDirectory(prefix='thrum-fortran-') as folder:
        folder = Path(folder)
        compile_programs(thrum.bin, folder, ROOT, programs={'pingpong': ['-O2'], 'hello': ['-O2']})
        compile_fortran(thrum.bin, folder)
        tables = [pingpong_table(mpiexec, folder, options.runs), sections_table(mpiexec, folder, options.runs),
                  start_table(thrum.bin, folder, options.runs)]
    body = f'{machine()}.\n\n' + '\n\n'.join(tables)
    print(body)
    write_sections({'fortran': body})


if __name__ == '__main__':
    main()
