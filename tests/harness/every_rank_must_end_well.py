"""run_program.sh lets a program pass only if every rank of the asked number has ended well, whatever mpiexec's exit code."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

HARNESS = Path(__file__).resolve().parent
BIN = Path(os.environ['THRUM_TREE']) / 'bin'
MODES = ('fibers-1', 'fibers-2', 'os-threads', 'processes', 'processes-2', 'hosts')
PROGRAM = '''
#include "check.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    if (rank == 1 && argc > 1 && strcmp(argv[1], "vanish") == 0)
        _exit(0);
    if (argc > 1 && strcmp(argv[1], "fork") == 0 && fork() == 0)
        exit(0);
    puts("done");
    return argc > 1 && strcmp(argv[1], "fail") == 0 && rank == 1 ? 3 : 0;
}
'''


class EveryRankMustEndWell(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.scratch = Path(cls.folder.name)
        source = cls.scratch / 'program.c'
        source.write_text(PROGRAM)
        subprocess.run([BIN / 'mpicc', f'-I{HARNESS}', source, '-o', cls.scratch / 'program'], check=True)

    def judge(self, *directives, mode='fibers-2', starter='exec "$REAL" "$@"'):
        """Runs the program as a test with these directives, by an mpiexec that is the shell command `starter`."""
        source, mpiexec = self.scratch / 'test.c', self.scratch / 'mpiexec'
        source.write_text(''.join(f'// {line}\n' for line in ('ranks: 4', *directives)))
        mpiexec.write_text(f'#!/bin/sh\nREAL={BIN}/mpiexec\n{starter}\n')
        mpiexec.chmod(0o755)
        done = subprocess.run([HARNESS / 'run_program.sh', mpiexec, mode, source, self.scratch / 'program'],
                              capture_output=True, text=True)
        return done.returncode, done.stdout

    def test_all_ranks_end_well_in_every_mode(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                self.assertEqual(self.judge('expect: ^done$', mode=mode), (0, ''))

    def test_a_job_of_three_instead_of_four_ranks_fails(self):
        for mode in MODES:
            with self.subTest(mode=mode):
                code, output = self.judge('expect: ^done$', mode=mode, starter='shift 2; exec "$REAL" -n 3 "$@"')
                self.assertEqual(code, 1)
                self.assertIn('FAILED: 3 ranks have ended well, expected 4', output)

    def test_a_job_of_five_instead_of_four_ranks_fails(self):
        code, output = self.judge(starter='shift 2; exec "$REAL" -n 5 "$@"')
        self.assertEqual(code, 1)
        self.assertIn('FAILED: 5 ranks have ended well, expected 4', output)

    def test_a_job_that_never_ran_fails(self):
        code, output = self.judge('expect: ^done$', starter='echo done')
        self.assertEqual(code, 1)
        self.assertIn('FAILED: 0 ranks have ended well, expected 4', output)

    def test_a_rank_that_vanishes_with_code_0_fails(self):
        code, output = self.judge('args: vanish')
        self.assertEqual(code, 1)
        self.assertIn('FAILED: 3 ranks have ended well, expected 4', output)

    def test_a_directive_says_how_many_end_well(self):
        self.assertEqual(self.judge('args: vanish', 'ends: 3'), (0, ''))
        self.assertEqual(self.judge('args: vanish', 'ends: 2 * n - 5'), (0, ''))
        self.assertEqual(self.judge('args: vanish', 'ends: any'), (0, ''))
        code, output = self.judge('args: vanish', 'ends: 2')
        self.assertEqual(code, 1)
        self.assertIn('FAILED: 3 ranks have ended well, expected 2', output)

    def test_an_exit_code_that_mpiexec_loses_fails(self):
        code, output = self.judge('args: fail', starter='"$REAL" "$@"; exit 0')
        self.assertEqual(code, 1)
        self.assertIn('FAILED: 3 ranks have ended well, expected 4', output)

    def test_forked_children_are_not_ranks(self):
        self.assertEqual(self.judge('args: fork'), (0, ''))


if __name__ == '__main__':
    unittest.main()
