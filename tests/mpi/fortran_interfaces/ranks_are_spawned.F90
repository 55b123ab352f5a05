! MPI_Comm_spawn and MPI_Comm_spawn_multiple start this program again; MPI_Comm_get_parent tells the new ranks so.
! integers: 4
! ranks: 2
! ends: n + 5
! modes: fibers-1 fibers-2
#include "interfaces.inc"

program ranks_are_spawned
  use checks
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: n, codes(5), value
  character(len=300) :: commands(2)
  character(len=10) :: word, words(2, 2)
  HANDLE(MPI_Comm) :: parent, children
  HANDLE(MPI_Info) :: infos(2)
  call start()
  call MPI_Comm_get_parent(parent, ierr)
  if (parent /= MPI_COMM_NULL) then
    call get_command_argument(1, word)
    n = ichar(word(1:1))
    call MPI_Reduce(n, value, 1, MPI_INTEGER, MPI_SUM, 0, parent, ierr)
    call MPI_Comm_disconnect(parent, ierr)
  else
    call get_command_argument(0, commands(1))
    commands(2) = commands(1)
    codes = -1
    call MPI_Comm_spawn(commands(1), ['a ', '  '], 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierr)
    call check(all(codes(:2) == MPI_SUCCESS), 'codes')
    call MPI_Comm_remote_size(children, n, ierr)
    call check_equal(n, 2, 'children')
    call MPI_Reduce(n, value, 1, MPI_INTEGER, MPI_SUM, merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), children, ierr)
    if (rank == 0) call check_equal(value, 2 * ichar('a'), 'their arguments')
    call MPI_Comm_disconnect(children, ierr)
    words = ' '
    words(1, 1) = 'b'
    words(2, 1) = 'c'
    infos = MPI_INFO_NULL
    call MPI_Comm_spawn_multiple(2, commands, words, [1, 2], infos, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE, ierr)
    call MPI_Comm_remote_size(children, n, ierr)
    call check_equal(n, 3, 'children of two commands')
    call MPI_Reduce(n, value, 1, MPI_INTEGER, MPI_SUM, merge(MPI_ROOT, MPI_PROC_NULL, rank == 0), children, ierr)
    if (rank == 0) call check_equal(value, ichar('b') + 2 * ichar('c'), 'their arguments')
    call MPI_Comm_disconnect(children, ierr)
  end if
  call finish()
end program
