"""Shared by the tests of the commands: the tree under test, a scratch directory, compiling, running."""
import os
import pty
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

PID = HELLO.replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <unistd.h>\n#include <signal.h>')
SLEEPER = PID.replace('printf("\\n");', 'printf(" pid %d\\n", getpid()); fflush(stdout); sleep(60);')

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


def body(text):
    """HELLO with `text` between its line of output and MPI_Finalize."""
    return PID.replace('MPI_Finalize', f'fflush(stdout); {text}; MPI_Finalize')


def names(size):
    """Returns the output of HELLO."""
    return [f'rank {rank} of {size}:' for rank in range(size)]


def lives(pid):
    """Whether the process runs: it exists and is no zombie."""
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except (FileNotFoundError, ProcessLookupError):
        return False


def run(*command, **options):
    """Runs a command to its end; returns (exit code, standard output, standard error)."""
    options = {'timeout': 60, 'stdin': subprocess.DEVNULL} | options
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    return done.returncode, done.stdout, done.stderr


def mpiexec(*arguments, **options):
    return run(BIN / 'mpiexec', *arguments, **options)


def start(*arguments, **options):
    """mpiexec, which is not awaited."""
    return subprocess.Popen([str(word) for word in (BIN / 'mpiexec', *arguments)], stdin=subprocess.DEVNULL,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


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

    def shown_on_a_terminal(self, *command):
        """Runs a command that succeeds; returns the bytes that its terminal got."""
        ours, theirs = pty.openpty()
        job = subprocess.Popen([str(word) for word in command], stdin=theirs, stdout=theirs, stderr=theirs)
        os.close(theirs)
        text = b''
        try:
            while part := os.read(ours, 4096):
                text += part
        except OSError:
            pass  # the end of the terminal
        os.close(ours)
        self.assertEqual(job.wait(), 0, text)
        return text

    def succeeds(self, result):
        """Returns the standard output."""
        code, output, errors = result
        self.assertEqual(code, 0, output + errors)
        return output


class HelloTest(CommandTest):
    """A test of jobs that run HELLO."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.hello = cls.compile('hello', HELLO)

    def lines(self, result):
        """Asserts that a job has succeeded without a complaint."""
        self.assertEqual(result[2], '')
        return sorted(self.succeeds(result).splitlines())

    def refused(self, result, code, *texts):
        """In one line."""
        self.fails(result, code, *texts)
        self.assertEqual(len(result[2].splitlines()), 1, result[2])
