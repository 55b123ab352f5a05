! hello [FILE]: as hello.c, in Fortran.
program hello
  use mpi_f08
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: output_unit
  implicit none
  interface
    integer(c_int) function usleep(microseconds) bind(C)
      import :: c_int
      integer(c_int), value :: microseconds
    end function
  end interface
  character(len=400) :: name
  logical :: is_there
  integer :: rank, ignored
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD)
  if (rank == 0) then
    print '(a)', 'READY'
    flush (output_unit)
  end if
  if (command_argument_count() > 0) then
    call get_command_argument(1, name)
    is_there = rank == 0
    do while (is_there)
      ignored = usleep(10000_c_int)
      inquire (file=name, exist=is_there)
    end do
    call MPI_Barrier(MPI_COMM_WORLD)
  end if
  call MPI_Finalize()
end program
