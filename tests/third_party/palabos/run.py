#!/usr/bin/env python3
"""Palabos, a C++ code for processes (lattice Boltzmann flows), built unmodified and run with ranks as threads.

  run.py build --bin BIN --work DIR            fetch Debian's source package once, compile what two-dimensional flows
                                               need and the example "womersley" with BIN/mpicxx, and run it as one
                                               ordinary process: what others are compared with
  run.py run RANKS --bin BIN --work DIR [...]  run it with RANKS ranks and compare; options after "--" go to mpiexec

The upstream tarball is what Debian signs (apt checks it); nothing in it is changed. Ours is the makefile, since the
package's own asks for scons, and a header that finds Debian's TinyXML, whose names have changed since (libtinyxml-dev).

The example drives a pulsating flow through a channel until it has found its rhythm, and prints its error against the
analytical solution once in each period: all of them must be those of one process.
"""
import re
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
import source_package  # noqa: E402
from source_package import execute, fail, make, name_of_run  # noqa: E402

DOWNLOADS = PROJECT / 'build' / 'palabos'
RESOLUTION = 3   # lattice cells across the channel, so that none of 4 times 4 ranks is without any
TOLERANCE = 1e-4  # of the errors that it prints with six digits

MAKEFILE = """\
SOURCES := $(shell find source/src -name '*.cpp' ! -name '*3D*') \\
           $(addprefix source/src/multiBlock/,multiBlockManagement3D.cpp sparseBlockStructure3D.cpp \\
                                              localMultiBlockInfo3D.cpp staticRepartitions3D.cpp) \\
           source/examples/showCases/womersley/womersley.cpp
OBJECTS := $(SOURCES:source/%.cpp=objects/%.o)
womersley: $(OBJECTS)
\trm -f lib.a && ar rc lib.a $(OBJECTS)
\t$(CXX) -o $@ objects/examples/showCases/womersley/womersley.o lib.a -ltinyxml
objects/%.o: source/%.cpp
\t@mkdir -p $(@D)
\t$(CXX) $(NAMES) -O1 -w -DPLB_MPI_PARALLEL -DPLB_USE_POSIX -Isource/src -Iinclude -c -o $@ $<
%/TINYXML_xmlIO.o: NAMES = -DELEMENT=TINYXML_ELEMENT -DTEXT=TINYXML_TEXT
"""


def build(bin_dir, work):
    source_package.unpack(source_package.fetch('palabos', DOWNLOADS), work / 'source')
    header = work / 'include' / 'tinyxml' / 'tinyxml.h'
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text('#include <tinyxml.h>\n')
    (work / 'Makefile').write_text(MAKEFILE)
    (work / 'womersley').unlink(missing_ok=True)  # link anew: a part of our library is in the program
    begin = time.monotonic()
    make(work, f'CXX={bin_dir}/mpicxx', 'womersley')
    print(f'{work}/womersley built in {time.monotonic() - begin:.1f} s')
    if len(simulate(bin_dir, work, 1, [])) < 10:
        fail(f'the flow has not been followed for ten periods: {work}/run_1/output')


def simulate(bin_dir, work, ranks, options):
    """Runs the example in `work`; returns the errors that it printed."""
    command = [bin_dir / 'mpiexec', '-n', ranks, '--timeout', 500, *options, work / 'womersley', RESOLUTION]
    folder = work / name_of_run(ranks, *options)
    done, seconds = execute(command, folder)
    words = ' '.join(map(str, command))
    if done.returncode:
        fail(f'exit code {done.returncode} of {words}\nIt wrote:\n{done.stdout[-8000:]}')
    print(f'{seconds:.1f} s: {words}')
    (folder / 'output').write_text(done.stdout)
    return errors(done.stdout)


def errors(text):
    return [float(number) for number in re.findall(rf'(?m)^For N = {RESOLUTION}, Error = (\S+)$', text)]


def run(bin_dir, work, ranks, options):
    expected = errors((work / 'run_1' / 'output').read_text())
    actual = simulate(bin_dir, work, ranks, options)
    if len(actual) != len(expected):
        fail(f'{len(actual)} errors were printed, not {len(expected)}')
    for number, (wanted, found) in enumerate(zip(expected, actual)):
        if abs(wanted - found) > TOLERANCE * abs(wanted):
            fail(f'the error of period {number} is {found}, not {wanted}')
    print(f'{len(actual)} errors with {ranks} ranks, the last one {actual[-1]}: those of one process')


def main():
    a = source_package.command_line(__doc__)
    if a.action == 'build':
        build(a.bin, a.work)
    elif not (a.work / 'run_1' / 'output').exists():
        print('Palabos has not been built here: see palabos/build.')
        sys.exit(source_package.SKIPPED)
    else:
        run(a.bin, a.work, a.ranks, a.options)


main()
