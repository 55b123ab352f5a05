#!/usr/bin/env python3
"""mpiexec --explore: runs a job once for each order of messages, and keeps the record of the one that goes wrong."""
import os
import shlex
import signal
import time
import unittest
from pathlib import Path

from commands import BIN, CommandTest, mpiexec, run, start

# Each mode has a known number of orders with N ranks. Rank 0 checks nothing: each order must end well.
ORDERS = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define WORLD MPI_COMM_WORLD
enum { kMany = 16, kLong = 300000 };
static int rank, size, value;
static MPI_Status status;
static MPI_Request requests[kMany];
static int values[kMany];
static char buffer[kLong];
static int receive(int source, int tag) {
    MPI_Recv(&value, 1, MPI_INT, source, tag, WORLD, &status);
    return status.MPI_SOURCE;
}
static void send(int dest, int tag) { MPI_Send(&rank, 1, MPI_INT, dest, tag, WORLD); }
/* All others send to rank 0. */
static void all_receive(const char *how) {
    int flag, index, count, indices[kMany];
    MPI_Message message;
    if (rank != 0)
        send(0, 0);
    for (int i = 1; rank == 0 && i < size; ++i) {
        if (!strcmp(how, "receive"))
            receive(MPI_ANY_SOURCE, 0);
        if (!strcmp(how, "sendrecv"))
            MPI_Sendrecv(&rank, 1, MPI_INT, MPI_PROC_NULL, 0, &value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &status);
        if (!strcmp(how, "probe")) {
            MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status);
            receive(status.MPI_SOURCE, 0);
        }
        if (!strcmp(how, "iprobe")) {
            while (MPI_Iprobe(MPI_ANY_SOURCE, 0, WORLD, &flag, &status), !flag)
                ;
            receive(status.MPI_SOURCE, 0);
        }
        if (!strcmp(how, "mprobe")) {
            MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &message, &status);
            MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
        }
        if (!strcmp(how, "improbe")) {
            while (MPI_Improbe(MPI_ANY_SOURCE, 0, WORLD, &flag, &message, &status), !flag)
                ;
            MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
        }
        if (!strncmp(how, "wait", 4) || !strncmp(how, "test", 4))
            MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[i - 1]);
    }
    if (rank == 0 && !strcmp(how, "waitall"))
        MPI_Waitall(size - 1, requests, MPI_STATUSES_IGNORE);
    for (int i = 1; rank == 0 && !strcmp(how, "waitany") && i < size; ++i)
        MPI_Waitany(size - 1, requests, &index, &status);
    for (int left = size - 1; rank == 0 && !strcmp(how, "waitsome") && left > 0; left -= count)
        MPI_Waitsome(size - 1, requests, &count, indices, MPI_STATUSES_IGNORE);
    if (rank == 0 && !strcmp(how, "testall"))
        while (MPI_Testall(size - 1, requests, &flag, MPI_STATUSES_IGNORE), !flag)
            ;
    for (int i = 0; rank == 0 && !strcmp(how, "tests") && i < size - 1; ++i)
        while (MPI_Test(&requests[i], &flag, &status), !flag)
            ;
    if (rank == 0 && !strcmp(how, "wait backwards"))
        for (int i = size - 2; i >= 0; --i)
            MPI_Wait(&requests[i], &status);
}
/* Ranks 0 and 1 receive from all others. */
static void two_receive(void) {
    for (int i = 2; i < size; ++i)
        if (rank < 2)
            receive(MPI_ANY_SOURCE, 0);
    for (int i = 0; rank > 1 && i < 2; ++i)
        send(i, 0);
}
/* Whom rank 0 hears first decides who sends to rank 3, and how often: 2 + 2 * 1 orders. */
static void depend(void) {
    int first = rank == 0 ? receive(MPI_ANY_SOURCE, 0) : 0;
    if (rank == 0)
        receive(3 - first, 0);
    if (rank == 1 || rank == 2)
        send(0, 0);
    MPI_Bcast(&first, 1, MPI_INT, 0, WORLD);
    if (first == 2 && (rank == 1 || rank == 2))
        send(3, 1);
    if (first == 1 && rank == 1)
        send(3, 1);
    for (int i = 0; rank == 3 && i < first; ++i)
        receive(MPI_ANY_SOURCE, 1);
}
/* A barrier between two rounds: no message of the second can come in the first. */
static void rounds(void) {
    for (int round = 0; round < 2; ++round) {
        all_receive("receive");
        MPI_Barrier(WORLD);
    }
}
/* Rank 2 sends only after rank 1 has: one order with MPI_Ssend or long messages, two with short ones. */
static void chain(int bytes, int synchronous) {
    if (rank == 0)
        for (int i = 0; i < 2; ++i)
            MPI_Recv(buffer, kLong, MPI_BYTE, MPI_ANY_SOURCE, 0, WORLD, &status);
    if (rank == 2)
        receive(1, 1);
    if (rank == 1 || rank == 2)
        (synchronous ? MPI_Ssend : MPI_Send)(buffer, bytes, MPI_BYTE, 0, 0, WORLD);
    if (rank == 1)
        send(2, 1);
}
/* Rank 2 waits until its buffered message is received, of which its clock does not tell. */
static void detached(void) {
    void *room = buffer;
    int bytes;
    if (rank == 0) {
        receive(MPI_ANY_SOURCE, 0);
        receive(2, 1);
        receive(MPI_ANY_SOURCE, 0);
    }
    if (rank == 2) {
        MPI_Buffer_attach(buffer, kLong);
        MPI_Bsend(&rank, 1, MPI_INT, 0, 1, WORLD);
        MPI_Buffer_detach(&room, &bytes);
    }
    if (rank == 1 || rank == 2)
        send(0, 0);
}
/* A request that is started again and again. */
static void persistent(void) {
    if (rank != 0) {
        send(0, 0);
        return;
    }
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[0]);
    for (int i = 1; i < size; ++i) {
        MPI_Start(&requests[0]);
        MPI_Wait(&requests[0], &status);
    }
    MPI_Request_free(&requests[0]);
}
/* A receive that is posted first and completed last, with another tag. */
static void pending(void) {
    if (rank == 0) {
        MPI_Irecv(&values[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, WORLD, &requests[0]);
        for (int i = 1; i < size; ++i)
            receive(MPI_ANY_SOURCE, 0);
        for (int i = 1; i < size; ++i)
            send(i, 2);
        MPI_Wait(&requests[0], &status);
        for (int i = 2; i < size; ++i)
            receive(MPI_ANY_SOURCE, 1);
    } else {
        send(0, 0);
        receive(0, 2);
        send(0, 1);
    }
}
/* Workers ask rank 0 for tasks until there are none. */
static void farm(int tasks) {
    if (rank != 0)
        do
            MPI_Sendrecv(&rank, 1, MPI_INT, 0, 1, &value, 1, MPI_INT, 0, 0, WORLD, &status);
        while (value);
    for (int ended = 0; rank == 0 && ended < size - 1;) {
        int worker = receive(MPI_ANY_SOURCE, MPI_ANY_TAG), next = tasks > 0 ? tasks-- : 0;
        ended += next == 0;
        MPI_Send(&next, 1, MPI_INT, worker, 0, WORLD);
    }
}
/* The source of a message is a rank of its communicator. */
static void split(void) {
    MPI_Comm comm;
    MPI_Comm_split(WORLD, 0, -rank, &comm);
    MPI_Comm_rank(comm, &rank);
    for (int i = 1; rank == 0 && i < size; ++i) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, comm, &status);
        if (status.MPI_SOURCE != value)
            MPI_Abort(comm, 3);
    }
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, comm);
    MPI_Comm_free(&comm);
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    const char *how = argv[1];
    if (!strcmp(how, "two")) two_receive();
    else if (!strcmp(how, "farm")) farm(4);
    else if (!strcmp(how, "split")) split();
    else if (!strcmp(how, "depend")) depend();
    else if (!strcmp(how, "rounds")) rounds();
    else if (!strcmp(how, "short")) chain(4, 0);
    else if (!strcmp(how, "long")) chain(kLong, 0);
    else if (!strcmp(how, "synchronous")) chain(4, 1);
    else if (!strcmp(how, "detached")) detached();
    else if (!strcmp(how, "persistent")) persistent();
    else if (!strcmp(how, "pending")) pending();
    else if (!strcmp(how, "none")) MPI_Barrier(WORLD);
    else if (!strcmp(how, "slow")) usleep(100000), all_receive("receive");
    else if (!strcmp(how, "prints")) {
        for (int i = 1; rank == 0 && i < size; ++i)
            printf("from %d\n", receive(MPI_ANY_SOURCE, 0) == 1 && i == size - 1);
        if (rank)
            send(0, 0);
    } else all_receive(how);
    MPI_Finalize();
    return 0;
}
'''

# Goes wrong in one order only: the last of the ranks sends first, and the first of them last.
WRONG = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, size, value, first = 0, last = 0;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; ++i) {
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        last = status.MPI_SOURCE;
        if (i == 1)
            first = last;
    }
    if (rank == 0 && first == size - 1 && last == 1) {
        fprintf(stderr, "this order\n");
        if (!strcmp(argv[1], "deadlock"))
            MPI_Recv(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &status);
        if (!strcmp(argv[1], "abort"))
            MPI_Abort(MPI_COMM_WORLD, 9);
        if (!strcmp(argv[1], "crash"))
            *(volatile int *)8 = 1;
        if (!strcmp(argv[1], "hang"))
            for (;;)
                sleep(1);
        if (!strcmp(argv[1], "code")) {
            MPI_Finalize();
            return 5;
        }
        if (!strcmp(argv[1], "output"))
            printf("another line\n");
    }
    MPI_Finalize();
    return 0;
}
'''

OTHERS = r'''
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static int rank, size, value;
static void *receive(void *unused) {
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    return unused;
}
int main(int argc, char **argv) {
    int provided, first = 0;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *how = argv[1];
    if (!strcmp(how, "window")) {
        MPI_Win window;
        MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
        MPI_Win_free(&window);
    }
    if (!strcmp(how, "threads") && rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, receive, NULL);
        pthread_join(thread, NULL);
        for (int i = 2; i < size; ++i)
            receive(NULL);
    } else if (!strcmp(how, "chance")) {
        /* In half of the runs, a probe is between the receives. */
        if (rank == 0) {
            FILE *file = fopen(argv[2], "a+");
            fputc('x', file);
            long runs = ftell(file);
            fclose(file);
            MPI_Status status;
            for (int i = 1; i < size; ++i) {
                if (i == 2 && runs % 2)
                    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
                receive(NULL);
            }
        }
    } else if (rank == 0) {
        for (int i = 1; i < size; ++i)
            receive(NULL);
    }
    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (!strcmp(how, "clock") && rank == 0)
        printf("%ld.%09ld\n", (long)now.tv_sec, now.tv_nsec);
    MPI_Finalize();
    return first;
}
'''

ONE_BY_ONE = ('receive', 'sendrecv', 'probe', 'iprobe', 'mprobe', 'improbe', 'waitall', 'waitany', 'waitsome', 'testall', 'tests',
              'wait backwards', 'persistent')


class EveryOrderTest(CommandTest):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.orders = cls.compile('orders', ORDERS, '-g')
        cls.wrong = cls.compile('wrong', WRONG, '-g')
        cls.others = cls.compile('others', OTHERS, '-g', '-pthread')

    def explore(self, ranks, *words, options=('--explore',), **how):
        return mpiexec(*options, '-n', ranks, *words, **how)

    def has_orders(self, count, ranks, *words):
        code, _, errors = self.explore(ranks, *words if words[0] == self.orders else (self.orders, *words))
        sentence = 'the only order ends well' if count == 1 else f'all {count} orders end well'
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, rf'^mpiexec: {sentence}, with the same output \(\d+\.\d s\)\n$')

    def test_n_senders_have_n_factorial_orders_whatever_takes_their_messages(self):
        for how in ONE_BY_ONE:
            with self.subTest(how):
                self.has_orders(6, 4, how)
        self.has_orders(24, 5, 'receive')
        self.has_orders(1, 2, 'receive')

    def test_independent_receivers_have_the_product_of_their_orders(self):
        self.has_orders(4, 4, 'two')

    def test_orders_that_depend_on_others_are_found(self):
        self.has_orders(3, 4, 'depend')
        self.has_orders(4, 3, 'rounds')
        self.has_orders(4, 3, 'pending')
        self.has_orders(2**5, 3, 'farm')
        self.has_orders(6, 4, 'split')

    def test_several_programs_and_checks_are_explored_like_one(self):
        self.has_orders(6, 2, self.orders, 'receive', ':', '-n', 2, self.orders, 'receive')
        code, _, errors = self.explore(4, self.orders, 'receive', options=('--explore', '--check'))
        self.assertEqual(code, 0, errors)
        self.assertIn('all 6 orders end well', errors)

    def test_a_send_that_waits_for_its_receive_comes_before_what_follows(self):
        self.has_orders(2, 3, 'short')
        self.has_orders(1, 3, 'long')
        self.has_orders(1, 3, 'synchronous')

    def test_the_summary_counts_orders_that_cannot_be_followed(self):
        code, _, errors = self.explore(3, self.orders, 'detached')
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, r'^mpiexec: the only order ends well, with the same output \(.* s\); 1 order could not be followed: '
                                 'all ranks wait before the message that is to come first')

    def test_a_job_without_wildcards_has_one_order(self):
        self.has_orders(1, 3, 'none')
        self.has_orders(1, 1, 'none')

    def goes_wrong(self, how, code, text, *options, ranks=4):
        """Explores and expects the planted mistake. Returns the directory of its record."""
        where = Path(self.scratch) / f'kept {how}'
        result = self.explore(ranks, self.wrong, how, options=('--explore', '--record', where, *options))
        self.fails(result, code, text, 'this order')
        self.assertRegex(result[2], r'^mpiexec: order [2-6]: .*; the (one|\d) before (it|it) ends? well; this is what the run prints:\n')
        self.assertIn('it ends so 3 times of 3', result[2])
        command = shlex.split(result[2].splitlines()[-1])
        self.assertEqual(command[:3], [str(BIN / 'mpiexec'), '--replay', str(where)])
        for _ in range(3):
            again = run(*command)
            self.assertEqual(again[0], 0 if how == 'output' else code, again[2])
            self.assertIn('this order', again[2])
        return where

    def test_the_order_that_goes_wrong_is_kept_and_repeated(self):
        self.goes_wrong('deadlock', 86, 'exit code 86 (deadlock)')
        self.goes_wrong('abort', 9, 'exit code 9')
        self.goes_wrong('crash', 139, 'exit code 139 (SIGSEGV)')
        self.goes_wrong('code', 5, 'exit code 5')
        self.goes_wrong('output', 1, 'prints another line, "another line"')
        self.goes_wrong('hang', 124, 'exit code 124 (time limit)', '--timeout', '2')

    def test_without_record_a_new_directory_is_made(self):
        directory = Path(self.scratch) / 'here'
        directory.mkdir()
        for number in 1, 2:
            self.explore(4, self.wrong, 'abort', cwd=directory)
            self.assertTrue((directory / f'explored-{number}' / 'job').exists())
        self.assertEqual(mpiexec('--replay', directory / 'explored-2', '-n', 4, '--processes', self.wrong, 'abort')[0], 9)

    def test_other_output_counts_only_if_it_is_compared(self):
        code, _, errors = self.explore(4, self.orders, 'prints', cwd=self.scratch)
        self.assertEqual(code, 1)
        self.assertRegex(errors, r'^mpiexec: order \d: prints another line, "from|^mpiexec: order \d: prints "from \d" instead of "from \d"')
        code, _, errors = self.explore(4, self.orders, 'prints', options=('--explore', '--fuzz-compare', 'exit'))
        self.assertEqual(code, 0, errors)
        self.assertRegex(errors, r'^mpiexec: all 6 orders end well \(')

    def test_limits_say_that_orders_remain(self):
        code, _, errors = self.explore(5, self.orders, 'receive', options=('--explore=10',))
        self.assertEqual(code, 3)
        self.assertRegex(errors, r'^mpiexec: 10 orders explored, all end well; more remain: --explore=100 explores more \(')
        self.assertEqual(self.explore(4, self.orders, 'receive', options=('--explore=6',))[0], 0)
        self.assertEqual(self.explore(4, self.orders, 'receive', options=('--explore=5',))[0], 3)
        code, _, errors = self.explore(6, self.orders, 'slow', options=('--explore', '--explore-time', '0.5'))
        self.assertEqual(code, 3)
        self.assertRegex(errors, r'^mpiexec: \d+ orders? explored, (all end|it ends) well; more remain: the time limit of 0.5 s is over')

    def test_what_cannot_be_followed_is_never_called_well(self):
        for how, text in (('window', 'one-sided'), ('threads', 'several threads of rank 0')):
            result = self.explore(4, self.others, how)
            self.fails(result, 2, text)
            self.assertNotIn('well', result[2])

    def test_a_job_that_does_something_else_with_the_same_messages_is_named(self):
        result = self.explore(4, self.others, 'chance', Path(self.scratch) / 'runs')
        self.assertEqual(result[0], 1, result[2])
        self.assertRegex(result[2], 'with the same messages the job does something else|the same messages do not come again')

    def test_output_with_times_is_refused_unless_only_exit_codes_count(self):
        self.fails(self.explore(3, self.others, 'clock'), 2, '--explore compares what ranks print', '--fuzz-compare exit')
        self.assertEqual(self.explore(3, self.others, 'clock', options=('--explore', '--fuzz-compare', 'exit'))[0], 0)

    def test_mistakes_are_reported_once(self):
        for words, code, text in (
                (('--explore=0', '-n', 2, self.orders), 2, '--explore 0: expected a whole number of at least 1'),
                (('--explore=x', '-n', 2, self.orders), 2, '--explore x: expected a whole number'),
                (('--explore-time', 0, '-n', 2, self.orders), 2, '--explore-time 0: expected a number of seconds'),
                (('--explore', '--fuzz', 5, '-n', 2, self.orders), 2, '--fuzz'),
                (('--explore', '--seed', 5, '-n', 2, self.orders), 2, '--seed'),
                (('--explore', '--replay', 'x', '-n', 2, self.orders), 2, '--replay'),
                (('--explore', '--threads=os', '-n', 2, self.orders), 2, '--threads'),
                (('--explore', '--processes', '-n', 2, self.orders), 2, '--processes'),
                (('--explore', '--hosts', 'a,b', '-n', 2, self.orders), 2, '--hosts'),
                (('--explore', '--output-dir', self.scratch / 'o', self.orders), 2, '--output-dir'),
                (('--explore', '--record', self.scratch, self.orders), 2, 'not empty'),
                (('--explore', '-n', 513, self.orders), 2, 'up to 512 ranks'),
                (('--explore', '-n', 2, 'bash', '-c', self.orders), 2, 'name the MPI program itself')):
            with self.subTest(text):
                result = mpiexec(*words)
                self.fails(result, code, text)
                self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_signals_end_the_search(self):
        for sent in signal.SIGINT, signal.SIGTERM:
            scratch = Path(self.scratch) / 'temporary'
            scratch.mkdir(exist_ok=True)
            job = start('--explore', '-n', 7, self.orders, 'slow', env=os.environ | {'TMPDIR': str(scratch)})
            time.sleep(1.5)
            job.send_signal(sent)
            _, errors = job.communicate(timeout=30)
            self.assertEqual(job.returncode, 128 + sent, errors)
            self.assertRegex(errors, r'^mpiexec: interrupted after \d+ orders?(, which ends well|, none of which goes wrong)?\n$')
            self.assertEqual(list(scratch.iterdir()), [])

    def test_a_terminal_shows_the_progress(self):
        text = self.shown_on_a_terminal(BIN / 'mpiexec', '--explore', '-n', '4', self.orders, 'slow')
        self.assertRegex(text, rb'mpiexec: \d orders?, all well; \d+ a second')
        self.assertRegex(text, rb'\r\x1b\[Kmpiexec: all 6 orders end well, with the same output \(.* s\)\r\n$')


if __name__ == '__main__':
    unittest.main()
