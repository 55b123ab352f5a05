! The last rank names another root.
! ranks: 3
! exit: 8
! expect: rank [0-9]+: MPI_[A-Za-z_]+: MPI_ERR_ROOT: ranks disagree on root: rank.*wrong\.f90:15
program roots_differ_in_fortran
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: value, root
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    value = rank
    root = merge(1, 0, rank == size - 1)
    call MPI_Bcast(value, 1, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
