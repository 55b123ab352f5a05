! A library with COMMON and SAVE for modules_in_other_files_are_private.f90.
block data shelf_data
  implicit none
  integer :: books(3)
  common /books_on_shelf/ books
  data books /1, 2, 3/
end block data

integer function shelf_count()
  implicit none
  integer :: books(3)
  common /books_on_shelf/ books
  integer, save :: calls = -1
  calls = calls + 1
  shelf_count = sum(books)
  if (calls == 2) shelf_count = shelf_count + 1
end function
