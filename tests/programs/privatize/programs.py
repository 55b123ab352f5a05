"""Programs compiled with --privatize: every way to build them, and what the wrapper shows."""
import os
import shlex
import sys
import unittest
from pathlib import Path

from commands import BIN, TREE, CommandTest, mpiexec, run

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'bench'))
import million  # noqa: E402

COUNTER = '''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int count = 40;
static int *address = &count;
static int *const constant[2] = {&count, 0};
static long zeroes[1000];
__thread int *of_thread = &count;
static void at_end(void) {
    if (count < 42)
        abort();
}
int main(int argc, char **argv) {
    static int calls;
    int rank, size;
    long sum, mine;
    if (++calls != 1 || *address != 40 || constant[0] != address || of_thread != &count || zeroes[999])
        return 3;
    atexit(at_end);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *address += 2 + rank;
    zeroes[rank % 1000] = rank;
    mine = count;
    MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    int right = sum == 42l * size + (long)size * (size - 1) / 2 && *constant[0] == 42 + rank &&
                zeroes[rank % 1000] == rank && !zeroes[(rank + 1) % 1000] && !zeroes[(rank + 999) % 1000];
    printf("%s\\n", right ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
'''
FORTRAN = '''
module counts
  integer :: count = 40
end module

program fortran
  use counts
  use mpi_f08
  implicit none
  integer :: rank, ranks, total, unit
  integer, save :: calls = 0
  calls = calls + 1
  if (calls /= 1 .or. count /= 40) error stop 3
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  count = count + mod(rank, 7)
  open (newunit=unit, status='scratch')
  write (unit, *) count
  rewind (unit)
  read (unit, *) calls
  close (unit)
  if (calls /= count) error stop 4
  call MPI_Allreduce(count - 40, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
  if (rank == 0) print '(a, i0)', 'total ', total
  call MPI_Finalize()
end program
'''
STREAMS = '''
#include <mpi.h>
#include <iomanip>
#include <iostream>
struct Greeting {
    Greeting() { std::cout << std::setfill('*'); }
} greeting;
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank % 2)
        std::cout << std::hex;
    MPI_Barrier(MPI_COMM_WORLD);
    std::cout << std::setw(4) << 16 + rank << std::endl;
    MPI_Finalize();
}
'''
CRASH = '''
#include <mpi.h>
static int *volatile nowhere;
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    return *nowhere;
}
'''


class Programs(CommandTest):
    def compile(self, *options, text=COUNTER, name='counter.c', compiler='mpicc', **surroundings):
        program = self.scratch / 'program'
        self.succeeds(run(BIN / compiler, '--privatize', *options, self.write(name, text), '-o', program, **surroundings))
        return program

    def is_right(self, program, ranks=8, *options, **surroundings):
        code, output, errors = mpiexec('-n', ranks, *options, program, **surroundings)
        self.assertEqual((code, output.split(), errors), (0, ['right'] * ranks, ''))

    def test_every_level_of_optimisation(self):
        for level in ('-O0', '-O1', '-O2', '-O3', '-Os', '-Og', '-Ofast'):
            with self.subTest(level):
                self.is_right(self.compile(level, '-g'))

    def test_link_time_optimisation(self):
        self.is_right(self.compile('-O2', '-flto'))

    def test_position_independent_code_of_libraries(self):
        self.is_right(self.compile('-O2', '-fPIC'))

    def test_sections_for_data_and_functions(self):
        self.is_right(self.compile('-O2', '-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections'))

    def test_tentative_definitions_in_common(self):
        self.is_right(self.compile('-O2', '-fcommon'))

    def test_other_linkers(self):
        for linker in ('gold', 'lld'):
            if run('sh', '-c', f'command -v ld.{linker}')[0] == 0:
                with self.subTest(linker):
                    self.is_right(self.compile('-O1', f'-fuse-ld={linker}'))

    def test_lazy_binding_and_no_relro(self):
        self.is_right(self.compile('-Wl,-z,lazy'))
        self.is_right(self.compile('-Wl,-z,now'))
        self.is_right(self.compile('-Wl,-z,norelro'))
        self.is_right(self.compile('-Wl,-z,pack-relative-relocs'))

    def test_stripped_executable(self):
        self.is_right(self.compile('-s'))

    def test_numbers_of_ranks_and_kinds_of_threads(self):
        program = self.compile('-O2')
        for ranks in (1, 2, 64, 5000):
            self.is_right(program, ranks)
        self.is_right(program, 8, '--threads=os')
        self.is_right(program, 8, '--workers', '1')

    def test_processors_without_instructions_for_gs_base(self):
        """The kernel sets FS and GS base then (arch_prctl), which THRUM_FSGSBASE=0 asks for on any processor."""
        surroundings = {'env': {**os.environ, 'THRUM_FSGSBASE': '0'}}
        for library in ([], ['-fPIC']):
            program = self.compile('-O2', *library)
            for options in (['--workers', '1'], ['--workers', '2'], ['--threads=os']):
                self.is_right(program, 64, *options, **surroundings)

    def test_the_text_is_there_once(self):
        """As clones, so many ranks would need more mappings than a process may have."""
        program = self.compile('-O2')
        code, output, errors = mpiexec('-n', 40000, program, timeout=200)
        self.assertEqual((code, set(output.split()), errors), (0, {'right'}, ''))

    def test_a_rank_needs_no_more_than_16_KiB(self):
        program = self.scratch / 'ring'
        self.succeeds(run(BIN / 'mpicc', '--privatize', '-O2', ROOT / 'examples' / 'ring.c', '-o', program))
        few, many = 70_000, 90_000  # both beyond where stacks and buffers become small
        kib = [million.run(BIN / 'mpiexec', program, ranks)[1] * ranks for ranks in (few, many)]
        self.assertLess((kib[1] - kib[0]) / (many - few), million.KIB_A_RANK_MAX)

    def test_fortran_ranks_share_a_libgfortran_if_the_user_says_so(self):
        source = self.write('fortran.f90', FORTRAN)
        program = self.scratch / 'fortran'
        self.succeeds(run(BIN / 'mpifort', '--privatize', '-O2', source, '-o', program, '-J', self.scratch))
        for ranks in 8, 5000:
            shared = {**os.environ, 'THRUM_SHARED': 'libgfortran.so.5'}
            output = self.succeeds(mpiexec('-n', ranks, program, env=shared, timeout=240))
            self.assertEqual(output, f'total {sum(rank % 7 for rank in range(ranks))}\n')

    def test_standard_streams_of_cxx_belong_to_their_rank(self):
        program = self.compile('-O1', text=STREAMS, name='streams.cc', compiler='mpicxx')
        output = self.succeeds(mpiexec('-n', 4, program))
        self.assertEqual(sorted(output.split()), sorted(['**16', '**11', '**18', '**13']))

    def test_constructors_of_libraries_use_the_ranks_streams(self):
        library = 'struct Early {\n    Early() { std::cout << "library " << std::setfill(\'*\'); }\n} early;\n'
        source = self.write('early.cc', '#include <iomanip>\n#include <iostream>\n' + library + 'int early_number() { return 20; }\n')
        self.succeeds(run(BIN / 'mpicxx', '--privatize', '-fPIC', '-shared', source, '-o', self.scratch / 'libearly.so'))
        text = STREAMS.replace("std::setfill('*')", '"program "').replace('16 + rank', 'early_number() + rank')
        program = self.compile('-O1', '-Wl,--no-as-needed', self.scratch / 'libearly.so', f'-Wl,-rpath,{self.scratch}', text='int early_number();\n' + text,
                               name='early_program.cc', compiler='mpicxx')
        output = self.succeeds(mpiexec('-n', 2, program))
        self.assertEqual(sorted(output.splitlines()), ['library program **15', 'library program **20'])

    def test_crash_reports_have_lines(self):
        program = self.compile('-g', '-O1', text=CRASH, name='crash.c')
        code, _, errors = mpiexec('-n', 3, program)
        self.assertEqual(code, 139)
        self.assertRegex(errors, r'rank \d: segmentation fault.*main.*crash.c:7')

    def test_show_names_plugin_and_link_step(self):
        words = shlex.split(self.succeeds(run(BIN / 'mpicc', '--privatize', '-show', 'x.c')))
        self.assertIn(f'-fplugin={TREE}/lib/thrum/privatize_gcc.so', words)
        self.assertIn(f'-B{TREE}/libexec/thrum/privatize/', words)
        self.assertIn(f'{TREE}/lib/thrum/privatized.o', words)
        self.assertNotIn('--privatize', words)
        words = shlex.split(self.succeeds(run(BIN / 'mpicc', '--privatize', '-show', '-c', 'x.c')))
        self.assertNotIn(f'{TREE}/lib/thrum/privatized.o', words)

    def test_memory_models_that_do_not_fit_are_refused(self):
        code, _, errors = run(BIN / 'mpicc', '--privatize', '-mcmodel=large', '-c', self.write('x.c', 'int x;'),
                              '-o', '/dev/null')
        self.assertNotEqual(code, 0)
        self.assertIn('-mcmodel', errors)

    def test_sanitizers_are_refused(self):
        self.fails(run(BIN / 'mpicc', '--privatize', '-fsanitize=address', '-c', 'x.c'), 1, 'leave --privatize out')

    def test_without_the_plugin_the_wrapper_says_so(self):
        tree = self.scratch / 'tree'
        (tree / 'bin').mkdir(parents=True)
        (tree / 'bin' / 'mpicc').write_bytes((BIN / 'mpicc').read_bytes())
        os.chmod(tree / 'bin' / 'mpicc', 0o755)
        self.fails(run(tree / 'bin' / 'mpicc', '--privatize', '-c', 'x.c'), 1, 'privatize_gcc.so is missing')


if __name__ == '__main__':
    unittest.main()
