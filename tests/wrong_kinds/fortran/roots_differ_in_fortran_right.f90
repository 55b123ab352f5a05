! All name rank 0.
! ranks: 3
! expect-not: thrum:
program roots_differ_in_fortran
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: value, root
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    value = rank
    root = 0
    call MPI_Bcast(value, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
