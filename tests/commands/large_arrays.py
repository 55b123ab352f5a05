"""Large arrays lie in huge pages where each rank has a core; malloc asks the kernel for them, if GLIBC_TUNABLES says so."""
import os
import unittest
from pathlib import Path

from commands import CommandTest, mpiexec, run

CORES = len(os.sched_getaffinity(0))
MODES = ((), ('--workers', 1), ('--threads=os',), ('--processes',), ('--launcher', 'fork', '--hosts', 'a:1,b:1'))
# Prints, for each rank, GLIBC_TUNABLES and how many MiB of its array of 16 MiB are in huge pages.
ARRAY = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static size_t huge_mib_at(const void *memory) {
    FILE *file = fopen("/proc/self/smaps", "r");
    char line[512];
    int here = 0;
    size_t kib = 0;
    while (fgets(line, sizeof line, file)) {
        unsigned long begin, end;
        if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
            here = begin <= (unsigned long)memory && (unsigned long)memory < end;
        else if (here && sscanf(line, "AnonHugePages: %zu", &kib) == 1)
            break;
    }
    fclose(file);
    return kib / 1024;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *tunables = getenv("GLIBC_TUNABLES");
    volatile char *array = malloc(16 << 20);
    for (int i = 0; i < 16 << 20; ++i) array[i] = 1;
    printf("%s %zu\n", tunables ? tunables : "-", huge_mib_at((char *)array + (8 << 20)));
    MPI_Barrier(MPI_COMM_WORLD);
    free((char *)array);
    MPI_Finalize();
    return 0;
}
'''


def huge_pages_of_the_system():
    """What the system does for programs that ask: 'always', 'madvise' or 'never'; 'never' too without such pages."""
    file = Path('/sys/kernel/mm/transparent_hugepage/enabled')
    return file.read_text().partition('[')[2].partition(']')[0] if file.exists() else 'never'


class LargeArrays(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.array = cls.compile('array', ARRAY, '-O1')

    def ranks(self, *arguments, **variables):
        """For each rank, GLIBC_TUNABLES and how many MiB are in huge pages."""
        environment = {name: value for name, value in os.environ.items() if name != 'GLIBC_TUNABLES'} | variables
        lines = self.succeeds(mpiexec(*arguments, self.array, env=environment)).splitlines()
        return [(line.split()[0], int(line.split()[1])) for line in lines]

    def test_ranks_with_a_core_each_get_huge_pages(self):
        if CORES < 2:
            self.skipTest('two ranks need two cores')
        for mode in MODES:
            with self.subTest(mode):
                ranks = self.ranks(*mode, '-n', 2)
                self.assertEqual([tunables for tunables, _ in ranks], ['glibc.malloc.hugetlb=1'] * 2)
                if huge_pages_of_the_system() != 'never':
                    self.assertTrue(all(mib >= 8 for _, mib in ranks), ranks)

    def test_more_ranks_than_cores_leave_malloc_alone(self):
        for mode in ((), ('--processes',)):
            ranks = self.ranks(*mode, '-n', CORES + 1)
            self.assertEqual([tunables for tunables, _ in ranks], ['-'] * (CORES + 1))
            if huge_pages_of_the_system() == 'madvise':
                self.assertEqual([mib for _, mib in ranks], [0] * (CORES + 1))

    def test_the_user_has_the_last_word(self):
        for mode in ((), ('--processes',)):
            self.assertEqual(self.ranks(*mode, '-n', 1, THRUM_HUGE_PAGES='0')[0][0], '-')
            for given in ('glibc.malloc.hugetlb=0', 'glibc.malloc.tcache_count=3'):
                self.assertEqual(self.ranks(*mode, '-n', 1, GLIBC_TUNABLES=given)[0][0], given)
                self.assertEqual(self.ranks(*mode, '-env', 'GLIBC_TUNABLES', given, '-n', 1)[0][0], given)
            self.assertEqual(self.ranks(*mode, '-n', 1, GLIBC_TUNABLES='glibc.mem.tagging=0')[0][0], 'glibc.mem.tagging=0:glibc.malloc.hugetlb=1')

    def test_a_program_without_mpiexec_is_not_changed(self):
        environment = {name: value for name, value in os.environ.items() if name != 'GLIBC_TUNABLES'}
        self.assertTrue(self.succeeds(run(self.array, env=environment)).startswith('- '))


if __name__ == '__main__':
    unittest.main()
