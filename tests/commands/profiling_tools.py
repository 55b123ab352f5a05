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

# Counts calls of C's functions, and the elements that it is told of.
COUNTER = r'''
#include <mpi.h>
#include <stdio.h>
static int inits, sends, elements;
int MPI_Init(int *argc, char ***argv) {
    ++inits;
    return PMPI_Init(argc, argv);
}
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    int bytes;
    PMPI_Type_size(datatype, &bytes);
    ++sends;
    elements += count * bytes / 4;
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}
int MPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm, MPI_Request *request) {
    ++sends;
    return PMPI_Isend(buf, count, datatype, dest, tag, comm, request);
}
int MPI_Finalize(void) {
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("tool: rank %d: %d inits, %d sends, %d elements\n", rank, inits, sends, elements);
    return PMPI_Finalize();
}
'''
FORTRAN = """program sends
  {use}
  implicit none
  {include}
  integer :: ierr, a(4, 6), b(6)
  {request} :: request
  a = 1
  call MPI_Init(ierr)
  call MPI_Isend(a, 6, MPI_INTEGER, 0, 1, MPI_COMM_SELF, request, ierr)
  call MPI_Recv(b, 6, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Send(a(2, :), 6, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call MPI_Recv(b, 6, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
  call PMPI_Send(a(2, :), 6, MPI_INTEGER, 0, 1, MPI_COMM_SELF, ierr)
  call MPI_Recv(b, 6, MPI_INTEGER, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE, ierr)
  call MPI_Finalize(ierr)
end program
"""
INTERFACES = {
    'mpif.h': {'use': '', 'include': "include 'mpif.h'", 'request': 'integer'},
    'mpi': {'use': 'use mpi', 'include': '', 'request': 'integer'},
    'mpi_f08': {'use': 'use mpi_f08', 'include': '', 'request': 'type(MPI_Request)'}}


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

    # Section 15.2: a tool in C sees the calls of Fortran programs, and not those of PMPI.
    def test_a_tool_of_c_sees_fortran(self):
        tool = self.scratch / 'libcounter.so'
        assert run(BIN / 'mpicc', '-shared', '-fPIC', '-o', tool, self.write('counter.c', COUNTER))[0] == 0
        for name, words in INTERFACES.items():
            with self.subTest(interface=name):
                source, program = self.write(f'{name}.f90', FORTRAN.format(**words)), self.scratch / f'of_{name}'
                self.succeeds(run(BIN / 'mpifort', '-J', self.scratch, '-o', program, source))
                for how in [], ['--processes']:
                    output = self.succeeds(mpiexec('-n', 2, *how, '-x', f'LD_PRELOAD={tool}', program))
                    self.assertEqual(sorted(line for line in output.splitlines() if line.startswith('tool')),
                                     [f'tool: rank {rank}: 1 inits, 2 sends, 6 elements' for rank in (0, 1)])
                self.assertNotIn('tool', self.succeeds(mpiexec('-n', 2, program)))


if __name__ == '__main__':
    unittest.main()
