! Arrays begin with 1, ranks with 0.
! ranks: 2
! exit: 6
! expect: rank 0: MPI_Send: MPI_ERR_RANK: dest is 2, but MPI_COMM_WORLD has 2 ranks.*wrong\.f90:16
program ranks_counted_from_one
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: i, value
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    value = rank
    if (rank == 0) then
        do i = 1, size
            call MPI_Send(value, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, ierror)
        end do
    else
        call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
    call MPI_Finalize(ierror)
end program
