! Rank 1 stops without a code and without MPI_Finalize while the others wait for it. The job fails
! nevertheless: its exit code is 1.
! exit: 1
! expect: rank 1 ended with exit code 0 without calling MPI_Finalize, at (.*/)?fortran_stops_with_0_before_mpi_finalize.f90:15 in
! expect-not: DEADLOCK
! timeout: 30
program fortran_stops_with_0_before_mpi_finalize
    use mpi
    implicit none
    integer :: rank, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 1) then
        stop
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
