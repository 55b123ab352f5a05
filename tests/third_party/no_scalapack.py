"""Stand-ins for routines of ScaLAPACK that a code is linked with but does not call in our tests."""
import subprocess

REFUSE = """\
subroutine refuse(name)
  implicit none
  character(len=*), intent(in) :: name
  write (0, '(2a)') name, ' was called, but there is no ScaLAPACK in this test'
  error stop 99
end subroutine
"""


def compile_refusals(bin_dir, names, target):
    """Compiles a routine for each of `names`, which ends the job when it is called, into the object file `target`."""
    source = target.with_suffix('.f90')
    refusals = [f"subroutine {name}\n  call refuse('{name}')\nend subroutine\n" for name in names]
    source.write_text(REFUSE + ''.join(refusals))
    subprocess.run([bin_dir / 'mpifort', '-O1', '-c', source, '-o', target], check=True)
