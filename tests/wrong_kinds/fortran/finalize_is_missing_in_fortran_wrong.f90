! MPI_Finalize is missing.
! ranks: 2
! exit: 1
! expect: rank [0-9]+ ended with exit code 0 without calling MPI_Finalize
program finalize_is_missing_in_fortran
    use mpi
    implicit none
    integer :: rank, size, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
end program
