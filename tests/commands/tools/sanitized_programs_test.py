"""Programs compiled with -fsanitize=... run as ranks of one process under the usual libmpi."""
import os
import shutil
import unittest

from commands import CommandTest, mpiexec, run
from tool import FAULTS, build_cxx

NOTE = 'AddressSanitizer keeps its own state in each OS thread: every rank gets one'


RACE_OF_THREADS = r'''
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
static int rank, counter;
static void *count(void *unused) {
    (void)unused;
    for (int i = 0; rank == 2 && i < 100; ++i, usleep(1000))
        ++counter; // line 9
    return unused;
}
int main(int argc, char **argv) {
    pthread_t thread;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, count, NULL);
    count(NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
}
'''
RACE_OF_RANKS = r'''
#include <mpi.h>
#include <unistd.h>
static int shared;
int main(int argc, char **argv) {
    int *target = &shared;
    MPI_Init(&argc, &argv);
    MPI_Bcast(&target, sizeof target, MPI_BYTE, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 100; ++i, usleep(1000))
        ++*target; // line 10
    MPI_Finalize();
}
'''
# Runs of <thrum/run.h>: good ones, and such whose ranks end by exceptions and by force.
RUNS = r'''
#include <cstdio>
#include <thrum/run.h>
#include <vector>
int main() {
    std::vector<int> numbers(3);
    const auto fail = [&](MPI_Comm world) {
        int rank;
        MPI_Comm_rank(world, &rank);
        if (rank == 1)
            throw 3;
        numbers[rank] = rank;
        MPI_Barrier(world);
    };
    const auto number = [&](MPI_Comm world) {
        int rank;
        MPI_Comm_rank(world, &rank);
        MPI_Barrier(world);
        numbers[rank] = rank;
    };
    for (int globals : {THRUM_GLOBALS_SHARED, THRUM_GLOBALS_PRIVATE})
        for (int i = 0; i < 3; ++i) {
            thrum::RunOptions options;
            options.globals = globals;
            const thrum::RunResult result = thrum::run(3, fail, options);
            std::printf("%d failed, rank 0: %d, %d\n", result->n_failed, result.rank(0).end, result.text().find("DEADLOCK") > 0);
            const bool is_good = thrum::run(3, number, options).ok();
            std::printf("%d, %d\n", is_good, numbers[0] + numbers[1] + numbers[2]);
        }
}
'''
OUTPUT_OF_RUNS = '3 failed, rank 0: 6, 1\n1, 3\n' * 6


class AddressSanitizer(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('faults', FAULTS, '-g', '-fsanitize=address')

    def finds(self, fault, rank, *texts, program=None, ranks=4):
        result = mpiexec('-n', ranks, program or self.program, fault, rank)
        self.fails(result, 1, 'ERROR: AddressSanitizer', *texts)
        return result[2]

    def test_a_program_without_faults_has_no_report_and_no_leak(self):
        for ranks in 1, 2, 4, 70:
            code, output, errors = mpiexec('-n', ranks, self.program)
            self.assertEqual((code, output), (0, ''), errors)
            self.assertEqual(errors, f'thrum: {NOTE}\n' if ranks > 1 else '')

    def test_no_note_where_os_threads_are_asked_for(self):
        self.assertEqual(mpiexec('-n', 3, '--threads=os', self.program), (0, '', ''))

    def test_an_overflow_of_a_global_is_found_in_every_rank(self):
        for rank in range(4):
            self.finds('global', rank, 'global-buffer-overflow', 'in global_overflow', 'faults.c:7',
                       f'thrum: rank {rank}: ended by the error reported above\n')

    def test_faults_of_the_heap_are_found(self):
        self.finds('heap', 3, 'heap-buffer-overflow', 'in heap_overflow', 'faults.c:10', 'thrum: rank 3: ended')
        self.finds('freed', 2, 'heap-use-after-free', 'faults.c:16', 'faults.c:15', 'thrum: rank 2: ended')

    def test_an_overflow_of_the_stack_is_found(self):
        self.finds('stack', 3, 'stack-buffer-overflow', "'block'", 'faults.c:20')
        self.finds('stack', 0, 'stack-buffer-overflow', "'block'", 'faults.c:20')

    def test_a_message_longer_than_its_buffer_is_found_where_it_is_written(self):
        self.finds('receive', 1, 'heap-buffer-overflow', 'rank 1: ended by the error reported above, inside MPI_Sendrecv',
                   'faults.c:30')

    def test_what_one_rank_has_leaked_is_named_with_its_line(self):
        for rank in 0, 3:
            code, _, errors = mpiexec('-n', 4, self.program, 'leak', rank)
            self.assertNotEqual(code, 0)
            self.assertIn('LeakSanitizer: detected memory leaks', errors)
            self.assertIn('SUMMARY: AddressSanitizer: 3000 byte(s) leaked in 1 allocation(s)', errors)
            self.assertRegex(errors, r'in leak .*faults.c:23')

    def test_a_crash_is_reported_with_its_rank(self):
        self.fails(mpiexec('-n', 4, self.program, 'null', 2), 139, 'rank 2: segmentation fault', 'faults.c:39')

    def test_cxx_with_a_library_exceptions_and_threads(self):
        program = build_cxx(self, '-fsanitize=address,undefined')
        for ranks in 4, 20:
            code, output, errors = mpiexec('-n', ranks, program)
            self.assertEqual((code, output, errors), (0, 'right\n', f'thrum: {NOTE}\n'))

    def test_runs_in_a_program_may_fail(self):
        program = self.compile('runs', RUNS, '-std=c++17', '-g', '-fsanitize=address,undefined', compiler='mpicxx')
        code, output, errors = run(program, env=os.environ | {'ASAN_OPTIONS': 'detect_leaks=0'})  # the library keeps what ended by force
        self.assertEqual((code, output), (0, OUTPUT_OF_RUNS), errors)
        self.assertNotIn('runtime error', errors)

    def test_children_of_ranks_have_no_run_time_in_front(self):
        program = self.compile('child', '#include <mpi.h>\n#include <stdlib.h>\nint main(int c, char **v) '
                               '{ MPI_Init(&c, &v); MPI_Finalize(); return system("test -z \\"$LD_PRELOAD\\""); }',
                               '-fsanitize=address')
        self.succeeds(mpiexec('-n', 2, program))

    def test_a_run_time_inside_of_the_program_is_refused(self):
        program = self.compile('static', FAULTS, '-fsanitize=address', '-static-libasan')
        self.fails(mpiexec('-n', 2, program), 2, "contains a sanitizer's run time", '-static-libasan')
        self.succeeds(mpiexec('-n', 1, program))

    @unittest.skipUnless(shutil.which('clang-19'), 'clang-19 is not installed')
    def test_clang_links_its_run_time_as_a_library(self):
        os.environ['THRUM_CC'] = 'clang-19'
        try:
            program = self.compile('clang', FAULTS, '-g', '-fsanitize=address')
        finally:
            del os.environ['THRUM_CC']
        self.assertEqual(mpiexec('-n', 4, program), (0, '', f'thrum: {NOTE}\n'))
        self.finds('global', 3, 'global-buffer-overflow', 'thrum: rank 3: ended', program=program)


class ThreadSanitizer(CommandTest):
    NOTE = 'thrum: ' + NOTE.replace('Address', 'Thread') + '\n'

    def test_messages_order_what_ranks_do(self):
        program = self.compile('faults', FAULTS, '-g', '-fsanitize=thread')
        for ranks in 2, 4, 40:
            self.assertEqual(mpiexec('-n', ranks, program), (0, '', self.NOTE))

    def test_an_end_inside_of_a_call_is_no_fault(self):
        program = self.compile('faults', FAULTS.replace('MPI_Barrier', 'if (argc > 1) MPI_Abort(MPI_COMM_WORLD, 3); MPI_Barrier'),
                               '-g', '-fsanitize=thread')
        code, _, errors = mpiexec('-n', 3, program, 'abort')
        self.assertEqual(code, 3)
        self.assertNotIn('ThreadSanitizer:', errors)

    def test_cxx_with_a_library_exceptions_and_threads(self):
        self.assertEqual(mpiexec('-n', 8, build_cxx(self, '-fsanitize=thread')), (0, 'right\n', self.NOTE))

    def test_runs_in_a_program_may_fail(self):
        program = self.compile('runs', RUNS, '-std=c++17', '-g', '-fsanitize=thread', compiler='mpicxx')
        code, output, errors = run(program)
        self.assertEqual((code, output), (0, OUTPUT_OF_RUNS), errors)

    def test_a_race_of_two_threads_of_a_rank(self):
        program = self.compile('threads', RACE_OF_THREADS, '-g', '-fsanitize=thread', '-pthread')
        self.fails(mpiexec('-n', 3, program), 66, 'WARNING: ThreadSanitizer: data race', 'in count', 'threads.c:9',
                   "'rank 2'")

    def test_a_race_of_two_ranks(self):
        program = self.compile('ranks', RACE_OF_RANKS, '-g', '-fsanitize=thread')
        self.fails(mpiexec('-n', 2, program), 66, 'WARNING: ThreadSanitizer: data race', 'ranks.c:10', "'rank 1'")


class UndefinedBehaviorSanitizer(CommandTest):
    def test_ranks_stay_fibers(self):
        program = self.compile('faults', FAULTS, '-g', '-fsanitize=undefined')
        self.assertEqual(mpiexec('-n', 100, program), (0, '', ''))
        code, _, errors = mpiexec('-n', 4, program, 'undefined', 3)
        self.assertEqual(code, 0)
        self.assertRegex(errors, r'^\S*faults.c:36:\d+: runtime error: signed integer overflow[^\n]*\n$')

    def test_a_fault_that_ends_the_program_names_the_rank(self):
        program = self.compile('faults', FAULTS, '-g', '-fsanitize=undefined', '-fno-sanitize-recover=all')
        self.fails(mpiexec('-n', 4, program, 'undefined', 3), 1, 'faults.c:36:', 'thrum: rank 3: ended by the error')

    def test_cxx_with_a_library_exceptions_and_threads(self):
        self.assertEqual(mpiexec('-n', 20, build_cxx(self, '-fsanitize=undefined')), (0, 'right\n', ''))


class LeakSanitizer(CommandTest):
    def test_what_one_rank_has_leaked_is_named(self):
        program = self.compile('faults', FAULTS, '-g', '-fsanitize=leak')
        self.assertEqual(mpiexec('-n', 4, program), (0, '', 'thrum: ' + NOTE.replace('Address', 'Leak') + '\n'))
        self.fails(mpiexec('-n', 4, program, 'leak', 3), 23, '3000 byte(s) leaked in 1 allocation(s)', 'faults.c:23')


if __name__ == '__main__':
    unittest.main()
