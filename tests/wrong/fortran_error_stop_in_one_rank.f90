! ERROR STOP with a text in a subroutine: the report names the rank and the line, with threads and
! processes.
! exit: 1
! expect: ^ERROR STOP no convergence$
! expect: rank 2 ended with exit code 1 without calling MPI_Finalize, at (.*/)?fortran_error_stop_in_one_rank.f90:26 in check
! expect-not: DEADLOCK
! timeout: 30
program fortran_error_stop_in_one_rank
    use mpi
    implicit none
    integer :: rank, ierror
    real :: residuals(10)
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    residuals = merge(2.0, 0.5, rank == 2)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call check(residuals)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Finalize(ierror)
contains
    subroutine check(values)
        real, intent(in) :: values(:)
        integer :: i
        do i = 1, size(values)
            if (values(i) > 1) then
                error stop 'no convergence'
            end if
        end do
    end subroutine
end program
