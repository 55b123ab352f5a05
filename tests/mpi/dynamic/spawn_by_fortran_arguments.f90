! MPI 5.0 section 11.8.2: "In Fortran, leading and trailing spaces are always stripped, so that a
! string consisting of all spaces is considered an empty string."
! ranks: 1 2
! ends: n + 3
program spawn_by_fortran_arguments
  use mpi
  implicit none
  integer :: ierr, parent, children, codes(3), rank, nprocs, remote, value, i
  character(len=512) :: name
  character(len=12) :: argv(3), argument
  call MPI_Init(ierr)
  call MPI_Comm_get_parent(parent, ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, nprocs, ierr)
  if (parent == MPI_COMM_NULL) then
    call get_command_argument(0, name)
    argv = [character(len=12) :: 'first', 'second  ', ' ']
    codes = -1
    call MPI_Comm_spawn('  ' // trim(name) // '   ', argv, 3, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierr)
    if (any(codes /= MPI_SUCCESS)) call MPI_Abort(MPI_COMM_WORLD, 2, ierr)
    call MPI_Comm_remote_size(children, remote, ierr)
    if (remote /= 3) call MPI_Abort(MPI_COMM_WORLD, 3, ierr)
    do i = 0, 2
      if (rank == 0) then
        call MPI_Recv(value, 1, MPI_INTEGER, i, 4, children, MPI_STATUS_IGNORE, ierr)
        if (value /= 10 + i) call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
      end if
    end do
    call MPI_Comm_disconnect(children, ierr)
  else
    if (nprocs /= 3) call MPI_Abort(MPI_COMM_WORLD, 5, ierr)
    if (command_argument_count() /= 2) call MPI_Abort(MPI_COMM_WORLD, 6, ierr)
    call get_command_argument(2, argument)
    if (argument /= 'second') call MPI_Abort(MPI_COMM_WORLD, 7, ierr)
    value = 10 + rank
    call MPI_Send(value, 1, MPI_INTEGER, 0, 4, parent, ierr)
    call MPI_Comm_disconnect(parent, ierr)
  end if
  call MPI_Finalize(ierr)
end program
