! Rank 1 finalizes and stops with code 3, while the others wait for its message.
! exit: 3
! expect: ^STOP 3
! expect: rank 1 ended with exit code 3 after MPI_Finalize, at (.*/)?fortran_stops_after_mpi_finalize.f90:15 in [a-z_]+, and the others wait for it: ranks 0,2,3
! expect-not: DEADLOCK
! timeout: 30
program fortran_stops_after_mpi_finalize
    use mpi
    implicit none
    integer :: rank, ierror, value
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 1) then
        call MPI_Finalize(ierror)
        stop 3
    end if
    call MPI_Recv(value, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call MPI_Finalize(ierror)
end program
