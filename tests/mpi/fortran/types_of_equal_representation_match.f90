! MPI 5.0 section 19.1.6: sized types and the default types of the same representation match here;
! no warning about them comes.
! ranks: 2
! expect-not: warning
! expect: ^ *all received$
program types_of_equal_representation_match
  use mpi
  implicit none
  integer :: ierr, rank, numbers(3), f90_real
  double precision :: values(3)
  logical :: flag
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Type_create_f90_real(15, 307, f90_real, ierr)
  values = 1
  numbers = 2
  flag = .true.
  if (rank == 0) then
    call MPI_Send(values, 3, MPI_DOUBLE_PRECISION, 1, 1, MPI_COMM_WORLD, ierr)
    call MPI_Send(values, 3, f90_real, 1, 2, MPI_COMM_WORLD, ierr)
    call MPI_Send(numbers, 3, MPI_INTEGER4, 1, 3, MPI_COMM_WORLD, ierr)
    call MPI_Send(flag, 1, MPI_LOGICAL, 1, 4, MPI_COMM_WORLD, ierr)
    call MPI_Send('hello', 5, MPI_CHARACTER, 1, 5, MPI_COMM_WORLD, ierr)
  else
    call MPI_Recv(values, 3, MPI_REAL8, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(values, 3, MPI_DOUBLE_PRECISION, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(numbers, 3, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(flag, 1, MPI_LOGICAL4, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(values, 5, MPI_CHARACTER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    print '(a)', 'all received'
  end if
  call MPI_Finalize(ierr)
end program
