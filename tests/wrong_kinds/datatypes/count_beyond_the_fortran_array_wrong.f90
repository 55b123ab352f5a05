! The root sends five elements of a part that has four.
! ranks: 3
! flags: --check
! env: THRUM_CHECK=1
! expect: warning: rank [0-2]: MPI_Bcast: buffer has 16 bytes, but 5 elements of MPI_INTEGER reach to byte 20 \(at .*wrong\.f90:12
program parameters
    use mpi_f08
    implicit none
    integer :: steps(8) = 1

    call MPI_Init()
    call MPI_Bcast(steps(1:4), 5, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Finalize()
end program
