! MPI_Op_create with a subroutine of the program: called by reference, with the INTEGER of the datatype.
! MPI 5.0 section 6.9.5: "SUBROUTINE USER_FUNCTION(INVEC, INOUTVEC, LEN, DATATYPE)"
! ranks: 1 8 13
include 'checks.inc'

module operations
  use mpi
  implicit none
  integer :: calls = 0, seen_type = -1
contains
  subroutine multiply_matrices(invec, inoutvec, len, datatype)
    integer :: len, datatype, i
    double precision :: invec(2, 2, len), inoutvec(2, 2, len)
    calls = calls + 1
    seen_type = datatype
    do i = 1, len
      inoutvec(:, :, i) = matmul(invec(:, :, i), inoutvec(:, :, i))
    end do
  end subroutine

  subroutine longer(invec, inoutvec, len, datatype)
    integer :: len, datatype, i
    integer :: invec(len), inoutvec(len)
    seen_type = datatype
    do i = 1, len
      if (abs(invec(i)) > abs(inoutvec(i))) inoutvec(i) = invec(i)
    end do
  end subroutine
end module

program user_operations
  use checks
  use operations
  implicit none
  integer :: product_op, longest, matrix_type, i, numbers(3)
  double precision :: matrices(2, 2, 3), result(2, 2, 3), expected(2, 2), step(2, 2)
  logical :: commutes
  call start()
  call MPI_Op_create(multiply_matrices, .false., product_op, ierr)
  call MPI_Op_create(longer, .true., longest, ierr)
  call MPI_Op_commutative(product_op, commutes, ierr)
  call check(.not. commutes, 'product does not commute')
  call MPI_Op_commutative(longest, commutes, ierr)
  call check(commutes, 'longest commutes')
  call MPI_Type_contiguous(4, MPI_DOUBLE_PRECISION, matrix_type, ierr)
  call MPI_Type_commit(matrix_type, ierr)

  do i = 1, 3
    matrices(:, :, i) = reshape([1, mod(rank, 2), 1 - mod(rank, 2), 1] * 1d0, [2, 2])
  end do
  call MPI_Allreduce(matrices, result, 3, matrix_type, product_op, MPI_COMM_WORLD, ierr)
  expected = reshape([1, 0, 0, 1] * 1d0, [2, 2])
  do i = 0, nranks - 1
    step = reshape([1, mod(i, 2), 1 - mod(i, 2), 1] * 1d0, [2, 2])
    expected = matmul(expected, step)
  end do
  call check(all(result(:, :, 1) == expected) .and. all(result(:, :, 3) == expected), 'product in rank order')
  call check(seen_type == matrix_type .or. calls == 0, 'the type that the program made')

  numbers = [rank, -rank, 5]
  call MPI_Allreduce(MPI_IN_PLACE, numbers, 3, MPI_INTEGER, longest, MPI_COMM_WORLD, ierr)
  call check(all(numbers == [nranks - 1, 1 - nranks, 5]), 'the longest')
  call MPI_Reduce_local([7, 7, 7], numbers, 3, MPI_INTEGER, longest, ierr)
  call check(seen_type == MPI_INTEGER .and. numbers(3) == 7, 'Reduce_local')
  call MPI_Op_free(product_op, ierr)
  call MPI_Op_free(longest, ierr)
  call MPI_Type_free(matrix_type, ierr)
  call check(product_op == MPI_OP_NULL .and. longest == MPI_OP_NULL, 'freed')
  call finish()
end program
