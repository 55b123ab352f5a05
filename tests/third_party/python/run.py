#!/usr/bin/env python3
"""Runs what docs/python.md shows, in a clean virtual environment: mpi4py built for the standard ABI, mpi4py.futures, h5py with parallel HDF5
of Debian's source package; and PyPI's wheel of mpi4py, whose two modules must run through their fronts.

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


# Children of MPI_Comm_spawn load mpi4py, too, by the same Python.
PARENT_AND_CHILD = '''
import sys
from mpi4py import MPI
parent = MPI.Comm.Get_parent()
if parent == MPI.COMM_NULL:
    children = MPI.COMM_WORLD.Spawn(sys.executable, [sys.argv[0]], 2)
    print('children:', children.allgather(None))
    children.Disconnect()
else:
    parent.allgather(parent.rank)
    parent.Disconnect()
'''


def run_wheel(bin_dir, work):
    shutil.rmtree(work, ignore_errors=True)
    subprocess.run([sys.executable, '-m', 'venv', work], check=True)
    python = work / 'bin' / 'python'
    done = subprocess.run([python, '-m', 'pip', 'install', '-q', '--only-binary=mpi4py', 'mpi4py'], env=environment(bin_dir), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(f'there is no wheel of mpi4py for this python:\n{done.stdout}')
        sys.exit(source_package.SKIPPED)
    for interface in '', 'openmpi', 'mpich':
        chosen = {'MPI4PY_MPIABI': interface} if interface else {}
        for ranks, words in (4, ['-m', 'mpi4py.bench', 'helloworld']), (1, ['-m', 'mpi4py', '-m', 'mpi4py.bench', 'helloworld']):
            done = subprocess.run([bin_dir / 'mpiexec', '-n', str(ranks), python, *words], env=environment(bin_dir) | chosen, text=True,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
            greeted = sorted(line.split(' on ')[0] for line in done.stdout.splitlines())
            if done.returncode or greeted != [f'Hello, World! I am process {rank} of {ranks}' for rank in range(ranks)]:
                source_package.fail(f'{interface} {words}: exit code {done.returncode}:\n{done.stdout}')
        (work / 'spawn.py').write_text(PARENT_AND_CHILD)
        done = subprocess.run([bin_dir / 'mpiexec', '-n', '2', python, work / 'spawn.py'], env=environment(bin_dir) | chosen, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
        if done.returncode or done.stdout != 'children: [0, 1]\n' * 2:
            source_package.fail(f'{interface}: a job with children: exit code {done.returncode}:\n{done.stdout}')
    print('the wheel runs through both fronts')


def main():
    a = source_package.command_line(__doc__, actions=('page', 'wheel'))
    (run_page if a.action == 'page' else run_wheel)(a.bin, a.work / a.action)


main()
