"""Programs compiled with --privatize by clang: levels of optimisation, kinds of code, debug information, mixtures."""
import os
import unittest
from pathlib import Path

import programs
from commands import BIN, CommandTest, mpiexec, run

CLANG = {**os.environ, 'THRUM_CC': os.environ['THRUM_CLANG'],
         'THRUM_CXX': os.environ['THRUM_CLANG'].replace('clang', 'clang++')}

# Reads what the other unit has, by a slot and by a constant that holds its address.
FIRST = '''
#include <mpi.h>
#include <stdio.h>
extern int shared;
extern int *const to_shared;
static int table[4] = {1, 2, 3, 4};
int add(int amount);
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int right = shared == 7 && *to_shared == 7 && table[2] == 3;
    shared += rank;
    table[rank % 4] += rank;
    MPI_Barrier(MPI_COMM_WORLD);
    right = right && add(1) == 8 + rank && *to_shared == 8 + rank && table[rank % 4] == rank % 4 + 1 + rank;
    puts(right ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
'''
SECOND = '''
int shared = 7;
int *const to_shared = &shared;
int add(int amount) { return shared += amount; }
'''


class ClangPrograms(CommandTest):
    def compile(self, *options, text=programs.COUNTER, name='counter.c', compiler='mpicc'):
        program = self.scratch / 'program'
        self.succeeds(run(BIN / compiler, '--privatize', *options, self.write(name, text), '-o', program, env=CLANG))
        return program

    def is_right(self, program, ranks=8):
        code, output, errors = mpiexec('-n', ranks, program)
        self.assertEqual((code, output.split(), errors), (0, ['right'] * ranks, ''))

    def test_every_level_of_optimisation(self):
        for level in ('-O0', '-O1', '-O2', '-O3', '-Os', '-Og'):
            with self.subTest(level):
                self.is_right(self.compile(level, '-g'))

    def test_position_independent_code_of_libraries(self):
        self.is_right(self.compile('-O2', '-fPIC'))

    def test_sections_common_and_a_larger_memory_model(self):
        self.is_right(self.compile('-O2', '-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections'))
        self.is_right(self.compile('-O2', '-fcommon'))
        self.is_right(self.compile('-O2', '-mcmodel=medium'))

    def test_the_text_is_there_once(self):
        """As clones, so many ranks would need more mappings than a process may have."""
        code, output, errors = mpiexec('-n', 40000, self.compile('-O2'), timeout=200)
        self.assertEqual((code, set(output.split()), errors), (0, {'right'}, ''))

    def test_standard_streams_of_cxx_belong_to_their_rank(self):
        program = self.compile('-O1', text=programs.STREAMS, name='streams.cc', compiler='mpicxx')
        output = self.succeeds(mpiexec('-n', 4, program))
        self.assertEqual(sorted(output.split()), sorted(['**16', '**11', '**18', '**13']))

    def test_crash_reports_have_lines(self):
        code, _, errors = mpiexec('-n', 3, self.compile('-g', '-O1', text=programs.CRASH, name='crash.c'))
        self.assertEqual(code, 139)
        self.assertRegex(errors, r'rank \d: segmentation fault.*main.*crash.c:6')

    def test_objects_of_gcc_and_clang_make_one_program(self):
        first, second = self.write('first.c', FIRST), self.write('second.c', SECOND)
        for first_by, second_by, link_by in (({}, CLANG, {}), (CLANG, {}, CLANG)):
            objects = [self.scratch / 'first.o', self.scratch / 'second.o']
            for source, made, by in zip((first, second), objects, (first_by, second_by)):
                self.succeeds(run(BIN / 'mpicc', '--privatize', '-O2', '-c', source, '-o', made, env=by or None))
            self.succeeds(run(BIN / 'mpicc', '--privatize', *objects, '-o', self.scratch / 'both', env=link_by or None))
            self.is_right(self.scratch / 'both', 40)
            self.assertEqual(set(self.succeeds(mpiexec('-n', 40000, self.scratch / 'both', timeout=200)).split()), {'right'})

    def test_a_variable_in_a_read_only_section_is_an_error(self):
        source = self.write('x.c', 'int x __attribute__((section(".rodata.mine"))) = 1; int *f(void) { return &x; }')
        code, _, errors = run(BIN / 'mpicc', '--privatize', '-c', source, '-o', Path('/dev/null'), env=CLANG)
        self.assertNotEqual(code, 0)
        self.assertRegex(errors, 'the variable x is in the section .rodata.mine')


if __name__ == '__main__':
    unittest.main()
