"""thrum sweep: a program with several numbers of ranks; table, report, compared output, JSON, SVG."""
import json
import os
import re
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from commands import BIN, CommandTest, run

# MODE [COUNT]: does what MODE says, if there are COUNT ranks.
PROGRAM = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char ballast[64 << 20];
int main(int argc, char **argv) {
    int rank, size, count = argc > 2 ? atoi(argv[2]) : 0;
    const char *mode = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("pid %d\nranks %d\nsum %.15g\n", getpid(), size, 1.0 / 3 + size * 1e-13 + (!strcmp(mode, "other") && size == count));
    fflush(stdout);
    if (!strcmp(mode, "deadlock") && size >= count)
        MPI_Recv(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD); /* rank 0 has printed */
    if (!strcmp(mode, "exit") && size >= count)
        exit(size);
    if (!strcmp(mode, "sleep") && size >= count)
        sleep(60);
    if (!strcmp(mode, "memory") && size == count)
        memset(ballast, 1, sizeof ballast);
    if (!strcmp(mode, "work") && rank == 0)
        usleep(300000 / size);
    if (!strcmp(mode, "input") && rank == 0) {
        char text[100] = "none";
        scanf("%99s", text);
        printf("read %s\n", text);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
'''
ROW = re.compile(r'^ *([\d,]+) +([\d.]+) s +([\d.]+|-) +([\d.]+) MiB  (\d+)(?: \(([\w ]+)\))?(?:  (.*))?$')


def processes_of(program):
    """Their numbers."""
    found = []
    for file in Path('/proc').glob('[0-9]*/cmdline'):
        try:
            words = file.read_bytes().split(b'\0')
        except OSError:
            continue
        if os.fsencode(program) in words:
            found.append(file.parent.name)
    return found


class Sweeps(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = cls.compile('program', PROGRAM, '-g')

    def sweep(self, *arguments, **options):
        return run(BIN / 'thrum', 'sweep', *arguments, cwd=self.scratch, **options)

    def rows(self, output):
        """The rows of a table: matches of ROW."""
        head, *lines = output.splitlines()
        self.assertEqual(head.split(), ['ranks', 'time', 'speed-up', 'memory', 'exit', 'code'])
        rows = [ROW.match(line) for line in lines if not line.startswith('Runs were side by side')]
        self.assertNotIn(None, rows, output)
        return rows

    def results(self, *arguments, code=0):
        """The object that --json writes."""
        actual, output, errors = self.sweep('--json', '-', *arguments)
        self.assertEqual(actual, code, output + errors)
        return json.loads(output)

    def test_a_row_for_each_count_in_order(self):
        code, output, errors = self.sweep('-n', '4..16x2,1..3,2', self.program)
        self.assertEqual(code, 0, errors)
        self.assertEqual([row[1] for row in self.rows(output)], ['1', '2', '3', '4', '8', '16'])
        self.assertTrue(all(row[5] == '0' for row in self.rows(output)), output)
        self.assertRegex(errors, r'^thrum sweep: 6 counts: all end well \([\d.]+ s\)\n$')

    def test_the_first_that_fails_is_reported_with_its_command(self):
        code, output, errors = self.sweep('-n', '1..5', '--timeout=9', self.program, 'deadlock', 3)
        self.assertEqual(code, 86, errors)
        rows = self.rows(output.split('pid ')[0])
        self.assertEqual([(row[1], row[5], row[6]) for row in rows],
                         [('1', '0', None), ('2', '0', None), ('3', '86', 'deadlock'), ('4', '86', 'deadlock'), ('5', '86', 'deadlock')])
        self.assertIn('thrum sweep: the first that fails has 3 ranks: exit code 86 (deadlock); this is what the run prints:\n', errors)
        self.assertIn('ranks 3\n', output)
        self.assertRegex(errors, r'ranks 0-2: MPI_Recv .* at \S*program\.c:\d+ in main')
        self.assertNotIn('all 4 ranks', errors)
        command = errors.splitlines()[-1]
        self.assertTrue(command.startswith('  '), errors)
        environment = os.environ | {'PATH': f'{BIN}:{os.environ["PATH"]}'}
        self.assertEqual(run('sh', '-c', command, cwd=self.scratch, env=environment)[0], 86, command)

    def test_the_exit_code_is_that_of_the_smallest_count_that_fails(self):
        self.assertEqual(self.sweep('-n', '1..6', '--jobs', 6, self.program, 'exit', 4)[0], 4)

    def test_after_a_failure_greater_counts_are_left_out_on_demand(self):
        begin = time.monotonic()
        code, output, errors = self.sweep('-n', '1,2,3,5,7', '--jobs', 5, '--stop-on-failure', self.program, 'exit', 3)
        self.assertEqual(code, 3, errors)
        self.assertEqual([row[1] for row in self.rows(output.split('pid ')[0])], ['1', '2', '3'])
        self.assertLess(time.monotonic() - begin, 30)

    def test_a_time_limit_of_mpiexec_holds_for_each_run(self):
        code, output, errors = self.sweep('-n', '1..3', '--timeout', 1, '--stop-on-failure', self.program, 'sleep', 2)
        self.assertEqual(code, 124, errors)
        self.assertIn(' 124 (time limit)\n', output)
        self.assertIn('the first that fails has 2 ranks: exit code 124 (time limit)', errors)

    def test_outputs_are_compared(self):
        ignore = ('--compare-output', '--ignore', '^pid', '--ignore', '^ranks')
        code, output, errors = self.sweep('-n', '1..4', *ignore, self.program, 'other', 3)
        self.assertEqual(code, 1, errors)
        remarks = [row[7] for row in self.rows(output)]
        self.assertEqual(remarks[:2] + remarks[3:], [None] * 3)
        self.assertRegex(remarks[2], r'^prints "sum 1\.333\d+" instead of "sum 0\.333\d+"$')
        self.assertIn('1 of 4 counts end well with another output', errors)
        self.assertIn('with the same output', self.sweep('-n', '1..4', *ignore, self.program)[2])
        self.assertEqual(self.sweep('-n', '1..4', *ignore, '--tolerance', 3, self.program, 'other', 3)[0], 0)
        self.assertEqual(self.sweep('-n', '1..4', *ignore, '--tolerance', '1e-15', self.program)[0], 1)
        self.assertEqual(self.sweep('-n', '1..4', *ignore, '--tolerance', '0,1e-6', self.program)[0], 0)

    def test_the_first_that_ends_well_is_compared_with(self):
        found = self.results('-n', '1..4', '--compare-output', '--ignore', '^pid', '--ignore', '^ranks', '--tolerance', '0', self.program, code=1)
        self.assertIsNone(found['counts'][0]['difference'])
        self.assertTrue(all('instead of "sum 0.3333333333334' in count['difference'] for count in found['counts'][1:]), found)

    def test_json_has_what_the_table_has(self):
        file = self.scratch / 'found.json'
        code, output, _ = self.sweep('-n', '1..3', '--repeat', 3, '--check', '--json', file, self.program, 'exit', 3)
        self.assertEqual(code, 3)
        found = json.loads(file.read_text())
        self.assertEqual(found['program'], [str(self.program), 'exit', '3'])
        self.assertEqual(found['mpiexec_options'], ['--check'])
        self.assertEqual((found['exit_code'], found['interrupted'], found['one_process']), (3, False, True))
        self.assertEqual([count['ranks'] for count in found['counts']], [1, 2, 3])
        for count, row in zip(found['counts'], self.rows(output.split('pid ')[0])):
            self.assertEqual(len(count['runs']), 3)
            times = sorted(one['seconds'] for one in count['runs'])
            self.assertEqual(count['seconds'], times[1])
            self.assertAlmostEqual(count['seconds'], float(row[2]), delta=0.01)
            self.assertEqual(count['memory_bytes'], max(one['memory_bytes'] for one in count['runs']))
            self.assertEqual(count['exit_code'], int(row[5]))
        self.assertEqual(found['counts'][0]['speed_up'], 1)
        self.assertIsNone(found['counts'][2]['speed_up'])
        self.assertIn('ranks 3\n', found['first_failure']['output'])
        self.assertIn('-n 3 --check', found['first_failure']['command'])

    def test_memory_and_time_are_those_of_the_job(self):
        found = self.results('-n', '1..3', self.program, 'memory', 2)['counts']
        memory = [count['memory_bytes'] >> 20 for count in found]
        self.assertGreater(memory[1], 128)
        self.assertLess(memory[0], 64)
        self.assertLess(memory[2], 64)
        found = self.results('-n', '1,3', '--jobs', 1, self.program, 'work')['counts']
        self.assertGreater(found[0]['seconds'], 0.3)
        self.assertAlmostEqual(found[1]['speed_up'], found[0]['seconds'] / found[1]['seconds'], delta=0.01)

    def test_runs_are_side_by_side_as_far_as_asked(self):
        begin = time.monotonic()
        found = self.results('-n', '1..8', '--jobs', 8, self.program, 'work')
        self.assertTrue(found['side_by_side'])
        self.assertIn('Runs were side by side', self.sweep('-n', '1..3', '--jobs', 3, self.program, 'work')[1])
        self.assertFalse(self.results('-n', '1,1..2', '--jobs', 1, self.program, 'work')['side_by_side'])
        self.assertFalse(self.results('-n', '1', '--repeat', 2, '--svg', 'one.svg', self.program)['side_by_side'])
        self.assertLess(time.monotonic() - begin, 30)

    def test_the_picture_shows_each_count(self):
        for counts, ranks in (('1..4', 4), ('1..64x2', 7), ('3', 1), ('2..6..2', 3)):
            self.succeeds(self.sweep('-n', counts, '--svg', 'picture.svg', self.program))
            picture = ElementTree.parse(self.scratch / 'picture.svg').getroot()
            points = picture.findall('{http://www.w3.org/2000/svg}circle')
            self.assertEqual(len(points), ranks)
            self.assertRegex(points[0][0].text, r'^\d ranks?: [\d.]+ s, speed-up 1\.00$')
            for point in points:
                self.assertTrue(60 <= float(point.get('cx')) <= 620 and 40 <= float(point.get('cy')) <= 350, point.attrib)
        code, _, errors = self.sweep('-n', '1..2', '--svg', 'none.svg', self.program, 'exit', 1)
        self.assertEqual(code, 1)
        self.assertIn('no picture', errors)
        self.assertFalse((self.scratch / 'none.svg').exists())

    def test_each_run_reads_the_same_file(self):
        file = self.write('input', 'word')
        with file.open() as stream:
            code, output, errors = self.sweep('-n', '1..3', '--compare-output', '--ignore', '^(pid|ranks)', self.program, 'input', stdin=stream)
        self.assertEqual(code, 0, output + errors)
        with file.open() as stream:
            found = self.sweep('-n', '1..2', '--compare-output', '--json', '-', self.program, 'input', stdin=stream)
        self.assertEqual(found[0], 1)
        self.assertIn('"difference": null', found[1])
        done = run(BIN / 'thrum', 'sweep', '-n', '1..2', self.program, stdin=None, input='text')
        self.assertIn('many runs cannot share a pipe', done[2])

    def test_ranks_may_be_processes(self):
        code, output, errors = self.sweep('-n', '1..2', '--processes', self.program)
        self.assertEqual(code, 0, errors)
        self.assertIn('largest process', output)

    def test_schedules_and_orders_are_searched_for_each_count(self):
        self.succeeds(self.sweep('-n', '2..3', '--fuzz', 3, '--fuzz-compare', 'exit', self.program))

    def test_ctrl_c_ends_all_and_shows_what_there_is(self):
        job = subprocess.Popen([BIN / 'thrum', 'sweep', '-n', '1..6', '--json', self.scratch / 'cut.json', self.program, 'sleep', '3'],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        lines = [job.stdout.readline() for _ in range(3)]
        self.assertTrue(lines[2].startswith('    2 '), lines)
        time.sleep(0.5)
        job.send_signal(signal.SIGINT)
        output, errors = job.communicate(timeout=30)
        self.assertEqual(job.returncode, 130, errors)
        self.assertIn('thrum sweep: interrupted after 2 of 6 counts\n', errors)
        found = json.loads((self.scratch / 'cut.json').read_text())
        self.assertEqual((found['interrupted'], len(found['counts'])), (True, 2))
        self.assertEqual(processes_of(self.program), [])

    def test_a_terminal_shows_the_progress(self):
        text = self.shown_on_a_terminal(BIN / 'thrum', 'sweep', '-n', '1..4', '--jobs', '1', self.program, 'work')
        self.assertRegex(text, rb'thrum sweep: \d of 4 runs, all well; running [\d, ]+ ranks?')
        self.assertRegex(text, rb'\n\r?(\x1b\[K)?thrum sweep: 4 counts: all end well \(.* s\)\r\n$')

    def test_wrong_command_lines_are_refused_before_anything_runs(self):
        program = self.program
        for code, words, text in (
                (2, (program,), 'how many ranks? give -n COUNTS'),
                (2, ('-n', '1..4'), 'no program given; thrum sweep --help'),
                (2, ('-n', '0', program), '-n 0: the number of ranks must be at least 1'),
                (2, ('-n', '4..2', program), '-n 4..2: the range is empty'),
                (2, ('-n', '2,', program), 'expected numbers of ranks: 1..64'),
                (2, ('-n', '1,1000000000', program), 'a sweep takes at most 10,000,000 ranks'),
                (2, ('-n', '2', '--timout', '5', program), 'unknown option --timout; did you mean --timeout?'),
                (2, ('-n', '2', '--compare-outptu', program), 'did you mean --compare-output?'),
                (2, ('-n', '2', '--timeout', 'x', program), '--timeout x: expected a number of seconds'),
                (2, ('-n', '2', '--jobs', '0', program), '--jobs 0: expected a whole number from 1 to 1000'),
                (2, ('-n', '2', '--repeat', '1x', program), '--repeat 1x: expected'),
                (2, ('-n', '2', '--tolerance', '-1', '--compare-output', program), '--tolerance -1: expected a relative tolerance'),
                (2, ('-n', '2', '--tolerance', '1', program), 'add --compare-output'),
                (2, ('-n', '2', '--ignore', 'x', program), 'add --compare-output'),
                (2, ('-n', '2', '--ignore', '(', '--compare-output', program), 'not an extended regular expression'),
                (2, ('-n', '2', '--json', 'nowhere/x', program), '--json nowhere/x: cannot be written: No such file'),
                (2, ('-n', '2', '--svg', '.', program), '--svg .: expected the name of a file'),
                (2, ('-n', '2', '--record', 'x', program), '--record is for one run'),
                (2, ('-n', '2', '--output-dir', 'x', program), '--output-dir is for one run'),
                (2, ('-n', '2', program, ':', program), 'a sweep runs one program'),
                (2, ('-n', '2', '--configfile', 'x'), '--configfile gives numbers of ranks itself'),
                (127, ('-n', '2', './nothing'), './nothing: No such file'),
                (126, ('-n', '2', '/etc/passwd'), 'is not executable')):
            actual, output, errors = self.sweep(*words)
            self.assertEqual((actual, output), (code, ''), errors)
            self.assertIn(text, errors)
            self.assertEqual(len(errors.splitlines()), 1, errors)
            self.assertTrue(errors.startswith('thrum sweep: '), errors)

    def test_help_names_each_option(self):
        text = self.succeeds(self.sweep('--help'))
        for option in ('--jobs', '--repeat', '--stop-on-failure', '--compare-output', '--tolerance', '--ignore', '--json', '--svg'):
            self.assertIn(option, text)
        self.assertIn('sweep -n COUNTS', self.succeeds(run(BIN / 'thrum', '--help')))


if __name__ == '__main__':
    unittest.main()
