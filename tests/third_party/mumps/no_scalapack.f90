! MUMPS calls ScaLAPACK for the last dense block, unless ICNTL(13) = 1 says that one rank factors it. Our
! tests say so; these stand where ScaLAPACK would be linked, and end the job if they are called after all.
subroutine refuse(name)
  implicit none
  character(len=*), intent(in) :: name
  write (0, '(2a)') name, ' was called, but there is no ScaLAPACK in this test'
  error stop 99
end subroutine

subroutine blacs_gridinit
  call refuse('blacs_gridinit')
end subroutine
subroutine blacs_gridinfo
  call refuse('blacs_gridinfo')
end subroutine
subroutine blacs_gridexit
  call refuse('blacs_gridexit')
end subroutine
subroutine descinit
  call refuse('descinit')
end subroutine
integer function numroc()
  call refuse('numroc')
  numroc = 0
end function
subroutine pdgetrf
  call refuse('pdgetrf')
end subroutine
subroutine pdgetrs
  call refuse('pdgetrs')
end subroutine
subroutine pdpotrf
  call refuse('pdpotrf')
end subroutine
subroutine pdpotrs
  call refuse('pdpotrs')
end subroutine
