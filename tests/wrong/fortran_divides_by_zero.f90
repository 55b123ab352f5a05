! A division by zero, which the compiler was told to trap, ends rank 1. libgfortran installs
! handlers for such signals; the crash report names the rank and the line nevertheless.
! flags: -ffpe-trap=zero
! exit: 136
! expect: rank 1: floating-point division by zero in mean.* \((.*/)?fortran_divides_by_zero.f90:21\)
! expect-not: DEADLOCK
! timeout: 30
program fortran_divides_by_zero
    use mpi
    implicit none
    integer :: rank, ierror
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    print *, mean(10.0, 1.0 - rank)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
contains
    real function mean(total, count)
        real, intent(in) :: total, count
        mean = total / count
    end function
end program
