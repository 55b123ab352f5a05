! Solves eigenvalue problems of dense matrices with ELPA, and computes Cholesky factors, their inverses and products
! A^H B; real and complex. All ranks know the whole matrices and compare each result with them. Rank 0 writes the
! largest errors and the eigenvalues. ELPA's own programs check factors and products with ScaLAPACK.
module distribution
  use, intrinsic :: iso_fortran_env, only: dp => real64
  use mpi
  use elpa
  implicit none
  integer :: na, nev, nblk, rank, grid_rows, grid_columns
  integer, allocatable :: rows(:), columns(:) ! those of the whole matrix that this rank has
contains
  subroutine set_up()
    integer :: ranks, ierror
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
    do grid_columns = nint(sqrt(real(ranks))), 2, -1
      if (mod(ranks, grid_columns) == 0) exit
    end do
    grid_rows = ranks / grid_columns
    rows = owned(mod(rank, grid_rows), grid_rows)
    columns = owned(rank / grid_rows, grid_columns)
  end subroutine

  ! Block-cyclic, as in ScaLAPACK.
  function owned(coordinate, processes)
    integer, intent(in) :: coordinate, processes
    integer, allocatable :: owned(:)
    integer :: i
    owned = pack([(i, i=1, na)], [(mod((i - 1) / nblk, processes) == coordinate, i=1, na)])
  end function

  function new_problem() result(problem)
    class(elpa_t), pointer :: problem
    integer :: error
    problem => elpa_allocate(error)
    call check(error)
    call set('na', na)
    call set('nev', nev)
    call set('nblk', nblk)
    call set('local_nrows', size(rows))
    call set('local_ncols', size(columns))
    call set('mpi_comm_parent', MPI_COMM_WORLD)
    call set('process_row', mod(rank, grid_rows))
    call set('process_col', rank / grid_rows)
    call check(problem%setup())
  contains
    subroutine set(key, number)
      character(len=*), intent(in) :: key
      integer, intent(in) :: number
      call problem%set(key, number, error)
      call check(error)
    end subroutine
  end function

  subroutine check(error)
    integer, intent(in) :: error
    if (error == ELPA_OK) return
    write (0, '(2a)') 'ELPA: ', elpa_strerr(error)
    error stop 1
  end subroutine

  subroutine report(what, error)
    character(len=*), intent(in) :: what
    real(dp), intent(in) :: error
    if (rank == 0) print '(2a, es10.2)', what, ': error', error
  end subroutine
end module

module real_problems
#define NUMBER real(dp)
#define MPI_NUMBER MPI_DOUBLE_PRECISION
#define CONJUGATE(x) x
#define TYPE_NAME 'real'
#define ELEMENT(i, j) sin(1.0_dp * (i) * (j))
#include "problems.inc"
end module

module complex_problems
#undef NUMBER
#undef MPI_NUMBER
#undef CONJUGATE
#undef TYPE_NAME
#undef ELEMENT
#define NUMBER complex(dp)
#define MPI_NUMBER MPI_DOUBLE_COMPLEX
#define CONJUGATE(x) conjg(x)
#define TYPE_NAME 'complex'
#define ELEMENT(i, j) cmplx(sin(1.0_dp * (i) * (j)), sin(3.0_dp * ((i) - (j))), dp)
#include "problems.inc"
end module

program spectrum
  use distribution
  use real_problems, only: solve_real => solve_all
  use complex_problems, only: solve_complex => solve_all
  implicit none
  character(len=20) :: words(3)
  integer :: i, ierror
  do i = 1, 3
    call get_command_argument(i, words(i))
  end do
  read (words, *) na, nev, nblk
  call MPI_Init(ierror)
  call set_up()
  call check(elpa_init(20221109))
  call solve_real()
  call solve_complex()
  call elpa_uninit(ierror)
  call MPI_Finalize(ierror)
end program
