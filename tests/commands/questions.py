#!/usr/bin/env python3
"""SIGUSR1 asks a job what its ranks are doing: they say it and go on. In a job of several processes each says it, also when the user ends the job."""
import signal
import time
import unittest

from commands import CommandTest, mpiexec, start

WAITS = r'''
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
#include <signal.h>
static void answer(int signal) { (void)signal; }
int main(int argc, char **argv) {
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && rank == 0)
        signal(SIGUSR1, answer);
    if (rank == 0) {
        printf("ready\n");
        fflush(stdout);
        for (int i = 0; i < 30; ++i)
            usleep(100000);
    }
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    if (rank == 0)
        printf("done\n");
    return 0;
}
'''


class Questions(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('waits', WAITS, '-g')

    def ask(self, *options, signal_sent=signal.SIGUSR1, arguments=()):
        """Starts a job, sends a signal when its ranks wait. Returns exit code, what was printed and the errors."""
        job = start(*options, self.program, *arguments)
        first = job.stdout.readline()
        time.sleep(0.5)
        job.send_signal(signal_sent)
        output, errors = job.communicate(timeout=60)
        return job.returncode, first + output, errors

    def check_lines(self, errors):
        """Checks what a job of several processes says of its ranks when it is ended at a moment of somebody else."""
        self.assertIn('2 ranks in MPI_Bcast, 1 outside MPI', errors)
        for rank in (1, 2):  # one that has only just come does not wait yet
            self.assertRegex(errors, rf'thrum:   rank {rank}: MPI_Bcast( on MPI_COMM_WORLD)?, at .* in main\n')

    def test_ranks_answer_and_go_on(self):
        for threads in ('fiber', 'os'):
            code, output, errors = self.ask('-n', '3', '--threads', threads)
            self.assertEqual((code, output), (0, 'ready\ndone\n'), errors)
            self.assertRegex(errors, r'thrum: status: 2 ranks in MPI_Bcast, 1 (asleep|computing|ready to run|in a system call)')
            self.assertRegex(errors, r'thrum:   rank 0: outside MPI')
            self.assertRegex(errors, r'thrum:   ranks 1,2: MPI_Bcast on MPI_COMM_WORLD, at .*; missing: rank 0')

    def test_a_handler_of_the_program_runs_instead(self):
        code, output, errors = self.ask('-n', '1', arguments=['handler'])
        self.assertEqual((code, output, errors), (0, 'ready\ndone\n', ''))

    def test_a_signal_to_itself_does_what_it_does_elsewhere(self):
        program = self.compile('raises', '#include <signal.h>\n#include <mpi.h>\n'
                               'int main(int c, char **v) { MPI_Init(&c, &v); raise(SIGUSR1); MPI_Finalize(); }')
        for options in (('-n', '1'), ('-n', '2')):
            code, _, errors = mpiexec(*options, program)
            self.assertEqual(code, 128 + signal.SIGUSR1, errors)

    def test_each_of_several_processes_answers(self):
        code, output, errors = self.ask('-n', '3', '--processes')
        self.assertEqual((code, output), (0, 'ready\ndone\n'), errors)
        for rank in (1, 2):
            self.assertRegex(errors, rf'thrum:   rank {rank}: MPI_Bcast on MPI_COMM_WORLD, at .* in main\n')
        self.assertIn('thrum:   rank 0: outside MPI\n', errors)

    def test_several_processes_say_at_their_end_where_they_were(self):
        for sent in (signal.SIGTERM, signal.SIGINT):
            for options in ((), ('--hosts', 'a,b', '--launcher', 'fork')):
                code, _, errors = self.ask('-n', '3', '--processes', *options, signal_sent=sent)
                self.assertEqual(code, 128 + sent, errors)
                self.check_lines(errors)

    def test_the_time_limit_prints_the_lines_too(self):
        code, _, errors = mpiexec('-n', '3', '--processes', '--timeout', '1', self.program)
        self.assertEqual(code, 124, errors)
        self.assertIn('time limit of 1 s reached; ending the job: ', errors)
        self.check_lines(errors)

    def test_nobody_speaks_when_one_process_fails(self):
        program = self.compile('fails', '#include <stdlib.h>\n#include <mpi.h>\n'
                               'int main(int c, char **v) { int r; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);'
                               ' if (r == 0) abort(); MPI_Barrier(MPI_COMM_WORLD); }')
        code, _, errors = mpiexec('-n', '3', '--processes', program)
        self.assertEqual(code, 128 + signal.SIGABRT, errors)
        self.assertNotIn('MPI_Barrier on', errors)


if __name__ == '__main__':
    unittest.main()
