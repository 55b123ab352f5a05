! An index is outside the array: gfortran finds it with -fcheck=bounds.
! ranks: 3
! exit: 2
! flags: -fcheck=bounds
! expect: ^At line 17 of file .*wrong\.f90
! expect: Index .4. of dimension 1 of array .table. above upper bound of 3
! expect: rank 2 ended with exit code 2 without calling MPI_Finalize, at (.*/)?index_outside_an_array_wrong.f90:[0-9]+ in
program index_outside_an_array
    use mpi
    implicit none
    integer :: rank, size, ierror
    integer :: table(3), last
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierror)
    last = 2 + rank
    table(last) = rank
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
end program
