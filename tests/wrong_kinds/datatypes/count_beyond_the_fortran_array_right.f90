! As count_beyond_the_fortran_array_wrong.f90, with four elements.
! ranks: 2
! flags: --check
! env: THRUM_CHECK=1
! expect-not: thrum:
program parameters
    use mpi_f08
    implicit none
    integer :: rank, steps(8) = 1

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) then
        call MPI_Send(steps(1:4), 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    else
        call MPI_Recv(steps, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
    call MPI_Finalize()
end program
