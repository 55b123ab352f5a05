#!/usr/bin/env python3
"""Makes one program of many: flang needs a second for module mpi_f08, and there are a hundred programs.

Usage: one_program.py OUTPUT SOURCES...
Each program becomes a subroutine. The name by which the result is called chooses it: a link for each.
"""
import re
import sys
from pathlib import Path

MAIN = """program one_of_many
  implicit none
  character(len=1000) :: name
  call get_command_argument(0, name)
  select case (name(index(name, '/', back=.true.) + 1:))
%s  case default
    error stop 'no such program'
  end select
end program
"""


def main(output, *sources):
    names = [Path(source).stem for source in sources]
    with open(output, 'w') as out:
        for name, source in zip(names, sources):
            text = Path(source).read_text()
            text = re.sub(rf'^program {name}$', f'subroutine {name}', text, flags=re.M)
            out.write(re.sub(r'^end program$', 'end subroutine', text, flags=re.M) + '\n')
        out.write(MAIN % ''.join(f"  case ('{name}')\n    call {name}()\n" for name in names))


if __name__ == '__main__':
    main(*sys.argv[1:])
