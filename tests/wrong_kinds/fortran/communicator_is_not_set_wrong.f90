! The variable of the communicator is never set.
! ranks: 2
! exit: 5
! expect: rank [01]: MPI_Barrier: MPI_ERR_COMM: comm is 0, which is not the handle of any
! expect: wrong\.f90:[0-9]+ in communicator_is_not_set
program communicator_is_not_set
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: comm = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    call MPI_Barrier(comm, ierror)
    call MPI_Finalize(ierror)
end program
