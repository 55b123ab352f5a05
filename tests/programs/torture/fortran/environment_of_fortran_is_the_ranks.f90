! get_environment_variable; execute_command_line; getcwd; what the C library changes is the rank's.
! ranks: 8 64
! env: THRUM_TEST_WORD=word
include 'checks.inc'

program environment
  use checks
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    integer(c_int) function setenv(name, value, overwrite) bind(C)
      import
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int), value :: overwrite
    end function
  end interface
  character(len=20) :: word, number
  integer :: length, status
  call start()
  call get_environment_variable('THRUM_TEST_WORD', word, length, status)
  call check(word == 'word' .and. length == 4 .and. status == 0, 'given by mpiexec')
  call get_environment_variable('THRUM_TEST_NOTHING', word, length, status)
  call check(status == 1, 'not there')
  write (number, '(i0)') rank
  call check(setenv('THRUM_TEST_RANK' // c_null_char, trim(number) // c_null_char, 1) == 0, 'setenv')
  call meet()
  call get_environment_variable('THRUM_TEST_RANK', word)
  call check(word == number, 'my variable')
  call execute_command_line('test "$THRUM_TEST_RANK" = ' // number, exitstat=status)
  call check_equal(status, 0, 'exit code of a command that sees my variable')
  call finish()
end program
