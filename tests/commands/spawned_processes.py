"""MPI_Comm_spawn where the children are processes: their output, exit codes, failures and end, and jobs without mpiexec."""
import os
import signal
import subprocess
import time

from commands import BIN, CommandTest, lives, mpiexec, run, start

FAMILY = r'''
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
// argv: what children do, and with which number of them
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "end";
    int rank, size, sum = -1, count = argc > 2 ? atoi(argv[2]) : 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm other;
    MPI_Comm_get_parent(&other);
    int is_child = other != MPI_COMM_NULL;
    if (!is_child) {
        char *arguments[] = {(char *)what, NULL};
        MPI_Comm_spawn(argv[0], arguments, count, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE);
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other);
    printf("%s %d of %d: sum %d pid %d\n", is_child ? "child" : "parent", rank, size, sum, getpid());
    fflush(stdout);
    if (is_child && strcmp(what, "exit") == 0)
        exit(7);
    if (is_child && strcmp(what, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 9);
    if (is_child && strcmp(what, "crash") == 0 && rank == 1)
        raise(SIGSEGV);
    if (strcmp(what, "sleep") == 0 || (!is_child && strcmp(what, "end") && strcmp(what, "code") && strcmp(what, "free")))
        sleep(60);
    if (strcmp(what, "free") == 0)
        MPI_Comm_free(&other);
    else
        MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return is_child && strcmp(what, "code") == 0 ? 5 : 0;
}
'''


def pids(text):
    return [int(line.split()[-1]) for line in text.splitlines() if ' pid ' in line]


def family_lines(parents, children):
    """Returns the output of FAMILY, without process numbers."""
    sums = [sum(range(n)) for n in (parents, children)]
    return ([f'child {r} of {children}: sum {sums[0]}' for r in range(children)] +
            [f'parent {r} of {parents}: sum {sums[1]}' for r in range(parents)])


class SpawnedProcesses(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.family = cls.compile('family', FAMILY)
        cls.alone = cls.compile('alone', FAMILY, '-no-pie', '-fno-pie')  # cannot have images of itself

    def check_family(self, result, parents, children):
        self.assertEqual(result[2], '')
        lines = sorted(line.rpartition(' pid')[0] for line in self.succeeds(result).splitlines())
        self.assertEqual(lines, family_lines(parents, children))
        self.assertEqual(len(set(pids(result[1]))), parents + children)

    def test_parents_that_are_processes(self):
        for parents, children in ((2, 1), (3, 2)):
            self.check_family(mpiexec('--processes', '-n', parents, self.family, 'end', children), parents, children)

    def test_communicators_that_are_only_freed_are_awaited_by_finalize(self):
        result = mpiexec('--processes', '-n', 2, self.family, 'free')
        self.assertEqual((result[0], result[2]), (0, ''))

    def test_a_process_without_mpiexec(self):
        self.check_family(run(self.alone, 'end', 3), 1, 3)

    def test_the_exit_code_of_a_child_counts(self):
        self.assertEqual(mpiexec('--processes', '-n', 2, self.family, 'code')[0], 5)

    def test_a_child_that_fails_ends_the_job(self):
        for what, code, text in (('exit', 7, 'exit code 7 without calling MPI_Finalize'), ('abort', 9, 'MPI_Abort'),
                                 ('crash', 139, 'signal 11')):
            begin = time.monotonic()
            result = mpiexec('--processes', '-n', 2, self.family, what)
            self.assertEqual(result[0], code, result)
            self.assertIn(text, result[2])
            self.assertLess(time.monotonic() - begin, 30)

    def test_nothing_is_left_when_mpiexec_or_a_parent_is_killed(self):
        for whom in ('mpiexec', 'parent', 'child'):
            job = start('--processes', '-n', 2, self.family, 'sleep')
            lines = ''.join(job.stdout.readline() for _ in range(4))
            everybody = pids(lines)
            victim = job.pid if whom == 'mpiexec' else pids('\n'.join(l for l in lines.splitlines() if l.startswith(whom)))[0]
            os.kill(victim, signal.SIGKILL)
            job.communicate(timeout=60)
            self.assertNotEqual(job.returncode, 0)
            deadline = time.monotonic() + 10
            while any(map(lives, everybody)) and time.monotonic() < deadline:
                time.sleep(0.05)
            self.assertEqual([pid for pid in everybody if lives(pid)], [], whom)

    def test_nothing_is_left_when_a_process_without_mpiexec_is_killed(self):
        program = subprocess.Popen([str(self.alone), 'sleep'], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        everybody = pids(''.join(program.stdout.readline() for _ in range(3)))
        program.kill()
        program.communicate(timeout=60)
        deadline = time.monotonic() + 10
        while any(map(lives, everybody)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual([pid for pid in everybody if lives(pid)], [])

    def test_a_program_that_does_not_exist_or_run(self):
        text = self.write('text', 'no program', 0o755)
        source = FAMILY.replace('MPI_Comm_spawn(argv[0]', 'MPI_Comm_spawn(what')
        program = self.compile('spawns', source)
        for name in ('/no/such/program', str(text)):
            result = mpiexec('--processes', '-n', 2, program, name)
            self.assertNotEqual(result[0], 0)
            self.assertRegex(result[2], 'MPI_Comm_spawn: MPI_ERR_SPAWN: ')

    def test_failures_to_start_leave_nothing_open_in_mpiexec_and_agents(self):
        text = self.write('text', 'no program', 0o755)
        program = self.compile('fails', r'''
            #include <dirent.h>
            #include <mpi.h>
            #include <stdio.h>
            #include <unistd.h>
            static int descriptors_of_parent(void) {
                char path[64];
                int count = 0;
                snprintf(path, sizeof path, "/proc/%d/fd", getppid());
                DIR *directory = opendir(path);
                while (readdir(directory))
                    ++count;
                closedir(directory);
                return count;
            }
            int main(int argc, char **argv) {
                MPI_Init(&argc, &argv);
                int rank, before = 0, failures = 0;
                MPI_Comm children;
                MPI_Comm_rank(MPI_COMM_WORLD, &rank);
                MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
                for (int i = 0; i < 12; ++i) {
                    if (i == 2)
                        before = descriptors_of_parent();
                    failures += MPI_Comm_spawn(argv[1], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                                               MPI_ERRCODES_IGNORE) != MPI_SUCCESS;
                }
                if (rank == 0)
                    printf("%d failures, %d left\n", failures, descriptors_of_parent() - before);
                MPI_Finalize();
                return 0;
            }''')
        for how in (('-n', 2), ('--launcher', 'fork', '--hosts', 'a:2')):
            self.assertEqual(mpiexec('--processes', *how, program, text), (0, '12 failures, 0 left\n', ''))

    def test_children_that_never_begin_mpi_are_named(self):
        program = self.compile('spawns', FAMILY.replace('MPI_Comm_spawn(argv[0]', 'MPI_Comm_spawn(what'))
        result = mpiexec('--processes', '-n', 2, program, '/bin/true')
        self.assertNotEqual(result[0], 0)
        self.assertIn('without calling MPI_Init', result[2])

    def test_python_spawns_itself(self):
        code = '''
import ctypes, os, sys
mpi = ctypes.CDLL("libmpi_abi.so.1")
mpi.MPI_Init(None, None)
argument = ctypes.c_char_p(__file__.encode())
arguments = (ctypes.c_char_p * 2)(argument, None)
comm = ctypes.c_void_p()
mpi.MPI_Comm_get_parent(ctypes.byref(comm))
null = ctypes.c_void_p(256)  # MPI_COMM_NULL
is_child = comm.value != null.value
if not is_child:
    mpi.MPI_Comm_spawn(sys.executable.encode(), arguments, 2, ctypes.c_void_p(0x130), 0, ctypes.c_void_p(0x102),
                       ctypes.byref(comm), None)
mpi.MPI_Comm_disconnect(ctypes.byref(comm))
# One write for the line: print() makes two of them where PYTHONUNBUFFERED is set.
os.write(1, b"child\\n" if is_child else b"parent\\n")
mpi.MPI_Finalize()
'''
        script = self.write('spawns.py', code)
        environment = os.environ | {'LD_LIBRARY_PATH': str(BIN.parent / 'lib')}
        for command in ([BIN / 'mpiexec', '-n', 1, 'python3', script], ['python3', script]):
            result = run(*command, env=environment)
            self.assertEqual((result[0], sorted(result[1].split()), result[2]), (0, ['child', 'child', 'parent'], ''))


