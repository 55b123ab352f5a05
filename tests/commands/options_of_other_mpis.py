"""The options and habits of Open MPI, MPICH, Intel MPI and srun: mpiexec's table of them is complete, and does what it says."""
import gzip
import os
import re
import subprocess
import unittest
from pathlib import Path

from commands import BIN, HelloTest, mpiexec, names, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / 'docs' / 'coming_from_other_mpis.md'
# Where the manuals of Debian's packages are kept, once fetched.
MANUALS = ROOT / 'build' / 'manuals'
PACKAGES = {'openmpi-bin': 'mpiexec.openmpi.1.gz', 'mpich-doc': 'mpiexec.1.gz'}

# `mpiexec.hydra --help`, which no manual has.
HYDRA = '''genv genvlist genvnone genvall f hosts rankmap wdir configfile env envlist envnone envall n np memory-alloc-kinds launcher
launcher-exec enable-x disable-x rmk topolib bind-to map-by membind demux disable-auto-cleanup disable-hostname-propagation errfile-pattern
gpus-per-proc hybrid-hosts iface info localhost nameserver order-nodes outfile-pattern pmi-port ppn prepend-pattern prepend-rank
print-all-exitcodes profile skip-launch-node usize verbose l bootstrap bootstrap-exec machinefile hostfile'''
# `mpirun --help` of Open MPI 5, which is prterun's.
OPEN_MPI_5 = '''h help V version v verbose allow-run-as-root app bind-to c n np N debug-daemons default-hostfile display do-not-launch
enable-recovery continuous fwd-mpirun-port gpmixmca gprtemca host H hostfile leave-session-attached machinefile map-by max-restarts mca
merge-stderr-to-stdout noprefix npernode npersocket output output-filename oversubscribe nooversubscribe path pernode personality pmixmca
prefix preload-binary s preload-files prtemca quiet q rank-by rankfile report-bindings report-child-jobs-separately report-pid
report-state-on-timeout report-uri get-stack-traces set-cwd-to-session-dir show-progress stdin stream-buffering tag-output timeout
timestamp-output tune am use-hwthread-cpus wd wdir x xml xterm cpu-list'''
INTEL = 'perhost ppn grr rr genvexcl tmpdir ordered-output print-rank-map silent-abort gdb gtool check_mpi trace umask nolocal aps binding'
SRUN = 'ntasks nodes N n ntasks-per-node cpus-per-task c label l output o error e time t nodelist w overcommit O chdir D mpi cpu-bind unbuffered u ' \
       'kill-on-bad-exit K partition p account A job-name J mem gres exclusive export'
STANDARD = 'n soft host arch wdir path file configfile initial-errhandler memory-alloc-kinds'


def manual(package):
    """The options in bold in the manual of Debian's package; None if apt has none. Fetched once, without installing anything."""
    page = next(iter(MANUALS.glob(f'{package}/**/{PACKAGES[package]}')), None)
    if not page:
        MANUALS.mkdir(parents=True, exist_ok=True)
        run('apt-get', 'download', package, cwd=MANUALS, timeout=120)
        for archive in MANUALS.glob(f'{package}_*.deb'):
            run('dpkg-deb', '-x', archive, MANUALS / package)
            archive.unlink()
        page = next(iter(MANUALS.glob(f'{package}/**/{PACKAGES[package]}')), None)
    if not page:
        return None
    lines = [line for line in gzip.open(page, 'rt').read().splitlines() if line.startswith('.B ')]
    return {name for line in lines for name in re.findall(r'(?:^|[ ,P])--?([a-zA-Z][\w-]*)', line)}


class Table(HelloTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        table = mpiexec('--help-options')[1]
        cls.rows = [line for line in table.splitlines() if line.startswith('| `')]
        cls.options = {name for row in cls.rows for name in re.findall(r'`-+([\w-]+)', row.split('|')[1])}

    def test_every_option_of_the_others_has_a_row(self):
        for source in (HYDRA, OPEN_MPI_5, INTEL, SRUN, STANDARD):
            self.assertEqual(set(source.split()) - self.options, set())

    def test_every_option_of_the_distributions_manuals_has_a_row(self):
        for package, least in (('openmpi-bin', 90), ('mpich-doc', 15)):
            options = manual(package)
            if options is None:
                self.skipTest(f'apt-get cannot download {package}')
            self.assertGreater(len(options), least)
            self.assertEqual(options - self.options, set(), package)

    def test_the_page_shows_the_table(self):
        self.assertIn('\n'.join(self.rows), PAGE.read_text(), 'paste what mpiexec --help-options prints')

    def test_no_option_is_listed_twice(self):
        listed = [word for row in self.rows for word in re.findall(r'`-+([\w-]+)', row.split('|')[1])]
        self.assertEqual(sorted(set(listed)), sorted(listed))

    def test_every_row_gets_an_answer(self):
        """None is unknown: each is taken, or refused with a reason."""
        for row in self.rows:
            for spelled in re.findall(r'`(-+[^`]*)`', row.split('|')[1]):
                words = spelled.replace('NAME', 'A').replace('VALUE', '1').replace(' X', ' 1').split()
                code, _, errors = mpiexec('-n', 1, *words, 'true', cwd=self.scratch)
                self.assertNotIn('unknown option', errors, spelled)
                if '| refused' in row:
                    self.assertEqual((code, len(errors.splitlines())), (2, 1), spelled)
                    self.assertIn(words[0] + ': ', errors)
                if '| ignored' in row:
                    self.assertIn(f'mpiexec: note: ignored: {words[0]}', errors)
                if '| ignored' in row or '| accepted' in row:
                    self.assertEqual(code, 0, errors)
                if '| accepted' in row:
                    self.assertEqual(errors, '')


class Habits(HelloTest):
    """Lines that people have in their scripts."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.variable = cls.compile('variable', r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d: A=%s B=%s\n", rank, getenv("A") ? getenv("A") : "", getenv("B") ? getenv("B") : "");
    fflush(stdout);
    fprintf(stderr, "error of rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
''')

    def test_lines_that_run_without_a_word(self):
        for line, ranks in (('--oversubscribe --allow-run-as-root -np 5', 5), ('-n 2 -genvall', 2), ('--map-by :OVERSUBSCRIBE -n 3', 3),
                            ('--map-by node:OVERSUBSCRIBE -n 3', 3), ('--bind-to none -n 2', 2), ('-host localhost -n 2', 2),
                            ('--host localhost:4 -n 2', 2), ('-H localhost,localhost', 2), ('-c 3', 3), ('-N 3', 3), ('--npernode 2', 2),
                            ('-perhost 2 -n 2', 2), ('--pernode', 1), ('-n4', 4), ('--ntasks=3 -K', 3), ('-usize INFINITE -n 1', 1),
                            ('--map-by ppr:2:node', 2), ('-wd /tmp -n 1', 1), ('-wdir /tmp -n 1', 1), ('--timeout 50 -n 1', 1)):
            self.assertEqual(self.lines(mpiexec(*line.split(), self.hello)), names(ranks), line)

    def test_lines_that_run_with_one_note(self):
        for line, *texts in (('--mca btl self,vader --mca pml ob1 -n 2', '--mca btl self,vader', '--mca pml ob1'), ('-iface lo -bootstrap ssh -n 2', '-iface lo', 'ssh'),
                             ('--bind-to core -n 2', 'threads of one process'), ('--rank-by slot -n 2', '--map-by'),
                             ('--map-by slot:PE=4 -n 2', 'PE of --map-by'), ('-n 2 -N 1', 'there is one host'), ('-n2 -c 4', '-c 4'),
                             ('-n 2 --timestamp-output', 'ts')):
            result = mpiexec(*line.split(), self.hello)
            self.fails(result, 0, 'mpiexec: note: ignored: ', *texts)
            self.assertEqual(len(result[2].splitlines()), 1, result[2])
            self.assertEqual(sorted(result[1].splitlines()), names(2))
            self.assertEqual(mpiexec('-q', *line.split(), self.hello)[2], '')

    def test_a_note_comes_once_for_several_programs(self):
        result = mpiexec('--mca', 'a', 'b', '-n', 1, self.hello, ':', '-n', 1, '--rank-by', 'slot', self.hello)
        self.assertEqual(result[0], 0)
        self.assertEqual(result[2].count('note:'), 1)
        self.assertIn('--rank-by slot', result[2])

    def test_variables(self):
        for words in (['-genv', 'A', '1'], ['-genv', 'A=1'], ['-x', 'A=1'], ['-env', 'A', '1']):
            for how in ([], ['--processes']):
                self.assertEqual(sorted(mpiexec(*how, *words, '-n', 2, self.variable)[1].splitlines()), ['rank 0: A=1 B=', 'rank 1: A=1 B='])
        environment = os.environ | {'A': '7'}
        self.assertEqual(mpiexec('-genvlist', 'A,PATH', '-n', 1, self.variable, env=environment)[1], 'rank 0: A=7 B=\n')
        self.fails(mpiexec('-envlist', 'NOWHERE', '-n', 1, self.variable), 0, 'NOWHERE')
        self.fails(mpiexec('-genv', 'A'), 2, '-genv needs a value')

    def test_variables_of_one_program(self):
        for how in ([], ['--processes'], ['--ranks-per-process', 2], ['--launcher', 'fork', '--hosts', 'a,b']):
            output = mpiexec(*how, '-genv', 'B', '3', '-n', 1, '-env', 'A', '1', self.variable, ':', '-n', 1, '-env', 'A', '2', self.variable)[1]
            self.assertEqual(sorted(output.splitlines()), ['rank 0: A=1 B=3', 'rank 1: A=2 B=3'], how)

    def test_output(self):
        for word in ('-l', '-prepend-rank', '--tag-output', '--label', '--output=tag'):
            self.assertEqual(self.lines(mpiexec(word, '-n', 2, self.hello)), ['[0] rank 0 of 2:', '[1] rank 1 of 2:'])
        for how in ([], ['--processes'], ['--ranks-per-process', 2], ['--launcher', 'fork', '--hosts', 'a,b']):
            for word in ('--merge-stderr-to-stdout', '--merge-stderr'):
                code, output, errors = mpiexec(*how, word, '-n', 2, self.variable)
                self.assertEqual((code, errors), (0, ''), how)
                self.assertEqual(len(output.splitlines()), 4, how)
        folder = self.scratch / 'output'
        self.lines(mpiexec('--output-filename', folder, '-n', 2, self.hello))
        self.assertEqual((folder / 'rank.1.out').read_text(), 'rank 1 of 2:\n')

    def test_hosts_without_slots_share_the_ranks(self):
        fork = ['--launcher', 'fork']
        result = mpiexec(*fork, '--hosts', 'a,b', '-n', 5, '--report-bindings', self.hello)
        self.assertEqual(sorted(re.findall(r'(?m)^(\w): (ranks? [\d-]+)', result[2])), [('a', 'ranks 0-2'), ('b', 'ranks 3-4')])
        result = mpiexec(*fork, '--hosts', 'a:1,b', '-n', 3, '--report-bindings', self.hello)
        self.assertEqual(sorted(re.findall(r'(?m)^(\w): (ranks? [\d-]+)', result[2])), [('a', 'rank 0'), ('b', 'ranks 1-2')])
        result = mpiexec(*fork, '--hosts', 'a:1,b:1', '-n', 4, '--oversubscribe', '--report-bindings', self.hello)
        self.assertEqual(sorted(re.findall(r'(?m)^(\w): (ranks? [\d-]+)', result[2])), [('a', 'ranks 0-1'), ('b', 'ranks 2-3')])
        file = self.write('hosts', 'a slots=1 max_slots=1\nb slots=1 max-slots=3\n')
        result = mpiexec(*fork, '-hostfile', file, '-n', 4, '--map-by', ':OVERSUBSCRIBE', '--report-bindings', self.hello)
        self.assertEqual(sorted(re.findall(r'(?m)^(\w): (ranks? [\d-]+)', result[2])), [('a', 'rank 0'), ('b', 'ranks 1-3')])

    def test_the_directory_behind_prefix_is_that_of_an_open_mpi(self):
        for words in (['--prefix', '/usr'], ['--prefix=/usr']):
            self.fails(mpiexec(*words, '-n', 1, self.hello), 0, 'note: ignored: --prefix', 'this installation')
        self.assertEqual(self.lines(mpiexec('--prefix', '-n', 1, self.hello)), ['[0] rank 0 of 1:'])

    def test_verbose_says_what_is_started(self):
        self.fails(mpiexec('-v', '-n', 2, self.hello), 0, 'starting 2 ranks as threads of one process', str(self.hello))
        self.fails(mpiexec('-verbose', '--processes', '-n', 2, self.hello), 0, 'starting 2 ranks as 2 processes')

    def test_placement_of_processes(self):
        machine = os.environ | {'HWLOC_SYNTHETIC': 'numa:2 pack:2 core:2 pu:2'}
        for words, ranks in (('--map-by ppr:1:package', 4), ('--npersocket 2', 8), ('--map-by ppr:1:hwthread:OVERSUBSCRIBE', 16)):
            self.assertEqual(len(self.lines(mpiexec(*words.split(), self.hello, env=machine))), ranks)
        result = mpiexec('--processes', '--bind-to', 'hwthread', '--map-by', 'socket', '--display-map', '-n', 3, 'true', env=machine)
        self.assertEqual([line[line.index('['):] for line in result[2].splitlines()],
                         ['[B.|..][..|..][..|..][..|..]', '[.B|..][..|..][..|..][..|..]', '[..|..][B.|..][..|..][..|..]'])
        for words in ('--map-by ppr:x:core', '--map-by ppr:2', '--map-by ppr:2:chair', '--map-by core:CHAIR', '--bind-to core:chair'):
            self.refused(mpiexec(*words.split(), '-n', 1, self.hello), 2, words.split()[0])

    def test_a_misspelled_option_of_theirs_is_recognised(self):
        self.fails(mpiexec('--oversubscibe', '-n', 1, self.hello), 2, 'did you mean --oversubscribe?')


class Variables(HelloTest):
    def test_misspelled_variables_are_pointed_out(self):
        self.fails(mpiexec('-n', 1, self.hello, env=os.environ | {'THRUM_STAK': '1M'}), 0, 'warning: THRUM_STAK is not a variable of Thrum; did you mean THRUM_STACK?')
        self.assertEqual(mpiexec('-n', 1, self.hello, env=os.environ | {'THRUM_TEST_SED': '1', 'THRUM_CC': 'gcc', 'THRUM_CHAIR': '1'})[2], '')


if __name__ == '__main__':
    unittest.main()
