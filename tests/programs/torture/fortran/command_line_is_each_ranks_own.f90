! get_command, get_command_argument and command_argument_count in every rank.
! ranks: 8 64
! args: first 'second one' -3 ''
include 'checks.inc'

program command_line
  use checks
  implicit none
  character(len=20) :: argument
  character(len=4000) :: command
  character(len=3) :: short
  integer :: length, status
  call start()
  call check_equal(command_argument_count(), 4, 'number of arguments')
  call get_command_argument(1, argument, length, status)
  call check(argument == 'first' .and. length == 5 .and. status == 0, 'first')
  call get_command_argument(2, argument)
  call check(argument == 'second one', 'second')
  call get_command_argument(2, short, length, status)
  call check(short == 'sec' .and. length == 10 .and. status == -1, 'cut')
  call get_command_argument(3, argument)
  read (argument, *) length
  call check_equal(length, -3, 'third')
  call get_command_argument(4, argument, length, status)
  call check(argument == '' .and. length == 0 .and. status == 0, 'empty')
  call get_command_argument(5, argument, length, status)
  call check(status > 0, 'there is no fifth')
  call get_command_argument(0, command)
  call check(index(command, 'command_line_is_each_ranks_own') > 0, 'name of the program')
  call get_command(command, length, status)
  call check(status == 0 .and. index(command, ' first second one -3') > 0, 'the whole command')
  call getarg(1, argument)
  call check(argument == 'first' .and. iargc() == 4, 'the older names')
  call finish()
end program
