! MPI 3.0 section 16.1 (removed): MPI_ADDRESS returns an INTEGER, which cannot hold the difference of a variable of the
! program and one on the heap.
! flags: -Wl,--no-warnings
! ranks: 2
! expect: warning: rank [01]: MPI_Get_address: MPI_ADDRESS returns an INTEGER.*use MPI_GET_ADDRESS \(at .*addresses_that_are_far_apart_are_warned_about.f90:19
include 'checks.inc'

program far_apart
  use checks
  implicit none
  integer, save :: near(2)
  integer, allocatable :: far(:)
  integer :: first, second
  call start()
  allocate (far(10000000)) ! which malloc maps far from the program
  call MPI_ADDRESS(near(1), first, ierr)
  call MPI_ADDRESS(near(2), second, ierr)
  call check_equal(second - first, 4, 'difference')
  call MPI_ADDRESS(far(1), second, ierr)
  call MPI_ADDRESS(far(3), first, ierr)
  call check_equal(first - second, 8, 'difference')
  call finish()
end program
