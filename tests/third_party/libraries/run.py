#!/usr/bin/env python3
"""Libraries that users have, with their own parallel tests: HDF5, FFTW and PnetCDF, of Debian's source packages, built unmodified.

  run.py build LIBRARY --bin BIN --work DIR             fetch the source package once, compile library and tests with BIN/mpicc
  run.py run LIBRARY RANKS --bin BIN --work DIR [...]   run the library's tests with RANKS ranks; options after "--" go to mpiexec

LIBRARY: hdf5, fftw3, pnetcdf. The upstream tarball is what Debian signs (apt checks it); nothing in it is changed.
"""
import os
import re
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
import source_package  # noqa: E402
from source_package import fail, make  # noqa: E402

DOWNLOADS = PROJECT / 'build' / 'libraries'
PROGRAM_LIMIT_S = 900
# In the order of its Makefile: t_prestart reads what t_pshutdown has left, t_pflush2 what t_pflush1 has.
HDF5_TESTS = ('t_mpi', 'testphdf5', 't_cache', 't_cache_image', 't_pread', 't_pshutdown', 't_prestart', 't_init_term', 't_shapesame',
              't_filters_parallel', 't_pflush1', 't_pflush2')
# Not t_bigio, which wants several GiB of memory and of disk from each run.
CONFIGURE = {
    'hdf5': ['--enable-parallel', '--disable-shared', '--disable-hl', '--disable-fortran', '--disable-cxx', '--enable-build-mode=production'],
    'fftw3': ['--enable-mpi', '--enable-threads', '--disable-fortran', '--disable-doc'],
    'pnetcdf': ['--disable-fortran'],
}
# The tests that each of PnetCDF's folders has for so many ranks.
PNETCDF_FOLDERS = {
    2: {'test/header': 1, 'test/testcases': 40, 'test/nonblocking': 10},
    4: {'test/C': 2, 'test/cdf_format': 3, 'test/header': 1, 'test/testcases': 40, 'test/nonblocking': 10},
    6: {'test/testcases': 40, 'test/nonblocking': 10},
}


def execute(command, folder, limit_s=PROGRAM_LIMIT_S, **variables):
    done = subprocess.run([str(word) for word in command], cwd=folder, env={**os.environ, 'MAKEFLAGS': '', **variables}, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors='replace', timeout=limit_s)
    return done.returncode, done.stdout


def build(library, bin_dir, work):
    source = work / library
    source_package.unpack(source_package.fetch(library, DOWNLOADS), source)
    begin = time.monotonic()
    wrappers = {'CC': f'{bin_dir}/mpicc', 'MPICC': f'{bin_dir}/mpicc', 'CXX': f'{bin_dir}/mpicxx', 'MPICXX': f'{bin_dir}/mpicxx',
                'CFLAGS': '-O2 -w', 'CXXFLAGS': '-O2 -w'}
    if not (source / 'configure').exists():
        code, output = execute(['autoreconf', '-i'], source)
        if code:
            fail(f'autoreconf in {source}:\n{output[-4000:]}')
    if not (source / 'Makefile').exists() or library == 'hdf5' and not (source / 'config.status').exists():
        code, output = execute(['./configure', *CONFIGURE[library]], source, **wrappers)
        if code:
            fail(f'configure in {source}:\n{output[-4000:]}')
    if library == 'hdf5':
        make(source / 'src')
        make(source / 'test', 'libh5test.la')
        make(source / 'testpar', *HDF5_TESTS)
    elif library == 'fftw3':
        make(source)
    else:
        make(source)
        make(source, 'tests')
    print(f'{source}: built in {time.monotonic() - begin:.1f} s')


def tests_of(library, source, launcher, ranks):
    """(name, command, folder, least number of lines that say "pass") for each of the library's tests."""
    if library == 'hdf5':
        for name in HDF5_TESTS:
            if name == 't_cache' and ranks < 3:  # says so, and then frees datatypes that it has not made
                continue
            yield name, [*launcher, f'./{name}'], source / 'testpar', 0
    elif library == 'fftw3':
        check = ['perl', '-w', source / 'tests' / 'check.pl', '--verbose', '--random', '--maxsize=10000', '-c=10']
        runs = ' '.join(map(str, launcher)) + f' {source}/mpi/mpi-bench'
        yield 'mpi-bench', [*check, '--mpi', runs], source / 'tests', 0
        yield 'mpi-bench with threads', [*check, '--mpi', '--nthreads=2', runs], source / 'tests', 0
    else:
        runs = ' '.join(map(str, launcher[:-1])) + ' NP'
        for folder, least in PNETCDF_FOLDERS[ranks].items():
            yield folder, ['make', f'ptest{ranks}', f'TESTMPIRUN={runs}'], source / folder, least


def run(library, bin_dir, work, ranks, options):
    source = work / library
    launcher = [bin_dir / 'mpiexec', '--timeout', PROGRAM_LIMIT_S - 60, *options, '-n', str(ranks)]
    wrong = []
    for name, command, folder, least in tests_of(library, source, launcher, ranks):
        begin = time.monotonic()
        code, output = execute(command, folder)
        # t_pflush1 leaves without MPI_Finalize, on purpose.
        good = code == 0 or name == 't_pflush1' and 'PASSED' in output
        if good and re.search(r'(?m)^.*(\*FAILED\*|DEADLOCK|: FAIL\b)', output):
            good = False
        passed = len(re.findall(r'(?m)-+ pass$', output))
        if good and passed < least:
            good = False
            output += f'only {passed} tests passed, not {least}\n'
        print(f'{"passed" if good else "FAILED"} in {time.monotonic() - begin:.1f} s: {name}', flush=True)
        if not good:
            wrong.append(name)
            print(output[-4000:])
    if wrong:
        fail(f'{library} with {ranks} ranks {" ".join(options)}: {", ".join(wrong)}')


def main():
    a = source_package.command_line(__doc__, programs=tuple(CONFIGURE))
    if a.action == 'build':
        build(a.program, a.bin, a.work)
    else:
        run(a.program, a.bin, a.work, a.ranks, a.options)


if __name__ == '__main__':
    main()
