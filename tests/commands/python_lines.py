#!/usr/bin/env python3
"""Reports about Python programs name the script's lines. Stands for mpi4py: a small module of that name, which calls MPI as mpi4py does."""
import sys
import sysconfig
import unittest

from commands import CommandTest, mpiexec

# Python's C API is declared here, because its headers may not be installed.
MODULE = r'''
#include <mpi.h>
#include <stddef.h>
typedef struct Object Object;
typedef struct { const char *name; Object *(*function)(Object *, Object *); int flags; const char *doc; } Method;
typedef struct { ptrdiff_t references; void *type, *init; ptrdiff_t index; void *copy; const char *name, *doc; ptrdiff_t size;
                 Method *methods; void *slots, *traverse, *clear, *free; } Definition;
Object *PyModule_Create2(Definition *, int);
int PyArg_ParseTuple(Object *, const char *, ...);
Object *PyLong_FromLong(long);
void *PyEval_SaveThread(void);
void PyEval_RestoreThread(void *);
int Py_AtExit(void (*)(void));
static int value[4];
static MPI_Request requests[8];
static int request_count;
/* Each function takes one number. */
#define FUNCTION(name, call)                                                                                                     \
    static Object *name(Object *self, Object *arguments) {                                                                       \
        int n = 0;                                                                                                               \
        if (!PyArg_ParseTuple(arguments, "|i", &n))                                                                              \
            return NULL;                                                                                                         \
        void *state = PyEval_SaveThread();                                                                                       \
        call;                                                                                                                    \
        PyEval_RestoreThread(state);                                                                                             \
        return PyLong_FromLong(n);                                                                                               \
    }
FUNCTION(rank, MPI_Comm_rank(MPI_COMM_WORLD, &n))
FUNCTION(barrier, MPI_Barrier(MPI_COMM_WORLD))
FUNCTION(bcast, MPI_Bcast(value, 1, MPI_INT, n, MPI_COMM_WORLD))
FUNCTION(send, MPI_Send(value, 1, MPI_INT, n, 0, MPI_COMM_WORLD))
FUNCTION(send_float, MPI_Send(value, 1, MPI_FLOAT, n, 0, MPI_COMM_WORLD))
FUNCTION(recv, MPI_Recv(value, 1, MPI_INT, n, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
FUNCTION(irecv, MPI_Irecv(value, 1, MPI_INT, n, 0, MPI_COMM_WORLD, &requests[request_count++]))
static Method methods[] = {{"rank", rank, 1, 0}, {"barrier", barrier, 1, 0}, {"bcast", bcast, 1, 0}, {"send", send, 1, 0},
                           {"send_float", send_float, 1, 0}, {"recv", recv, 1, 0}, {"irecv", irecv, 1, 0}, {0}};
static Definition definition = {.references = 1, .name = "MPI", .size = -1, .methods = methods};
static void finalize(void) { MPI_Finalize(); }
Object *PyInit_MPI(void) {
    MPI_Init(NULL, NULL);
    Py_AtExit(finalize);
    return PyModule_Create2(&definition, 1013);
}
'''

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


@unittest.skipUnless(sys.version_info[:2] >= (3, 11) and not sysconfig.get_config_var('Py_GIL_DISABLED'),
                     'lines of Python are named from Python 3.11 on')
class PythonLines(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        (cls.scratch / 'mpi4py').mkdir()
        cls.write('mpi4py/__init__.py', '')
        cls.compile('mpi4py/MPI.so', MODULE, '-shared', '-fPIC')

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

    def test_threads_share_the_interpreter(self):
        for result in self.both(THREADS):
            self.fails(result, 86, 'ranks 0,1: MPI_Recv', 'at solve.py:16 in <module>')


if __name__ == '__main__':
    unittest.main()
