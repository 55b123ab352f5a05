#!/usr/bin/env python3
"""mpifort refuses calls with wrong arguments: modules mpi_f08 and mpi have interfaces of all functions."""
import os
import re
import shutil
import unittest

from commands import BIN, TREE, CommandTest, run

# What the statements below use. Wrong and right callbacks differ in one argument.
DECLARATIONS = {'mpi_f08': '''
module used
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  type(MPI_Comm) :: comm, comms(2)
  type(MPI_Datatype) :: datatype, datatypes(2)
  type(MPI_Group) :: group
  type(MPI_Request) :: request, requests(3)
  type(MPI_Message) :: message
  type(MPI_Op) :: op
  type(MPI_Info) :: info
  type(MPI_Errhandler) :: handler
  type(MPI_Win) :: win
  type(MPI_File) :: file
  type(MPI_Session) :: session
  type(MPI_Status) :: status, statuses(3)
  integer :: f_status(MPI_STATUS_SIZE), values(10), n, ierr, keyval, dims(2), counts(4)
  integer(MPI_COUNT_KIND) :: large, large_counts(4)
  integer(MPI_ADDRESS_KIND) :: address, addresses(2), extra
  integer(MPI_OFFSET_KIND) :: offset
  logical :: flag, flags(2)
  real :: x
  character(len=80) :: text
  type(c_ptr) :: pointer
contains
  subroutine add(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
  end subroutine
  subroutine add_integers(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len, datatype
  end subroutine
  subroutine add_large(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer(MPI_COUNT_KIND) :: len
    type(MPI_Datatype) :: datatype
  end subroutine
  subroutine note(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
  end subroutine
  subroutine note_window(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
  end subroutine
  subroutine query(extra_state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    type(MPI_Status) :: status
    integer :: ierror
  end subroutine
  subroutine finish(extra_state, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    integer :: ierror
  end subroutine
  subroutine cancel(extra_state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: extra_state
    logical :: complete
    integer :: ierror
  end subroutine
end module
''', 'mpi': '''
module used
  use mpi
  implicit none
  integer :: comm, status(MPI_STATUS_SIZE), values(10), n, ierr, request, requests(3), dims(2), win, file
  integer(MPI_ADDRESS_KIND) :: address
  integer(MPI_OFFSET_KIND) :: offset
  logical :: flag, flags(2)
  real :: x
  character(len=80) :: text
end module
'''}

# (mistake, right statement, wrong statement)
STATEMENTS = {'mpi_f08': [
    ('an INTEGER as communicator', 'call MPI_Barrier(comm)', 'call MPI_Barrier(n)'),
    ('a datatype as communicator', 'call MPI_Comm_size(comm, n)', 'call MPI_Comm_size(datatype, n)'),
    ('a communicator as datatype', 'call MPI_Type_size(datatype, n)', 'call MPI_Type_size(comm, n)'),
    ('an INTEGER as datatype', 'call MPI_Send(values, 1, datatype, 0, 0, comm)', 'call MPI_Send(values, 1, n, 0, 0, comm)'),
    ('no datatype', 'call MPI_Bcast(values, 1, datatype, 0, comm)', 'call MPI_Bcast(values, 1, 0, comm)'),
    ('no communicator', 'call MPI_Recv(values, 1, datatype, 0, 0, comm, status)', 'call MPI_Recv(values, 1, datatype, 0, 0, status)'),
    ('no status', 'call MPI_Wait(request, MPI_STATUS_IGNORE)', 'call MPI_Wait(request)'),
    ('a REAL count', 'call MPI_Send(values, 2, datatype, 0, 0, comm)', 'call MPI_Send(values, 2.0, datatype, 0, 0, comm)'),
    ('a REAL tag', 'call MPI_Ssend(values, 1, datatype, 0, 1, comm)', 'call MPI_Ssend(values, 1, datatype, 0, x, comm)'),
    ('a large rank', 'call MPI_Rsend(values, large, datatype, n, 1, comm)', 'call MPI_Rsend(values, n, datatype, large, 1, comm)'),
    ('a status of INTEGERs', 'call MPI_Probe(0, 0, comm, status)', 'call MPI_Probe(0, 0, comm, f_status)'),
    ('one status for many', 'call MPI_Waitall(3, requests, statuses)', 'call MPI_Waitall(3, requests, status)'),
    ('one request for many', 'call MPI_Startall(3, requests)', 'call MPI_Startall(3, request)'),
    ('MPI_STATUS_IGNORE for MPI_STATUSES_IGNORE', 'call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)',
     'call MPI_Waitall(3, requests, MPI_STATUS_IGNORE)'),
    ('a request as message', 'call MPI_Mrecv(values, 1, datatype, message, status)', 'call MPI_Mrecv(values, 1, datatype, request, status)'),
    ('an INTEGER as flag', 'call MPI_Test(request, flag, status)', 'call MPI_Test(request, n, status)'),
    ('a LOGICAL as INTEGER', 'call MPI_Comm_rank(comm, n)', 'call MPI_Comm_rank(comm, flag)'),
    ('an INTEGER for reordering', 'call MPI_Cart_create(comm, 2, dims, flags, .true., comms(1))',
     'call MPI_Cart_create(comm, 2, dims, flags, 1, comms(1))'),
    ('INTEGERs as periods', 'call MPI_Cart_get(comm, 2, dims, flags, counts)', 'call MPI_Cart_get(comm, 2, dims, dims, counts)'),
    ('an INTEGER as operation', 'call MPI_Allreduce(n, values, 1, datatype, op, comm)', 'call MPI_Allreduce(n, values, 1, datatype, n, comm)'),
    ('a datatype in the place of an operation', 'call MPI_Reduce(n, values, 1, datatype, MPI_SUM, 0, comm)',
     'call MPI_Reduce(n, values, 1, MPI_SUM, datatype, 0, comm)'),
    ('displacements of the wrong kind', 'call MPI_Type_create_hindexed(2, counts, addresses, datatype, datatypes(1))',
     'call MPI_Type_create_hindexed(2, counts, counts, datatype, datatypes(1))'),
    ('counts of two kinds', 'call MPI_Allgatherv(n, large, datatype, values, large_counts, addresses, datatype, comm)',
     'call MPI_Allgatherv(n, large, datatype, values, large_counts, counts, datatype, comm)'),
    ('INTEGERs as types', 'call MPI_Alltoallw(n, counts, dims, datatypes, values, counts, dims, datatypes, comm)',
     'call MPI_Alltoallw(n, counts, dims, datatypes, values, counts, dims, counts, comm)'),
    ('a default INTEGER as address', 'call MPI_Get_address(values, address)', 'call MPI_Get_address(values, n)'),
    ('a default INTEGER as target displacement', 'call MPI_Put(values, 1, datatype, 0, address, 1, datatype, win)',
     'call MPI_Put(values, 1, datatype, 0, n, 1, datatype, win)'),
    ('a file as window', 'call MPI_Win_fence(0, win)', 'call MPI_Win_fence(0, file)'),
    ('a default INTEGER as offset', 'call MPI_File_seek(file, offset, MPI_SEEK_SET)', 'call MPI_File_seek(file, n, MPI_SEEK_SET)'),
    ('an info object as file', 'call MPI_File_close(file)', 'call MPI_File_close(info)'),
    ('a number as name', "call MPI_Comm_set_name(comm, 'name')", 'call MPI_Comm_set_name(comm, 5)'),
    ('a name that cannot be written', 'call MPI_Comm_get_name(comm, text, n)', "call MPI_Comm_get_name(comm, 'text', n)"),
    ('a constant as result', 'call MPI_Comm_dup(comm, comms(1))', 'call MPI_Comm_dup(comm, MPI_COMM_SELF)'),
    ('an INTEGER as memory', 'call MPI_Alloc_mem(address, info, pointer)', 'call MPI_Alloc_mem(address, info, address)'),
    ('a group as session', 'call MPI_Session_finalize(session)', 'call MPI_Session_finalize(group)'),
    ('an operation with INTEGER datatype', 'call MPI_Op_create(add, .true., op)', 'call MPI_Op_create(add_integers, .true., op)'),
    ('an operation of large counts under the other name', 'call MPI_Op_create_c(add_large, .true., op)',
     'call MPI_Op_create(add_large, .true., op)'),
    ('an error handler of windows', 'call MPI_Comm_create_errhandler(note, handler)', 'call MPI_Comm_create_errhandler(note_window, handler)'),
    ('callbacks in the wrong order', 'call MPI_Grequest_start(query, finish, cancel, extra, request)',
     'call MPI_Grequest_start(finish, query, cancel, extra, request)'),
    ('copying and deleting exchanged', 'call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, keyval, extra)',
     'call MPI_Comm_create_keyval(MPI_COMM_NULL_DELETE_FN, MPI_COMM_DUP_FN, keyval, extra)'),
    ('an assignment of handles of two kinds', 'comm = comms(1)', 'comm = group'),
    ('a comparison of handles of two kinds', 'flag = comm == MPI_COMM_NULL', 'flag = comm == MPI_GROUP_NULL'),
    ('arithmetic with a handle', 'n = comm%MPI_VAL + 1', 'n = comm + 1'),
    ('a function of MPI that does not exist', 'call MPI_Comm_free(comm)', 'call MPI_Attr_put(comm, keyval, n)'),
], 'mpi': [
    ('no IERROR', 'call MPI_Barrier(comm, ierr)', 'call MPI_Barrier(comm)'),
    ('no datatype', 'call MPI_Bcast(values, 1, MPI_INTEGER, 0, comm, ierr)', 'call MPI_Bcast(values, 1, 0, comm, ierr)'),
    ('a REAL count', 'call MPI_Send(values, 2, MPI_INTEGER, 0, 0, comm, ierr)', 'call MPI_Send(values, 2.0, MPI_INTEGER, 0, 0, comm, ierr)'),
    ('a status that is too small', 'call MPI_Recv(x, 1, MPI_REAL, 0, 0, comm, status, ierr)', 'call MPI_Recv(x, 1, MPI_REAL, 0, 0, comm, n, ierr)'),
    ('an INTEGER as flag', 'call MPI_Test(request, flag, status, ierr)', 'call MPI_Test(request, n, status, ierr)'),
    ('an INTEGER for reordering', 'call MPI_Cart_create(comm, 2, dims, flags, .true., n, ierr)',
     'call MPI_Cart_create(comm, 2, dims, flags, 1, n, ierr)'),
    ('one request for many', 'call MPI_Startall(3, requests, ierr)', 'call MPI_Startall(3, request, ierr)'),
    ('a default INTEGER as address', 'call MPI_Get_address(x, address, ierr)', 'call MPI_Get_address(x, n, ierr)'),
    ('a default INTEGER as offset', 'call MPI_File_seek(file, offset, MPI_SEEK_SET, ierr)', 'call MPI_File_seek(file, n, MPI_SEEK_SET, ierr)'),
    ('a default INTEGER as target displacement', 'call MPI_Put(x, 1, MPI_REAL, 0, address, 1, MPI_REAL, win, ierr)',
     'call MPI_Put(x, 1, MPI_REAL, 0, n, 1, MPI_REAL, win, ierr)'),
    ('a number as name', "call MPI_Comm_set_name(comm, 'name', ierr)", 'call MPI_Comm_set_name(comm, 5, ierr)'),
    ('a REAL as result', 'call MPI_Comm_size(comm, n, ierr)', 'call MPI_Comm_size(comm, x, ierr)'),
]}


class FortranCompileErrors(CommandTest):
    def errors(self, module, statements, compiler):
        """Compiles a program of one statement a line; returns the statements with errors, and what the compiler says."""
        text = DECLARATIONS[module] + 'program statements\n  use used\n  implicit none (type, external)\n'
        first = text.count('\n') + 1
        source = self.write('statements.f90', text + '\n'.join('  ' + line for line in statements) + '\nend program\n')
        limit = ['-fmax-errors=0'] if compiler == 'gfortran' else []
        _, output, errors = run(BIN / 'mpifort', '-fsyntax-only', f'-J{self.scratch}', *limit, source, env=os.environ | {'THRUM_FC': compiler})
        # gfortran says where in one line and what in a later one, flang both in one.
        found, place = set(), 0
        for line in (output + errors).split('\n'):
            if where := re.match(r'.*statements\.f90:(\d+):(\d+):', line):
                place = int(where[1])
            if re.search(r'\b(Fatal )?[Ee]rror: ', line) and place >= first:
                found.add(statements[place - first])
        return found, output + errors

    def check(self, module, compiler):
        rows = STATEMENTS[module]
        found, output = self.errors(module, [right for _, right, _ in rows], compiler)
        self.assertEqual(found, set(), output)
        self.assertNotRegex(output, '[Ee]rror: ')
        found, output = self.errors(module, [wrong for _, _, wrong in rows], compiler)
        self.assertEqual([mistake for mistake, _, wrong in rows if wrong not in found], [], output)

    def flang(self):
        found = next((name for name in ('flang-new-19', 'flang-19', 'flang-new', 'flang') if shutil.which(name)), None)
        if not found or not (TREE / 'include' / 'flang' / 'mpi.mod').exists():
            self.skipTest('built without flang')
        return found

    def test_gfortran_with_module_mpi_f08(self):
        self.check('mpi_f08', 'gfortran')

    def test_gfortran_with_module_mpi(self):
        self.check('mpi', 'gfortran')

    def test_flang_with_module_mpi_f08(self):
        self.check('mpi_f08', self.flang())

    def test_flang_with_module_mpi(self):
        self.check('mpi', self.flang())


if __name__ == '__main__':
    unittest.main()
