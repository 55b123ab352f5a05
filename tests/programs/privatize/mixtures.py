"""Objects with and without --privatize in one program: right, or refused with the symbol and the object named."""
import os
import unittest

from commands import BIN, CommandTest, mpiexec, run

MAIN = '''
#include <mpi.h>
#include <stdio.h>
int count = 1;
int step(int);
int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    count += step(rank);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%s\\n", count == 1 + rank && step(0) == rank ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
'''
# step(rank), later step(0), returns what this rank has passed in so far.
STATEFUL = 'static int passed; int step(int n) { return passed += n; }\n'
REFERRING = 'extern int count; int step(int n) { return n ? n : count - 1; }\n'
ASSEMBLY = '''
        .globl step
        .type step, @function
step:   mov %edi, %eax
        test %eax, %eax
        jnz 1f
        mov count@GOTPCREL(%rip), %rdx
        mov (%rdx), %eax
        dec %eax
1:      ret
        .section .note.GNU-stack,"",@progbits
'''
PURE = 'int square(int n) { return n * n; }\n'
STEP_BY_COUNT = 'extern int count; int square(int); int step(int n) { return n ? square(n) / n : count - 1; }\n'


class Mixtures(CommandTest):
    def build(self, name, text, *options, suffix='.c'):
        source = self.write(name + suffix, text)
        target = self.scratch / f'{name}.o'
        self.succeeds(run(BIN / 'mpicc', *options, '-c', source, '-o', target))
        return target

    def link(self, *objects, privatize=True, name='program'):
        return run(BIN / 'mpicc', *(['--privatize'] if privatize else []), *objects, '-o', self.scratch / name)

    def is_right(self, program='program', ranks=8, **surroundings):
        code, output, errors = mpiexec('-n', ranks, self.scratch / program, **surroundings)
        self.assertEqual((code, output.split(), errors), (0, ['right'] * ranks, ''))

    def setUp(self):
        self.main = self.build('main', MAIN, '--privatize')

    def test_all_objects_privatised(self):
        self.succeeds(self.link(self.main, self.build('stateful', STATEFUL, '--privatize')))
        self.is_right()

    def test_a_plain_object_with_a_variable_is_refused_at_link(self):
        plain = self.build('stateful', STATEFUL)
        self.fails(self.link(self.main, plain), 1, f'{plain} was compiled without --privatize', "'passed'",
                   f'Compile {plain} with --privatize')
        self.assertFalse((self.scratch / 'program').exists())

    def test_a_plain_common_symbol_is_refused_at_link(self):
        plain = self.build('common', 'int passed; ' + STATEFUL.replace('static int passed;', ''), '-fcommon')
        self.fails(self.link(self.main, plain), 1, "'passed'")

    def test_a_plain_object_that_uses_a_private_variable_is_refused_at_link(self):
        plain = self.build('referring', REFERRING)
        self.fails(self.link(self.main, plain), 1, str(plain), "uses 'count'", f'{self.main} defines as private')

    def test_a_member_of_an_archive_is_named(self):
        plain = self.build('stateful', STATEFUL)
        archive = self.scratch / 'libplain.a'
        self.succeeds(run('ar', 'rcs', archive, plain))
        self.fails(self.link(self.main, f'-L{self.scratch}', '-lplain'), 1, 'libplain.a(stateful.o)', "'passed'")

    def test_a_member_that_is_not_linked_does_not_matter(self):
        private = self.build('private', STATEFUL, '--privatize')
        plain = self.build('plain', STATEFUL.replace('step', 'unused'))
        archive = self.scratch / 'libboth.a'
        self.succeeds(run('ar', 'rcs', archive, private, plain))
        self.succeeds(self.link(self.main, archive))
        self.is_right()

    def test_a_plain_object_without_variables_is_right(self):
        self.succeeds(self.link(self.main, self.build('pure', PURE),
                                self.build('by_count', STEP_BY_COUNT, '--privatize')))
        self.is_right()

    def test_assembly_that_uses_a_private_variable_is_refused_at_link(self):
        assembly = self.build('assembly', ASSEMBLY, '--privatize', suffix='.s')
        self.fails(self.link(self.main, assembly), 1, str(assembly), "'count'")

    def test_a_source_beside_plain_objects_is_checked_before_it_is_gone(self):
        plain = self.build('stateful', STATEFUL)
        self.fails(self.link(self.write('main.c', MAIN), plain), 1, "'passed'")

    def test_a_partial_link_is_checked(self):
        plain = self.build('stateful', STATEFUL)
        self.fails(self.link(self.main, plain, '-r', name='both.o'), 1, "'passed'")
        self.succeeds(self.link(self.main, self.build('private', STATEFUL, '--privatize'), '-r', name='both.o'))
        self.succeeds(self.link(self.scratch / 'both.o'))
        self.is_right()

    def test_linked_without_privatize_a_mixture_runs_as_clones(self):
        self.succeeds(self.link(self.main, self.build('stateful', STATEFUL), privatize=False))
        self.is_right()
        self.succeeds(self.link(self.main, self.build('referring', REFERRING), privatize=False))
        self.is_right()

    def library(self, *options):
        source = self.write('library.c', STATEFUL)
        self.succeeds(run(BIN / 'mpicc', *options, '-fPIC', '-shared', source, '-o', self.scratch / 'libstep.so'))
        return [f'-L{self.scratch}', '-lstep', f'-Wl,-rpath,{self.scratch}']

    def test_a_privatised_library_has_a_block_too(self):
        self.succeeds(self.link(self.main, *self.library('--privatize')))
        self.is_right(ranks=64)

    def test_a_plain_library_makes_the_program_run_as_clones(self):
        self.succeeds(self.link(self.main, *self.library()))
        self.is_right(ranks=64)

    def test_too_many_clones_for_a_privatised_program_name_the_plain_library(self):
        self.succeeds(self.link(self.main, *self.library()))
        # On a machine with little memory that is what is refused first.
        enough = os.environ | {'THRUM_MEMORY': 'unlimited'}
        self.fails(mpiexec('-n', 1000000, self.scratch / 'program', env=enough), 2, 'libstep.so',
                   'is not compiled with --privatize')

    def test_too_many_clones_for_the_memory_name_the_plain_library(self):
        self.succeeds(self.link(self.main, *self.library()))
        little = os.environ | {'THRUM_MEMORY': '100M'}
        self.fails(mpiexec('-n', 20000, self.scratch / 'program', env=little), 2, '100 MiB are available',
                   'they are clones because', 'libstep.so is not compiled with --privatize')

    def test_a_privatised_library_that_all_ranks_share_makes_the_program_run_as_clones(self):
        library = PURE.replace('square', 'step').replace('n * n', 'n ? n : 0')
        source = self.write('library.c', library)
        self.succeeds(run(BIN / 'mpicc', '--privatize', '-fPIC', '-shared', source, '-o', self.scratch / 'libpure.so'))
        main = self.build('main', MAIN.replace('step(0) == rank', 'step(0) == 0'), '--privatize')
        self.succeeds(self.link(main, f'-L{self.scratch}', '-lpure', f'-Wl,-rpath,{self.scratch}'))
        self.is_right(env=os.environ | {'THRUM_SHARED': 'libpure'})

    def test_another_version_of_the_contract_is_refused_at_link_and_at_start(self):
        def with_version_9(path):
            data = path.read_bytes()
            name = b'Thrum\0\0\0'
            self.assertIn(name + b'\1\0\0\0', data)
            path.write_bytes(data.replace(name + b'\1\0\0\0', name + b'\x09\0\0\0'))
        other = self.build('stateful', STATEFUL, '--privatize')
        with_version_9(other)
        self.fails(self.link(self.main, other), 1, f'{other} was privatised by contract version 9', 'gcc')
        self.succeeds(self.link(self.main, self.build('stateful', STATEFUL, '--privatize')))
        with_version_9(self.scratch / 'program')
        self.fails(mpiexec('-n', 2, self.scratch / 'program'), 2, 'privatised by version 9', 'Compile it again')


if __name__ == '__main__':
    unittest.main()
