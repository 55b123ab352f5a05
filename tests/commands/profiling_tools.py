"""Profiling tools (MPI 5.0 section 15.2) as libraries: linked before the MPI library, or preloaded."""
import unittest

from commands import BIN, HELLO, CommandTest, mpiexec, run

TOOL = r'''
#include <mpi.h>
#include <stdio.h>
static int barriers; /* each rank has its own */
int MPI_Barrier(MPI_Comm comm) {
    ++barriers;
    return PMPI_Barrier(comm);
}
int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("tool: %d barriers of rank %d\n", barriers, rank);
    return PMPI_Finalize();
}
'''

# Rank r calls MPI_Barrier three times, two of them by a pointer that was initialised before main.
PROGRAM = HELLO.replace('int main', 'int (*barrier)(MPI_Comm) = MPI_Barrier;\nint main').replace(
    'MPI_Finalize()', 'MPI_Barrier(MPI_COMM_WORLD); barrier(MPI_COMM_WORLD); barrier(MPI_COMM_WORLD); MPI_Finalize()')


class Tools(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tool = cls.scratch / 'libtool.so'
        source = cls.write('tool.c', TOOL)
        assert run(BIN / 'mpicc', '-shared', '-fPIC', '-o', cls.tool, source)[0] == 0
        cls.plain = cls.compile('plain', PROGRAM)
        source = cls.write('linked.c', PROGRAM)
        cls.linked = cls.scratch / 'linked'
        assert run(BIN / 'mpicc', '-o', cls.linked, source, f'-L{cls.scratch}', '-ltool',
                   f'-Wl,-rpath,{cls.scratch}')[0] == 0

    def counts(self, ranks, *arguments):
        output = self.succeeds(mpiexec(*arguments))
        told = sorted(line for line in output.splitlines() if line.startswith('tool'))
        self.assertEqual(told, [f'tool: 3 barriers of rank {rank}' for rank in range(ranks)])

    def test_without_a_tool_nothing_is_counted(self):
        self.assertNotIn('tool', self.succeeds(mpiexec('-n', 2, self.plain)))

    def test_a_preloaded_tool(self):
        for ranks in 1, 3:
            self.counts(ranks, '-n', ranks, '-x', f'LD_PRELOAD={self.tool}', self.plain)

    def test_a_linked_tool(self):
        for ranks in 1, 3:
            self.counts(ranks, '-n', ranks, self.linked)

    def test_a_linked_tool_without_mpiexec(self):
        self.assertIn('tool: 3 barriers of rank 0', self.succeeds(run(self.linked)))

    def test_a_tool_of_one_of_two_executables(self):
        output = self.succeeds(mpiexec('-n', 2, self.plain, ':', '-n', 1, self.linked))
        self.assertEqual([line for line in output.splitlines() if line.startswith('tool')],
                         ['tool: 3 barriers of rank 2'])


if __name__ == '__main__':
    unittest.main()
