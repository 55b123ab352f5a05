"""Profiling tools (MPI 5.0 section 15.2) as libraries: linked before the MPI library, or preloaded."""
import re
import unittest
from pathlib import Path

from commands import BIN, HELLO, TREE, CommandTest, mpiexec, run

TESTS = Path(__file__).resolve().parent.parent

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
    'mpif.h': {'use': '', 'include': "include 'mpif.h'", 'request': 'integer', 'type': 'integer'},
    'mpi': {'use': 'use mpi', 'include': '', 'request': 'integer', 'type': 'integer'},
    'mpi_f08': {'use': 'use mpi_f08', 'include': '', 'request': 'type(MPI_Request)', 'type': 'type(MPI_Datatype)'}}

# Defines only functions with counts of type int, and one with large counts.
INT_TOOL = r'''
#include <mpi.h>
#include <stdio.h>
static int sends, broadcasts, packed, exchanged, vectors, large, sizes;
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
    sends += count;
    return PMPI_Send(buf, count, datatype, dest, tag, comm);
}
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
    broadcasts += count;
    return PMPI_Bcast(buffer, count, datatype, root, comm);
}
int MPI_Pack(const void *in, int incount, MPI_Datatype datatype, void *out, int outsize, int *position, MPI_Comm comm) {
    packed += *position + 1;
    return PMPI_Pack(in, incount, datatype, out, outsize, position, comm);
}
int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
    int size;
    PMPI_Comm_size(comm, &size);
    for (int i = 0; i < size; ++i)
        exchanged += recvcounts[i] + 100 * rdispls[i];
    return PMPI_Alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}
int MPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                const int displs[], MPI_Datatype recvtype, int root, MPI_Comm comm) {
    ++vectors;
    return PMPI_Gatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm);
}
int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype) {
    large += 1;
    return PMPI_Type_contiguous(count, oldtype, newtype);
}
int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype) {
    large += count == 3000000000 ? 1000 : 1000000;
    return PMPI_Type_contiguous_c(count, oldtype, newtype);
}
int MPI_Type_size(MPI_Datatype datatype, int *size) {
    ++sizes;
    return PMPI_Type_size(datatype, size);
}
int MPI_Finalize(void) {
    printf("tool: %d sent, %d broadcast, %d packed, %d exchanged, %d vectors, %d made, %d sizes\n", sends, broadcasts, packed, exchanged,
           vectors, large, sizes);
    return PMPI_Finalize();
}
'''
CALLS_WITH_COUNTS = """program calls
  {use}
  implicit none
  {include}
  integer :: ierr, rank, size, i, place, bytes, a(3), b(20)
  integer, allocatable :: counts(:), displacements(:), received(:)
  character :: packed(100)
  {type} :: type
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  a = rank
  call MPI_Sendrecv(a, 0, MPI_INTEGER, rank, 1, b, 0, MPI_INTEGER, rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_Send(a, 3, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, ierr)
  call MPI_Bcast(a, 2, MPI_INTEGER, 1, MPI_COMM_WORLD, ierr)
  if (any(a /= [1, 1, rank])) stop 1
  place = 4
  call MPI_Pack(a, 3, MPI_INTEGER, packed, 100, place, MPI_COMM_WORLD, ierr)
  if (place /= 4 + 3 * storage_size(a) / 8) stop 2
  allocate(counts(size), displacements(size), received(2 * size))
  counts = 2
  displacements = [(2 * i, i = 0, size - 1)]
  b = rank
  call MPI_Alltoallv(b, counts, displacements, MPI_INTEGER, received, counts, displacements, MPI_INTEGER, MPI_COMM_WORLD, ierr)
  if (any(received /= [(i / 2, i = 0, 2 * size - 1)])) stop 3
  b = -1 ! counts are significant at the root only
  if (rank == 0) then
    call MPI_Gatherv(rank, 1, MPI_INTEGER, b, counts / 2, displacements, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
    if (any(b(1:2 * size:2) /= [(i, i = 0, size - 1)])) stop 4
  else
    call MPI_Gatherv(rank, 1, MPI_INTEGER, b, [0], [0], MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  end if
  call MPI_Type_contiguous(7, MPI_INTEGER, type, ierr)
  call MPI_Type_size(type, bytes, ierr)
  if (bytes /= 7 * storage_size(a) / 8) stop 5
  call MPI_Type_free(type, ierr)
  if (storage_size(a) == 64) then
    call MPI_Type_contiguous(3000000000_8, MPI_INTEGER1, type, ierr)
    call MPI_Type_size(type, bytes, ierr)
    if (bytes /= 3000000000_8) stop 6
    call MPI_Type_free(type, ierr)
  end if
  call MPI_Finalize(ierr)
end program
"""

# Programs whose calls have counts of all kinds, in arrays and as results.
WITH_COUNTS = [TESTS / 'mpi' / 'fortran_interfaces' / f'{name}.F90' for name in (
    'allgathers_of_any_length_place_blocks', 'alltoalls_of_any_length_exchange_a_triangle', 'alltoalls_have_a_type_for_each_partner',
    'buffers_are_attached_and_detached', 'distributed_arrays_give_each_rank_its_part', 'extents_and_sizes_of_types',
    'gathers_of_any_length_place_blocks', 'messages_are_packed_and_unpacked', 'neighbours_of_a_ring_exchange',
    'probes_return_source_tag_and_count', 'reduce_scatters_of_all_kinds_give_each_rank_its_part', 'scatters_of_any_length_cut_blocks',
    'structures_are_sent_as_they_lie')]


def tool_of_all_functions():
    """Returns a tool that defines each MPI_X with counts of type int, and none with large counts."""
    lines = ['#include <mpi.h>', '#include <stdio.h>', 'static int calls;']
    for result, name, arguments in re.findall(r'^(\w+ \*?)(MPI_\w+)\(([^;]*)\);$', (TREE / 'include' / 'mpi.h').read_text(), re.M):
        if re.search(r'MPI_T_|MPI_Pcontrol|MPI_Finalize$|_c$|_(c2f|f2c|c2f08|f082c|f2f08|f082f|toint|fromint)$', name):
            continue
        names = re.findall(r'(\w+)(?:\[\d*\])*(?:,|$)', arguments) if arguments != 'void' else []
        lines.append(f'{result}{name}({arguments}) {{ ++calls; return P{name}({", ".join(names)}); }}')
    lines.append('int MPI_Finalize(void) { fprintf(stderr, "tool: %d\\n", calls); return PMPI_Finalize(); }')
    return '\n'.join(lines)


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

    # INTEGERs of 8 bytes: a tool gets MPI_X if all counts fit int, and MPI_X_c otherwise.
    def test_a_tool_for_ints_sees_integers_of_8_bytes(self):
        tool = self.scratch / 'libints.so'
        assert run(BIN / 'mpicc', '-shared', '-fPIC', '-o', tool, self.write('ints.c', INT_TOOL))[0] == 0
        for name, words in INTERFACES.items():
            source, program = self.write(f'counts_{name}.F90', CALLS_WITH_COUNTS.format(**words)), self.scratch / f'counts_of_{name}'
            with self.subTest(interface=name):
                self.succeeds(run(BIN / 'mpifort', '-fdefault-integer-8', '-J', self.scratch, '-o', program, source))
                for how in [], ['--processes']:
                    output = self.succeeds(mpiexec('-n', 3, *how, '-x', f'LD_PRELOAD={tool}', program))
                    self.assertEqual([line for line in output.splitlines() if line.startswith('tool')],
                                     ['tool: 3 sent, 2 broadcast, 5 packed, 606 exchanged, 1 vectors, 1001 made, 2 sizes'] * 3)
                self.assertNotIn('tool', self.succeeds(mpiexec('-n', 3, program)))

    def test_all_functions_for_ints_serve_integers_of_8_bytes(self):
        tool = self.scratch / 'liball.so'
        self.succeeds(run(BIN / 'mpicc', '-shared', '-fPIC', '-o', tool, self.write('all.c', tool_of_all_functions())))
        for source in WITH_COUNTS:
            with self.subTest(source.stem):
                program = self.scratch / source.stem
                self.succeeds(run(BIN / 'mpifort', '-fdefault-integer-8', '-w', '-DINTERFACE=8', f'-I{TESTS}/harness', '-J', self.scratch,
                                  '-o', program, source))
                ranks = re.search(r'^! ranks: (\d+)', source.read_text(), re.M)
                arguments = '-n', ranks[1] if ranks else 4, program
                code, with_tool, told = mpiexec('-x', f'LD_PRELOAD={tool}', *arguments)
                self.assertEqual(code, 0, told)
                self.assertRegex(told, 'tool: [1-9]')
                self.assertEqual(sorted(with_tool.splitlines()), sorted(self.succeeds(mpiexec(*arguments)).splitlines()))


if __name__ == '__main__':
    unittest.main()
