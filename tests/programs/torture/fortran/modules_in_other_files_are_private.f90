! Modules and COMMON of other files and of shared libraries, which the program uses: one of each in a rank.
! ranks: 8 64
! with: stock.f90
! library: shelf.f90
include 'checks.inc'

program other_files
  use checks
  use stock
  implicit none
  interface
    integer function shelf_count()
    end function
  end interface
  integer :: books(3)
  common /books_on_shelf/ books
  call start()
  call check(amount == 12 .and. all(items == [1, 2, 3]) .and. .not. allocated(orders), 'a fresh module')
  call check(shelf_count() == 6, 'a fresh COMMON of a library')
  call restock(rank)
  books = rank
  call meet()
  call check(amount == 12 + rank .and. size(orders) == rank + 1 .and. all(orders == rank), 'my module')
  call check_equal(shelf_count(), 3 * rank, 'one COMMON for the program and its library')
  call check_equal(shelf_count(), 3 * rank + 1, 'the library counts my calls')
  call finish()
end program
