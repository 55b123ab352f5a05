! A fence opens the epoch.
! ranks: 2
! expect-not: thrum:
program put_without_a_fence
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer(kind=MPI_ADDRESS_KIND) :: bytes, place
    integer :: window, memory(4)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    bytes = 16
    place = 0
    call MPI_Win_create(memory, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, ierror)
    call MPI_Win_fence(0, window, ierror)
    if (rank == 0) call MPI_Put(rank, 1, MPI_INTEGER, 1, place, 1, MPI_INTEGER, window, ierror)
    call MPI_Win_fence(0, window, ierror)
    call MPI_Win_free(window, ierror)
    call MPI_Finalize(ierror)
end program
