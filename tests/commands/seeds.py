#!/usr/bin/env python3
"""mpiexec --seed: the schedule of the ranks and the free choices of MPI follow from a number alone."""
import itertools
import os
import random
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import BIN, TREE, CommandTest, mpiexec, run

# Rank 0 prints the order in which messages of the others match.
RACE = r'''
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int round = 0; round < 5; ++round) {
        for (int i = 1; rank == 0 && i < size; ++i) {
            int value;
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            printf("%d", status.MPI_SOURCE);
        }
        if (rank != 0)
            MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    if (rank == 0)
        printf("\n");
    return 0;
}
'''

# All messages are there before rank 0 receives. It prints what a wildcard receive, a probe and the functions for
# several requests choose; the tests and probes that find nothing; and whether two messages of one sender overtake.
CHOICES = r'''
#include <mpi.h>
#include <stdio.h>
enum { kSize = 4, kEach = 2, kAll = (kSize - 1) * kEach };
static int rank, values[kAll], last[kSize];
static void must_be_next(int source, int value) {
    if (value != ++last[source]) {
        printf("overtaken: message %d of rank %d is number %d\n", value, source, last[source]);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}
static void all_send(int tag) {
    for (int i = 0; i < kSize; ++i)
        last[i] = 0;
    for (int i = 1; i <= kEach && rank != 0; ++i)
        MPI_Send(&i, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void receive(int source) {
    MPI_Status status;
    int value;
    MPI_Recv(&value, 1, MPI_INT, source, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    must_be_next(status.MPI_SOURCE, value);
    printf("%d", status.MPI_SOURCE);
}
int main(int argc, char **argv) {
    MPI_Status status;
    MPI_Request requests[kAll];
    int indices[kAll], count, flag, misses = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    all_send(1);
    for (int i = 0; i < kAll && rank == 0; ++i)
        receive(MPI_ANY_SOURCE);
    MPI_Barrier(MPI_COMM_WORLD); // before others send with another tag
    all_send(2);
    for (int i = 0; i < kAll && rank == 0; ++i) {
        for (;;) {
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
            if (flag)
                break;
            ++misses;
        }
        MPI_Iprobe(status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (!flag) {
            printf("a message that a probe has shown is gone\n");
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        receive(status.MPI_SOURCE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int some = 0; some < 2; ++some) {
        for (int i = 0; i < kAll; ++i)
            MPI_Irecv(&values[i], 1, MPI_INT, 1 + i % (kSize - 1), 3 + some, MPI_COMM_WORLD, &requests[i]);
        if (rank != 0)
            for (int i = 0; i < kAll; ++i) {
                MPI_Cancel(&requests[i]);
                MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            }
        all_send(3 + some);
        for (int left = kAll; rank == 0 && left > 0; left -= count) {
            if (some)
                MPI_Waitsome(kAll, requests, &count, indices, MPI_STATUSES_IGNORE);
            else
                MPI_Waitany(kAll, requests, indices, MPI_STATUS_IGNORE), count = 1;
            printf("%s%d", some ? "/" : "", indices[0]);
            for (int i = 1; i < count; ++i)
                printf(",%d", indices[i]);
        }
    }
    for (int i = 0; i < 20; ++i) {
        if (rank == 0) {
            MPI_Irecv(values, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, requests);
            MPI_Barrier(MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
            for (MPI_Test(requests, &flag, MPI_STATUS_IGNORE); !flag; MPI_Test(requests, &flag, MPI_STATUS_IGNORE))
                ++misses;
        } else {
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank == 1)
                MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD);
            MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf(" misses %d\n", misses);
    MPI_Finalize();
    return 0;
}
'''

PLANTED = (Path(__file__).parents[1] / 'wrong/a_first_message_is_taken_for_that_of_rank_1.c').read_text()

# One rank waits in the kernel for another one: by a read that the library knows, or a futex of its own.
SLEEPS = r'''
#include <linux/futex.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, ends[2];
    char byte = 'x';
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && pipe(ends))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Bcast(ends, 2, MPI_INT, 0, MPI_COMM_WORLD);
    int *word;
    MPI_Win win;
    MPI_Win_allocate_shared(rank ? 0 : 64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &word, &win);
    if (rank != 0) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(win, 0, &size, &unit, &word);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0 && read(ends[0], &byte, 1) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 1 && write(ends[1], &byte, 1) != 1)
        MPI_Abort(MPI_COMM_WORLD, 1);
    while (rank == 0 && __atomic_load_n(word, __ATOMIC_ACQUIRE) == 0)
        syscall(SYS_futex, word, FUTEX_WAIT, 0, NULL, NULL, 0);
    if (rank == 1) {
        MPI_Barrier(MPI_COMM_SELF);
        __atomic_store_n(word, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, word, FUTEX_WAKE, 1000, NULL, NULL, 0);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    if (rank == 0)
        printf("went on\n");
    return 0;
}
'''

# Sums that depend on the order of addition.
SUMS = r'''
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    float mine = 1e-3f * (float)(rank * 7919 % 10007) / (float)(1 + rank), sums[4] = {0};
    MPI_Allreduce(&mine, &sums[0], 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &sums[1], 1, MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Iallreduce(&mine, &sums[2], 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Scan(&mine, &sums[3], 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 12)
        printf("%a %a %a %a\n", sums[0], sums[1], sums[2], sums[3]);
    MPI_Finalize();
    return 0;
}
'''

# They expect that one test or probe finds at once what is there: MPI does not promise that.
ASK_ONCE = {'a_cancelled_send_is_not_received', 'waitsome_and_testsome_tell_which_operation_failed',
            'ibarrier_completes_only_after_all_have_called', 'two_groups_without_a_root_are_told',
            'get_status_leaves_the_request', 'statuses_may_be_ignored', 'the_error_field_changes_only_with_err_in_status'}
CHAPTERS = ('pt2pt', 'probe', 'request', 'coll', 'icoll', 'rma')


def at_once(calls):
    """The results of calls, of which a few run at a time."""
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda call: call(), calls))


class Seeds(CommandTest):
    def outputs(self, program, ranks, seeds, *options):
        """What the program prints with each seed."""
        results = at_once([lambda seed=seed: mpiexec('-n', ranks, *options, '--seed', seed, program) for seed in seeds])
        for code, output, errors in results:
            self.assertEqual((code, errors), (0, ''), output)
        return [output for _, output, _ in results]

    def test_a_seed_gives_the_same_run_again_with_any_number_of_workers_and_under_load(self):
        for source in (RACE, CHOICES):
            program = self.compile('again', source)
            for seed in (1, 2**64 - 1):
                # Four at a time keep the machine busy.
                outputs = [output for workers in (1, 2, 4)
                           for output in self.outputs(program, 4, [seed] * 7, '--workers', workers)]
                self.assertEqual(len(set(outputs)), 1, outputs)

    def test_seeds_give_most_orders(self):
        program = self.compile('race', RACE)
        outputs = self.outputs(program, 4, range(100))
        orders = {output[:3] for output in outputs}
        self.assertLessEqual(orders, {''.join(order) for order in itertools.permutations('123')})
        self.assertGreaterEqual(len(orders), 4, orders)
        self.assertGreater(len(set(outputs)), 90)
        outputs = self.outputs(program, 5, range(100))
        self.assertGreaterEqual(len({output[:4] for output in outputs}), 16)

    def test_without_choices_all_seeds_give_the_plain_order(self):
        for source in (RACE, CHOICES):
            program = self.compile('plain', source)
            outputs = set(self.outputs(program, 4, ('1:0', '2:0', '3:0', '18446744073709551615:0')))
            self.assertEqual(len(outputs), 1, outputs)
        self.assertIn(' misses 0\n', outputs.pop())

    def test_the_first_choices_follow_the_seed(self):
        program = self.compile('first', RACE)
        whole, plain = self.outputs(program, 4, ('11', '11:0'))
        self.assertNotEqual(whole, plain)
        prefixes = self.outputs(program, 4, [f'11:{count}' for count in range(0, 400, 5)])
        self.assertEqual((prefixes[0], prefixes[-1]), (plain, whole))
        self.assertGreater(len(set(prefixes)), 3)

    def test_messages_and_requests_are_chosen(self):
        program = self.compile('choices', CHOICES)
        outputs = self.outputs(program, 4, range(40))
        receives, probes = ({output[at:at + 6] for output in outputs} for at in (0, 6))
        requests = {output[12:18] for output in outputs}
        first_some = {output[18:].split(' ')[0] for output in outputs}
        for seen in (receives, probes, requests, first_some):
            self.assertGreater(len(seen), 10, seen)
        self.assertTrue(any('/' in some and some.count('/') > 1 for some in first_some))
        misses = [int(output.rsplit(' ', 1)[1]) for output in outputs]
        self.assertGreater(sum(count > 0 for count in misses), 20, misses)

    def test_a_planted_race_is_found_and_found_again(self):
        program = self.compile('planted', PLANTED)
        for seed in range(100):
            code, _, errors = mpiexec('-n', 3, '--seed', seed, program)
            if code:
                break
        self.assertIn('DEADLOCK: all 3 ranks are blocked', errors)
        for _ in range(5):
            self.assertEqual(mpiexec('-n', 3, '--workers', 2, '--seed', seed, program)[2], errors)
        self.assertEqual(mpiexec('-n', 3, '--seed', f'{seed}:0', program)[0], 0)

    def test_ranks_that_sleep_for_others_go_on_and_the_end_of_the_seed_is_told(self):
        program = self.compile('sleeps', SLEEPS)
        for seed in ('5', '5:0'):
            code, output, errors = mpiexec('-n', 3, '--seed', seed, program)
            self.assertEqual((code, output), (0, 'went on\n'), errors)
            self.assertLessEqual(errors.count('\n'), 1)
            if errors:
                self.assertRegex(errors, r'a rank sleeps in the kernel for 200 ms while others could run\. .* '
                                 rf'no longer follows from --seed {seed} alone')

    def test_sums_do_not_depend_on_the_seed(self):
        program = self.compile('sums', SUMS)
        outputs = self.outputs(program, 13, range(20)) + [self.succeeds(mpiexec('-n', 13, program))]
        self.assertEqual(len(set(outputs)), 1, outputs)

    def test_what_a_seed_is_not_for(self):
        program = self.compile('refused', RACE)
        for wrong in ('x', '-1', '1:', '1:2:3', '18446744073709551616', '1.5'):
            self.fails(mpiexec('-n', 2, f'--seed={wrong}', program), 2, 'a whole number below 2^64')
        self.fails(run(BIN / 'mpiexec', '-n', 2, program, env={**os.environ, 'THRUM_SEED': 'x'}), 2, 'THRUM_SEED=x: expected')
        for options in (('--processes',), ('--ranks-per-process', '1'), ('--hosts', 'a,b', '--launcher', 'fork')):
            self.fails(mpiexec('-n', 2, *options, '--seed', 7, program), 2, '--seed 7 is for jobs of one process')
        self.fails(mpiexec('-n', 2, '--threads=os', '--seed', 7, program), 2, '--seed 7 is for ranks that share one worker')

    def test_programs_run_with_seeds(self):
        built = [(source, TREE / 'tests/mpi' / chapter / source.stem) for chapter in CHAPTERS
                 for source in sorted((Path(__file__).parents[1] / 'mpi' / chapter).glob('*.c'))]
        built = [(source, program) for source, program in built if program.exists() and source.stem not in ASK_ONCE]
        if not built:
            self.skipTest('the programs of tests/mpi are not built')
        seed = int(os.environ.get('THRUM_TEST_SEED', '1'))
        chosen = random.Random(seed).sample(built, min(60, len(built)))
        harness = Path(__file__).parents[1] / 'harness/run_program.sh'

        def play(number, source, program):
            done = subprocess.run([harness, BIN / 'mpiexec', 'fibers-1', source, program], capture_output=True, text=True,
                                  timeout=120, env={**os.environ, 'THRUM_SEED': str(seed + number)})
            return seed + number, source, done.returncode, done.stdout + done.stderr
        calls = [lambda number=number, pair=pair: play(number, *pair) for number, pair in enumerate(chosen)]
        for seed_used, source, code, text in at_once(calls):
            self.assertIn(code, (0, 77), f'THRUM_SEED={seed_used} {source} (THRUM_TEST_SEED={seed}): {text}')


if __name__ == '__main__':
    unittest.main()
