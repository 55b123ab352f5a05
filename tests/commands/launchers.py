"""Programs that need no MPI and start ranks: shells, make, env, taskset ... Each process of one takes the place of a rank."""
import os
import re
import shlex
import shutil
import time
import unittest
from pathlib import Path

from commands import BIN, HELLO, PID, HelloTest, body, mpiexec, names, run

PIDS = PID.replace('printf("\\n")', 'printf(" %d\\n", getpid())')
SINGLETON = 'or set THRUM_SINGLETON=1'
# dlopen()s the library in argv[1] and calls its function: MPI is nowhere among the needed libraries of the program.
HOST_OF_PLUGINS = r'''
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv) {
    void *plugin = dlopen(argv[1], RTLD_NOW);
    if (!plugin)
        return puts(dlerror()), 9;
    return ((int (*)(int, char **))dlsym(plugin, "plugin_main"))(argc, argv);
}
'''


def counts(lines, size):
    """The names of the ranks of jobs of `size` ranks in what PIDS prints."""
    return sorted(line.split(':')[0] + ':' for line in lines), names(size)


class Launchers(HelloTest):
    """Each runs as a process for each rank, and what it executes becomes that rank."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pids = cls.compile('pids', PIDS)

    def ranks(self, *command, size=3, errors=''):
        """The command is run by `size` processes, which become the ranks of one job."""
        code, output, said = mpiexec('-n', size, *command, cwd=self.scratch)
        self.assertEqual(code, 0, output + said)
        if errors is not None:
            self.assertEqual(said, errors)
        lines = [line for line in output.splitlines() if line.startswith('rank ')]
        self.assertEqual(*counts(lines, size))
        self.assertEqual(len({line.split()[-1] for line in lines}), size, output)
        return output

    def test_shells(self):
        script = self.write('calls.sh', f'#!/bin/sh\n"{self.pids}" "$@"\n:\n', 0o755)
        for command in (['bash', script], ['sh', script], [script], ['sh', '-c', f'"{self.pids}"'], ['bash', '-c', f'"{self.pids}"; exit $?']):
            self.ranks(*command)

    def test_programs_that_execute_others(self):
        p = self.pids
        for command in (['env', 'A=1', p], ['nice', '-n', 1, p], ['timeout', 50, p], ['stdbuf', '-oL', p], ['taskset', '-c', '0', p],
                        ['xargs', p], ['perl', '-e', f'exec "{p}"'], ['perl', '-e', f'exit system "{p}"'], ['env', 'nice', 'sh', '-c', p]):
            self.ranks(*command)

    def test_programs_that_execute_others_if_they_are_there(self):
        for command in (['time', '-o', os.devnull], ['numactl', '--localalloc'], ['perf', 'stat', '-o', os.devnull],
                        ['strace', '-o', os.devnull], ['strace', '-f', '-o', os.devnull], ['ltrace', '-o', os.devnull], ['busybox', 'env']):
            if shutil.which(command[0]) and run(*command, 'true')[0] == 0:
                self.ranks(*command, self.pids)

    def test_make(self):
        self.write('Makefile', f'all:\n\t@"{self.pids}"\n')
        self.ranks('make', '-s')

    @unittest.skipUnless(run('cargo', '--version')[0] == 0 if shutil.which('cargo') else False, 'needs cargo')
    def test_cargo_run(self):
        project = self.scratch / 'crate'
        (project / 'src').mkdir(parents=True)
        (project / 'Cargo.toml').write_text('[package]\nname = "crate"\nversion = "0.1.0"\nedition = "2021"\n')
        (project / 'src' / 'main.rs').write_text('fn main() { std::process::exit(std::process::Command::new("%s").status().unwrap()'
                                                 '.code().unwrap()) }\n' % self.pids)
        self.succeeds(run('cargo', 'build', '-q', '--offline', cwd=project, timeout=120))
        self.ranks('cargo', 'run', '-q', '--offline', '--manifest-path', project / 'Cargo.toml')

    def test_a_shim_as_that_of_pyenv(self):
        """A script finds out which program is meant, and executes it."""
        (self.scratch / 'shims').mkdir()
        self.write('shims/pids', f'#!/usr/bin/env bash\nset -e\nprogram="${{0##*/}}"\nexec "{self.scratch}/$program" "$@"\n', 0o755)
        self.ranks('env', f'PATH={self.scratch}/shims:{os.environ["PATH"]}', 'pids')

    def test_statically_linked_launchers(self):
        source = self.write('static.c', '#include <unistd.h>\nint main(int n, char **v) { execv(v[1], v + 1); return 9; }')
        for flag in ('-static', '-static-pie'):
            self.assertEqual(run('gcc', flag, source, '-o', self.scratch / 'static')[0], 0)
            self.ranks(self.scratch / 'static', self.pids)

    def test_programs_without_mpi_run_once_for_each_rank(self):
        for command in (['hostname'], ['ls', '-l', '/usr'], ['uname', '-a']):
            once = self.succeeds(run(*command)).splitlines()
            self.assertEqual(self.lines(mpiexec('-n', 3, *command)), sorted(once * 3))

    def test_streams_of_a_single_launcher(self):
        self.assertEqual(self.succeeds(mpiexec('--prefix', 'sh', '-c', f'echo a; exec "{self.hello}"')), '[0] a\n[0] rank 0 of 1:\n')
        self.assertEqual(self.succeeds(mpiexec('-n', 1, '--output-dir', self.scratch / 'out', 'hostname')), '')
        self.assertEqual((self.scratch / 'out' / 'rank.0.out').read_text(), run('hostname')[1])

    def test_exit_codes(self):
        self.assertEqual(mpiexec('-n', 3, 'sh', '-c', 'exit 3')[0], 3)
        self.assertEqual(mpiexec('-n', 1, 'sh', '-c', 'exit 3')[0], 3)
        self.assertEqual(mpiexec('-n', 2, 'env', 'no-such-program')[0], 127)
        after = self.compile('after', HELLO.replace('return 0', 'return 5'))
        self.assertEqual(mpiexec('-n', 2, 'sh', '-c', f'"{after}"')[0], 5)
        self.assertEqual(mpiexec('-n', 2, 'sh', '-c', f'"{after}"; true')[0], 0)

    def test_launchers_beside_mpi_programs(self):
        lines = self.lines(mpiexec('-n', 2, self.hello, 'a', ':', '-n', 1, 'sh', '-c', f'"{self.hello}" b', ':', '-n', 2, 'env', self.hello, 'c'))
        self.assertEqual(lines, [f'rank {rank} of 5: [{"aabcc"[rank]}]' for rank in range(5)])

    def test_many_of_them_need_more_files_than_mpiexec_may_open_at_first(self):
        result = run('bash', '-c', f'ulimit -Sn 64; exec "{BIN}/mpiexec" -n 40 sh -c "ulimit -n"')
        self.assertEqual(self.lines(result), ['64'] * 40)

    def test_on_several_hosts(self):
        self.assertEqual(self.lines(mpiexec('--launcher', 'fork', '--hosts', 'a:2,b', 'sh', '-c', f'"{self.hello}"; true')), names(3))


class LoadedLater(HelloTest):
    """A program that gets its MPI by dlopen() is a rank."""

    def test_a_plug_in(self):
        plugin = self.compile('plugin.so', HELLO.replace('int main', 'int plugin_main').replace('i = 1', 'i = 2'), '-shared', '-fPIC')
        source = self.write('host.c', HOST_OF_PLUGINS)
        self.assertEqual(run('gcc', source, '-o', self.scratch / 'host')[0], 0)
        for how in ([], ['--threads=fiber'], ['--ranks-per-process', 2]):
            self.assertEqual(self.lines(mpiexec('-n', 4, *how, self.scratch / 'host', plugin)), names(4), how)
        self.assertEqual(self.lines(mpiexec('-n', 3, 'env', self.scratch / 'host', plugin)), names(3))

    def test_a_program_whose_library_needs_mpi_has_its_ranks_as_threads(self):
        self.compile('libwrap.so', PIDS.replace('int main', 'int wrapped'), '-shared', '-fPIC')
        source = self.write('wrapped.c', 'int wrapped(int, char **); int main(int n, char **v) { return wrapped(n, v); }')
        program = self.scratch / 'wrapped'
        self.assertEqual(run('gcc', source, f'-L{self.scratch}', '-lwrap', f'-Wl,-rpath,{self.scratch}', '-o', program)[0], 0)
        lines = self.lines(mpiexec('-n', 3, program))
        self.assertEqual(*counts(lines, 3))
        self.assertEqual(len({line.split()[-1] for line in lines}), 1)
        # Found by a variable of the job only.
        self.assertEqual(run('gcc', source, f'-L{self.scratch}', '-lwrap', '-o', program)[0], 0)
        lines = self.lines(mpiexec('-n', 3, '-x', f'LD_LIBRARY_PATH={self.scratch}', program))
        self.assertEqual(len({line.split()[-1] for line in lines}), 1)


class SeveralPrograms(HelloTest):
    """A script may start several MPI programs, one after the other."""

    def test_one_after_the_other(self):
        lines = self.lines(mpiexec('-n', 3, 'sh', '-c', f'"{self.hello}" first && "{self.hello}" second'))
        self.assertEqual(lines, sorted(f'rank {rank} of 3: [{which}]' for rank in range(3) for which in ('first', 'second')))

    def test_at_the_same_time_is_refused(self):
        slow = self.compile('slow', body('sleep(1)'))
        result = mpiexec('-n', 2, 'sh', '-c', f'"{slow}" & sleep 0.5; "{self.hello}"; code=$?; wait; exit $code')
        self.fails(result, 2, 'has already initialised MPI as rank 0', 'has already initialised MPI as rank 1', 'not at the same time')

    def test_a_rank_that_takes_no_part_in_the_second_keeps_nobody_waiting(self):
        script = f'"{self.hello}"; [ "$PMIX_RANK" = 1 ] || "{self.hello}"'
        result = mpiexec('-n', 3, '--timeout', 30, 'sh', '-c', script)
        self.fails(result, 1, 'rank 1', 'without calling MPI_Init 2 times')

    def test_a_failure_in_the_second_ends_the_job(self):
        dies = self.compile('dies', body('if (rank == 1) _exit(4); sleep(30)'))
        begin = time.monotonic()
        result = mpiexec('-n', 3, 'sh', '-c', f'"{self.hello}"; exec "{dies}"')
        self.fails(result, 4, 'rank 1', 'exit code 4 without calling MPI_Finalize')
        self.assertLess(time.monotonic() - begin, 20)

    def test_mpi_abort_ends_scripts_that_would_go_on(self):
        aborts = self.compile('aborts', body('if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 7); sleep(30)'))
        begin = time.monotonic()
        self.fails(mpiexec('-n', 2, 'sh', '-c', f'"{aborts}"; sleep 30'), 7, 'rank 1: MPI_Abort(MPI_COMM_WORLD, 7)')
        self.assertLess(time.monotonic() - begin, 15)


class Threads(HelloTest):
    """With --threads a launcher runs once, and the ranks are threads of the MPI programs that it starts."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pids = cls.compile('pids', PIDS)

    def test_launchers_run_once(self):
        script = self.write('script.sh', f'#!/bin/sh\necho starting\n"{self.pids}"\n', 0o755)
        for command in ([script], ['bash', script], ['env', 'A=1', 'sh', script], ['taskset', '-c', '0', self.pids], ['timeout', 20, self.pids]):
            if command[0] == 'env': # the program is not on the command line, and env is no shell
                continue
            output = self.succeeds(mpiexec('-n', 3, '--threads=fiber', *command))
            lines = [line for line in output.splitlines() if line.startswith('rank')]
            self.assertEqual(*counts(lines, 3))
            self.assertEqual(len({line.split()[-1] for line in lines}), 1)
            self.assertLessEqual(output.count('starting'), 1)

    def test_several_ranks_in_each_process(self):
        lines = self.lines(mpiexec('-n', 4, '--ranks-per-process', 2, 'sh', '-c', f'"{self.pids}"; true'))
        self.assertEqual(*counts(lines, 4))
        self.assertEqual(len({line.split()[-1] for line in lines}), 2)

    def test_mpiexec_inside_of_a_script(self):
        script = self.write('inner.sh', f'#!/bin/sh\nexec "{BIN}/mpiexec" -n 3 "{self.hello}"\n', 0o755)
        self.assertEqual(self.lines(run(script)), names(3))
        self.assertEqual(self.lines(mpiexec('-n', 2, script)), sorted(names(3) * 2))
        self.assertEqual(self.lines(mpiexec('-n', 2, '--threads=fiber', script)), names(3))

    def test_a_script_of_python_is_refused(self):
        script = self.write('script.py', '#!/usr/bin/env python3\nprint(1)\n', 0o755)
        self.refused(mpiexec('-n', 3, '--threads=fiber', script), 2, 'Python script', '--processes')


class NeverJobsOfOneRank(HelloTest):
    """A process below a launcher that cannot join the others ends with one line."""

    def says(self, result, *texts):
        code, output, errors = result
        self.assertEqual((code, output), (2, ''), errors)
        for text in (*texts, SINGLETON):
            self.assertIn(text, errors)
        self.assertEqual(len(set(errors.splitlines())), 1, errors)

    def test_the_environment_is_lost(self):
        for command in (['env', '-i', self.hello], ['sh', '-c', f'env -i "{self.hello}"']):
            result = mpiexec('-n', 2, *command)
            self.fails(result, 2, 'of a job of 2 ranks', 'lacks its environment', SINGLETON)
            self.assertNotIn('rank 0 of 1', result[1])
        for name in 'PMIX_RANK', 'PMIX_NAMESPACE':
            self.says(mpiexec('-n', 2, 'env', '-u', name, self.hello), 'mpiexec started 2 ranks', 'removed from the environment')
        self.assertEqual(self.succeeds(mpiexec('-n', 2, 'env', '-i', 'THRUM_SINGLETON=1', self.hello)), 'rank 0 of 1:\n' * 2)

    def test_a_child_of_a_thread_that_has_not_begun_mpi(self):
        starts = self.compile('starts', '#include <mpi.h>\n#include <stdlib.h>\nint main(int n, char **v) { int code = system(v[1]); '
                              'MPI_Init(&n, &v); MPI_Finalize(); return code >> 8; }')
        result = mpiexec('-n', 2, starts, self.hello)
        self.fails(result, 2, 'one of 2 ranks that are threads', 'before that rank initialised MPI', SINGLETON)
        self.assertNotIn('rank 0 of 1', result[1])

    def test_other_launchers(self):
        for variables, text in (({'PMI_SIZE': '4', 'PMI_RANK': '1'}, 'MPICH'), ({'OMPI_COMM_WORLD_SIZE': '4'}, 'Open MPI'),
                                ({'SLURM_STEP_NUM_TASKS': '4'}, 'srun --mpi=pmix'), ({'SLURM_NTASKS': '4', 'SLURM_STEP_ID': '0'}, 'srun --mpi=pmix'),
                                ({'FLUX_JOB_SIZE': '4'}, 'flux run'), ({'MV2_COMM_WORLD_SIZE': '4'}, 'MVAPICH')):
            self.says(run(self.hello, env=os.environ | variables), 'started 4 tasks', text)
            self.assertEqual(self.lines(run(self.hello, env=os.environ | variables | {'THRUM_SINGLETON': '1'})), names(1))

    def test_sessions_and_supersteps_are_told_too(self):
        session = self.compile('session', '#include <mpi.h>\nint main(void) { MPI_Session s; return '
                               'MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &s); }')
        self.says(run(session, env=os.environ | {'PMI_SIZE': '4'}), 'started 4 tasks')
        bsp = self.compile('bsp', '#include <thrum/bsp.h>\nint main(void) { bsp_begin(2); bsp_end(); }')
        self.says(run(bsp, env=os.environ | {'PMI_SIZE': '4'}), 'started 4 tasks')

    def test_no_false_alarms(self):
        """In a batch script, with one task, and with our mpiexec in between, jobs run."""
        for variables in ({'SLURM_NTASKS': '4', 'SLURM_JOB_ID': '7', 'SLURM_PROCID': '0'}, # the script of sbatch, the shell of salloc
                          {'SLURM_NTASKS': '4', 'SLURM_STEP_ID': '4294967290', 'SLURM_STEP_NUM_TASKS': '1'}, # salloc's interactive step
                          {'PMI_SIZE': '1'}, {'OMPI_COMM_WORLD_SIZE': '1'}):
            self.assertEqual(self.lines(run(self.hello, env=os.environ | variables)), names(1))
        foreign = os.environ | {'PMI_SIZE': '4', 'OMPI_COMM_WORLD_SIZE': '4', 'SLURM_STEP_NUM_TASKS': '4', 'PMIX_NAMESPACE': 'x', 'PMIX_RANK': '1'}
        for how in ['-n', 1], ['-n', 3], ['--processes', '-n', 3]:
            self.assertEqual(self.lines(mpiexec(*how, self.hello, env=foreign)), names(how[-1]))

    def test_children_of_ranks_are_jobs_of_their_own(self):
        starts = self.compile('starts', body('for (int i = 1; i < argc; ++i) if (system(argv[i])) return 9'))
        commands = [self.hello, f'env -i "{self.hello}"', f'"{BIN}/mpiexec" -n 2 "{self.hello}"', f'"{BIN}/mpiexec" --processes -n 2 "{self.hello}"']
        expected = sorted([f'rank 0 of 1:'] * 2 + names(2) * 2)
        for how in [], ['--processes'], ['--ranks-per-process', 2]:
            code, output, errors = mpiexec('-n', 2, *how, starts, *commands)
            self.assertEqual((code, errors), (0, ''), output)
            lines = [line for line in output.splitlines() if '[' not in line and line]
            self.assertEqual(sorted(lines), sorted(expected * 2), how)
        code, output, errors = mpiexec('-n', 2, 'sh', '-c', f'"{starts}" "env -i {self.hello}"')
        self.assertEqual((code, errors, output.count('rank 0 of 1:')), (0, '', 2), output)


class ForeignLaunchers(HelloTest):
    """The launchers of other MPIs, where they are installed: our program joins, or says why it cannot."""

    @unittest.skipUnless(shutil.which('mpiexec.hydra'), "needs MPICH's mpiexec.hydra")
    def test_hydra(self):
        code, output, errors = run('mpiexec.hydra', '-n', 2, self.hello)
        self.assertNotEqual(code, 0)
        self.assertNotIn('rank 0 of 1', output)
        self.assertIn('started 2 tasks that do not know each other', output + errors)

    @unittest.skipUnless(shutil.which('mpirun.openmpi'), "needs Open MPI's mpirun.openmpi")
    def test_mpirun_of_open_mpi(self):
        command = ['mpirun.openmpi', '--allow-run-as-root', '--oversubscribe', '-n', 2]
        self.assertEqual(sorted(self.succeeds(run(*command, self.hello)).splitlines()), names(2))
        starts = self.compile('starts', body('if (system(argv[1])) return 9'))
        output = self.succeeds(run(*command, starts, self.hello)) # children of ranks are jobs of their own
        self.assertEqual(output.count('rank 0 of 1:'), 2, output)


class Page(HelloTest):
    """Every command line of docs/launchers.md runs."""

    # Stand in for what needs a display or performance counters: execute what follows, a window with somebody who types.
    SKIP = '#!/bin/sh\nwhile :; do case $1 in -*|record) shift ;; *) break ;; esac; done\n'
    STAND_INS = {'rr': SKIP + 'exec "$@"\n', 'xterm': SKIP + 'echo run | "$@"\n'}
    PROBES = {'numactl': ('numactl', '--localalloc', 'true'), 'perf': ('perf', 'stat', 'true'), 'strace': ('strace', '-o', os.devnull, 'true'),
              'gdb': ('gdb', '--version'), 'valgrind': ('valgrind', '--version')}

    def test_command_lines(self):
        page = (Path(__file__).parents[2] / 'docs' / 'launchers.md').read_text()
        lines = [line for block in re.findall(r'(?s)```sh\n(.*?)```', page) for line in block.splitlines()]
        self.assertGreater(len(lines), 20)
        (self.scratch / 'a.out').symlink_to(self.hello)
        self.write('Makefile', 'all:\n\t@./a.out\n')
        self.write('run.sh', '#!/bin/sh\n./a.out\n', 0o755)
        (self.scratch / 'bin').mkdir()
        for name, text in self.STAND_INS.items():
            self.write(f'bin/{name}', text, 0o755)
        typed = self.write('typed', 'run\n')
        environment = os.environ | {'PATH': f'{self.scratch}/bin:{BIN}:{os.environ["PATH"]}'}
        for line in lines:
            words = shlex.split(line)
            if any(word in words and (not shutil.which(word) or run(*probe)[0]) for word, probe in self.PROBES.items()):
                continue
            with open(typed) as file:
                code, output, errors = run('sh', '-c', line, cwd=self.scratch, env=environment, stdin=file, timeout=200)
            self.assertEqual(code, 0, f'{line}: {output}{errors}')
            if {'./a.out', './run.sh', 'run.sh', 'make'} & set(words):
                self.assertIn('rank 3 of 4', output, f'{line}: {output}{errors}')


if __name__ == '__main__':
    unittest.main()
