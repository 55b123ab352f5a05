! MPI_Alloc_mem by address and by TYPE(C_PTR); MPI_Free_mem takes the memory itself (section 9.2).
! ranks: 2 8
include 'checks.inc'

program memory
  use checks
  use, intrinsic :: iso_c_binding
  implicit none
  type(c_ptr) :: base
  integer(kind=MPI_ADDRESS_KIND) :: address
  double precision, pointer :: numbers(:)
  call start()
  call MPI_Alloc_mem(800_MPI_ADDRESS_KIND, MPI_INFO_NULL, base, ierr)
  call check(c_associated(base), 'allocated by pointer')
  call c_f_pointer(base, numbers, [100])
  numbers = rank
  call meet()
  call check(all(numbers == rank), 'mine')
  call MPI_Free_mem(numbers, ierr)
  call check_equal(ierr, MPI_SUCCESS, 'MPI_Free_mem')
  call MPI_Alloc_mem(800_MPI_ADDRESS_KIND, MPI_INFO_NULL, address, ierr)
  call c_f_pointer(transfer(address, c_null_ptr), numbers, [100])
  numbers(100) = rank
  call MPI_Free_mem(numbers, ierr)
  call finish()
end program
