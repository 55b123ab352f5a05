"""A process that loads libmpi while it runs, as interpreters do with modules: one rank, without mpiexec and with it."""
import unittest

from commands import TREE, CommandTest, mpiexec, run

PROGRAM = r'''
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *library;
#define FUNCTION(name) ((__typeof__(&name))dlsym(library, #name))
static void *use(void *ignored) {
    (void)ignored;
    int provided, size, value = 0, sum = 7;
    FUNCTION(MPI_Init_thread)(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    FUNCTION(MPI_Comm_size)(MPI_COMM_WORLD, &size);
    FUNCTION(MPI_Allreduce)(&sum, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    FUNCTION(MPI_Sendrecv)(&value, 1, MPI_INT, 0, 3, &sum, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("size %d, thread level %d, sum %d\n", size, provided == MPI_THREAD_MULTIPLE, sum);
    return NULL;
}
int main(int argc, char **argv) {
    library = dlopen("libmpi_abi.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return puts(dlerror()), 9;
    const char *how = argc > 1 ? argv[1] : "";
    if (!strcmp(how, "thread")) {
        pthread_t thread;
        pthread_create(&thread, NULL, use, NULL);
        pthread_join(thread, NULL);
    } else {
        use(NULL);
    }
    if (!strcmp(how, "wrong"))
        FUNCTION(MPI_Send)(&argc, 1, MPI_INT, 5, 0, MPI_COMM_WORLD);
    if (!strcmp(how, "forgets"))
        return 0;
    FUNCTION(MPI_Finalize)();
    return !strcmp(how, "code") ? 6 : 0;
}
'''
ENVIRONMENT = {'LD_LIBRARY_PATH': str(TREE / 'lib'), 'PATH': '/usr/bin:/bin'}


class LoadedLate(CommandTest):
    def setUp(self):
        source = self.write('late.c', PROGRAM)
        self.program = self.scratch / 'late'
        done = run('cc', '-O1', f'-I{TREE}/include', '-o', self.program, source, '-ldl', '-pthread')
        self.assertEqual(done[0], 0, done[2])

    def test_the_process_is_one_rank(self):
        for how in '', 'thread':
            done = run(self.program, how, env=ENVIRONMENT)
            self.assertEqual(done, (0, 'size 1, thread level 1, sum 7\n', ''))

    def test_mpiexec_starts_it_too(self):
        done = mpiexec('-n', 1, self.program)
        self.assertEqual(done, (0, 'size 1, thread level 1, sum 7\n', ''))

    def test_exit_code_is_the_programs(self):
        self.assertEqual(run(self.program, 'code', env=ENVIRONMENT)[0], 6)

    def test_errors_name_rank_and_call(self):
        self.fails(run(self.program, 'wrong', env=ENVIRONMENT), 6, 'rank 0', 'MPI_Send', 'dest is 5')

    def test_a_missing_finalize_is_named(self):
        code, _, errors = run(self.program, 'forgets', env=ENVIRONMENT)
        self.assertIn('MPI_Finalize', errors)
        self.assertNotEqual(code, 0)

    def test_several_ranks_without_the_preloaded_library_are_refused(self):
        done = run(self.program, env=ENVIRONMENT | {'THRUM_RANKS': '4'})
        self.fails(done, 2, 'LD_PRELOAD', '4 ranks')


if __name__ == '__main__':
    unittest.main()
