"""The command line of mpiexec (MPI 5.0 section 11.5): what is understood, and how mistakes are named."""
import os
import unittest

from commands import BIN, HELLO, CommandTest, mpiexec, run


class UnderstoodOptions(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.hello = cls.compile('hello', HELLO)

    def lines(self, *arguments, **options):
        return sorted(self.succeeds(mpiexec(*arguments, **options)).splitlines())

    def test_each_spelling_of_the_number_of_ranks(self):
        expected = [f'rank {rank} of 3:' for rank in range(3)]
        for spelling in (['-n', 3], ['-np', 3], ['--np', 3], ['--np=3'], ['-n3']):
            self.assertEqual(self.lines(*spelling, self.hello), expected, spelling)

    def test_one_rank_without_n_and_without_mpiexec(self):
        self.assertEqual(self.lines(self.hello), ['rank 0 of 1:'])
        self.assertEqual(self.succeeds(run(self.hello)), 'rank 0 of 1:\n')

    def test_mpirun_is_mpiexec(self):
        self.assertEqual(self.succeeds(run(BIN / 'mpirun', '-n', 1, self.hello)), 'rank 0 of 1:\n')

    def test_everything_after_the_program_belongs_to_it(self):
        self.assertEqual(self.lines('-n', 1, self.hello, '-n', '9', '--workers', 'a b', ''),
                         ['rank 0 of 1: [-n] [9] [--workers] [a b] []'])

    def test_options_that_shape_the_process_are_accepted(self):
        for options in (['--workers', 1], ['--workers=2'], ['--stack', '1M'], ['--threads=os'], ['--threads', 'fiber'],
                        ['-timeout', 50], ['--stack', 262144]):
            self.assertEqual(len(self.lines('-n', 3, *options, self.hello)), 3, options)

    def test_program_is_found_through_path(self):
        environment = os.environ | {'PATH': f'{self.scratch}:{os.environ["PATH"]}'}
        self.assertEqual(len(self.lines('-n', 2, 'hello', env=environment)), 2)
        self.assertEqual(len(self.lines('-n', 2, '-path', f'/nowhere:{self.scratch}', 'hello')), 2)

    def test_a_program_without_mpi_runs_once_for_each_rank(self):
        name = self.succeeds(run('hostname'))
        self.assertEqual(self.succeeds(mpiexec('-n', 3, 'hostname')), name * 3)

    def test_programs_joined_by_colons_with_arguments_of_their_own(self):
        self.assertEqual(self.lines('-n', 2, self.hello, 'first', ':', '-n', 3, self.hello, 'b', 'c'),
                         [f'rank {rank} of 5: [first]' for rank in (0, 1)] +
                         [f'rank {rank} of 5: [b] [c]' for rank in (2, 3, 4)])

    def test_configfile_lists_programs(self):
        file = self.write('jobs', f'# two programs\n-n 2 {self.hello} "a b"\n-n 1 \\\n  {self.hello} c\n')
        self.assertEqual(self.lines('-configfile', file),
                         ['rank 0 of 3: [a b]', 'rank 1 of 3: [a b]', 'rank 2 of 3: [c]'])

    def test_exported_variables_reach_the_ranks(self):
        program = self.compile('variables', HELLO.replace('printf("\\n")', 'printf("%s %s\\n", getenv("A"), getenv("B"))'))
        self.assertEqual(self.lines('-n', 2, '-x', 'A=1 2', '-x', 'B', program, env=os.environ | {'B': 'b'}),
                         ['rank 0 of 2:1 2 b', 'rank 1 of 2:1 2 b'])

    def test_what_mpiexec_sets_is_not_seen_by_ranks_and_their_children(self):
        program = self.compile('environment', '#include <mpi.h>\n#include <stdlib.h>\n'
                               'int main(int c, char **v) { MPI_Init(&c, &v); MPI_Finalize(); return system("env"); }')
        output = self.succeeds(mpiexec('-n', 1, program))
        self.assertNotRegex(output, r'(?m)^(LD_PRELOAD|LD_BIND_NOW|THRUM_RANKS|THRUM_LAUNCH_PID)=')

    def test_wdir_is_the_ranks_working_directory(self):
        self.assertEqual(self.succeeds(mpiexec('-n', 2, '-wdir', '/usr', '/bin/pwd')), '/usr\n/usr\n')

    def test_prefix_names_the_rank_of_each_line(self):
        output = self.succeeds(mpiexec('-n', 3, '--prefix', self.hello))
        for rank in range(3):
            self.assertRegex(output, rf'(?m)^\D*{rank}\D.*rank {rank} of 3:$')

    def test_output_dir_has_files_for_each_rank(self):
        directory = self.scratch / 'new' / 'output'
        self.assertEqual(self.succeeds(mpiexec('-n', 3, '--output-dir', directory, self.hello)), '')
        text = ''.join(path.read_text() for path in sorted(directory.rglob('*')) if path.is_file())
        for rank in range(3):
            self.assertIn(f'rank {rank} of 3:\n', text)

    def test_version_and_help(self):
        self.assertRegex(self.succeeds(mpiexec('--version')), r'^mpiexec \(Thrum\) \d+\.\d+\.\d+, MPI 5\.0\n$')
        self.assertIn('--workers', self.succeeds(mpiexec('--help')))


class Mistakes(CommandTest):
    def test_unknown_option_is_named_with_the_likely_one(self):
        for typo, meant in (('--wokers', '--workers'), ('--worker', '--workers'), ('-timout', '--timeout'),
                            ('--ouput-dir=x', '--output-dir'), ('--prefx', '--prefix'), ('-nq', '--np')):
            self.fails(mpiexec(typo, 3, 'true'), 2, typo.split('=')[0], f'did you mean {meant}?')

    def test_an_option_like_no_other_gets_no_suggestion(self):
        code, _, errors = mpiexec('--fhqwhgads', 'true')
        self.assertEqual((code, 'did you mean' in errors), (2, False))

    def test_values_that_make_no_sense(self):
        for words in (['-n', '0'], ['-n', 'abc'], ['-n', '-3'], ['-n', '4x'], ['-n', '99999999999999'], ['--workers', '0'],
                      ['--stack', 'big'], ['--stack', '0'], ['--threads', 'green'], ['--timeout', '0'], ['--timeout', 'soon'],
                      ['--wdir', '/nowhere'], ['--wdir', '/etc/passwd'], ['-x', '=3']):
            self.fails(mpiexec(*words, 'true'), 2, words[0].lstrip('-'), words[1])
        self.fails(mpiexec('-configfile', '/nowhere'), 2, '/nowhere', 'No such file')

    def test_missing_value_and_missing_program(self):
        self.fails(mpiexec('-n'), 2, '-n needs a value')
        self.fails(mpiexec('-n', 2), 2, 'no program given')
        self.fails(mpiexec(), 2, 'no program given')
        self.fails(mpiexec('true', ':'), 2, 'missing before or after a colon')

    def test_options_of_the_job_are_refused_after_a_colon(self):
        self.fails(mpiexec('true', ':', '--workers', 2, 'true'), 2, '--workers', 'whole job')

    def test_options_of_other_launchers_get_an_answer(self):
        self.fails(mpiexec('-arch', 'vax', 'true'), 2, '-arch', 'all hosts')
        self.fails(mpiexec('-soft', '2:4', 'true'), 2, '-soft: the number of ranks must be given as one number')
        self.fails(mpiexec('-soft', '2:4', 'true'), 2, '-n')

    def test_programs_that_cannot_be_started(self):
        self.fails(mpiexec('no-such-program'), 127, 'no-such-program', 'not found in PATH')
        self.fails(mpiexec('./no-such-program'), 127, 'No such file')
        self.fails(mpiexec('/usr'), 126, 'directory')
        self.fails(mpiexec(self.write('data.txt', 'hello')), 126, 'not executable')
        self.fails(mpiexec(self.write('text', 'hello', 0o755)), 126, 'neither an ELF program nor a script')
        self.fails(mpiexec(self.write('lost', '#!/no/such/interpreter\n', 0o755)), 126, 'interpreter')

    def test_program_in_the_current_directory_is_suggested(self):
        self.write('here', '#!/bin/sh\n', 0o755)
        self.fails(mpiexec('here', cwd=self.scratch), 127, 'did you mean ./here?')

    def test_static_and_position_dependent_programs_are_no_threads_and_the_remedy_is_named(self):
        source = self.write('plain.c', 'int main(void) { return 0; }')
        for flags, remedy in ((['-static'], '-static'), (['-no-pie'], 'pie')):
            program = self.scratch / 'plain'
            self.assertEqual(run('gcc', *flags, source, '-o', program)[0], 0)
            self.fails(mpiexec('-n', 2, '--threads=fiber', program), 2, remedy)


if __name__ == '__main__':
    unittest.main()
