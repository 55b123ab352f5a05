"""Jobs on several hosts: --hosts, --hostfile, agents. Here all hosts are this machine (--launcher fork, or a command that
ignores the host's name), with libfabric's tcp between them; make test-cluster has hosts of their own."""
import os
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from commands import BIN, HELLO, TREE, SLEEPER, HelloTest, body, lives, mpiexec, names, run, start
from spawned_processes import FAMILY, family_lines, pids

HOST = socket.gethostname()
FORK = ('--launcher', 'fork', '--hosts')
TESTS = Path(__file__).parent.parent
MPI_ERR_SPAWN = 53
# Machines that run tests may be slow; tests of silence have their own.
os.environ['THRUM_HOST_TIMEOUT'] = '20'


class Plan(HelloTest):
    """Which ranks run where: --report-bindings says it."""

    def places(self, *how):
        code, _, errors = mpiexec('--launcher', 'fork', '--threads=fiber', '--report-bindings', *how, 'true')
        self.assertEqual(code, 0, errors)
        return sorted(re.match(r'(\S+): (ranks? [\d-]+):', line).groups() for line in errors.splitlines())

    def test_a_process_on_each_host_has_its_ranks(self):
        self.assertEqual(self.places('--hosts', 'a:4,b:8'), [('a', 'ranks 0-3'), ('b', 'ranks 4-11')])
        self.assertEqual(self.places('--hosts', 'a:4,b:8', '-n', 5), [('a', 'ranks 0-3'), ('b', 'rank 4')])

    def test_hosts_are_filled_one_after_the_other_or_in_turn(self):
        self.assertEqual(self.places('--hosts', 'a:2,b:2,c', '-n', 4, '--processes'),
                         [('a', 'rank 0'), ('a', 'rank 1'), ('b', 'rank 2'), ('b', 'rank 3')])
        self.assertEqual(self.places('--hosts', 'a:2,b:2,c', '--map-by', 'slot', '-n', 3), [('a', 'ranks 0-1'), ('b', 'rank 2')])
        self.assertEqual(self.places('--hosts', 'a:3,b:2,c', '--map-by', 'node'),
                         [('a', 'rank 0'), ('a', 'rank 3'), ('a', 'rank 5'), ('b', 'rank 1'), ('b', 'rank 4'), ('c', 'rank 2')])

    def test_processes_of_several_ranks_end_with_their_host(self):
        self.assertEqual(self.places('--hosts', 'a:3,b:4', '--ranks-per-process', 2),
                         [('a', 'rank 2'), ('a', 'ranks 0-1'), ('b', 'ranks 3-4'), ('b', 'ranks 5-6')])

    def test_every_host_may_take_as_many(self):
        self.assertEqual(self.places('--hosts', 'a,b,c', '--ppn', 2), [('a', 'ranks 0-1'), ('b', 'ranks 2-3'), ('c', 'ranks 4-5')])

    def test_host_files_of_all_kinds(self):
        file = self.write('hostfile', '# ours\na slots=2   # big\n\nb:1\nc\na slots=1\n')
        expected = [('a', 'ranks 0-2'), ('b', 'rank 3'), ('c', 'rank 4')]
        for option in ('--hostfile', '-hostfile', '--machinefile', '-f'):
            self.assertEqual(self.places(option, file), expected)

    def test_a_rank_file_names_hosts(self):
        file = self.write('ranks', 'rank 1=a slot=0\nrank 0=b slot=0\nrank 2=b slot=0\n')
        self.assertEqual(self.places('--hosts', 'a:2,b:2', '-n', 3, '--rankfile', file), [('a', 'rank 1'), ('b', 'rank 0'), ('b', 'rank 2')])

    def test_this_machine_alone_needs_nobody(self):
        for host in ('localhost', HOST, '127.0.0.1'):
            for option in ('--hosts', '--host', '-host', '-H'):
                self.assertEqual(self.lines(mpiexec(option, f'{host}:3', self.hello, env=os.environ | {'PATH': '/nonexistent'})), names(3))


class Runs(HelloTest):
    def test_ranks_of_all_hosts_are_one_job(self):
        self.assertEqual(self.lines(mpiexec(*FORK, 'a:2,b:2,c', self.hello)), names(5))
        self.assertEqual(self.lines(mpiexec(*FORK, 'a:2,b:2', '--processes', self.hello)), names(4))
        self.assertEqual(self.lines(mpiexec(*FORK, 'a', self.hello)), names(1))

    def test_the_environment_can_say_how_hosts_are_reached(self):
        self.assertEqual(self.lines(mpiexec('--hosts', 'a,b', self.hello, env=os.environ | {'THRUM_LAUNCHER': 'fork'})), names(2))
        command = self.write('reach', '#!/bin/sh\necho noise of a shell\necho "$1" "$2" >>"$0.hosts"\nexec sh -c "$3"\n', 0o755)
        self.assertEqual(self.lines(mpiexec('--launcher-exec', f'{command} -q', '--hosts', 'a,b', self.hello)), names(2))
        self.assertEqual(sorted(Path(f'{command}.hosts').read_text().splitlines()), ['-q a', '-q b'])

    def test_the_network_joins_the_hosts(self):
        program = self.compile('between', body('''int got = -1, sum; static char big[1 << 20], other[1 << 20];
            MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (size_t i = 0; i < sizeof big; ++i) big[i] = (char)(i * 7 + rank);
            MPI_Sendrecv(big, sizeof big, MPI_CHAR, (rank + 1) % size, 1, other, sizeof other, MPI_CHAR, got, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (size_t i = 0; i < sizeof big; ++i) if (other[i] != (char)(i * 7 + got)) MPI_Abort(MPI_COMM_WORLD, 3);
            MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
            if (got != (rank + size - 1) % size || sum != size * (size - 1) / 2) MPI_Abort(MPI_COMM_WORLD, 4)'''))
        for how in ((), ('--processes',), ('--map-by', 'node')):
            self.assertEqual(self.lines(mpiexec(*FORK, 'a:2,b:2,c:1', *how, program)), names(5))

    def test_tree_operations_cross_the_network_once_for_each_other_node(self):
        program = self.scratch / 'edges'
        source = TESTS / 'mpi' / 'processes' / 'a_tree_operation_crosses_the_network_once_for_each_other_node.c'
        self.succeeds(run(BIN / 'mpicc', '-I', TESTS / 'harness', source, '-o', program))
        for hosts, how in (('a:2,b:3,c:2', ('--processes',)), ('a:2,b:3,c:2', ()), ('a:3,b:2,c:2,d:2', ('--map-by', 'node')), ('a:5', ('--processes',))):
            self.succeeds(mpiexec(*FORK, hosts, *how, program, hosts.count(',') + 1))

    def test_what_one_process_publishes_others_may_fetch_without_a_fence(self):
        """By PMIx itself: our library publishes before fences only."""
        source = self.write('direct.c', r'''
            #include <pmix.h>
            #include <stdio.h>
            #include <string.h>
            int main(void) {
                pmix_proc_t me, other;
                pmix_value_t mine, *found = NULL;
                if (PMIx_Init(&me, NULL, 0)) return 1;
                char text[100];
                snprintf(text, sizeof text, "from %u", me.rank);
                PMIX_VALUE_LOAD(&mine, text, PMIX_STRING);
                if (PMIx_Put(PMIX_GLOBAL, "word", &mine) || PMIx_Commit()) return 2;
                other = me;
                other.rank = (me.rank + 1) % 3;
                if (PMIx_Get(&other, "word", NULL, 0, &found)) return 3;
                printf("%u: %s\n", me.rank, found->data.string);
                return PMIx_Fence(NULL, 0, NULL, 0) || PMIx_Finalize(NULL, 0) ? 4 : 0;
            }''')
        program = self.scratch / 'direct'
        flags = run('pkg-config', '--cflags', '--libs', 'pmix')[1].split()
        self.succeeds(run('gcc', source, '-o', program, *flags))
        self.assertEqual(self.lines(mpiexec(*FORK, 'a,b:2', '--processes', program)), ['0: from 1', '1: from 2', '2: from 0'])

    def test_programs_follow_one_another(self):
        text = HELLO.replace('printf("\\n")', '''int *app, flag; MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_APPNUM, &app, &flag); printf(" app %d\\n", *app)''')
        program = self.compile('numbers', text)
        lines = self.lines(mpiexec(*FORK, 'a:2,b:3', '-n', 1, program, 'x', ':', '-n', 3, program, 'y'))
        self.assertEqual(lines, [f'rank {rank} of 4: [{"xy"[rank > 0]}] app {int(rank > 0)}' for rank in range(4)])

    def test_the_clock_of_a_host_is_its_own(self):
        text = HELLO.replace('printf("\\n")', '''int *global, flag; MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL, &global, &flag); printf(" global %d\\n", *global)''')
        program = self.compile('clock', text)
        for hosts, is_global in (('a,b', 0), ('localhost:2', 1)):
            self.assertEqual(self.lines(mpiexec(*FORK, hosts, program)), [f'rank {rank} of 2: global {is_global}' for rank in (0, 1)])

    def test_directory_environment_and_mask_are_those_of_mpiexec(self):
        directory = self.scratch / 'here'
        directory.mkdir()
        done = subprocess.run(f'umask 027; export OWN="a b"; cd {directory}; "{BIN}/mpiexec" {" ".join(FORK)} a,b --processes sh -c '
                              '\'echo "$PWD $(umask) $OWN"\'', shell=True, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout.splitlines(), [f'{directory} 0027 a b'] * 2, done.stderr)

    def test_prefix_and_files_of_output(self):
        for how in ((), ('--processes',)):
            self.assertEqual(self.lines(mpiexec(*FORK, 'a:2,b:2', *how, '--prefix', self.hello)),
                             [f'[{rank}] rank {rank} of 4:' for rank in range(4)])
            directory = self.scratch / ('out' + ''.join(how))
            self.assertEqual(self.lines(mpiexec(*FORK, 'a:2,b:2', *how, '--output-dir', directory, self.hello)), [])
            self.assertEqual([(directory / f'rank.{rank}.out').read_text() for rank in range(4)], [f'rank {rank} of 4:\n' for rank in range(4)])

    def test_much_output_comes_whole(self):
        writer = self.compile('writer', body('''char line[1000]; memset(line, 'a' + rank, 999); line[999] = 0;
            for (int i = 0; i < 4000; ++i) puts(line)''').replace('#include <stdlib.h>', '#include <stdlib.h>\n#include <string.h>'))
        code, output, errors = mpiexec(*FORK, 'a,b', writer)
        self.assertEqual((code, errors), (0, ''))
        self.assertEqual(len([line for line in output.splitlines() if re.fullmatch(r'([ab])\1{998}', line)]), 8000)

    def test_standard_input_goes_to_one_rank(self):
        counter = self.compile('counter', HELLO.replace('printf("\\n")', 'long n = 0; while (getchar() != EOF) ++n; printf("%ld\\n", n)'))
        for rank in (0, 2):
            done = subprocess.run([str(w) for w in (BIN / 'mpiexec', *FORK, 'a:2,b:1', '--processes', '--stdin', rank, counter)], input='x' * 300000,
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(sorted(done.stdout.splitlines()), [f'rank {i} of 3:{300000 if i == rank else 0}' for i in range(3)])
        # A program that does not read it stops nobody.
        done = subprocess.run([str(w) for w in (BIN / 'mpiexec', *FORK, 'a,b', self.hello)], input='x' * 3000000, capture_output=True, text=True, timeout=60)
        self.assertEqual(sorted(done.stdout.splitlines()), names(2))


class Spawns(HelloTest):
    """MPI_Comm_spawn in jobs on several hosts: every child is a process."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.family = cls.compile('family', FAMILY)
        cls.where = cls.compile('where', FAMILY.replace('MPI_INFO_NULL', 'info_of(getenv("WHERE"))').replace(
            '// argv', """static MPI_Info info_of(const char *host) {
                MPI_Info info;
                MPI_Info_create(&info);
                if (host) MPI_Info_set(info, "host", host);
                return info;
            }
            // argv"""))

    def places_of_children(self, hosts, count, *how, where=None, parents=None):
        """By the agents, one for each host, whose children they are."""
        environment = os.environ | ({'WHERE': where} if where else {})
        job = start(*FORK, hosts, *how, self.where, 'sleep', count, env=environment)
        parents = parents or sum(int(h.partition(':')[2] or 1) for h in hosts.split(','))
        lines = [job.stdout.readline() for _ in range(parents + count)]
        parent_of = lambda pid: int(Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[1])
        agents = [int(pid) for pid in Path(f'/proc/{job.pid}/task/{job.pid}/children').read_text().split()]
        places = {int(line.split()[1]): 'abcd'[agents.index(parent_of(pids(line)[0]))] for line in lines if line.startswith('child')}
        job.send_signal(signal.SIGTERM)
        job.communicate(timeout=30)
        return ''.join(places[i] for i in range(count))

    def test_parents_on_several_hosts_have_children(self):
        for how in (('--processes',), ()):
            for hosts, parents, children in (('a,b', 2, 1), ('a:2,b:1', 3, 4)):
                result = mpiexec(*FORK, hosts, *how, self.family, 'end', children)
                self.assertEqual(result[2], '')
                self.assertEqual(sorted(line.rpartition(' pid')[0] for line in self.succeeds(result).splitlines()), family_lines(parents, children))

    def test_children_are_where_slots_are_free_and_then_everywhere(self):
        self.assertEqual(self.places_of_children('a:1,b:1', 3, '--processes'), 'aba')

    def test_children_are_on_the_hosts_that_are_named(self):
        self.assertEqual(self.places_of_children('a,b,c', 2, where='b'), 'bb')
        self.assertEqual(self.places_of_children('a,b,c', 4, where='c,a'), 'caca')

    def test_hosts_without_ranks_are_for_children(self):
        how = '--spawn', '-n', 1
        self.assertEqual(self.places_of_children('a:1,b:2', 2, *how, parents=1), 'bb')
        self.assertEqual(self.places_of_children('a:1,b:2,c:1', 3, *how, '--map-by', 'node', parents=1), 'bbc')
        result = mpiexec(*FORK, 'a,b', *how, self.family)
        self.assertEqual((result[0], result[2]), (0, ''))

    def test_a_host_that_is_none_of_the_jobs(self):
        result = mpiexec(*FORK, 'a,b', self.where, env=os.environ | {'WHERE': 'elsewhere'})
        self.fails(result, MPI_ERR_SPAWN, 'MPI_Comm_spawn: MPI_ERR_SPAWN: ', 'host of info names none of the job')

    def test_a_program_that_is_missing_on_a_host(self):
        program = self.compile('spawns', FAMILY.replace('MPI_Comm_spawn(argv[0]', 'MPI_Comm_spawn(what'))
        text = self.write('text', 'no program', 0o755)
        self.fails(mpiexec(*FORK, 'a,b', program, text), MPI_ERR_SPAWN, 'MPI_Comm_spawn: MPI_ERR_SPAWN: ')

    def test_children_that_fail_end_the_job(self):
        for what, code, text in (('code', 5, ''), ('exit', 7, 'exit code 7 without calling MPI_Finalize'), ('abort', 9, 'MPI_Abort'), ('crash', 139, 'signal 11')):
            result = mpiexec(*FORK, 'a,b', '--processes', self.family, what)
            self.fails(result, code, text)

    def test_a_single_rank_on_a_single_host_answers_for_its_children(self):
        alone = self.compile('alone', FAMILY, '-no-pie', '-fno-pie')  # cannot have images of itself
        for what, code, text in (('end', 0, ''), ('code', 5, ''), ('exit', 7, 'exit code 7 without calling MPI_Finalize'), ('abort', 9, 'MPI_Abort')):
            for program in (self.family, alone):
                result = mpiexec(*FORK, 'a', '-n', 1, program, what)
                self.assertEqual(result[0], code, result[2])
                if program == alone:
                    self.assertIn(text, result[2])

    def test_children_that_never_begin_mpi_are_named(self):
        program = self.compile('spawns', FAMILY.replace('MPI_Comm_spawn(argv[0]', 'MPI_Comm_spawn(what'))
        result = mpiexec(*FORK, 'a,b', program, '/bin/true')
        self.assertNotEqual(result[0], 0)
        self.assertIn('without calling MPI_Init', result[2])

    def test_nothing_is_left_when_a_parent_or_a_child_or_an_agent_is_killed(self):
        for whom in ('parent', 'child', 'agent'):
            job = start(*FORK, 'a,b', '--processes', self.family, 'sleep')
            lines = [job.stdout.readline() for _ in range(4)]
            agents = [int(pid) for pid in Path(f'/proc/{job.pid}/task/{job.pid}/children').read_text().split()]
            os.kill(agents[1] if whom == 'agent' else pids(''.join(line for line in lines if line.startswith(whom)))[0], signal.SIGKILL)
            job.communicate(timeout=60)
            self.assertNotEqual(job.returncode, 0)
            everybody = pids(''.join(lines)) + agents
            end = time.monotonic() + 20
            while any(map(lives, everybody)) and time.monotonic() < end:
                time.sleep(0.05)
            self.assertEqual([pid for pid in everybody if lives(pid)], [], whom)


class Ends(HelloTest):
    def test_exit_codes(self):
        self.assertEqual(mpiexec(*FORK, 'a,b', 'sh', '-c', 'exit 3')[0], 3)
        program = self.compile('after', HELLO.replace('return 0', 'return rank == 1 ? 5 : 0'))
        self.assertEqual(mpiexec(*FORK, 'a,b', program)[0], 5)
        program = self.compile('abort', body('if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); sleep(30)'))
        self.fails(mpiexec(*FORK, 'a,b', program), 7, 'rank 1: MPI_Abort(MPI_COMM_WORLD, 7)')

    def test_a_rank_that_dies_ends_the_job_and_its_host_is_named(self):
        program = self.compile('dies', body('if (rank == 1) raise(SIGKILL); sleep(30)'))
        begin = time.monotonic()
        result = mpiexec(*FORK, 'a,b', program)
        self.assertLess(time.monotonic() - begin, 20)
        self.fails(result, 137, 'rank 1', 'on b', 'SIGKILL')

    def test_time_limit(self):
        self.fails(mpiexec(*FORK, 'a,b', '--timeout', 2, self.compile('sleeper', SLEEPER)), 124, 'time limit of 2 s')


class NothingIsLeft(HelloTest):
    """No process and no file stays, whoever is killed."""

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(dir=self.scratch))
        self.environment = os.environ | {'TMPDIR': str(self.directory)}

    def running(self, *how):
        program = self.compile('sleeper', SLEEPER)
        process = start(*FORK, 'a:2,b:2', '--processes', *how, program, env=self.environment)
        pids = [int(process.stdout.readline().split()[-1]) for _ in range(4)]
        agents = [int(pid) for pid in Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()]
        self.assertEqual(len(agents), 2)
        return process, pids, agents

    def gone(self, pids):
        end = time.monotonic() + 20
        while time.monotonic() < end:
            if not any(lives(pid) for pid in pids) and not list(self.directory.iterdir()):
                return
            time.sleep(0.05)
        self.fail(f'left: {[pid for pid in pids if lives(pid)]} {list(self.directory.iterdir())}')

    def test_after_an_ordinary_end(self):
        self.succeeds(mpiexec(*FORK, 'a,b', self.hello, env=self.environment))
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_after_mpiexec_was_killed(self):
        process, pids, agents = self.running()
        process.kill()
        process.communicate(timeout=20)
        self.gone(pids + agents)

    def test_after_an_agent_was_killed(self):
        process, pids, agents = self.running()
        os.kill(agents[1], signal.SIGKILL)
        _, errors = process.communicate(timeout=20)
        self.assertEqual((process.returncode, errors), (1, 'mpiexec: host b is lost: its agent has exited; with it rank 2, rank 3\n'))
        self.gone(pids + agents)

    def test_after_a_process_was_killed(self):
        process, pids, agents = self.running()
        os.kill(pids[0], signal.SIGKILL)
        _, errors = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 137)
        self.gone(pids + agents)

    def test_after_signals(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, pids, agents = self.running()
            process.send_signal(number)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, 128 + number)
            self.gone(pids + agents)

    def test_after_an_agent_with_shells_that_run_the_program_was_killed(self):
        program = self.compile('sleeper', SLEEPER)
        process = start(*FORK, 'a,b', '--processes', 'sh', '-c', f'"{program}"; true', env=self.environment)
        pids = [int(process.stdout.readline().split()[-1]) for _ in range(2)]
        agents = [int(pid) for pid in Path(f'/proc/{process.pid}/task/{process.pid}/children').read_text().split()]
        os.kill(agents[0], signal.SIGKILL)
        process.communicate(timeout=20)
        self.gone(pids + agents)

    def test_a_host_that_falls_silent_is_lost(self):
        self.environment['THRUM_HOST_TIMEOUT'] = '3'
        process, pids, agents = self.running()
        os.kill(agents[1], signal.SIGSTOP)
        _, errors = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 1)
        self.assertIn('host b is lost: no answer from it for 3 s', errors)
        self.gone(pids + agents)

    def test_a_mpiexec_that_falls_silent_is_given_up(self):
        self.environment['THRUM_HOST_TIMEOUT'] = '3'
        process, pids, agents = self.running()
        process.send_signal(signal.SIGSTOP)
        self.gone(pids)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=20)
        self.gone(pids + agents)

    def test_a_stop_from_the_keyboard_stops_all_hosts_and_is_no_silence(self):
        self.environment['THRUM_HOST_TIMEOUT'] = '3'
        process, pids, agents = self.running()
        process.send_signal(signal.SIGTSTP)
        end = time.monotonic() + 20
        state = lambda pid: Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0]
        while any(state(pid) != 'T' for pid in pids + [process.pid]) and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(5)
        self.assertEqual([state(pid) for pid in pids], ['T'] * 4)
        process.send_signal(signal.SIGCONT)
        while any(state(pid) == 'T' for pid in pids) and time.monotonic() < end:
            time.sleep(0.05)
        self.assertTrue(all(lives(pid) and state(pid) != 'T' for pid in pids))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        self.gone(pids + agents)


class Refusals(HelloTest):
    def test_wrong_hosts(self):
        for text, *words in (('a:x', 'number of slots'), ('a:0', 'from 1 to'), ('a,,b', 'missing'), ('-oProxy', 'not a valid host name'),
                             ('a b', 'not a valid host name'), ('::1', 'brackets'), ('[::1', 'closing bracket')):
            self.refused(mpiexec(f'--hosts={text}', '-n', 1, self.hello), 2, f'--hosts {text}', *words)

    def test_wrong_host_files_are_named_with_their_lines(self):
        for text, *words in (('a\nb slots=x\n', 'line 2', '"x" is not a number of slots'), ('a slots=2 cpu=3\n', 'line 1', '"cpu=3" is not a valid entry'),
                             ('#\n\na:2 slots=3\n', 'line 3', 'twice'), ('# nobody\n', 'contains no host'), ('a/b\n', 'line 1', 'not a valid host name')):
            file = self.write('wrong', text)
            self.refused(mpiexec('--hostfile', file, self.hello), 2, f'--hostfile {file}', *words)
        self.refused(mpiexec('--hostfile', '/nonexistent', self.hello), 2, '--hostfile /nonexistent', 'No such file')

    def test_more_ranks_than_slots(self):
        self.refused(mpiexec(*FORK, 'a:2,b:1', '-n', 4, self.hello), 2, '4 ranks', '3 slots', 'a:2,b:1', '-n 3')
        limited = self.write('limited', 'a slots=1 max_slots=2\nb max_slots=1\n')
        self.refused(mpiexec('--launcher', 'fork', '--hostfile', limited, '-n', 4, '--oversubscribe', self.hello), 2, '4 ranks', '3 slots', 'a:2,b:1')

    def test_wrong_rank_files(self):
        for text, *words in (('rank 0=c slot=0\n', 'line 1', 'c is not one of the hosts (a:1,b:1)'), ('rank 0=a slot=0\nrank 1=a slot=0\n', 'line 2', 'no slot left'),
                             ('rank 0=a slot=4000\nrank 1=b slot=0\n', 'line 1', 'core 4000')):
            file = self.write('ranks', text)
            self.refused(mpiexec(*FORK, 'a,b', '--rankfile', file, self.hello), 2, '--rankfile', *words)

    def test_a_host_that_cannot_be_reached(self):
        broken = self.write('broken', '#!/bin/sh\n[ "$1" = b ] && echo "ssh: connect to host b port 22: No route to host" >&2 && exit 255\nexec sh -c "$2"\n', 0o755)
        result = mpiexec('--launcher-exec', broken, '--hosts', 'a,b', self.hello)
        self.refused(result, 2, 'host b cannot be reached', 'No route to host', f'"{broken} b true"')
        self.assertEqual(result[1], '')
        self.refused(mpiexec('--launcher-exec', '/nonexistent', '--hosts', 'a', self.hello), 2, 'host a cannot be reached', 'No such file')

    def test_a_launcher_that_says_nothing_is_ended_with_what_it_has_started(self):
        silent = self.write('silent', '#!/bin/sh\n[ "$1" = b ] && exec sh -c "$2"\nsleep 71.5 &\necho $! >"$0.pid"\nwait\n', 0o755)
        result = mpiexec('--launcher-exec', silent, '--hosts', 'a,b', self.hello)
        self.refused(result, 2, 'host a cannot be reached: no answer from its launcher for 20 s', f'"{silent} a true"')
        end = time.monotonic() + 10
        while lives(int(Path(f'{silent}.pid').read_text())):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)

    @unittest.skipUnless(os.path.exists('/usr/bin/ssh'), 'needs ssh')
    def test_a_host_that_does_not_exist(self):
        self.refused(mpiexec('--hosts', 'nosuchhost.invalid', self.hello), 2, 'host nosuchhost.invalid cannot be reached')

    def test_a_host_without_thrum(self):
        bare = self.write('bare', '#!/bin/sh\nexec sh -c "exec /nonexistent/bin/mpiexec"\n', 0o755)
        self.refused(mpiexec('--launcher-exec', bare, '--hosts', 'a', self.hello), 2, f'host a cannot run {BIN}/mpiexec', 'install')

    def test_a_host_with_another_version(self):
        other = self.write('other', '#!/bin/sh\nprintf "\\nthrum-agent 9.9.9\\n"\nexec cat\n', 0o755)
        self.refused(mpiexec('--launcher-exec', other, '--hosts', 'a', self.hello), 2, 'host a has Thrum 9.9.9', 'this mpiexec belongs to Thrum', 'the same version')

    def test_a_program_that_is_not_there(self):
        mine = self.compile('mine', HELLO)
        hide = self.write('hide', f'#!/bin/sh\n[ "$1" = b ] && rm "{mine}"\nexec sh -c "$2"\n', 0o755)
        self.refused(mpiexec('--launcher-exec', hide, '--hosts', 'b', mine), 127, f'host b: {mine}: No such file')

    def test_options_that_need_each_other(self):
        self.fails(mpiexec('--ppn', 2, '-n', 3, self.hello), 0, 'note: ignored: --ppn 2', 'all 3 ranks')
        self.fails(mpiexec(*FORK, 'a,b', '--stdin', 'all', self.hello), 2, '--stdin all')
        self.fails(mpiexec('--launcher', 'rsh', '--hosts', 'a', self.hello), 2, '--launcher rsh', 'ssh, fork')
        self.fails(mpiexec('--hosts', 'a', self.hello, env=os.environ | {'THRUM_HOST_TIMEOUT': 'x', 'THRUM_LAUNCHER': 'fork'}), 2, 'THRUM_HOST_TIMEOUT')


if __name__ == '__main__':
    unittest.main()
