"""The functions that MPI 3.0 removed: notes of the compiler and the linker, and errors at the line of the program."""
import os
import re
import unittest

from commands import BIN, HELLO, TREE, CommandTest, mpiexec, run

# The call of line 7 is wrong if the program has an argument.
OLD = r'''#include <mpi.h>
#include <stdio.h>
static void make(int wrong) {
    int lengths[2] = {1, 1};
    MPI_Aint places[2] = {0, 32}, upper;
    MPI_Datatype types[2] = {wrong ? MPI_DATATYPE_NULL : MPI_INT, MPI_UB}, made;
    MPI_Type_struct(2, lengths, places, types, &made);
    MPI_Type_ub(made, &upper);
    printf("%ld\n", (long)upper);
    MPI_Type_free(&made);
}
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    make(argc > 1);
    MPI_Datatype one = MPI_INT;
    MPI_Aint place = 0;
    int length = 1;
    MPI_Type_struct(1, &length, &place, &one, &one);
    MPI_Type_free(&one);
    MPI_Finalize();
    return 0;
}
'''

# Line 9 is wrong.
OLD_FORTRAN = '''      PROGRAM OLD
      INCLUDE 'mpif.h'
      INTEGER A(4), D(2), T, IERR
      COMMON /ALL/ A
      CALL MPI_INIT(IERR)
      CALL MPI_ADDRESS(A(1), D(1), IERR)
      CALL MPI_ADDRESS(A(3), D(2), IERR)
      IF (D(2) - D(1) .NE. 8) STOP 1
      CALL MPI_TYPE_STRUCT(1, 1, 0, MPI_DATATYPE_NULL, T, IERR)
      CALL MPI_FINALIZE(IERR)
      END
'''

# Another library of the standard ABI, with as much of it as the program below needs.
OTHER_LIBRARY = r'''
#include <mpi.h>
int PMPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent) {
    *lb = 3, *extent = 4;
    return datatype == MPI_INT ? MPI_SUCCESS : MPI_ERR_TYPE;
}
int PMPI_Type_create_struct(int count, const int *lengths, const MPI_Aint *places, const MPI_Datatype *types, MPI_Datatype *made) {
    *made = types[count - 1];
    return MPI_SUCCESS;
}
'''
BOUNDS = r'''
#include <mpi.h>
#include <stdio.h>
int main(void) {
    int length = 1;
    MPI_Aint place = 0, lower = -1, upper = -1, extent = -1, kept = -1;
    MPI_Datatype type = MPI_INT;
    MPI_Type_struct(1, &length, &place, &type, &type);
    MPI_Type_lb(type, &lower), MPI_Type_ub(type, &upper), MPI_Type_extent(type, &extent);
    printf("%ld %ld %ld %d %ld\n", (long)lower, (long)upper, (long)extent, MPI_Type_ub(MPI_BYTE, &kept) == MPI_ERR_TYPE, (long)kept);
    return 0;
}
'''


class RemovedFunctions(CommandTest):
    def link(self, name, text, *options, compiler='mpicc'):
        """Compiles and links in two steps; returns the program and what each has printed."""
        source, program = self.write(name, text), self.scratch / name.partition('.')[0]
        code, _, compiled = run(BIN / compiler, '-g', *options, '-c', source, '-o', f'{program}.o')
        self.assertEqual(code, 0, compiled)
        code, output, linked = run(BIN / compiler, *options, f'{program}.o', '-o', program)
        self.assertEqual(code, 0, linked)
        return program, compiled, output + linked

    def test_the_compiler_and_the_linker_name_the_replacement(self):
        program, compiled, linked = self.link('old.c', OLD)
        self.assertRegex(compiled, 'old.c:7:.*MPI_Type_struct.*removed in MPI 3.0; use MPI_Type_create_struct')
        self.assertEqual(re.findall(r'old\.c:(\d+): warning: (.*)', linked),
                         [('7', 'MPI_Type_struct was removed in MPI 3.0; use MPI_Type_create_struct'),
                          ('8', 'MPI_Type_ub was removed in MPI 3.0; use MPI_Type_get_extent')])
        self.assertEqual(self.succeeds(mpiexec('-n', 3, program)), '32\n' * 3)

    def test_the_linker_names_what_fortran_calls(self):
        _, _, linked = self.link('old_names.f', OLD_FORTRAN, compiler='mpif77')
        self.assertEqual(re.findall(r'old_names\.f:(\d+): warning: (MPI_\w+) was removed in MPI 3.0; use (\w+)', linked),
                         [('6', 'MPI_ADDRESS', 'MPI_GET_ADDRESS'), ('9', 'MPI_TYPE_STRUCT', 'MPI_TYPE_CREATE_STRUCT')])

    def test_other_programs_get_nothing_of_the_library(self):
        source = self.write('new.c', HELLO)
        code, output, errors = run(BIN / 'mpicc', '-Wall', '-Wextra', source, '-o', self.scratch / 'new')
        self.assertEqual((code, output + errors), (0, ''))
        symbols = self.succeeds(run('nm', self.scratch / 'new'))
        self.assertIn('MPI_Init', symbols)
        self.assertNotRegex(symbols, 'Type_struct|removed')

    def test_an_error_names_the_line_of_the_program(self):
        program, _, _ = self.link('wrong.c', OLD)
        _, _, errors = mpiexec('-n', 1, program, 'wrong')
        self.assertRegex(errors, r'MPI_Type_create_struct: MPI_ERR_TYPE: array_of_types\[0\] is MPI_DATATYPE_NULL \(at .*wrong\.c:7 in make')
        program, _, _ = self.link('wrong_bound.c', OLD.replace('MPI_Type_ub(made', 'MPI_Type_ub(MPI_UB'))
        _, _, errors = mpiexec('-n', 1, program)
        self.assertRegex(errors, r'MPI_Type_get_extent: MPI_ERR_TYPE: .*\(at .*wrong_bound\.c:8 in make')

    def test_an_error_names_the_line_of_the_fortran_program(self):
        program, _, _ = self.link('wrong_old.f', OLD_FORTRAN, compiler='mpif77')
        _, _, errors = mpiexec('-n', 2, program)
        self.assertRegex(errors, r'MPI_Type_create_struct: MPI_ERR_TYPE: .*\(at .*wrong_old\.f:9 in ')

    def test_compiled_with_privatize(self):
        if not (TREE / 'lib' / 'thrum' / 'privatize_gcc.so').exists():
            self.skipTest('built without the plugin headers of gcc')
        program, _, _ = self.link('private.c', OLD, '--privatize')
        self.assertEqual(self.succeeds(mpiexec('-n', 3, program)), '32\n' * 3)

    def test_a_program_runs_with_other_libraries_of_the_standard_abi(self):
        program, _, _ = self.link('bounds.c', BOUNDS)
        other = self.scratch / 'other'
        other.mkdir()
        self.succeeds(run('gcc', f'-I{TREE}/include', '-shared', '-fPIC', '-Wl,-soname,libmpi_abi.so.1',
                          self.write('other.c', OTHER_LIBRARY), '-o', other / 'libmpi_abi.so.1'))
        self.assertEqual(self.succeeds(run(program, env=os.environ | {'LD_LIBRARY_PATH': str(other)})), '3 7 4 1 -1\n')


if __name__ == '__main__':
    unittest.main()
