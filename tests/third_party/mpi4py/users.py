#!/usr/bin/env python3
"""Tests what users of Python expect of mpiexec and mpi4py: python programs as in their handbooks, and as they go wrong.

  users.py --bin BIN --work DIR [unittest's own arguments]

DIR is where run.py has built mpi4py. A process for each rank, unless the interpreter cannot be run as threads anyway.
"""
import argparse
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
from pathlib import Path

from run import is_position_independent, python_of

PLACES = None
LIMIT_S = 120

RMA = '''
import numpy
from mpi4py import MPI
world = MPI.COMM_WORLD
rank, size = world.rank, world.size
right = (rank + 1) % size
mine = numpy.full((100, 100), rank, dtype='d')
window = MPI.Win.Create(mine, disp_unit=mine.itemsize, comm=world)
row = numpy.full(100, 1000.0 + rank)
window.Fence()
window.Put(row, right, target=(700, 100, MPI.DOUBLE))
window.Fence()
got = numpy.empty((100, 100), dtype='d')
window.Get(got, right)
window.Fence()
assert (mine[7] == 1000 + (rank - 1) % size).all() and (mine[8] == rank).all()
assert (got[7] == 1000 + rank).all() and (got[8] == right).all()
window.Free()
window = MPI.Win.Allocate_shared(size * 8 if rank == 0 else 0, 8, comm=world)
memory, unit = window.Shared_query(0)
shared = numpy.ndarray(buffer=memory, dtype='i8', shape=(size,))
window.Lock_all()
window.Accumulate(numpy.array([rank + 1], dtype='i8'), 0, target=(rank, 1, MPI.INT64_T))
window.Flush(0)
world.Barrier()
window.Sync()
assert list(shared) == [r + 1 for r in range(size)], shared
world.Barrier()
one, before = numpy.array([1], dtype='i8'), numpy.empty(1, dtype='i8')
window.Fetch_and_op(one, before, 0, 0, MPI.SUM)
window.Flush(0)
world.Barrier()
window.Sync()
assert shared[0] == 1 + size
window.Unlock_all()
del shared, memory
window.Free()
'''

LARGE_OBJECTS = '''
from mpi4py import MPI
world = MPI.COMM_WORLD
rank, size = world.rank, world.size
megabyte = 1 << 20
object = {'from': rank, 'data': bytes([rank]) * (100 * megabyte), 'more': list(range(1000))}
right, left = (rank + 1) % size, (rank - 1) % size
request = world.isend(object, right)
got = world.recv(source=left)
request.wait()
assert got['from'] == left and len(got['data']) == 100 * megabyte and got['data'][-1] == left
got = world.bcast(object if rank == 1 else None, root=1)
assert got['from'] == 1 and len(got['data']) == 100 * megabyte and got['data'][17] == 1
small = world.gather(got['data'][:megabyte], root=0)
assert rank or [len(part) for part in small] == [megabyte] * size
'''

POOL = '''
from mpi4py.futures import MPIPoolExecutor

def square(x):
    return x * x

if __name__ == '__main__':
    with MPIPoolExecutor() as pool:
        results = list(pool.map(square, range(200)))
        assert results == [x * x for x in range(200)]
        future = pool.submit(divmod, 1, 0)
        assert isinstance(future.exception(), ZeroDivisionError)
    print('the pool is done')
'''

SPAWNED_POOL = POOL.replace('MPIPoolExecutor()', 'MPIPoolExecutor(max_workers=3)')

SPAWN = '''
import sys
from mpi4py import MPI
parent = MPI.Comm.Get_parent()
if parent == MPI.COMM_NULL:
    children = MPI.COMM_WORLD.Spawn(sys.executable, [__file__, 'child'], maxprocs=3)
    assert children.remote_size == 3
    total = children.allreduce(0)
    children.bcast({'hello': 'children'}, root=MPI.ROOT if MPI.COMM_WORLD.rank == 0 else MPI.PROC_NULL)
    children.Disconnect()
    assert total == 0 + 1 + 2, total
    print('spawned')
else:
    assert sys.argv[1:] == ['child'] and MPI.COMM_WORLD.size == 3
    parent.allreduce(MPI.COMM_WORLD.rank)
    assert parent.bcast(None, root=0) == {'hello': 'children'}
    parent.Disconnect()
'''


class Users(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='thrum-mpi4py-')
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, ranks, program, before=(), options=()):
        python = python_of(PLACES.work)
        file = self.folder / 'program.py'
        file.write_text(textwrap.dedent(program))
        processes = ['--processes'] if is_position_independent(python) else []
        return [PLACES.bin / 'mpiexec', *processes, *options, '-n', str(ranks), python, *before, file]

    def mpiexec(self, ranks, program, **options):
        done = subprocess.run(self.command(ranks, program, **options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S, cwd=self.folder)
        return done.returncode, done.stdout

    def check_silent(self, ranks, program, said='', **options):
        code, output = self.mpiexec(ranks, program, **options)
        self.assertEqual((code, output.strip()), (0, said), output)

    def test_nothing_is_said_of_processes(self):
        self.check_silent(4, 'from mpi4py import MPI\nassert MPI.COMM_WORLD.size == 4')

    def test_python_without_mpi_runs_as_often_as_asked(self):
        self.check_silent(3, 'print("x", end="")', 'xxx')

    def test_numpy_arrays_in_windows(self):
        self.check_silent(4, RMA)

    def test_pickled_objects_of_100_megabytes(self):
        self.check_silent(3, LARGE_OBJECTS)

    def test_a_program_spawns_itself(self):
        self.check_silent(2, SPAWN, 'spawned\nspawned')

    def test_a_pool_of_the_ranks(self):
        self.check_silent(3, POOL, 'the pool is done', before=['-m', 'mpi4py.futures'])

    def test_a_pool_that_spawns_its_workers(self):
        self.check_silent(1, SPAWNED_POOL, 'the pool is done')

    def test_the_exit_code_is_that_of_the_program(self):
        code, _ = self.mpiexec(4, 'import sys\nfrom mpi4py import MPI\nsys.exit(3)')
        self.assertEqual(code, 3)
        code, _ = self.mpiexec(4, 'import sys\nfrom mpi4py import MPI\nsys.exit(3 if MPI.COMM_WORLD.rank == 2 else 0)')
        self.assertEqual(code, 3)

    def test_an_exception_that_all_ranks_meet_ends_the_job(self):
        code, output = self.mpiexec(3, 'from mpi4py import MPI\nraise ValueError("my own mistake")')
        self.assertEqual(code, 1)
        self.assertEqual(output.count('ValueError: my own mistake'), 3)

    def test_an_exception_of_one_rank_does_not_hang(self):
        """Python ends MPI in that rank, and the others wait for it. The traceback and one line are all that is said."""
        for wait in ('world.Barrier()', 'world.recv(source=bad)', 'world.allreduce(1)'):
            for bad in range(3):
                for end, said, lines in (('raise ValueError("my own mistake")', 'ValueError: my own mistake', 5),
                                         ('sys.exit("my own mistake")', 'my own mistake', 2)):
                    with self.subTest(wait=wait, bad=bad, end=end):
                        code, output = self.mpiexec(3, f'''
                            import sys
                            from mpi4py import MPI
                            world, bad = MPI.COMM_WORLD, {bad}
                            if world.rank == bad:
                                {end}
                            {wait}''')
                        self.assertEqual(code, 1, output)
                        self.assertIn(said, output)
                        self.assertRegex(output.splitlines()[-1], f'^thrum: rank {bad} ended with exit code 1 after MPI_Finalize, '
                                         'and the others wait for it: ranks? .*: MPI_')
                        self.assertEqual(len(output.splitlines()), lines, output)

    def test_an_exception_that_is_caught_is_silent(self):
        self.check_silent(3, '''
            from mpi4py import MPI
            try:
                raise ValueError("caught")
            except ValueError:
                pass
            MPI.COMM_WORLD.Barrier()''')

    def test_an_exception_of_one_rank_under_mpi4pys_runner_ends_the_job(self):
        code, output = self.mpiexec(3, '''
            from mpi4py import MPI
            if MPI.COMM_WORLD.rank == 1:
                raise ValueError("my own mistake")
            MPI.COMM_WORLD.Barrier()''', before=['-m', 'mpi4py'])
        self.assertEqual(code, 1)
        self.assertIn('ValueError: my own mistake', output)

    def test_an_error_of_mpi_is_an_exception_with_its_class(self):
        self.check_silent(2, '''
            from mpi4py import MPI
            try:
                MPI.COMM_WORLD.send(1, dest=7)
            except MPI.Exception as error:
                assert error.Get_error_class() == MPI.ERR_RANK
            else:
                raise SystemExit('no exception')''')

    def test_a_process_that_is_killed_ends_the_job(self):
        code, output = self.mpiexec(3, '''
            import os, signal
            from mpi4py import MPI
            if MPI.COMM_WORLD.rank == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            MPI.COMM_WORLD.Barrier()''')
        self.assertEqual(code, 128 + signal.SIGKILL)
        self.assertRegex(output, r'rank 1\b')

    def test_interrupt_ends_all(self):
        command = self.command(3, '''
            import sys, time
            from mpi4py import MPI
            MPI.COMM_WORLD.Barrier()
            if MPI.COMM_WORLD.rank == 0:
                print('ready', flush=True)
                time.sleep(100)
            MPI.COMM_WORLD.Barrier()''')
        job = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, cwd=self.folder, start_new_session=True)
        self.assertEqual(job.stdout.readline(), 'ready\n')
        begin = time.monotonic()
        os.killpg(job.pid, signal.SIGINT)
        output, _ = job.communicate(timeout=LIMIT_S)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIn(job.returncode, (-signal.SIGINT, 128 + signal.SIGINT), output)


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--bin', type=Path, required=True, help='folder of mpiexec')
    parser.add_argument('--work', type=Path, required=True, help='folder in which run.py has built mpi4py')
    PLACES, rest = parser.parse_known_args()
    PLACES.bin, PLACES.work = PLACES.bin.resolve(), PLACES.work.resolve()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
