"""mpicc, mpicxx and mpifort: what reaches the compiler, and what is refused."""
import os
import shlex
import shutil
import unittest

from commands import BIN, HELLO, HELLO_FORTRAN, TREE, CommandTest, mpiexec, run


class Wrapper(CommandTest):
    def show(self, *arguments, compiler='mpicc', **options):
        return shlex.split(self.succeeds(run(BIN / compiler, '-show', *arguments, **options)))

    def test_show_prints_the_command_that_would_run(self):
        words = self.show('-DTEXT="a b"', 'x.c', '-o', 'x')
        self.assertEqual(words[:6], ['gcc', '-fstack-clash-protection', f'-I{TREE}/include',
                                     '-DTEXT="a b"', 'x.c', '-o'])
        self.assertEqual(words[-2:], ['-lmpi_removed', '-lmpi_abi'])
        self.assertIn(f'-Wl,-rpath,{TREE}/lib', words)

    def test_no_library_where_nothing_is_linked(self):
        for flag in ('-c', '-S', '-E', '-M', '-MM', '-fsyntax-only'):
            self.assertNotIn('-lmpi_abi', self.show(flag, 'x.c'), flag)

    def test_dependency_files_do_not_stop_linking(self):
        self.assertIn('-lmpi_abi', self.show('-MMD', '-MF', 'x.d', 'x.c'))

    def test_questions_to_the_compiler_pass_through(self):
        self.assertEqual(self.succeeds(run(BIN / 'mpicc', '-dumpversion')), self.succeeds(run('gcc', '-dumpversion')))
        self.assertEqual(self.succeeds(run(BIN / 'mpicxx', '--version')), self.succeeds(run('g++', '--version')))

    def test_parts_in_the_manner_of_other_mpis(self):
        def ask(word):
            return self.succeeds(run(BIN / 'mpicc', word)).strip()
        self.assertEqual(ask('-showme:compile'), f'-fstack-clash-protection -I{TREE}/include')
        self.assertIn('-lmpi_abi', ask('--showme:link'))
        self.assertEqual(ask('--showme:incdirs'), f'{TREE}/include')
        self.assertEqual(ask('--showme:command'), 'gcc')
        self.assertNotIn('-lmpi_abi', ask('-compile_info'))
        self.assertIn('-lmpi_abi', ask('-link_info'))
        self.fails(run(BIN / 'mpicc', '-showme:nonsense'), 1, 'nonsense')

    def test_check_instruments_without_the_run_time_of_a_sanitizer(self):
        words = self.show('--check', 'x.c')
        self.assertIn(f'-specs={TREE}/lib/thrum/check.specs', words)
        self.assertIn(f'{TREE}/lib/thrum/libthrum_check.a', words)
        self.assertNotIn('--check', words)
        self.assertNotIn('-fsanitize=thread', words)
        self.assertIn('-Xclang', self.show('--check', '-c', 'x.c', env=os.environ | {'THRUM_CC': 'clang'}))
        for other in '--privatize', '-fsanitize=address':
            self.fails(run(BIN / 'mpicc', '--check', other, '-c', 'x.c'), 1, '--check')

    def test_check_of_fortran_needs_gfortran(self):
        self.assertIn(f'-specs={TREE}/lib/thrum/check.specs', self.show('--check', 'x.f90', compiler='mpifort'))
        if not (TREE / 'include' / 'flang').exists():
            self.skipTest('built without flang')
        code, _, stderr = run(BIN / 'mpifort', '--check', '-c', 'x.f90', env=os.environ | {'THRUM_FC': 'flang-new-19'})
        self.assertEqual((code, stderr), (1, 'mpifort: --check: flang does not instrument loads and stores; use gfortran\n'))

    def test_privatize_refuses_a_gcc_that_cannot_load_the_plugin(self):
        if not (TREE / 'lib' / 'thrum' / 'privatize_gcc.so').exists():
            self.skipTest('built without the plugin headers of gcc')
        other = self.write('other-gcc', '#!/bin/sh\necho /usr/lib/gcc/x86_64-linux-gnu/99/plugin\n', 0o755)
        for wrapper, variable in (('mpicc', 'THRUM_CC'), ('mpicxx', 'THRUM_CXX'), ('mpifort', 'THRUM_FC')):
            self.fails(run(BIN / wrapper, '--privatize', '-c', 'x', env=os.environ | {variable: str(other)}), 1,
                       f'{wrapper}: --privatize: Thrum was built for the gcc', f'those of {other} are in /usr/lib/gcc/x86_64-linux-gnu/99/plugin', 'or clang 19')
        self.assertIn('-fplugin=', ' '.join(self.show('--privatize', '-c', 'x.c')))

    def test_another_compiler_by_the_environment(self):
        self.assertEqual(self.show('x.c', env=os.environ | {'THRUM_CC': 'ccache gcc'})[:2], ['ccache', 'gcc'])
        self.assertEqual(self.show('x.cc', compiler='mpicxx', env=os.environ | {'THRUM_CXX': 'clang++'})[0], 'clang++')

    def test_the_variables_of_other_mpis_name_the_compiler_too(self):
        for wrapper, variables in (('mpicc', 'MPICH_CC OMPI_CC I_MPI_CC'), ('mpicxx', 'MPICH_CXX OMPI_CXX I_MPI_CXX'),
                                   ('mpifort', 'MPICH_FC MPICH_F90 MPICH_F77 OMPI_FC OMPI_F77 I_MPI_FC I_MPI_F90 I_MPI_F77')):
            ours = 'THRUM_' + variables.split()[0].partition('_')[2]
            for variable in variables.split():
                self.assertEqual(self.show('-c', 'x', compiler=wrapper, env=os.environ | {variable: 'theirs'})[0], 'theirs', variable)
                self.assertEqual(self.show('-c', 'x', compiler=wrapper, env=os.environ | {variable: 'theirs', ours: 'own'})[0], 'own')

    def test_a_compiler_that_is_not_position_independent_by_itself_is_told_to_be(self):
        words = self.show('x.c', env=os.environ | {'THRUM_CC': 'gcc -fno-pie'})
        self.assertIn('-fPIE', words)
        self.assertIn('-pie', words)
        self.assertNotIn('-pie', self.show('-shared', 'x.c', env=os.environ | {'THRUM_CC': 'gcc -fno-pie'}))

    def test_large_frames_are_probed_where_the_compiler_can(self):
        self.assertIn('-fstack-clash-protection', self.show('-c', 'x.c'))
        self.assertNotIn('-fstack-clash-protection', self.show('x.c', env=os.environ | {'THRUM_CC': 'clang'}))

    def test_mpifort_under_each_of_its_names(self):
        for name in ('mpifort', 'mpif90', 'mpif77'):
            words = self.show('-O2', 'x.f90', '-o', 'x', compiler=name)
            self.assertEqual(words[:6], ['gfortran', '-fstack-clash-protection', '-fallow-argument-mismatch',
                                         f'-I{TREE}/include', '-O2', 'x.f90'])
            self.assertEqual(words[-3:], ['-lmpi_removed', '-lmpifort', '-lmpi_abi'])
        self.assertEqual(self.succeeds(run(BIN / 'mpifort', '-showme:libs')).split(), ['mpi_removed', 'mpifort', 'mpi_abi'])
        self.assertNotIn('-lmpifort', self.show('-c', 'x.f90', compiler='mpifort'))

    def test_names_for_the_standard_abi_are_the_same_wrappers(self):
        for name, abi_name in (('mpicc', 'mpicc_abi'), ('mpicxx', 'mpicxx_abi')):
            self.assertEqual(self.show('x.c', compiler=name), self.show('x.c', compiler=abi_name))
        program = self.scratch / 'hello_abi'
        self.succeeds(run(BIN / 'mpicc_abi', self.write('hello_abi.c', HELLO), '-o', program))
        self.assertEqual(len(self.succeeds(mpiexec('-n', 2, program)).splitlines()), 2)

    def test_another_fortran_compiler_gets_no_options_of_gfortran(self):
        words = self.show('-c', 'x.f90', compiler='mpifort', env=os.environ | {'THRUM_FC': 'flang'})
        self.assertEqual(words[0], 'flang')
        self.assertNotIn('-fallow-argument-mismatch', words)
        self.assertEqual(self.show('x.f90', compiler='mpifort', env=os.environ | {'THRUM_FC': 'ccache gfortran'})[:2],
                         ['ccache', 'gfortran'])

    def test_fortran_in_fixed_and_free_form_with_a_main_program_in_c(self):
        fixed = self.write('work.f', "      SUBROUTINE WORK\n      INCLUDE 'mpif.h'\n      INTEGER RANK, IERR\n"
                                     '      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)\n'
                                     "      IF (RANK .EQ. 1) WRITE (*, '(A)') 'work'\n      END\n")
        main = self.write('main.c', '#include <mpi.h>\nvoid work_(void);\nint main(int c, char **v) '
                                    '{ MPI_Init(&c, &v); work_(); MPI_Finalize(); return 0; }')
        self.succeeds(run(BIN / 'mpicc', '-c', main, '-o', self.scratch / 'main.o'))
        self.succeeds(run(BIN / 'mpif77', '-c', fixed, '-o', self.scratch / 'work.o'))
        program = self.scratch / 'mixed'
        self.succeeds(run(BIN / 'mpifort', self.scratch / 'main.o', self.scratch / 'work.o', '-o', program))
        self.assertEqual(self.succeeds(mpiexec('-n', 2, program)), 'work\n')

    def test_fortran_links_with_lld(self):
        program = self.scratch / 'hello_lld'
        self.succeeds(run(BIN / 'mpifort', '-fuse-ld=lld', self.write('hello.f90', HELLO_FORTRAN), '-J', self.scratch, '-o', program))
        self.assertEqual(len(self.succeeds(mpiexec('-n', 3, program)).splitlines()), 3)

    def test_a_fortran_library_of_the_program_keeps_its_constants(self):
        library = self.write('sum.f90', '''
            subroutine sum_in_place(x)
              use mpi
              integer :: x, ierr
              call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
            end subroutine''')
        main = self.write('uses_sum.f90', '''
            program uses_sum
              use mpi
              integer :: x, ierr
              call MPI_Init(ierr)
              x = 1
              call sum_in_place(x)
              call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
              if (x /= 16) stop 1
              call MPI_Finalize(ierr)
            end program''')
        for flags in [], ['-Wl,-Bsymbolic'], ['-fvisibility=hidden', '-Wl,--version-script', self.write('only.map', '{ global: sum_in_place_; local: *; };')]:
            self.succeeds(run(BIN / 'mpifort', '-shared', '-fPIC', *flags, library, '-o', self.scratch / 'libsum.so'))
            program = self.scratch / 'uses_sum'
            self.succeeds(run(BIN / 'mpifort', main, '-o', program, '-L', self.scratch, '-lsum', f'-Wl,-rpath,{self.scratch}'))
            self.succeeds(mpiexec('-n', 4, program))

    def test_static_linking_is_refused_with_the_remedy(self):
        for flag in ('-static', '-static-pie'):
            self.fails(run(BIN / 'mpicc', flag, 'x.c'), 1, flag, 'leave the option out')

    def test_position_dependent_programs_are_warned_about(self):
        self.assertIn('-no-pie', run(BIN / 'mpicc', '-show', '-no-pie', 'x.c')[2])

    def test_exit_code_and_messages_are_the_compilers(self):
        code, _, errors = run(BIN / 'mpicc', '-c', self.write('wrong.c', 'int x = ;'), '-o', '/dev/null')
        self.assertEqual(code, 1)
        self.assertIn('wrong.c:1:9: error:', errors)

    def test_source_from_standard_input(self):
        self.assertIn('MPI_Send', self.succeeds(run('sh', '-c', f'echo "#include <mpi.h>" | "{BIN}/mpicc" -E -x c -')))

    def test_separate_compiling_and_linking_of_c_and_cxx(self):
        a = self.write('a.c', 'int answer(void) { return 42; }')
        b = self.write('b.cc', '#include <mpi.h>\n#include <iostream>\nextern "C" int answer();\nint main(int c, char **v) '
                       '{ MPI_Init(&c, &v); std::cout << answer() << std::endl; MPI_Finalize(); }')
        self.succeeds(run(BIN / 'mpicc', '-c', a, '-o', self.scratch / 'a.o'))
        self.succeeds(run(BIN / 'mpic++', '-O2', '-c', b, '-o', self.scratch / 'b.o'))
        program = self.scratch / 'ab'
        self.succeeds(run(BIN / 'mpicxx', self.scratch / 'a.o', self.scratch / 'b.o', '-o', program))
        self.assertEqual(self.succeeds(mpiexec('-n', 2, program)), '42\n42\n')

    def test_called_through_a_link_and_through_path(self):
        link = self.scratch / 'mycc'
        link.symlink_to(BIN / 'mpicc')
        self.assertIn(f'-I{TREE}/include', self.succeeds(run(link, '-show', 'x.c')))
        self.assertIn(f'-I{TREE}/include', self.succeeds(run('mpicc', '-show', 'x.c', env=os.environ | {'PATH': f'{BIN}:/usr/bin:/bin'})))

    @unittest.skipUnless(shutil.which('clang'), 'clang is not installed')
    def test_a_program_made_by_clang_runs(self):
        source = self.write('hello.c', HELLO)
        program = self.scratch / 'hello'
        self.succeeds(run(BIN / 'mpicc', source, '-o', program, env=os.environ | {'THRUM_CC': 'clang'}))
        self.assertEqual(len(self.succeeds(mpiexec('-n', 3, program)).splitlines()), 3)


if __name__ == '__main__':
    unittest.main()
