#!/usr/bin/env python3
"""MUMPS, a sparse direct solver in Fortran written for processes, built unmodified and run with ranks as threads.

  run.py build --bin BIN --work DIR                     fetch Debian's source package once, compile its double
                                                        precision with BIN/mpifort and BIN/mpicc
  run.py run PROGRAM RANKS --bin BIN --work DIR [...]   run poisson (ours: solves systems whose solution is known),
                                                        dsimpletest or c_example (the package's own) and judge what it
                                                        writes; options after "--" go to mpiexec

The upstream tarball is what Debian signs (apt checks it); nothing in it is changed. Ours are the file that its user has
to write, Makefile.inc, and stand-ins for ScaLAPACK. MUMPS calls it for the last dense block, unless ICNTL(13) = 1 says
that one rank factors it, as in our tests.
"""
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[2]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
import no_scalapack  # noqa: E402
import source_package  # noqa: E402
from source_package import execute, fail, make, name_of_run  # noqa: E402

DOWNLOADS = PROJECT / 'build' / 'mumps'

MAKEFILE_INC = """\
LPORDDIR = $(topdir)/PORD/lib/
IPORD = -I$(topdir)/PORD/include/
LPORD = -L$(LPORDDIR) -lpord
ORDERINGSF = -Dpord
ORDERINGSC = $(ORDERINGSF)
LORDERINGS = $(LPORD)
IORDERINGSC = $(IPORD)
LIBEXT = .a
OUTC = -o ''
OUTF = -o ''
RM = rm -f
FL = $(FC)
AR = ar cr ''
RANLIB = ranlib
LIBS = $(topdir)/no_scalapack.o
LIBBLAS = -lopenblas
LIBOTHERS = -lpthread
CDEFS = -DAdd_
OPTF = -O1 -w
OPTL = -O1
OPTC = -O1 -w
"""

REFUSED = 'blacs_gridinit blacs_gridinfo blacs_gridexit descinit numroc pdgetrf pdgetrs pdpotrf pdpotrs'.split()
# Edges of the cube for poisson: 1,728 unknowns.
EDGE = 12


def build(bin_dir, work):
    tarball = source_package.fetch('mumps', DOWNLOADS)
    source = work / 'source'
    source_package.unpack(tarball, source)
    (source / 'Makefile.inc').write_text(MAKEFILE_INC)
    compilers = [f'FC={bin_dir}/mpifort', f'CC={bin_dir}/mpicc']
    begin = time.monotonic()
    no_scalapack.compile_refusals(bin_dir, REFUSED, source / 'no_scalapack.o')
    make(source, 'prerequisites', *compilers)
    make(source / 'src', 'd', *compilers)
    for name in 'dsimpletest', 'c_example':
        (source / 'examples' / name).unlink(missing_ok=True)  # link anew: a part of our library is in the program
        make(source / 'examples', name, *compilers)
    subprocess.run([bin_dir / 'mpifort', '-O1', '-g', '-w', f'-I{source}/include', HERE / 'poisson.f90',
                    source / 'no_scalapack.o', '-o', source / 'examples' / 'poisson', f'-L{source}/lib', '-ldmumps',
                    '-lmumps_common', '-lpord', '-lopenblas'], check=True)
    print(f'{source}: built in {time.monotonic() - begin:.1f} s')


def complaints(program, ranks, text):
    """Yields a sentence for each fault of a program's output."""
    if program == 'poisson':
        solved = re.findall(r'(?m)^sym .*: error *(\S+), INFOG\(1\) (-?\d+)$', text)
        expected = 12 if ranks > 1 else 6
        if len(solved) != expected:
            yield f'{len(solved)} systems were solved, not {expected}'
        for error, info in solved:
            if not float(error) < 1e-10 or info != '0':
                yield f'error {error}, INFOG(1) {info}'
    elif program == 'dsimpletest':
        solution = re.search(r'Solution is((?: +[\d.E+-]+)+)', text)
        if not solution or any(abs(float(x) - i) > 1e-12 for i, x in enumerate(solution[1].split(), 1)):
            yield 'the solution is not 1 2 3 4 5'
    elif 'Solution is : (    1.00      2.00)' not in text:
        yield 'the solution is not 1 2'


def run(bin_dir, work, program, ranks, options):
    examples = work / 'source' / 'examples'
    arguments = [EDGE] if program == 'poisson' else []
    command = [bin_dir / 'mpiexec', '-n', ranks, '--timeout', 240, *options, examples / program, *arguments]
    with open(examples / 'input_simpletest_real') as stdin:
        done, seconds = execute(command, work / name_of_run(program, ranks, *options), stdin=stdin)
    words = ' '.join(map(str, command))
    wrong = [f'exit code {done.returncode}'] if done.returncode else []
    wrong += complaints(program, ranks, done.stdout)
    if wrong:
        fail(f'{words}\n  ' + '\n  '.join(wrong) + f'\nIt wrote:\n{done.stdout[-8000:]}')
    print(f'passed in {seconds:.1f} s: {words}')
    print('\n'.join('  ' + line for line in done.stdout.splitlines() if re.match(r'sym |.*Solution is', line)))


def main():
    a = source_package.command_line(__doc__, programs=('poisson', 'dsimpletest', 'c_example'))
    if a.action == 'build':
        build(a.bin, a.work)
    else:
        run(a.bin, a.work, a.program, a.ranks, a.options)


main()
