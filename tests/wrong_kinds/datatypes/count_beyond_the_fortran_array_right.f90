! As count_beyond_the_fortran_array_wrong.f90, with four elements.
! ranks: 3
! flags: --check
! env: THRUM_CHECK=1
! expect-not: thrum:
program parameters
    use mpi_f08
    implicit none
    integer :: steps(8) = 1

    call MPI_Init()
    call MPI_Bcast(steps(1:4), 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Finalize()
end program
