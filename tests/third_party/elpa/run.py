#!/usr/bin/env python3
"""ELPA, a parallel eigenvalue solver in Fortran, built unmodified and run with ranks as threads and as processes.

  run.py build --bin BIN --work DIR                     fetch Debian's source package once, compile its double precision
                                                        and some of its validation programs with BIN/mpifort and
                                                        BIN/mpicc; solve our problems with 1 rank
  run.py run PROGRAM RANKS --bin BIN --work DIR [...]   run spectrum (ours: its eigenvalues are compared with those of
                                                        1 rank) or one of ELPA's validation programs and judge what it
                                                        writes; options after "--" go to mpiexec

The upstream tarball is what Debian signs (apt checks it); nothing in it is changed. ScaLAPACK is not needed: ELPA calls
five of its routines for these problems, which are in grid.f90, and the validation programs here call no others. They
refuse to run with 1 rank.
"""
import os
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

DOWNLOADS = PROJECT / 'build' / 'elpa'

CONFIGURE = ['--disable-shared', '--disable-openmp', '--disable-dependency-tracking', '--disable-sse',
             '--disable-sse-assembly', '--disable-avx', '--disable-avx2', '--disable-avx512', '--disable-c-tests',
             '--disable-cpp-tests', '--disable-doxygen-doc', '--disable-detect-mpi-launcher']

# By the part of the name after "validate_": patterns for the errors that the program prints.
ANALYTIC = (r'Maximum error in eigenvalues *: *(\S+)', r'Maximum error in eigenvectors *: *(\S+)')
FORMULA = (r'Eigenvalues differ from analytic solution: maxerr = *(\S+)',)
VALIDATORS = {
    'real_double_eigenvectors_1stage_analytic_all_layouts': ANALYTIC,
    'real_double_eigenvectors_2stage_all_kernels_analytic': ANALYTIC,
    'complex_double_eigenvectors_1stage_analytic': ANALYTIC,
    'complex_double_eigenvectors_2stage_default_kernel_analytic_all_layouts': ANALYTIC,
    'real_double_eigenvalues_1stage_toeplitz': FORMULA,
    'complex_double_eigenvalues_2stage_default_kernel_toeplitz': FORMULA,
    'real_double_solve_tridiagonal_1stage_toeplitz': FORMULA,
    'multiple_objs_real_double': ANALYTIC,
}
# Other routines of ScaLAPACK that ELPA and the modules of its validation programs call: for generalized problems and
# for random matrices, which our tests do not have.
REFUSED = ('pclacpy pctranc pdgemm pdlacpy pdlange pdlaset pdnrm2 pdscal pdtran pdtrmm pslacpy pstran pzdotc pzgemm '
           'pzlacpy pzlange pzlaset pzscal pztranc pztrmm').split()
# Rows of the matrix, eigenvectors, rows of a block. ELPA wants rows in each process, also in grids of 16 rows.
SIZES = [150, 50, 8]
# Largest error, in proportion to the largest eigenvalue or element.
TOLERANCE = 1e-11


def build(bin_dir, work):
    source = work / 'source'
    source_package.unpack(source_package.fetch('elpa', DOWNLOADS), source)
    begin = time.monotonic()
    library = work / 'lib' / 'libscalapack.a'
    library.parent.mkdir(parents=True, exist_ok=True)
    no_scalapack.compile_refusals(bin_dir, REFUSED, work / 'refused.o')
    subprocess.run([bin_dir / 'mpifort', '-O1', '-c', HERE / 'grid.f90', '-o', work / 'grid.o', '-J', work], check=True)
    library.unlink(missing_ok=True)
    subprocess.run(['ar', 'cr', library, work / 'grid.o', work / 'refused.o'], check=True)
    if not (source / 'config.status').exists():
        configure(bin_dir, source, library.parent)
    names = [f'validate_{name}' for name in VALIDATORS]
    for name in names:
        (source / name).unlink(missing_ok=True)  # link anew: a part of our library is in the program
    make(source, 'libelpa.la', *names)
    subprocess.run([bin_dir / 'mpifort', '-O1', '-g', '-J', work, f'-I{source}/modules', HERE / 'spectrum.F90',
                    '-o', source / 'spectrum', f'-L{source}/.libs', f'-L{library.parent}', '-lelpa', '-lscalapack',
                    '-lopenblas'], check=True)
    print(f'{source}: built in {time.monotonic() - begin:.1f} s')
    (work / 'reference.txt').write_text(execute_with(bin_dir, work, 'spectrum', 1, []))


def configure(bin_dir, source, libraries):
    flags = '-O1 -w'
    # ELPA's preprocessed sources have lines of more than 132 columns.
    command = ['./configure', *CONFIGURE, f'FC={bin_dir}/mpifort', f'CC={bin_dir}/mpicc', f'CXX={bin_dir}/mpicxx',
               f'FCFLAGS={flags} -ffree-line-length-none', f'CFLAGS={flags}', f'CXXFLAGS={flags}',
               f'SCALAPACK_LDFLAGS=-L{libraries} -lscalapack -lopenblas']
    done = subprocess.run(command, cwd=source, env={**os.environ, 'MAKEFLAGS': ''}, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        fail(f'configure in {source}:\n{done.stdout[-4000:]}')


def execute_with(bin_dir, work, program, ranks, options):
    """Runs a program with our sizes; returns what it wrote, or ends the test."""
    command = [bin_dir / 'mpiexec', '-n', ranks, '--timeout', 240, *options, work / 'source' / program, *SIZES]
    done, seconds = execute(command, work / name_of_run(program, ranks, *options))
    words = ' '.join(map(str, command))
    if done.returncode:
        fail(f'{words}\n  exit code {done.returncode}\nIt wrote:\n{done.stdout[-8000:]}')
    print(f'finished in {seconds:.1f} s: {words}')
    return done.stdout


def eigenvalues(text):
    """The eigenvalues that spectrum wrote, by type of the matrix and solver."""
    found = {}
    for kind, value in re.findall(r'(?m)^(\w+ \w+) eigenvalue +\d+ +(\S+)$', text):
        found.setdefault(kind, []).append(float(value))
    return found


def faults_of_spectrum(text, reference):
    """Yields a sentence for each fault of what spectrum wrote."""
    errors = re.findall(r'(?m)^(.*): error +(\S+)$', text)
    if len(errors) != 18:
        yield f'{len(errors)} errors are reported, not 18'
    for what, error in errors:
        if not float(error) < TOLERANCE:
            yield f'{what}: error {error}'
    values, expected = eigenvalues(text), eigenvalues(reference)
    if list(map(len, values.values())) != 4 * [SIZES[1]] or values.keys() != expected.keys():
        yield 'some eigenvalues are missing'
        return
    for kind, numbers in values.items():
        for other in expected[kind], values[kind.split()[0] + ' 1stage']:
            worst = max(abs(a - b) for a, b in zip(numbers, other))
            if not worst < TOLERANCE * max(map(abs, other)):
                yield f'{kind}: an eigenvalue differs by {worst} from that of 1 rank or of the other solver'


def faults_of_validator(name, text):
    """Yields a sentence for each fault of what a validation program wrote; it judges its errors itself, too."""
    for pattern in VALIDATORS[name]:
        errors = re.findall(pattern, text)
        if not errors:
            yield f'no line says "{pattern}"'
        for error in errors:
            if not float(error) < TOLERANCE:
                yield f'error {error}'
    for line in re.findall(r'(?m)^.*(?:Result incorrect|[Ss]kipping).*$', text):
        yield line.strip()


def run(bin_dir, work, program, ranks, options):
    if program == 'spectrum':
        text = execute_with(bin_dir, work, program, ranks, options)
        wrong = list(faults_of_spectrum(text, (work / 'reference.txt').read_text()))
    else:
        text = execute_with(bin_dir, work, f'validate_{program}', ranks, options)
        wrong = list(faults_of_validator(program, text))
    if wrong:
        fail('\n  '.join(wrong) + f'\nIt wrote:\n{text[-8000:]}')
    print('\n'.join('  ' + line.strip() for line in re.findall(r'(?m)^.*(?:: error | error in |maxerr = ).*$', text)))


def main():
    a = source_package.command_line(__doc__, programs=('spectrum', *VALIDATORS))
    if a.action == 'build':
        build(a.bin, a.work)
    else:
        run(a.bin, a.work, a.program, a.ranks, a.options)


main()
