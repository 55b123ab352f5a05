#!/usr/bin/env python3
"""mpi4py, built for the standard ABI from its source distribution on PyPI, and its own test suite.

  run.py build --bin BIN --work DIR               a virtual environment with numpy and mpi4py, compiled with BIN/mpicc
  run.py run HOW --bin BIN --work DIR [-- ...]    the suite; HOW is "alone" (python without mpiexec) or a number of ranks;
                                                  what follows "--" goes to the suite (-i test_rma, -v, --help)

Nothing in mpi4py is changed, and nothing left out: tests that spawn further interpreters run, too. Each rank is a process, as mpiexec
chooses by itself for an interpreter that is not position-independent (Debian's). The suite prints the figures; those of
docs/status.md come from here.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / 'tests'))
from source_package import fail  # noqa: E402

VERSION = '4.1.2'
DOWNLOADS = PROJECT / 'build' / 'mpi4py'


def run(command, **options):
    command = [str(word) for word in command]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          **options)
    if done.returncode:
        fail(f'exit code {done.returncode} of {" ".join(command)}\nIt wrote:\n{done.stdout[-6000:]}')


def build(bin_dir, work):
    python = work / 'environment' / 'bin' / 'python'
    begin = time.monotonic()
    if not python.exists():
        shutil.rmtree(python.parents[1], ignore_errors=True)
        run([sys.executable, '-m', 'venv', python.parents[1]])
        run([python, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', 'numpy', 'setuptools', 'wheel', 'cython'])
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
    # The module is built once: it knows the ABI, not the library.
    if not list(work.glob('environment/lib/python*/site-packages/mpi4py/MPI.*.so')):
        run([python, '-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-build-isolation', '--no-deps',
             source], env={**os.environ, 'MPI4PY_BUILD_MPIABI': '1', 'MPI4PY_BUILD_MPICC': str(bin_dir / 'mpicc'),
                     'CFLAGS': '-O1 -g0'})
    print(f'{python}: mpi4py {VERSION} after {time.monotonic() - begin:.1f} s')


def suite(bin_dir, work, how, options):
    launcher = [] if how == 'alone' else [bin_dir / 'mpiexec', '--processes', '-n', how]
    command = [*launcher, work / 'environment' / 'bin' / 'python', work / 'source' / 'test' / 'main.py', *options]
    command = [str(word) for word in command]
    environment = {**os.environ, 'MPI4PY_TEST_SPAWN': 'yes'}
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
    if code or not ran:
        fail(f'exit code {code} of {" ".join(command)}')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('action', choices=['build', 'run'])
    parser.add_argument('how', nargs='?', default='alone')
    parser.add_argument('--bin', type=Path, required=True, help='folder of mpicc and mpiexec')
    parser.add_argument('--work', type=Path, required=True, help='folder to build and run in')
    own, options = sys.argv[1:], []
    if '--' in own:
        cut = own.index('--')
        own, options = own[:cut], own[cut + 1:]
    arguments = parser.parse_args(own)
    if arguments.action == 'build':
        build(arguments.bin.resolve(), arguments.work.resolve())
    else:
        suite(arguments.bin.resolve(), arguments.work.resolve(), arguments.how, options)


main()
