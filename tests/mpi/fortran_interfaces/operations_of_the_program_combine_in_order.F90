! MPI_Op_create with a subroutine, MPI_Op_commutative and MPI_Op_free: one commutes, the other composes functions x -> a x + b.
! ranks: 4
#include "interfaces.inc"

module own_operations
  use checks
  USE_MPI
  use, intrinsic :: iso_c_binding
  implicit none
#include "mpi_declarations.inc"
  private
  public :: compose, larger
contains
  subroutine compose(invec, inoutvec, len, datatype)
#if INTERFACE == 8
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    integer, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [2 * len])
    call c_f_pointer(inoutvec, b, [2 * len])
    call compose_pairs(a, b, len)
  end subroutine
#else
    integer :: len, datatype, invec(2 * len), inoutvec(2 * len)
    call compose_pairs(invec, inoutvec, len)
  end subroutine
#endif
  subroutine compose_pairs(a, b, n)
    integer :: n, a(2, n), b(2, n), i
    do i = 1, n
      b(:, i) = [a(1, i) * b(1, i), a(1, i) * b(2, i) + a(2, i)]
    end do
  end subroutine
  subroutine larger(invec, inoutvec, len, datatype)
#if INTERFACE == 8
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    double precision, pointer :: a(:), b(:)
    call c_f_pointer(invec, a, [len])
    call c_f_pointer(inoutvec, b, [len])
    where (abs(a) > abs(b)) b = a
    if (datatype /= MPI_DOUBLE_PRECISION) b = 0
  end subroutine
#else
    integer :: len, datatype
    double precision :: invec(len), inoutvec(len)
    where (abs(invec) > abs(inoutvec)) inoutvec = invec
    if (datatype /= MPI_DOUBLE_PRECISION) inoutvec = 0
  end subroutine
#endif
end module

program operations_of_the_program_combine_in_order
  use checks
  use own_operations
  USE_MPI
  implicit none
#include "mpi_declarations.inc"
  integer :: mine(2), composed(2), expected(2), i
  double precision :: values(3)
  logical :: flag
  HANDLE(MPI_Datatype) :: pair
  HANDLE(MPI_Op) :: op
  call start()
  call MPI_Op_create(compose, .false., op, ierr)
  call MPI_Op_commutative(op, flag, ierr)
  call check(.not. flag, 'does not commute')
  call MPI_Type_contiguous(2, MPI_INTEGER, pair, ierr)
  call MPI_Type_commit(pair, ierr)
  mine = [rank + 1, rank]
  call MPI_Allreduce(mine, composed, 1, pair, op, MPI_COMM_WORLD, ierr)
  expected = [nranks, nranks - 1]
  do i = nranks - 2, 0, -1
    expected = [(i + 1) * expected(1), (i + 1) * expected(2) + i]
  end do
  call check(all(composed == expected), 'composed in order')
  call check_equal(composed(1), 24, 'factor')
  call MPI_Type_free(pair, ierr)
  call MPI_Op_free(op, ierr)
  call check(op == MPI_OP_NULL, 'a free operation is null')
  call MPI_Op_create(larger, .true., op, ierr)
  call MPI_Op_commutative(op, flag, ierr)
  call check(flag, 'commutes')
  values = [1d0 * rank, -2d0 * rank, 1.5d0]
  call MPI_Allreduce(MPI_IN_PLACE, values, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD, ierr)
  call check(all(values == [3d0, -6d0, 1.5d0]), 'the larger')
  call MPI_Op_free(op, ierr)
  call MPI_Op_commutative(MPI_SUM, flag, ierr)
  call check(flag, 'a sum commutes')
  call finish()
end program
