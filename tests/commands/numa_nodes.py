"""Several NUMA nodes: where workers run, what ranks see of it, and on which node their memory is first touched. The nodes are made up
(THRUM_SYSFS): two of this machine's processors, each a node of its own."""
import os
import unittest

from commands import BIN, CommandTest, run

PLACES = r'''
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank;

/* What the kernel knows of a thread, or (0) what this thread is told of itself. */
static void show(const char *who, long thread) {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (thread ? syscall(SYS_sched_getaffinity, thread, sizeof set, &set) < 0 : sched_getaffinity(0, sizeof set, &set) != 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    printf("%d %s", rank, who);
    for (int i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &set)) printf(" %d", i);
    printf("\n");
    fflush(stdout);
}

static void *run_thread(void *unused) {
    show("thread", syscall(SYS_gettid));
    return unused;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    show("worker", syscall(SYS_gettid));
    show("told", 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_thread, NULL) || pthread_join(thread, NULL)) return 4;
    pid_t child = fork();
    if (child == 0) {
        cpu_set_t set;
        CPU_ZERO(&set);
        syscall(SYS_sched_getaffinity, 0, sizeof set, &set);
        _exit(CPU_COUNT(&set));
    }
    int status;
    if (waitpid(child, &status, 0) != child) return 5;
    printf("%d child %d\n", rank, WEXITSTATUS(status));
    fflush(stdout);
    char line[100] = "";
    FILE *pipe = popen("env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc", "r");
    if (!pipe || !fgets(line, sizeof line, pipe) || pclose(pipe)) return 6;
    printf("%d command %s", rank, line);
    MPI_Info info;
    int flag;
    char value[16] = "";
    int size = sizeof value;
    MPI_Get_hw_resource_info(&info);
    MPI_Info_get_string(info, "hwloc://NUMANode", &size, value, &flag);
    printf("%d restricted %s\n", rank, flag ? value : "unknown");
    MPI_Info_free(&info);
    show("worker", syscall(SYS_gettid)); /* again, after what it has started */
    MPI_Finalize();
    return 0;
}
'''
USABLE = sorted(os.sched_getaffinity(0))


@unittest.skipIf(len(USABLE) < 2, 'needs two processors')
class NumaNodes(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('places', PLACES)
        cls.processors = USABLE[:2]
        cls.all = ' '.join(map(str, cls.processors))

    def environment(self, nodes=2, **more):
        """That of a machine whose `nodes` nodes share the two processors."""
        root = self.scratch / f'machine{nodes}'
        for i, number in enumerate(self.processors):
            node = f'node{i % nodes}'
            cpu = root / 'cpu' / f'cpu{number}'
            (root / 'node' / node).mkdir(parents=True, exist_ok=True)
            (cpu / 'topology').mkdir(parents=True, exist_ok=True)
            (cpu / node).mkdir(exist_ok=True)
            (cpu / 'topology' / 'physical_package_id').write_text(f'{i % nodes}\n')
            (cpu / 'topology' / 'thread_siblings_list').write_text(f'{number}\n')
        return os.environ | {'THRUM_SYSFS': str(root)} | more

    def lines(self, *arguments, **options):
        """What each of four ranks has shown, by what it is about."""
        taskset = ('taskset', '--cpu-list', ','.join(map(str, self.processors)))
        code, output, errors = run(*taskset, *(BIN / 'mpiexec', *arguments), '-n', 4, self.program, **options)
        self.assertEqual(code, 0, output + errors)
        shown = {}
        for rank, what, *rest in sorted(map(str.split, output.splitlines())):
            shown.setdefault(what, []).append((int(rank), ' '.join(rest)))
        return shown, errors

    def all_ranks(self, what):
        return [(rank, what) for rank in range(4)]

    def sees_all(self, shown, restricted='false'):
        """Ranks, and what they start, may use all processors of the process; whether these are of one node."""
        self.assertEqual(shown['told'], self.all_ranks(self.all))
        self.assertEqual(shown['thread'], self.all_ranks(self.all))
        self.assertEqual(shown['child'], self.all_ranks('2'))
        self.assertEqual(shown['command'], self.all_ranks('2'))
        self.assertEqual(shown['restricted'], self.all_ranks(restricted))

    def test_each_worker_is_bound_to_its_node_and_ranks_do_not_see_it(self):
        shown, _ = self.lines(env=self.environment())
        self.sees_all(shown)
        self.assertEqual(len(shown['worker']), 8)
        self.assertLessEqual({where for _, where in shown['worker']}, set(map(str, self.processors)))

    def test_workers_are_free_where_they_have_no_place(self):
        for options, environment in (((), self.environment(nodes=1)), ((), self.environment(THRUM_BIND_WORKERS='0')),
                                     (('--workers', 1), self.environment()), (('--workers', 3), self.environment()),
                                     (('--threads=os',), self.environment())):
            with self.subTest(options):
                shown, _ = self.lines(*options, env=environment)
                self.sees_all(shown, 'true' if environment['THRUM_SYSFS'].endswith('1') else 'false')
                self.assertEqual({where for _, where in shown['worker']}, {self.all})

    def test_memory_is_first_touched_on_the_node_of_the_worker(self):
        _, errors = self.lines(env=self.environment(THRUM_DEBUG='1'))
        self.assertRegex(errors, r'4 of 4 ranks: memory on the NUMA node of the worker')
        _, errors = self.lines(env=self.environment(nodes=1, THRUM_DEBUG='1'))
        self.assertNotRegex(errors, 'NUMA node of the worker')


if __name__ == '__main__':
    unittest.main()
