"""A core file of a job opens in gdb with the names, lines and arguments of the rank that has crashed."""
import resource
import unittest
from pathlib import Path

from commands import CommandTest, mpiexec, run
from tool import need

CRASH = r'''
#include <mpi.h>
#include <stdlib.h>
static void inner(int *pointer, int depth) {
    if (depth == 42)
        *pointer = depth; // line 6
    else
        abort();
}
void outer(int rank, int depth) {
    int local = rank * 7;
    inner(local < 0 ? &local : NULL, depth);
}
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 3)
        outer(rank, atoi(argv[1]));
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
'''


def setUpModule():
    pattern = Path('/proc/sys/kernel/core_pattern').read_text().strip()
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    need('gdb', f'the kernel gives core files to another program ({pattern})' if pattern.startswith('|') else
         f'the kernel writes core files elsewhere ({pattern})' if '/' in pattern else
         'ulimit -c forbids core files' if limit == 0 else None)


class CoreDumps(CommandTest):
    def crash(self, depth, limit):
        program = self.compile('crash', CRASH, '-g', '-O0')
        for core in self.scratch.glob('core*'):
            core.unlink()
        return mpiexec('-n', 5, program, depth, cwd=self.scratch,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit)))

    def backtrace(self):
        cores = list(self.scratch.glob('core*'))
        self.assertEqual(len(cores), 1, cores)
        return run('gdb', '-batch', '-nx', '-ex', 'bt', self.scratch / 'crash', cores[0], timeout=120)[1]

    def test_a_fault_in_a_clone(self):
        limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        self.fails(self.crash(42, limit), 139, 'rank 3: segmentation fault at address 0x0 in inner',
                   'SIGSEGV', 'core file')
        text = self.backtrace()
        self.assertRegex(text, r'#0 .*inner \(pointer=0x0, depth=42\) at \S*crash.c:6')
        self.assertRegex(text, r'#1 .*outer \(rank=3, depth=42\) at \S*crash.c:12')
        self.assertRegex(text, r'#2 .*main \(argc=2, argv=0x[0-9a-f]+\) at \S*crash.c:19')

    def test_abort_in_a_clone(self):
        limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
        self.fails(self.crash(1, limit), 134, 'rank 3: abort() was called', 'SIGABRT')
        self.assertRegex(self.backtrace(), r'inner \(pointer=0x0, depth=1\) at \S*crash.c:8\n.*outer \(rank=3, depth=1\)')

    def test_none_where_the_limit_is_0(self):
        self.fails(self.crash(42, 0), 139, 'rank 3: segmentation fault')
        self.assertEqual(list(self.scratch.glob('core*')), [])


if __name__ == '__main__':
    unittest.main()
