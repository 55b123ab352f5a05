"""A program's sums have the same bits with any number of workers, and with OS threads."""
import unittest

from commands import CommandTest, mpiexec

# Sums that depend on the order of addition, of few and of many elements.
SUMS = r'''
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    static float mine[5000], sum[5000], before[5000];
    int rank, counts[] = {1, 60, 5000};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5000; ++i)
        mine[i] = (float)((rank * 7919 + i * 104729) % 1000003) * 1e-3f / (float)(1 + rank);
    for (int c = 0; c < 3; ++c) {
        int last = counts[c] - 1;
        MPI_Allreduce(mine, sum, counts[c], MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        MPI_Scan(mine, before, counts[c], MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        printf("%d %d %a %a %a\n", rank, counts[c], sum[0], sum[last], before[last]);
        MPI_Reduce(mine, sum, counts[c], MPI_FLOAT, MPI_SUM, 1, MPI_COMM_WORLD);
        if (rank == 1)
            printf("root %d %a %a\n", counts[c], sum[0], sum[last]);
    }
    MPI_Finalize();
    return 0;
}
'''


class Sums(CommandTest):
    def test_sums_have_the_same_bits_with_any_number_of_workers(self):
        program = self.compile('sums', SUMS)
        for ranks in (2, 7, 24):
            outputs = []
            for how in (('--workers', 1), ('--workers', 2), ('--workers', 3), ('--threads=os',)):
                code, output, errors = mpiexec('-n', ranks, *how, program)
                self.assertEqual((code, errors), (0, ''))
                self.assertEqual(output.count('\n'), 3 * ranks + 3)
                outputs.append(sorted(output.split('\n')))
            for output in outputs[1:]:
                self.assertEqual(output, outputs[0])


if __name__ == '__main__':
    unittest.main()
