! It is there.
! ranks: 2
! expect-not: thrum:
program finalize_is_missing_in_fortran
    use mpi
    implicit none
    integer :: rank, size, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
