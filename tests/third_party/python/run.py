#!/usr/bin/env python3
"""Runs what docs/python.md shows, in a clean virtual environment: mpi4py built for the standard ABI, mpi4py.futures, h5py with parallel HDF5
of Debian's source package; and PyPI's wheel of mpi4py, which must end with the line that says what to do.

  run.py wheel --bin BIN --work DIR     the wheel; half a minute
  run.py page --bin BIN --work DIR      the commands of the page, in order; ten minutes, most of them HDF5
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(PROJECT / 'tests' / folder) for folder in ('third_party', 'commands/docs')]
import source_package  # noqa: E402

HERE = 'tests/third_party/python/run.py'


def environment(bin_dir):
    """Without what a virtual environment or Thrum's tests have set."""
    own = {name: value for name, value in os.environ.items()
           if not name.startswith(('THRUM_', 'VIRTUAL_ENV', 'PYTHON')) or name == 'THRUM_TREE'}
    return own | {'PATH': f'{bin_dir}:{own["PATH"]}', 'PIP_DISABLE_PIP_VERSION_CHECK': '1',
                  'PIP_NO_CACHE_DIR': '1'}  # a wheel of an earlier run may be linked with another libmpi


def run_page(bin_dir, work):
    os.environ.setdefault('THRUM_TREE', str(bin_dir.parent))
    from pages import blocks_of
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    tarball = source_package.fetch('hdf5', PROJECT / 'build' / 'libraries')
    source_package.unpack(tarball, work / 'hdf5')
    blocks = list(blocks_of(PROJECT / 'docs' / 'python.md'))
    for block in blocks:
        if block.file:
            (work / block.file).write_text(block.text)
    script = 'set -ex\n' + ''.join(block.text for block in blocks if block.test == HERE)
    with open(work / 'log', 'w') as log:
        code = subprocess.run(['sh', '-c', script], cwd=work, env=environment(bin_dir), stdin=subprocess.DEVNULL, stdout=log,
                              stderr=subprocess.STDOUT).returncode
    text = (work / 'log').read_text()
    if code:
        source_package.fail(f'docs/python.md:\n{text[-6000:]}')
    lines = text.splitlines()
    if sorted(line for line in lines if line in list('0123'))[:4] != list('0123') or str(sum(n * n for n in range(100))) not in lines:
        source_package.fail(f'the output of docs/python.md is not what its programs print:\n{text[-4000:]}')
    print('docs/python.md: all commands ran')


def run_wheel(bin_dir, work):
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run([sys.executable, '-m', 'venv', work], check=True)
    python = work / 'bin' / 'python'
    done = subprocess.run([python, '-m', 'pip', 'install', '-q', '--only-binary=mpi4py', 'mpi4py'], env=environment(bin_dir), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(f'there is no wheel of mpi4py for this python:\n{done.stdout}')
        sys.exit(source_package.SKIPPED)
    for how in ([], ['--processes'], ['-n', '1']):
        done = subprocess.run([bin_dir / 'mpiexec', '-n', '2', *how, python, '-c', 'from mpi4py import MPI'], env=environment(bin_dir), text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        last = done.stdout.rstrip().splitlines()[-1]
        if done.returncode == 0 or 'only with MPICH and Open MPI' not in last or f'{python} -m pip install' not in last:
            source_package.fail(f'{how}: exit code {done.returncode}:\n{done.stdout}')
    print(f'the wheel is explained: {last}')


def main():
    a = source_package.command_line(__doc__, actions=('page', 'wheel'))
    (run_page if a.action == 'page' else run_wheel)(a.bin, a.work / a.action)


main()
