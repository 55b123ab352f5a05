#!/usr/bin/env python3
"""ScaLAPACK and its BLACS, written for processes, built unmodified and tested by their own testers with ranks as threads.

  run.py build --bin BIN --work DIR                     fetch Debian's source package once, compile its double
                                                        precision with BIN/mpifort and BIN/mpicc
  run.py run TESTER RANKS --bin BIN --work DIR [...]    run xdlu, xdqr, xdllt (factorizations of ScaLAPACK), xFbtest or
                                                        xCbtest (all of the BLACS, called from Fortran and from C) and
                                                        judge what they write; options after "--" go to mpiexec

The upstream tarball is what Debian signs (apt checks it); nothing in it is changed. Ours are the file that its user has
to write, SLmake.inc, and the input of the BLACS tester: the example's, without the auxiliary tests, in which processes
wait for each other by computing for a minute.
"""
import re
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
import source_package  # noqa: E402
from source_package import execute, fail, make, name_of_run  # noqa: E402

DOWNLOADS = PROJECT / 'build' / 'scalapack'

# The testers of the BLACS have subroutines that take REAL and DOUBLE PRECISION for one argument, hence -w.
SLMAKE_INC = """\
CDEFS = -DAdd_
NOOPT = -O0
FCFLAGS = -O1 -w
CCFLAGS = -O1 -w
FCLOADER = $(FC)
CCLOADER = $(CC)
FCLOADFLAGS = $(FCFLAGS)
CCLOADFLAGS = $(CCFLAGS)
ARCH = ar
ARCHFLAGS = cr
RANLIB = ranlib
SCALAPACKLIB = libscalapack.a
BLASLIB = -lopenblas
LAPACKLIB =
LIBS = $(LAPACKLIB) $(BLASLIB)
"""

# Where a tester is, and its make target.
TESTERS = {name: ('TESTING', f'../{name}') for name in ('xdlu', 'xdqr', 'xdllt')} | {
    name: ('BLACS/TESTING', name) for name in ('xFbtest', 'xCbtest')}


def build(bin_dir, work):
    tarball = source_package.fetch('scalapack', DOWNLOADS)
    source = work / 'source'
    source_package.unpack(tarball, source)
    (source / 'SLmake.inc').write_text(SLMAKE_INC)
    begin = time.monotonic()
    compilers = [f'FC={bin_dir}/mpifort', f'CC={bin_dir}/mpicc']
    if not (source / 'built').exists():  # its make rules compile everything anew each time
        make(source, 'lib', 'PRECISIONS=double', *compilers)
        (source / 'built').touch()
    for name, (folder, target) in TESTERS.items():
        (source / folder / name).unlink(missing_ok=True)  # link anew: a part of our library is in the program
        make(source / ('TESTING/LIN' if folder == 'TESTING' else folder), target, *compilers)
    blacs_input = source / 'BLACS' / 'TESTING' / 'bt.dat'
    blacs_input.write_text(re.sub(r"'T'(.*Run AUX)", r"'F'\1", blacs_input.read_text()))
    print(f'{source}: built in {time.monotonic() - begin:.1f} s')


def complaints(tester, text):
    """Yields a sentence for each fault of a tester's output."""
    if tester.startswith('xd'):
        numbers = [int(n) for n in re.findall(r'(?m)^ *(\d+) tests completed and', text)]
        if len(numbers) != 2 or numbers[0] < 200:
            yield f'tests that passed and failed: {numbers}, expected at least 200 that passed'
        elif numbers[1]:
            yield f'{numbers[1]} tests failed residual checks'
        if 'END OF TESTS.' not in text:
            yield 'it did not come to its end'
        return
    rows = re.findall(r'(?m)^(.*TESTS): *(\d+) TESTS; *(\d+) PASSED, *(\d+) SKIPPED, *(\d+) FAILED', text)
    # Point-to-point and broadcasts of 5 types; sum, maximum, minimum of 4: the tester never calls DSUMTEST and its like.
    if len(rows) != 22:
        yield f'{len(rows)} groups of tests came to their end, not 22'
    for name, _, passed, _, failed in rows:
        if int(failed) or not int(passed):
            yield f'{name}: {passed} passed, {failed} failed'


def run(bin_dir, work, tester, ranks, options):
    source = work / 'source'
    folder = work / name_of_run(tester, ranks, *options)
    program = source / TESTERS[tester][0] / tester
    command = [bin_dir / 'mpiexec', '-n', ranks, '--timeout', 240, *options, program]
    done, seconds = execute(command, folder, program.parent.glob('*.dat'))
    words = ' '.join(map(str, command))
    text = done.stdout + ''.join(file.read_text() for file in folder.glob('*.out'))
    wrong = [f'exit code {done.returncode}'] if done.returncode else []
    wrong += complaints(tester, text)
    if wrong:
        fail(f'in {folder}: {words}\n  ' + '\n  '.join(wrong) + f'\nIt wrote:\n{text[-8000:]}')
    print(f'passed in {seconds:.1f} s: {words}')
    print('\n'.join('  ' + line.strip() for line in re.findall(r'(?m)^.*(?:tests completed and|PASSED, ).*$', text)))


def main():
    a = source_package.command_line(__doc__, programs=tuple(TESTERS), ranks=8)
    if a.action == 'build':
        build(a.bin, a.work)
    else:
        run(a.bin, a.work, a.program, a.ranks, a.options)


main()
