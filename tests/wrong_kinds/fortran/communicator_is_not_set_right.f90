! It is set.
! ranks: 2
! expect-not: thrum:
program communicator_is_not_set
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: comm = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    comm = MPI_COMM_WORLD
    call MPI_Barrier(comm, ierror)
    call MPI_Finalize(ierror)
end program
