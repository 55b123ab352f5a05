! Rank 1 stops with code 5 while the others wait in a barrier.
! exit: 5
! expect: ^STOP 5
! expect: rank 1 ended with exit code 5 without calling MPI_Finalize, at (.*/)?fortran_stops_in_one_rank.f90:14 in
! expect-not: DEADLOCK
! timeout: 30
program fortran_stops_in_one_rank
    use mpi
    implicit none
    integer :: rank, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    if (rank == 1) stop 5
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
