! Constructors of datatypes take INTEGER(MPI_COUNT_KIND) counts, blocklengths and displacements; sizes, extents, envelopes and contents
! are returned in this kind, too.
! ranks: 1
include 'checks_f08.inc'

program datatypes
  use checks
  implicit none
  integer, parameter :: ck = MPI_COUNT_KIND
  integer(ck), parameter :: many = 3000000000_ck
  integer(ck) :: ni, na, nl, nd, lb, extent, bytes, large(6)
  integer :: combiner, integers(5), values(8), got(4), n
  integer(MPI_ADDRESS_KIND) :: addresses(2), narrow_lb, narrow_extent
  type(MPI_Datatype) :: made(10), parts(2)
  call start()
  call MPI_Type_contiguous(many, MPI_BYTE, made(1))
  call MPI_Type_size(made(1), bytes)
  call check(bytes == many, 'size')
  call MPI_Type_size(made(1), n)
  call check_equal(n, MPI_UNDEFINED, 'a size that no INTEGER holds')
  call MPI_Type_get_extent(made(1), lb, extent)
  call MPI_Type_get_extent(made(1), narrow_lb, narrow_extent)
  call check(lb == 0 .and. extent == many .and. narrow_lb == 0 .and. narrow_extent == many, 'extent')
  call MPI_Type_get_envelope(made(1), ni, na, nl, nd, combiner)
  call check(combiner == MPI_COMBINER_CONTIGUOUS .and. ni == 0 .and. na == 0 .and. nl == 1 .and. nd == 1, 'envelope')
  call MPI_Type_get_contents(made(1), ni, na, nl, nd, integers, addresses, large, parts)
  call check(large(1) == many .and. parts(1) == MPI_BYTE, 'contents')

  call MPI_Type_vector(2_ck, 1_ck, many, MPI_INTEGER, made(2))
  call MPI_Type_get_true_extent(made(2), lb, extent)
  call check(lb == 0 .and. extent == 4 * many + 4, 'vector')
  call MPI_Type_create_hvector(2_ck, 1_ck, many, MPI_INTEGER, made(3))
  call MPI_Type_get_true_extent(made(3), lb, extent)
  call check(extent == many + 4, 'hvector')
  call MPI_Type_create_struct(2_ck, [1_ck, 2_ck], [-many, many], [MPI_INTEGER, MPI_REAL], made(4))
  call MPI_Type_get_true_extent(made(4), lb, extent)
  call check(lb == -many .and. extent == 2 * many + 8, 'structure')
  call MPI_Type_get_envelope(made(4), ni, na, nl, nd, combiner)
  call check(combiner == MPI_COMBINER_STRUCT .and. ni == 0 .and. na == 0 .and. nl == 5 .and. nd == 2, 'its envelope')
  call MPI_Type_get_contents(made(4), ni, na, nl, nd, integers, addresses, large, parts)
  call check(all(large(:5) == [2_ck, 1_ck, 2_ck, -many, many]) .and. parts(2) == MPI_REAL, 'its contents')
  call MPI_Type_create_resized(MPI_INTEGER, -many, 2 * many, made(5))
  call MPI_Type_get_extent(made(5), lb, extent)
  call check(lb == -many .and. extent == 2 * many, 'resized')
  call MPI_Type_create_subarray(1, [2 * many], [1_ck], [many], MPI_ORDER_FORTRAN, MPI_BYTE, made(6))
  call MPI_Type_get_true_extent(made(6), lb, extent)
  call check(lb == many .and. extent == 1, 'subarray')
  call MPI_Type_create_darray(2, 1, 1, [2 * many], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], [2], &
                              MPI_ORDER_FORTRAN, MPI_BYTE, made(7))
  call MPI_Type_size(made(7), bytes)
  call check(bytes == many, 'darray')

  values = [1, 2, 3, 4, 5, 6, 7, 8]
  call MPI_Type_indexed(2_ck, [1_ck, 2_ck], [5_ck, 0_ck], MPI_INTEGER, made(8))
  call MPI_Type_create_indexed_block(2_ck, 1_ck, [7_ck, 3_ck], MPI_INTEGER, made(9))
  call MPI_Type_create_hindexed_block(2_ck, 2_ck, [8_ck, 24_ck], MPI_INTEGER, made(10))
  do n = 8, 10
    call MPI_Type_commit(made(n))
    got = 0
    call MPI_Sendrecv(values, 1_ck, made(n), 0, 0, got, 4_ck, MPI_INTEGER, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE)
    if (n == 8) call check(all(got == [6, 1, 2, 0]), 'indexed')
    if (n == 9) call check(all(got == [8, 4, 0, 0]), 'indexed block')
    if (n == 10) call check(all(got == [3, 4, 7, 8]), 'hindexed block')
  end do
  do n = 1, 10
    call MPI_Type_free(made(n))
  end do
  call finish()
end program
