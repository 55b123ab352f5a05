#!/usr/bin/env python3
"""Reports about Python programs name the script's lines."""
import sys
import sysconfig
import unittest

import small_mpi4py
from commands import CommandTest, mpiexec, run

DEADLOCK = '''from mpi4py import MPI


class Solver:
    def exchange(self):
        for i in range(1000):
            pass
        MPI.recv(1)


if MPI.rank() == 0:
    Solver().exchange()
else:
    MPI.barrier()
'''

ORDER = '''from mpi4py import MPI

if MPI.rank() == 0:
    MPI.barrier()
else:
    MPI.bcast(0)
'''

TYPES_AND_LEAKS = '''from mpi4py import MPI

def send_all():
    (MPI.send_float)(1)

if MPI.rank() == 0:
    send_all()
else:
    MPI.recv(0)
MPI.barrier()
for i in range(2):
    MPI.irecv(
        MPI.rank())
'''

THREADS = '''import threading
from mpi4py import MPI

def count():
    while not done:
        pass

done = False
thread = threading.Thread(target=count)
thread.start()
for i in range(20):
    MPI.barrier()
done = True
thread.join()
exec(compile("MPI.barrier()", "made.py", "exec"))
MPI.recv(1 - MPI.rank())
'''

INTERRUPTED = '''import os, signal, time
from mpi4py import MPI

try:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(60)
except KeyboardInterrupt:
    print('rank', MPI.rank(), 'of', MPI.size(), 'goes on')
'''


@unittest.skipUnless(sys.version_info[:2] >= (3, 11) and not sysconfig.get_config_var('Py_GIL_DISABLED'),
                     'lines of Python are named from Python 3.11 on')
class PythonLines(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        small_mpi4py.make(cls)

    def both(self, script):
        """Returns what a script does with two ranks as processes and, if this interpreter can be cloned, as threads of one."""
        path = self.write('solve.py', script)
        results = [mpiexec('-n', 2, how, sys.executable, path) for how in ('--processes', '--threads=fiber')]
        return [result for result in results if 'is not position-independent' not in result[2]]

    def test_a_deadlock(self):
        for result in self.both(DEADLOCK):
            self.fails(result, 86, 'rank 0: MPI_Recv from rank 1, tag 0, MPI_COMM_WORLD, at solve.py:8 in Solver.exchange\n',
                       'rank 1: MPI_Barrier on MPI_COMM_WORLD, at solve.py:14 in <module>')

    def test_collectives_in_another_order(self):
        for code, output, errors in self.both(ORDER):
            self.assertNotEqual(code, 0, output + errors)
            self.assertIn('solve.py:4 in <module>', errors)
            self.assertIn('solve.py:6 in <module>', errors)

    def test_types_and_leaks(self):
        for code, output, errors in self.both(TYPES_AND_LEAKS):
            self.assertEqual(code, 0, output + errors)
            self.assertIn('received at solve.py:9 in <module>', errors)
            self.assertRegex(errors, r'[24] requests made by MPI_Irecv at solve\.py:12 in <module> were never completed')
            if 'with tag' not in errors:  # the sender is in this process
                self.assertIn('sent by MPI_Send at solve.py:4 in send_all', errors)

    def test_a_single_process_keeps_pythons_handler_of_ctrl_c(self):
        path = self.write('interrupted.py', INTERRUPTED)
        self.assertEqual(run(sys.executable, path), (0, 'rank 0 of 1 goes on\n', ''))

    def test_threads_share_the_interpreter(self):
        for result in self.both(THREADS):
            self.fails(result, 86, 'ranks 0,1: MPI_Recv', 'at solve.py:16 in <module>')


if __name__ == '__main__':
    unittest.main()
