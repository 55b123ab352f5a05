"""valgrind's memcheck of jobs: no false errors, and faults with the names and lines of clones."""
import os
import unittest

from commands import BIN, CommandTest, run
from tool import FAULTS, build_cxx, need


def setUpModule():
    need('valgrind')

# Rank 1 expects more than rank 0 sends, or rank 0 sends more than it has set.
UNSET = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank, sent = atoi(argv[1]), set = atoi(argv[2]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *values = malloc(1000 * sizeof(int));
    if (rank == 0) {
        for (int i = 0; i < set; ++i)
            values[i] = i;
        MPI_Send(values, sent, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(values, 1000, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (values[500] > 3)
            puts("large");
    }
    free(values);
    MPI_Finalize();
    return 0;
}
'''


class Memcheck(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('faults', FAULTS, '-g')

    def memcheck(self, *arguments, options=('-n', 4)):
        """Nothing is left of what valgrind has read."""
        temporary = self.scratch / 'temporary'
        temporary.mkdir(exist_ok=True)
        result = run(BIN / 'mpiexec', *options, 'valgrind', '--error-exitcode=9', '--leak-check=full', *arguments, timeout=300,
                     env=os.environ | {'TMPDIR': str(temporary)})
        self.assertEqual(list(temporary.glob('thrum-*')), [])
        return result

    def test_no_false_errors_from_switching(self):
        for options in (('--workers', 1), ('--workers', 2), ('--stack', '64K'), ('--threads=os',)):
            code, output, errors = self.memcheck(self.program, options=('-n', 4, *options))
            self.assertEqual(code, 0, errors)
            self.assertIn('ERROR SUMMARY: 0 errors from 0 contexts', errors)
            self.assertIn('definitely lost: 0 bytes', errors)
            self.assertNotIn('switching stacks', errors)
            self.assertNotIn('possibly lost: 1', errors)

    def test_no_false_errors_in_cxx(self):
        code, output, errors = self.memcheck(build_cxx(self))
        self.assertEqual((code, output), (0, 'right\n'), errors)
        self.assertIn('ERROR SUMMARY: 0 errors from 0 contexts', errors)

    def test_faults_in_clones_have_functions_and_lines(self):
        for fault, what, function, line in (('heap', 'Invalid write of size 1', 'heap_overflow', 10),
                                            ('freed', 'Invalid write of size 1', 'use_after_free', 16),
                                            ('leak', '3,000 bytes in 1 blocks are definitely lost', 'leak', 23)):
            code, _, errors = self.memcheck(self.program, fault, 3)
            self.assertEqual(code, 9, errors)
            self.assertRegex(errors, rf'{what}(.|\n)*{function} \(faults.c:{line}\)\n.*main \(faults.c:')
            self.assertIn('ERROR SUMMARY: 1 errors', errors)

    def test_received_data_that_nobody_has_set(self):
        unset = self.compile('unset', UNSET, '-g')
        for sent, count in ((100, 100), (1000, 100)):
            code, _, errors = self.memcheck(unset, sent, count, options=('-n', 2))
            self.assertEqual(code, 9, errors)
            self.assertRegex(errors, r'Conditional jump or move depends on uninitialised value.*\n.*main \(unset\.c:16\)')
        code, _, errors = self.memcheck(unset, 1000, 1000, options=('-n', 2))
        self.assertEqual(code, 0, errors)


if __name__ == '__main__':
    unittest.main()
