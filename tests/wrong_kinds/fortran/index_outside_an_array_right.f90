! The index is inside.
! ranks: 3
! flags: -fcheck=bounds
! expect-not: thrum:
program index_outside_an_array
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: table(3), last
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    last = 1 + rank
    table(last) = rank
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
