! Regions of a Fortran program, for the traces of Thrum (mpiexec --trace, docs/traces.md):
!
!     include 'thrum/annotate.f90'   ! before the first program unit of one file, or compile it alone
!     ...
!     use thrum_annotate
!     call thrum_region_begin('assembly')
!     call thrum_region_end()
!
! It needs no library: a region is a call of the C function MPI_Pcontrol with a level of its own, as
! in annotate.h. Other MPIs ignore it. Trailing blanks of the name do not count.
module thrum_annotate
  use, intrinsic :: iso_c_binding, only: c_int, c_char, c_null_char
  implicit none
  private
  public :: thrum_region_begin, thrum_region_end

  integer(c_int), parameter :: level_begin = int(z'54480001', c_int), level_end = int(z'54480002', c_int)

  interface
    integer(c_int) function pcontrol(level, name) bind(C, name='MPI_Pcontrol')
      import :: c_int, c_char
      integer(c_int), value :: level
      character(kind=c_char), intent(in) :: name(*)
    end function
  end interface

contains

  subroutine thrum_region_begin(name)
    character(len=*), intent(in) :: name
    integer(c_int) :: ignored
    ignored = pcontrol(level_begin, trim(name)//c_null_char)
  end subroutine

  subroutine thrum_region_end()
    integer(c_int) :: ignored
    ignored = pcontrol(level_end, c_null_char)
  end subroutine
end module
