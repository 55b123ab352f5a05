"""What the tests of the commands share: the tree under test, a scratch directory, compiling, running."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

TREE = Path(os.environ['THRUM_TREE'])
BIN = TREE / 'bin'

HELLO = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    printf("rank %d of %d:", rank, size);
    for (int i = 1; i < argc; ++i)
        printf(" [%s]", argv[i]);
    printf("\n");
    MPI_Finalize();
    return 0;
}
'''

HELLO_FORTRAN = '''
program hello
  use mpi
  implicit none
  integer :: rank, size, ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
  print '(a, i0, a, i0, a)', 'rank ', rank, ' of ', size, ':'
  call MPI_Finalize(ierr)
end program
'''


def run(*command, **options):
    """Runs a command to its end; returns (exit code, standard output, standard error)."""
    options = {'timeout': 60, 'stdin': subprocess.DEVNULL} | options
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    return done.returncode, done.stdout, done.stderr


def mpiexec(*arguments, **options):
    return run(BIN / 'mpiexec', *arguments, **options)


class CommandTest(unittest.TestCase):
    """A test with a scratch directory that everybody may read."""

    @classmethod
    def setUpClass(cls):
        cls.scratch = Path(tempfile.mkdtemp(prefix='thrum-cmd-'))
        cls.scratch.chmod(0o755)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.scratch)

    @classmethod
    def write(cls, name, text, mode=0o644):
        path = cls.scratch / name
        path.write_text(text)
        path.chmod(mode)
        return path

    @classmethod
    def compile(cls, name, text, *flags, compiler='mpicc'):
        source = cls.write(name + ('.c' if compiler == 'mpicc' else '.cc'), text)
        program = cls.scratch / name
        code, _, errors = run(BIN / compiler, source, '-o', program, *flags)
        if code:
            raise RuntimeError(errors)
        return program

    def fails(self, result, code, *texts):
        """`result` of run() has exit code `code` and each of `texts` in what it says."""
        actual, output, errors = result
        self.assertEqual(actual, code, output + errors)
        for text in texts:
            self.assertIn(text, errors)

    def succeeds(self, result):
        """Returns the standard output."""
        code, output, errors = result
        self.assertEqual(code, 0, output + errors)
        return output
