"""What operations cost, in instructions: a count, unlike a time, is the same on a busy machine. Whoever makes one cheaper lowers its
number in COUNTS, so that it stays cheap."""
import functools
import re
import shutil
import subprocess
import unittest

from commands import TREE, CommandTest, mpiexec

# argv: the operation, how often.
PROGRAM = r'''
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#define REPEAT for (int i = 0; i < times; ++i)
int main(int argc, char **argv) {
    const char *operation = argv[1];
    const int times = atoi(argv[2]);
    int rank;
    long value = 0, result = 0, one = 1, *base;
    MPI_Comm copy;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
    const int locks_all = strncmp(operation, "lock_", 5) != 0;
    if (locks_all)
        MPI_Win_lock_all(0, window);
    if (!strcmp(operation, "message"))
        REPEAT {
            if (rank == 0)
                MPI_Send(&value, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&value, 1, MPI_LONG, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1)
                MPI_Send(&value, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD);
        }
    else if (!strcmp(operation, "barrier"))
        REPEAT MPI_Barrier(MPI_COMM_WORLD);
    else if (!strcmp(operation, "bcast"))
        REPEAT MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    else if (!strcmp(operation, "allreduce"))
        REPEAT MPI_Allreduce(&value, &result, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    else if (!strcmp(operation, "put") && rank == 0)
        REPEAT {
            MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window);
            MPI_Win_flush(1, window);
        }
    else if (!strcmp(operation, "fetch_and_op") && rank == 0)
        REPEAT {
            MPI_Fetch_and_op(&one, &result, MPI_LONG, 1, 0, MPI_SUM, window);
            MPI_Win_flush(1, window);
        }
    else if (!strcmp(operation, "lock_put") && rank == 0)
        REPEAT {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            MPI_Put(&value, 1, MPI_LONG, 1, 0, 1, MPI_LONG, window);
            MPI_Win_unlock(1, window);
        }
    else if (!strcmp(operation, "lock_fetch_and_op") && rank == 0)
        REPEAT {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
            MPI_Fetch_and_op(&one, &result, MPI_LONG, 1, 0, MPI_SUM, window);
            MPI_Win_unlock(1, window);
        }
    else if (!strcmp(operation, "dup"))
        REPEAT {
            MPI_Comm_dup(MPI_COMM_WORLD, &copy);
            MPI_Comm_free(&copy);
        }
    if (locks_all)
        MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
'''


# Instructions that one operation of one rank takes: {operation: (ranks, how often each of them does it in a round, instructions)}.
# Measured with gcc 12 in a release build. "start": of a rank, from its creation to its end.
COUNTS = {
    'message': (2, 1, 641),  # a send and a receive of 8 B, and the switch to the other rank
    'put': (2, 1 / 2, 251),
    'fetch_and_op': (2, 1 / 2, 298),
    'lock_put': (2, 1 / 2, 381),  # and unlock
    'lock_fetch_and_op': (2, 1 / 2, 399),
    'barrier': (64, 1, 390),
    'bcast': (64, 1, 460),
    'allreduce': (64, 1, 749),
    'dup': (64, 1, 1732),
}
START = 26600
STACK_LINES = 9  # Worker::pop_from_queue loads so many ahead
ALLOWED = 1.05
COMPILER = 'GCC: (Debian 12'


@functools.cache
def without(ranks, program):
    """Instructions of a job in which no operation is measured."""
    return instructions(ranks, program, 'nothing', 0)


def instructions(ranks, program, *arguments):
    code, _, errors = mpiexec('-n', ranks, '--workers', 1, 'valgrind', '--tool=cachegrind', '--cache-sim=no',
                              '--cachegrind-out-file=/dev/null', program, *arguments, timeout=300)
    assert code == 0, errors
    return int(re.search(r'I\s+refs:\s+([\d,]+)', errors)[1].replace(',', ''))


@unittest.skipUnless(shutil.which('valgrind'), 'needs valgrind')
class InstructionCounts(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        built_by = subprocess.run(['readelf', '-p', '.comment', TREE / 'lib/libmpi_abi.so.1'], check=True, capture_output=True, text=True)
        if COMPILER not in built_by.stdout or 'CMAKE_BUILD_TYPE:STRING=Debug' in (TREE / 'CMakeCache.txt').read_text():
            raise unittest.SkipTest(f'only release builds of {COMPILER}*) need these numbers of instructions')
        cls.program = cls.compile('operations', PROGRAM, '-O2')

    def check(self, operation, expected, measure):
        # What the kernel does between two instructions, such as a timer, only adds to them.
        counts = []
        while not counts or (min(counts) > expected * ALLOWED and len(counts) < 3):
            counts.append(measure())
        print(f'{operation}: {min(counts):.0f} instructions')
        self.assertLessEqual(min(counts), expected * ALLOWED, f'{operation} takes more instructions than COUNTS says: {expected}')

    def test_operations(self):
        for operation, (ranks, each, expected) in COUNTS.items():
            times = 2000 if ranks == 2 else 200
            with self.subTest(operation=operation):
                self.check(operation, expected, lambda: (instructions(ranks, self.program, operation, times) -
                                                         without(ranks, self.program)) / times / ranks / each)

    def test_start(self):
        self.check('start', START, lambda: (instructions(128, self.program, 'nothing', 0) - without(64, self.program)) / 64)

    def test_the_next_stack_is_prefetched(self):
        """Compilers may drop prefetches without a word: no result changes."""
        code = subprocess.run(['objdump', '-d', '--no-show-raw-insn', TREE / 'lib/libmpi_abi.so.1'], check=True, capture_output=True, text=True)
        self.assertGreaterEqual(code.stdout.count('prefetcht0'), STACK_LINES)


if __name__ == '__main__':
    unittest.main()
