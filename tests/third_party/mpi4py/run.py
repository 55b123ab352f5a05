#!/usr/bin/env python3
"""mpi4py, built for the standard ABI from its source distribution on PyPI, or PyPI's wheel through the fronts, and its own test suite.

  run.py build --bin BIN --work DIR               a virtual environment with numpy and mpi4py, compiled with BIN/mpicc
  run.py run HOW --bin BIN --work DIR [-- ...]    the suite; HOW is "alone" (python without mpiexec) or a number of ranks;
                                                  what follows "--" goes to the suite (-i test_rma, -v, --help)
  run.py wheel FRONT --bin BIN --work DIR         the suite with the wheel through a front, openmpi or mpich, and two processes

Nothing in mpi4py is changed, and nothing left out: tests that spawn further interpreters run, too. Each rank is a process, as mpiexec
chooses by itself for an interpreter that is not position-independent (Debian's). With --threads the ranks are threads, which only an
interpreter that is position-independent can have (exit code 77 if this one is not). The suite prints the figures; those of
docs/status.md come from here.

Through a front those tests fail, and no others, that need what the other MPI's interface has no number for, or what the standard has no counterpart of.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(PROJECT / 'tests' / 'third_party'))
from source_package import SKIPPED, fail  # noqa: E402

VERSION = '4.1.2'
DOWNLOADS = PROJECT / 'build' / 'mpi4py'
STANDARD_ABI = {'MPI4PY_BUILD_MPIABI': '1'}
ET_DYN = 3
# Tests with half floats: MPIX_C_FLOAT16 of the other MPIs has no counterpart in the standard.
WITHOUT_HALF_FLOATS = {'testBasic', 'testMissingNumPy', 'testStruct1', 'testStruct2', 'testStruct4', 'testStruct5', 'testSubarray1'}
FAIL_WITH_WHEEL = {
    # Three of Open MPI's error classes are for its fault tolerance, and it has no MPI_COMM_TYPE_RESOURCE_GUIDED.
    'openmpi': WITHOUT_HALF_FLOATS | {'testException', 'testGetErrorClass', 'testGetErrorStrings', 'testSplitTypeResourceGuided'},
    'mpich': WITHOUT_HALF_FLOATS,
}


def run(command, **options):
    command = [str(word) for word in command]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        fail(f'exit code {done.returncode} of {" ".join(command)}\nIt wrote:\n{done.stdout[-6000:]}')


def python_of(work):
    return work / 'environment' / 'bin' / 'python'


def suite_of(work):
    return [python_of(work), work / 'source' / 'test' / 'main.py']


def is_position_independent(python):
    """A path, or a link to it."""
    with open(python, 'rb') as file:
        head = file.read(18)
    return head[:4] == b'\x7fELF' and int.from_bytes(head[16:18], sys.byteorder) == ET_DYN


def make_environment(work, *packages):
    python = python_of(work)
    if not python.exists():
        shutil.rmtree(python.parents[1], ignore_errors=True)
        run([sys.executable, '-m', 'venv', python.parents[1]])
        run([python, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', 'numpy', 'setuptools', 'wheel', 'cython', *packages])
    return python


def unpack_source(python, work):
    archive = DOWNLOADS / f'mpi4py-{VERSION}.tar.gz'
    if not archive.exists():
        run([python, '-m', 'pip', 'download', '-q', '--disable-pip-version-check', '--no-deps', '--no-build-isolation',
             '--no-binary', 'mpi4py', '-d', DOWNLOADS, f'mpi4py=={VERSION}'])
    source = work / 'source'
    if not source.exists():
        fresh = work / 'source.new'
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        run(['tar', '-xf', archive, '-C', fresh, '--strip-components=1'])
        fresh.rename(source)
    return source


def build(mpicc, work, settings=STANDARD_ABI):
    """With another implementation's mpicc and no `settings`: for that one's ABI."""
    begin = time.monotonic()
    python = make_environment(work)
    source = unpack_source(python, work)
    # The module is built once: it knows the ABI, not the library.
    if not list(work.glob('environment/lib/python*/site-packages/mpi4py/MPI.*.so')):
        run([python, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-build-isolation', '--no-deps',
             source], env={**os.environ, **settings, 'MPI4PY_BUILD_MPICC': str(mpicc), 'CFLAGS': '-O1 -g0'})
    print(f'{python}: mpi4py {VERSION} after {time.monotonic() - begin:.1f} s')


def launcher(bin_dir, python, how, threads):
    """Before the interpreter."""
    if how == 'alone':
        return []
    position_independent = is_position_independent(python)
    if threads and not position_independent:
        print(f'{python.resolve()} is not position-independent: its ranks cannot be threads')
        sys.exit(SKIPPED)
    return [bin_dir / 'mpiexec', *(['--processes'] if position_independent and not threads else []), '-n', how]


def suite(bin_dir, work, how, threads, options, settings=None, may_fail=frozenset()):
    command = [*launcher(bin_dir, python_of(work), how, threads), *suite_of(work), *options]
    command = [str(word) for word in command]
    environment = {**os.environ, 'MPI4PY_TEST_SPAWN': 'yes', **(settings or {})}
    if how == 'alone':
        environment['LD_LIBRARY_PATH'] = str(bin_dir.parent / 'lib')
    print(' '.join(command), flush=True)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, env=environment, cwd=work)
    output = ''
    for line in process.stdout:
        output += line
        print(line, end='', flush=True)
    code = process.wait()
    ran = re.search(r'^Ran (\d+) tests in', output, re.M)
    failed = set(re.findall(r'^(?:FAIL|ERROR): (\w+)', output, re.M))
    if bool(code) != bool(may_fail) or failed != may_fail or not ran:
        fail(f'exit code {code} of {" ".join(command)}; these tests failed: {sorted(failed)}, expected are {sorted(may_fail)}')


def wheel(bin_dir, work, front):
    work = work / 'wheel'
    python = make_environment(work, '--only-binary=mpi4py', f'mpi4py=={VERSION}')
    unpack_source(python, work)
    suite(bin_dir, work, '2', False, [], {'MPI4PY_MPIABI': front}, FAIL_WITH_WHEEL[front])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('action', choices=['build', 'run', 'wheel'])
    parser.add_argument('how', nargs='?', default='alone')
    parser.add_argument('--bin', type=Path, required=True, help='folder of mpicc and mpiexec')
    parser.add_argument('--work', type=Path, required=True, help='folder to build and run in')
    parser.add_argument('--threads', action='store_true', help='ranks are threads of one process')
    own, options = sys.argv[1:], []
    if '--' in own:
        cut = own.index('--')
        own, options = own[:cut], own[cut + 1:]
    arguments = parser.parse_args(own)
    if arguments.action == 'build':
        build(arguments.bin.resolve() / 'mpicc', arguments.work.resolve())
    elif arguments.action == 'wheel':
        wheel(arguments.bin.resolve(), arguments.work.resolve(), arguments.how)
    else:
        suite(arguments.bin.resolve(), arguments.work.resolve(), arguments.how, arguments.threads, options)


if __name__ == '__main__':
    main()
