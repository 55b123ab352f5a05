"""find_package(Thrum) and mpi_add_test() of the installed tree, in a small project."""
import json
import os
import unittest

from commands import HELLO, TREE, CommandTest, run

PROJECT = '''
cmake_minimum_required(VERSION 3.20)
project(user C)
enable_testing()
find_package(Thrum REQUIRED)
add_executable(hello hello.c)
target_link_libraries(hello PRIVATE MPI::MPI_C)
'''
WRONG = r'''
#include <mpi.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (volatile int run = size == 3 && rank == 0; run;)
        ;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
'''


class CMakeTests(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.scratch / 'tree'
        cls.environment = os.environ | {'PATH': f'{cls.prefix}/bin:{os.environ["PATH"]}'}
        for name in 'MPIEXEC_TIMEOUT', 'MAKEFLAGS':
            cls.environment.pop(name, None)
        code, output, errors = run('cmake', '--install', TREE, '--prefix', cls.prefix)
        if code:
            raise RuntimeError(output + errors)

    def project(self, name, text, **files):
        """Writes a project; returns its folder and its build folder."""
        folder = self.scratch / name
        folder.mkdir()
        for file, content in {'hello': HELLO, **files}.items():
            (folder / f'{file}.c').write_text(content)
        (folder / 'CMakeLists.txt').write_text(PROJECT + text)
        return folder, folder / 'build'

    def configure(self, name, text, *options, **files):
        folder, build = self.project(name, text, **files)
        self.succeeds(run('cmake', '-G', 'Ninja', '-S', folder, '-B', build, *options, env=self.environment))
        return build

    def declared(self, build):
        """The command and the properties of each test, by its name."""
        listing = self.succeeds(run('ctest', '--test-dir', build, '--show-only=json-v1', env=self.environment))
        return {test['name']: (test.get('command', []), {one['name']: one['value'] for one in test['properties']})
                for test in json.loads(listing)['tests']}

    def test_a_test_for_each_number_of_ranks(self):
        build = self.configure('short', 'mpi_add_test(hello ranks 1 2 4 8)\n')
        self.succeeds(run('cmake', '--build', build, env=self.environment))
        output = self.succeeds(run('ctest', '--test-dir', build, '--verbose', env=self.environment))
        for ranks in 1, 2, 4, 8:
            self.assertRegex(output, rf'(?m)hello_{ranks} \.+ +Passed')
            self.assertRegex(output, rf'(?m)rank {ranks - 1} of {ranks}:$')
        self.assertEqual(self.declared(build)['hello_4'][1].get('PROCESSORS', 1), 1)
        self.assertEqual(self.declared(build)['hello_4'][1]['LABELS'], ['mpi'])

    def test_program_arguments_and_options(self):
        build = self.configure('long', '''
mpi_add_test(NAME said COMMAND hello ARGS "a b" c RANKS 3 OPTIONS --prefix TIMEOUT 20 WORKERS 2 LABELS slow)
mpi_add_test(other RANKS 2 2 COMMAND ${CMAKE_COMMAND} ARGS -E echo done)
''', '-DMPIEXEC_PREFLAGS=--check --timeout 40')
        self.succeeds(run('cmake', '--build', build, env=self.environment))
        output = self.succeeds(run('ctest', '--test-dir', build, '--verbose', env=self.environment))
        self.assertRegex(output, r'2\W+rank 2 of 3: \[a b\] \[c\]')
        tests = self.declared(build)
        self.assertEqual(sorted(tests), ['other_2', 'said_3'])
        command, properties = tests['said_3']
        self.assertEqual(command[1:-3], ['-n', '3', '--check', '--timeout', '40', '--prefix', '--workers', '2', '--timeout', '20'])
        self.assertEqual((properties['PROCESSORS'], properties['TIMEOUT'], properties['LABELS']), (2, 50, ['mpi', 'slow']))

    def test_a_test_that_hangs_says_where(self):
        build = self.configure('hangs', '''
add_executable(wrong wrong.c)
target_compile_options(wrong PRIVATE -g)
target_link_libraries(wrong PRIVATE MPI::MPI_C)
mpi_add_test(wrong RANKS 2 3 TIMEOUT 1)
''', wrong=WRONG)
        self.succeeds(run('cmake', '--build', build, env=self.environment))
        code, output, _ = run('ctest', '--test-dir', build, '--output-on-failure', env=self.environment)
        self.assertNotEqual(code, 0)
        self.assertRegex(output, r'wrong_2 \.+ +Passed')
        self.assertRegex(output, r'wrong_3 \.+\*+Failed')
        self.assertRegex(output, r'MPI_Barrier.*wrong\.c:\d+')

    def test_wrong_use_is_an_error_of_cmake(self):
        folder, build = self.project('refused', '')
        for call, text in (
                ('mpi_add_test(hello)', 'give the numbers of ranks, such as RANKS 1 2 4 8'),
                ('mpi_add_test(hello 1 2)', 'unknown argument'),
                ('mpi_add_test(hello RANKS 1 0)', '0 is not a whole number of at least 1'),
                ('mpi_add_test(hello RANKS two)', 'two is not a whole number'),
                ('mpi_add_test(hello RANKS)', 'RANKS needs a value'),
                ('mpi_add_test(hello RANKS 2 TIMEOUT 1.5)', '1.5 is not a whole number'),
                ('mpi_add_test(nothing RANKS 2)', 'nothing is not a target; call add_executable'),
                ('add_library(parts hello.c)\nmpi_add_test(parts RANKS 2)', 'the target parts is not an')):
            (folder / 'CMakeLists.txt').write_text(PROJECT + call)
            code, output, errors = run('cmake', '-G', 'Ninja', '-S', folder, '-B', build, env=self.environment)
            self.assertNotEqual(code, 0, call)
            self.assertIn(text, ' '.join(errors.split()), call)
            self.assertIn('mpi_add_test(', errors)

    def test_another_mpi_is_not_taken(self):
        folder, build = self.project('another', '')
        other = self.scratch / 'other'
        self.succeeds(run('cmake', '--install', TREE, '--prefix', other))
        text = (folder / 'CMakeLists.txt').read_text().replace('find_package(Thrum', f'set(MPI_HOME {other})\nfind_package(MPI REQUIRED)\nfind_package(Thrum')
        (folder / 'CMakeLists.txt').write_text(text)
        code, _, errors = run('cmake', '-G', 'Ninja', '-S', folder, '-B', build, env=self.environment)
        self.assertNotEqual(code, 0)
        self.assertIn('has found another MPI', ' '.join(errors.split()))

    def test_a_moved_tree_is_found_by_its_prefix(self):
        moved = self.scratch / 'moved'
        self.succeeds(run('cp', '-a', self.prefix, moved))
        folder, build = self.project('by_prefix', 'mpi_add_test(hello ranks 2)\n')
        environment = os.environ | {'PATH': '/usr/bin:/bin'}
        self.succeeds(run('cmake', '-G', 'Ninja', '-S', folder, '-B', build, f'-DCMAKE_PREFIX_PATH={moved}', env=environment))
        self.assertEqual(self.declared(build)['hello_2'][0][0], str(moved / 'bin' / 'mpiexec'))


if __name__ == '__main__':
    unittest.main()
