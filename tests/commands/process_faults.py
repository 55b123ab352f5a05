"""Jobs of several processes in which something goes wrong: who is named, how soon, how often, and that nothing is left."""
import os
import re
import signal
import socket
import tempfile
import time
import unittest
from pathlib import Path

from commands import BIN, HelloTest, body, lives, mpiexec, run, start

SCALE = int(os.environ.get('THRUM_TEST_TIME_SCALE', '1'))
TESTS = Path(__file__).parent.parent
DETECTED_S = 5 * SCALE  # however busy the machine is
WAITER = '''int v; if (rank == 0) { puts("up"); fflush(stdout); sleep(60); }
    MPI_Recv(&v, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE)'''
# All parents have error handlers that return, their children have not. The argument says what happens: `host` and `parent`,
# that rank 2 ends its host, or itself; `late`, its host, which mpiexec learns after the others; `child`, that a child ends
# itself; `waiting`, that one ends another, which waits. But for `host` and `late`, children are there before.
PARENTS = r'''
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static MPI_Comm spawn(char **argv, int count, MPI_Comm comm) {
    MPI_Comm children = MPI_COMM_NULL;
    MPI_Comm_spawn(argv[0], argv + 1, count, MPI_INFO_NULL, 0, comm, &children, MPI_ERRCODES_IGNORE);
    return children;
}
static pid_t parent_of(pid_t pid) {
    char path[32];
    int parent = 0;
    sprintf(path, "/proc/%d/stat", pid);
    FILE *file = fopen(path, "r");
    if (fscanf(file, "%*d %*s %*c %d", &parent) != 1) abort();
    fclose(file);
    return parent;
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, one = 1, sum = 0;
    MPI_Comm parent, children;
    const char *what = argv[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, parent);
        if (strcmp(what, "child") == 0 && rank == 1) raise(SIGKILL);
        int pid = getpid(), pids[3];
        MPI_Allgather(&pid, 1, MPI_INT, pids, 1, MPI_INT, MPI_COMM_WORLD);
        if (strcmp(what, "waiting") == 0 && rank == 1) MPI_Recv(&one, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (strcmp(what, "waiting") == 0 && rank == 0) usleep(300000), kill(pids[1], SIGKILL);
        if (strcmp(what, "host") && strcmp(what, "late")) sleep(60);
        MPI_Comm_disconnect(&parent);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (strcmp(what, "host") && strcmp(what, "late")) {
        children = spawn(argv, 3, MPI_COMM_WORLD);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, children);
        if (strcmp(what, "parent") == 0 && rank == 2) raise(SIGKILL);
        sleep(60);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2 && strcmp(what, "late") == 0) kill(parent_of(getppid()), SIGSTOP);
    if (rank == 2) kill(getppid(), SIGKILL), pause();
    if (MPI_Recv(&one, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS) return 1;
    if (rank == 1 && strcmp(what, "late") == 0) sleep(1), kill(parent_of(getppid()), SIGCONT);
    if (rank == 0) {
        children = spawn(argv, 3, MPI_COMM_SELF);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, children);
        printf("children: %d\n", sum);
        MPI_Comm_disconnect(&children);
    }
    MPI_Finalize();
    return 0;
}
'''


def without_calls(errors):
    """Returns the lines but those that say what ranks are doing (commands/questions)."""
    return ''.join(line for line in errors.splitlines(keepends=True) if not line.startswith('thrum:   '))


class Deaths(HelloTest):
    """A process that dies is named once, with its rank, its node and the MPI call that it was in."""

    def dies(self, program, code, *patterns, how=('--processes',), ranks=4, env=None, others=None):
        """With `others`, the library reports the death, and mpiexec adds in a last line what the others do."""
        begin = time.monotonic()
        result = mpiexec(*how, '-n', ranks, program, env=env)
        self.assertLess(time.monotonic() - begin, DETECTED_S + 5)
        self.fails(result, code)
        lines = [line for line in result[2].splitlines() if 'rank' in line]
        self.assertEqual(len(lines), 2 if others else 1, result[2])
        if others:
            self.assertRegex(lines[1], f'^mpiexec: .*; the others: {others}$')
        for pattern in patterns:
            self.assertRegex(lines[0], pattern)

    def test_its_host_and_that_it_was_in_no_call_are_told(self):
        host = re.escape(socket.gethostname())
        ends = {'raise(SIGKILL)': (137, 'SIGKILL.*; not inside an MPI call'),
                '_exit(3)': (3, 'exit code 3 without calling MPI_Finalize; not inside an MPI call')}
        for end, (code, text) in ends.items():
            program = self.compile('dies', body(f'MPI_Barrier(MPI_COMM_WORLD); if (rank == 2) {end}; MPI_Barrier(MPI_COMM_WORLD)'))
            self.dies(program, code, rf'rank 2 \({re.escape(str(program))} on {host}\)', text)

    def test_the_call_that_it_waited_in_is_told(self):
        program = self.compile('waits', body(WAITER))
        begin = time.monotonic()
        process = start('--processes', '-n', 3, program)
        while process.stdout.readline() != 'up\n':
            pass
        children = [int(pid) for pid in Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()]
        pids = {int(re.search(rb'PMIX_RANK=(\d+)', Path(f'/proc/{pid}/environ').read_bytes())[1]): pid for pid in children
                if b'PMIX_RANK' in Path(f'/proc/{pid}/environ').read_bytes()}
        time.sleep(0.5)
        begin = time.monotonic()
        os.kill(pids[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, DETECTED_S)
        self.assertEqual(process.returncode, 137)
        self.assertRegex(errors, 'rank 1 .*SIGKILL.*; MPI call: MPI_Recv')
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertFalse(any(lives(pid) for pid in pids.values()))

    def test_all_ranks_of_the_process_are_named(self):
        program = self.compile('dies', body('MPI_Barrier(MPI_COMM_WORLD); if (rank == 2) raise(SIGKILL); sleep(30)'))
        self.dies(program, 137, r'the process of ranks 2-3 .*MPI calls: rank 2: none; rank 3: (MPI_Barrier|none)',
                  how=('--ranks-per-process', 2))

    def test_a_warning_is_no_reason(self):
        """What the library has warned of before does not hide the death."""
        program = self.compile('warned', body('''int b[2] = {rank, rank}, other = (rank + 1) % size;
            MPI_Sendrecv(b, 1, MPI_INT, other, 1, b, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (rank == 1) raise(SIGKILL);
            MPI_Barrier(MPI_COMM_WORLD)'''))
        code, _, errors = mpiexec('--processes', '-n', 2, program)
        self.assertEqual(code, 137, errors)
        self.assertRegex(errors, 'thrum: warning: rank 1: MPI_Sendrecv')
        self.assertRegex(errors, 'mpiexec: rank 1 .*SIGKILL')

    def test_a_crash_is_reported_once(self):
        program = self.compile('crash', body('MPI_Barrier(MPI_COMM_WORLD); if (rank == 1) *(volatile int *)0 = 1; MPI_Barrier(MPI_COMM_WORLD)'))
        self.dies(program, 139, 'rank 1: segmentation fault at address 0x0', others='.*in MPI_Barrier')

    def test_survivors_without_error_handlers_end_with_it(self):
        program = self.compile('fatal', body('if (rank == 1) raise(SIGKILL); MPI_Barrier(MPI_COMM_WORLD)'))
        for _ in range(5):
            self.dies(program, 137, 'rank 1 .*SIGKILL')


class SeveralHosts(HelloTest):
    """As on several hosts: each has an agent, and libfabric's tcp is between them."""

    HOSTS = ('--launcher', 'fork', '--processes', '--hosts')

    def survive(self, hosts, *arguments, name='survivors_go_on_without_a_lost_process', code=137,
                reason='rank 2 .*SIGKILL.*; not inside an MPI call'):
        program = self.scratch / name
        self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', TESTS / 'mpi' / 'processes' / f'{name}.c', '-o', program))
        result = mpiexec(*self.HOSTS, hosts, program, *arguments)
        self.assertEqual(result[0], code, result[2])
        self.assertEqual(result[1], 'survivors: 3\n', result[2])
        self.assertRegex(result[2], reason)
        self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_survivors_go_on(self):
        self.survive('a:2,b:2')
        self.survive('a,b,c,d')
        self.survive('a,b:3')

    def test_survivors_go_on_without_a_host(self):
        self.survive('a:2,b,c', 'agent', code=1, reason='host b is lost: its agent has exited; with it rank 2$')

    def test_partitions_go_on(self):
        name = 'partitions_go_on_without_a_lost_process'
        for hosts in ('a:2,b:2', 'a,b,c,d'):
            self.survive(hosts, name=name, reason='rank 2 .*SIGKILL')
        self.survive('a:2,b,c', 'agent', name=name, code=1, reason='host b is lost: its agent has exited; with it rank 2$')

    def test_files_go_on(self):
        for hosts in ('a:2,b:2', 'a,b,c,d'):
            self.survive(hosts, name='files_go_on_without_a_lost_process', reason='rank 0 .*SIGKILL')

    def test_programs_without_errors_end_at_once(self):
        for name, where in (('supersteps_end_with_a_lost_process', '2 ranks in bsp_sync, 1 outside MPI'),
                            ('acl_programs_end_with_a_lost_process', '1 rank in acl_async_receive_block, 1 in acl_receive, 1 in acl_send')):
            program = self.scratch / name
            self.succeeds(run(BIN / 'mpicc', TESTS / 'mpi' / 'processes' / f'{name}.c', '-o', program))
            for hosts in ('a:2,b:2', 'a,b,c,d'):
                begin = time.monotonic()
                code, output, errors = mpiexec(*self.HOSTS, hosts, program)
                self.assertLess(time.monotonic() - begin, DETECTED_S + 5)
                self.assertEqual((code, output), (137, ''), errors)
                self.assertRegex(errors, rf'rank 2 .* on [bc]\) was ended by signal 9 .*; the other processes cannot continue without it: {where}')
                self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_survivors_spawn_on_the_hosts_that_are_left(self):
        program = self.compile('parents', PARENTS)
        # With c:4 that is where mpiexec wants the children to run, as long as it does not know.
        for hosts, what in (('a:2,b:3,c', 'host'), ('a:2,b:3,c', 'late'), ('a:2,b,c:4', 'late')):
            code, output, errors = mpiexec(*self.HOSTS, hosts, '-n', 4, '--map-by', 'node', program, what)
            self.assertEqual((code, output), (1, 'children: 3\n'), errors)
            self.assertEqual(errors, 'mpiexec: host c is lost: its agent has exited; with it rank 2\n')

    def test_all_end_with_spawned_processes_that_handle_no_errors(self):
        program = self.compile('parents', PARENTS)
        for hosts in (self.HOSTS + ('a,b,c',), ('--processes', '-n', 3)):
            where = '[abc]' if '--hosts' in hosts else re.escape(socket.gethostname())
            child = rf'rank 1 of the ranks started by MPI_Comm_spawn \(.*\) on {where}'
            for what, who, call in (('parent', rf'rank 2 \(.* on {where}\)', '; not inside an MPI call'), ('child', child, '; not inside an MPI call'), ('waiting', child, '; MPI call: MPI_Recv')):
                begin = time.monotonic()
                code, _, errors = mpiexec(*hosts, program, what)
                self.assertLess(time.monotonic() - begin, DETECTED_S + 5)
                self.assertEqual(code, 137, errors)
                self.assertRegex(errors, rf'^mpiexec: {who} was ended by signal 9 \(SIGKILL: Killed\){call}')
                self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_survivors_go_on_without_a_spawned_process(self):
        program = self.scratch / 'spawned'
        source = TESTS / 'mpi' / 'processes' / 'survivors_go_on_without_a_spawned_process.c'
        self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', source, '-o', program))
        child, killed = 'rank 1 of the ranks started by MPI_Comm_spawn', r' was ended by signal 9 .*; not inside an MPI call'
        for hosts, what, code, reason in (('a:3,b:2', 'child', 137, rf'{child} .* on b{killed}'), ('a,b,c', 'child', 137, rf'{child} .* on [abc]{killed}'),
                                          ('a,b,c', 'parent', 137, rf'rank 1 .* on b\){killed}'), ('', 'parent', 137, rf'rank 1 \(.*\){killed}'),
                                          ('a:2,b,c,d', 'agent', 1, f'host c is lost: its agent has exited; with it {child}')):
            how = self.HOSTS + (hosts, '--spawn') if hosts else ('--processes',)
            result = mpiexec(*how, '-n', 2, program, what)
            self.assertEqual(result[:2], (code, 'survivors: 4\n'), result[2])
            self.assertRegex(result[2], f'^mpiexec: {reason}')
            self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_all_end_without_error_handlers(self):
        program = self.compile('fatal', body('if (rank == 1) raise(SIGKILL); MPI_Barrier(MPI_COMM_WORLD)'))
        for hosts in ('a,b,c', 'a:2,b'):
            code, _, errors = mpiexec(*self.HOSTS, hosts, program)
            self.assertEqual(code, 137, errors)
            self.assertRegex(errors, r'rank 1 .* was ended by signal 9 \(SIGKILL: Killed\); not inside an MPI call')
            self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_interrupts_are_answered_in_one_summary(self):
        program = self.compile('waits', body('if (rank == 0) { puts("up"); fflush(stdout); sleep(60); } MPI_Barrier(MPI_COMM_WORLD)'))
        process = start(*self.HOSTS, 'a:2,b', program)
        while process.stdout.readline() != 'up\n':
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(without_calls(errors), 'mpiexec: interrupted: 2 ranks in MPI_Barrier, 1 outside MPI\n')


class Summaries(HelloTest):
    """A user who kills or stops the job gets one summary; few processes add what each of their ranks does."""

    def waiting(self, *how, ranks=4):
        program = self.compile('waits', body('if (rank == 0) { puts("up"); fflush(stdout); sleep(60); } MPI_Barrier(MPI_COMM_WORLD)'))
        process = start(*how, '-n', ranks, program)
        while process.stdout.readline() != 'up\n':
            pass
        time.sleep(0.5)
        return process

    def test_interrupts(self):
        for number, word in ((signal.SIGINT, 'interrupted'), (signal.SIGTERM, 'terminated')):
            for how in (('--processes',), ('--ranks-per-process', 2)):
                process = self.waiting(*how)
                process.send_signal(number)
                _, errors = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 128 + number)
                self.assertEqual(without_calls(errors), f'mpiexec: {word}: 3 ranks in MPI_Barrier, 1 outside MPI\n')

    def test_only_the_summary_for_many_processes(self):
        process = self.waiting('--processes', ranks=17)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual(errors, 'mpiexec: interrupted: 16 ranks in MPI_Barrier, 1 outside MPI\n')

    def test_time_limit(self):
        program = self.compile('late', body('if (rank) MPI_Barrier(MPI_COMM_WORLD); sleep(60)'))
        result = mpiexec('--processes', '-n', 3, '--timeout', 4 * SCALE, program)
        self.fails(result, 124)
        self.assertEqual(without_calls(result[2]),
                         f'mpiexec: time limit of {4 * SCALE} s reached; ending the job: 2 ranks in MPI_Barrier, 1 outside MPI\n')

    def test_time_limits_while_processes_start(self):
        # libpmix's own thread is busy with all of them, in whatever state each is.
        for attempt in range(10):
            result = mpiexec('--processes', '-n', 20, '--timeout', 0.05 + 0.1 * attempt, self.hello)
            self.assertIn(result[0], (0, 124), result[2])


class NothingIsLeft(HelloTest):
    TALK = '''enum { N = 1 << 18 }; char *b = calloc(2, N); int next = (rank + 1) % size, last = (rank + size - 1) % size;
        for (int i = 0;; ++i) { if (i == 20 && rank == 0) { puts("up"); fflush(stdout); }
          MPI_Sendrecv(b, i % 2 ? N : 8, MPI_CHAR, next, 1, b + N, N, MPI_CHAR, last, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }'''

    def with_mark(self, mark):
        """All processes that have come from the job, by what their command lines and environments say."""
        found = {}
        for entry in Path('/proc').iterdir():
            try:
                if entry.name.isdigit() and mark in (environment := (entry / 'environ').read_bytes()) and lives(int(entry.name)):
                    found[int(entry.name)] = b'PMIX_RANK=' in environment
            except (OSError, ProcessLookupError):
                pass
        return found

    def kill_one(self, whom, how, environment):
        """A job that talks, of which one is killed by signal 9: mpiexec, an agent, or a process of ranks."""
        program = self.compile('talk', body(self.TALK))
        directory = Path(tempfile.mkdtemp(dir=self.scratch))
        shared = set(os.listdir('/dev/shm'))
        mark = f'THRUM_TEST_MARK={directory.name}'
        process = start('--processes', *how, program, cwd=directory,
                        env=os.environ | environment | {'TMPDIR': str(directory), 'THRUM_TEST_MARK': directory.name})
        while process.stdout.readline() != 'up\n':
            pass
        all_of_job = self.with_mark(mark.encode())
        agents = [int(pid) for pid in Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()]
        ranks = [pid for pid, is_rank in all_of_job.items() if is_rank]
        os.kill({'mpiexec': process.pid, 'agent': agents[-1], 'ranks': ranks[-1]}[whom], signal.SIGKILL)
        begin = time.monotonic()
        process.communicate(timeout=60)
        while (left := self.with_mark(mark.encode())) or list(directory.iterdir()):
            self.assertLess(time.monotonic() - begin, DETECTED_S, f'{whom} {how} {environment}: {left} {list(directory.iterdir())}')
            time.sleep(0.05)
        self.assertEqual(set(os.listdir('/dev/shm')) - shared, set())

    def test_whoever_is_killed(self):
        for how, environment in ((('-n', 3), {}), (('-n', 3), {'THRUM_FABRIC': 'tcp'}), (('--launcher', 'fork', '--hosts', 'a:2,b'), {})):
            for whom in ('mpiexec', 'ranks') + (('agent',) if '--hosts' in how else ()):
                with self.subTest(whom=whom, how=how, environment=environment):
                    self.kill_one(whom, how, environment)

    def test_of_a_process_that_is_killed_while_all_talk(self):
        talk = '''char *b = calloc(2, 1 << 20); int next = (rank + 1) % size, last = (rank + size - 1) % size;
            for (int i = 0;; ++i) { if (i == 20 && rank == 1) raise(SIGKILL);
              MPI_Sendrecv(b, 1 << 20, MPI_CHAR, next, 1, b + (1 << 20), 1 << 20, MPI_CHAR, last, 1, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE); }'''
        program = self.compile('talk', body(talk))
        directory = self.scratch / 'here'
        directory.mkdir(exist_ok=True)
        shared = set(os.listdir('/dev/shm'))
        for fabric in ('shm', 'tcp'):
            environment = os.environ | {'TMPDIR': str(directory), 'THRUM_FABRIC': fabric}
            code, _, errors = mpiexec('--processes', '-n', 3, program, env=environment, cwd=directory)
            self.assertEqual(code, 137, errors)
            self.assertRegex(errors, 'rank 1 .*SIGKILL')
        self.assertEqual(list(directory.iterdir()), [])
        self.assertEqual(set(os.listdir('/dev/shm')) - shared, set())

    def test_of_a_crash_over_libfabric(self):
        # Libraries below some of its providers write *.btr files where the program was started.
        program = self.compile('crash', body('MPI_Barrier(MPI_COMM_WORLD); if (rank == 1) abort(); MPI_Barrier(MPI_COMM_WORLD)'))
        directory = self.scratch / 'crash_here'
        directory.mkdir(exist_ok=True)
        code, _, errors = mpiexec('--processes', '-n', 2, program, env=os.environ | {'THRUM_FABRIC': 'tcp'}, cwd=directory)
        self.assertEqual(code, 134, errors)
        self.assertIn('rank 1: abort() was called', errors)
        self.assertEqual(list(directory.iterdir()), [])

    def test_of_senders_to_a_process_that_is_gone(self):
        # They have more to send than the network takes, and end all the same.
        flood = '''char *b = calloc(1 << 16, 1); MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
            if (rank == 1) { usleep(500000); raise(SIGKILL); }
            long sent = 0; while (sent < 10000000 && MPI_Send(b, 1000, MPI_CHAR, 1, 1, MPI_COMM_WORLD) == MPI_SUCCESS) ++sent;
            printf("stopped %d\\n", sent < 10000000)'''
        program = self.compile('flood', body(flood))
        ways = (('-n', 2), {'THRUM_FABRIC': 'shm'}), (('-n', 2), {'THRUM_FABRIC': 'tcp'}), (('--launcher', 'fork', '--hosts', 'a,b'), {})
        for how, environment in ways:
            code, output, errors = mpiexec('--processes', *how, program, env=os.environ | environment)
            self.assertEqual(code, 137, errors)
            self.assertIn('stopped 1', output, errors)


class BadInput(HelloTest):
    def one_line(self, result, code, *texts):
        self.fails(result, code, *texts)
        self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_no_pmix_library(self):
        directory = self.scratch / 'broken'
        directory.mkdir(exist_ok=True)
        (directory / 'libpmix.so.2').write_text('not a library')
        broken = os.environ | {'LD_LIBRARY_PATH': str(directory)}
        self.one_line(mpiexec('--processes', '-n', 2, self.hello, env=broken), 2, 'libpmix', 'apt-get install libpmix2')
        self.one_line(run(self.hello, env=broken | {'PMIX_NAMESPACE': 'job', 'PMIX_RANK': '0'}), 2, 'libpmix', 'apt-get install libpmix2')

    def test_libfabric_may_use_no_provider(self):
        environment = os.environ | {'THRUM_FABRIC': 'tcp', 'FI_PROVIDER': 'verbs'}
        self.one_line(mpiexec('--processes', '-n', 2, self.hello, env=environment), 1, 'no provider tcp', 'FI_PROVIDER=verbs tells')

    def test_too_little_shared_memory(self):
        code, _, errors = run('bash', '-c', f'ulimit -f 64; exec "{BIN}/mpiexec" --processes -n 2 "{self.hello}"')
        self.assertNotEqual(code, 0)
        self.assertRegex(errors, 'shared memory for messages between processes.*ulimit -f.*THRUM_FABRIC=tcp')
        self.assertEqual(len(errors.splitlines()), 1, errors)

    def test_a_system_that_forbids_to_read_other_processes(self):
        # As where ptrace is forbidden: process_vm_readv fails with EPERM. Large messages take two copies, silently.
        guard = self.write('guard.c', r'''
            #include <errno.h>
            #include <linux/filter.h>
            #include <linux/seccomp.h>
            #include <stddef.h>
            #include <sys/prctl.h>
            #include <sys/syscall.h>
            #include <unistd.h>
            int main(int argc, char **argv) {
                struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 0, 1),
                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
                struct sock_fprog program = {4, code};
                if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 99;
                execv(argv[1], argv + 1);
                return 98;
            }''')
        self.assertEqual(run('gcc', guard, '-o', self.scratch / 'guard')[0], 0)
        program = self.compile('large', body('''enum { N = 3 << 20 }; char *b = malloc(N); for (int i = 0; i < N; ++i) b[i] = rank + i % 7;
            char *g = malloc(N); int peer = 1 - rank;
            MPI_Sendrecv(b, N, MPI_CHAR, peer, 1, g, N, MPI_CHAR, peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int i = 0; i < N; ++i) if (g[i] != peer + i % 7) MPI_Abort(MPI_COMM_WORLD, 3);'''))
        result = run(self.scratch / 'guard', BIN / 'mpiexec', '--processes', '-n', 2, program)
        if result[0] == 99:
            self.skipTest('no seccomp filters here')
        self.lines(result)


if __name__ == '__main__':
    unittest.main()
