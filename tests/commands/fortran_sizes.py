"""Fortran programs whose default types have other sizes: -fdefault-integer-8, -fdefault-real-8, -fdefault-double-8."""
import os
import shutil
import unittest

from commands import BIN, CommandTest, mpiexec, run

COMPILERS = [compiler for compiler in ('gfortran', 'flang-new-19') if shutil.which(compiler)]
MODES = [], ['--processes']
INTERFACES = {'mpif.h': ('', "include 'mpif.h'"), 'mpi': ('use mpi', ''), 'mpi_f08': ('use mpi_f08', '')}

# A status goes from Fortran to C, which looks into it, and comes back. The array behind it must stay as it is.
STATUSES = '''program statuses
 use mpi
 implicit none
 integer :: ierr, rank, size, left, n, values(3), received(4), status(MPI_STATUS_SIZE), back(MPI_STATUS_SIZE + 1)
 integer :: duplicate, compared
 call MPI_Init(ierr)
 call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
 call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
 left = mod(rank + size - 1, size)
 call MPI_Sendrecv(values, 3, MPI_INTEGER, mod(rank + 1, size), 77, received, 4, MPI_INTEGER, left, 77, &
   MPI_COMM_WORLD, status, ierr)
 status(MPI_ERROR) = 12
 back = -7
 call convert(status, back, left, MPI_INTEGER)
 if (any(back(1:MPI_STATUS_SIZE) /= status) .or. back(MPI_STATUS_SIZE + 1) /= -7) stop 1
 call MPI_Get_count(back, MPI_INTEGER, n, ierr)
 if (n /= 3) stop 2
 call duplicate_in_c(MPI_COMM_WORLD, duplicate)
 call MPI_Comm_compare(MPI_COMM_WORLD, duplicate, compared, ierr)
 if (compared /= MPI_CONGRUENT) stop 3
 call MPI_Comm_free(duplicate, ierr)
 call MPI_Finalize(ierr)
 if (rank == 0) print '(a)', 'converted'
end program
'''
# The same with the types of mpi_f08, which are bind(C).
STATUSES_F08 = '''program statuses
 use mpi_f08
 implicit none
 integer :: rank, size, left, n, values(3), received(4)
 type(MPI_Status) :: status, back(2)
 call MPI_Init()
 call MPI_Comm_rank(MPI_COMM_WORLD, rank)
 call MPI_Comm_size(MPI_COMM_WORLD, size)
 left = mod(rank + size - 1, size)
 call MPI_Sendrecv(values, 3, MPI_INTEGER, mod(rank + 1, size), 77, received, 4, MPI_INTEGER, left, 77, &
   MPI_COMM_WORLD, status)
 back(2)%MPI_SOURCE = -7
 call convert_f08(status, back, left, MPI_INTEGER%MPI_VAL)
 if (back(1)%MPI_SOURCE /= left .or. back(1)%MPI_TAG /= 77 .or. back(2)%MPI_SOURCE /= -7) stop 1
 call MPI_Get_count(back(1), MPI_INTEGER, n)
 if (n /= 3) stop 2
 call MPI_Finalize()
 if (rank == 0) print '(a)', 'converted'
end program
'''
# What it gets are addresses of Fortran's variables, whatever MPI_Fint is here.
CONVERT = r'''
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static void look(const MPI_Status *status, int left, int number) {
    int count;
    MPI_Get_count(status, MPI_Type_fromint(number), &count);
    if (status->MPI_SOURCE != left || status->MPI_TAG != 77 || count != 3) {
        printf("source %d, tag %d, count %d\n", status->MPI_SOURCE, status->MPI_TAG, count);
        exit(4);
    }
}
void convert_(const MPI_Fint *status, MPI_Fint *back, const int *left, const int *number) {
    MPI_Status in_c;
    MPI_Status_f2c(status, &in_c);
    look(&in_c, *left, *number);
    if (in_c.MPI_ERROR != 12)
        exit(5);
    MPI_Status_c2f(&in_c, back);
}
void convert_f08_(const MPI_F08_status *status, MPI_F08_status *back, const int *left, const int *number) {
    MPI_Status in_c;
    MPI_Status_f082c(status, &in_c);
    look(&in_c, *left, *number);
    MPI_Status_c2f08(&in_c, back);
}
void duplicate_in_c_(const int *comm, int *duplicate) {
    MPI_Comm in_c;
    MPI_Comm_dup(MPI_Comm_f2c(*comm), &in_c);
    duplicate[0] = MPI_Comm_c2f(in_c);
    if (INTEGER_BYTES == 8)
        duplicate[1] = 0;
}
'''
# Has variables of its own of these types.
OWN_VARIABLES = r'''
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
_Static_assert(sizeof(MPI_Fint) == INTEGER_BYTES, "MPI_Fint is Fortran's INTEGER");
static MPI_Status before, after;
static struct { MPI_Fint numbers[MPI_F_STATUS_SIZE], behind; } f;
static struct { MPI_F08_status status; MPI_Fint behind; } f08;
static void compare(void) {
    if (memcmp(&before, &after, sizeof before) || f.behind != 7 || f08.behind != 7)
        exit(6);
    memset(&after, 0, sizeof after);
}
void convert_(const MPI_Fint *status, MPI_Fint *back, const MPI_Fint *left, const MPI_Fint *number) {
    f.behind = f08.behind = 7;
    MPI_Status_f2c(status, &before);
    MPI_Status_c2f(&before, f.numbers);
    if (f.numbers[0] != *left || f.numbers[1] != 77)
        exit(5);
    MPI_Status_f2c(f.numbers, &after), compare();
    MPI_Status_c2f08(&before, &f08.status);
    if (f08.status.MPI_SOURCE != *left || f08.status.MPI_TAG != 77)
        exit(5);
    MPI_Status_f082c(&f08.status, &after), compare();
    memset(f.numbers, 0, sizeof f.numbers);
    MPI_Status_f082f(&f08.status, f.numbers);
    MPI_Status_f2c(f.numbers, &after), compare();
    memset(&f08.status, 0, sizeof f08.status);
    MPI_Status_f2f08(f.numbers, &f08.status);
    MPI_Status_f082c(&f08.status, &after), compare();
    MPI_Status_c2f(&after, back);
    MPI_Status_c2f(&before, back);
}
void duplicate_in_c_(const MPI_Fint *comm, MPI_Fint *duplicate) {
    MPI_Comm in_c;
    MPI_Comm_dup(MPI_Comm_f2c(*comm), &in_c);
    *duplicate = MPI_Comm_c2f(in_c);
}
'''
# The main program starts MPI in C.
C_MAIN = r'''
#include <mpi.h>
void sizes_(void);
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    sizes_();
    MPI_Finalize();
}
'''
SUBROUTINE = '''subroutine sizes
 use mpi_f08
 implicit none
 integer :: n(3)
 call MPI_Type_size(MPI_INTEGER, n(1))
 call MPI_Type_size(MPI_REAL, n(2))
 call MPI_Type_size(MPI_DOUBLE_PRECISION, n(3))
 print '(3(i0, 1x))', n
end subroutine
'''
SESSION = '''program session
 use mpi_f08
 implicit none
 type(MPI_Session) :: own
 call MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, own)
 call sizes
 call MPI_Session_finalize(own)
end program
''' + SUBROUTINE
REALS = '''program reals
 %s
 implicit none
 %s
 integer :: rank, size, n, ierr
 real :: x(3), sums(3), pair(2), largest(2)
 double precision :: d(3), dsums(3), dpair(2), dlargest(2)
 complex :: c(2), csums(2)
 double precision :: start
 call MPI_Init(ierr)
 start = MPI_Wtime()
 call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
 call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
 call MPI_Type_size(MPI_REAL, n, ierr)
 call expect(n, storage_size(x), 'MPI_REAL')
 call MPI_Type_size(MPI_DOUBLE_PRECISION, n, ierr)
 call expect(n, storage_size(d), 'MPI_DOUBLE_PRECISION')
 call MPI_Type_size(MPI_COMPLEX, n, ierr)
 call expect(n, storage_size(c), 'MPI_COMPLEX')
 call MPI_Type_size(MPI_DOUBLE_COMPLEX, n, ierr)
 call expect(n, 2 * storage_size(d), 'MPI_DOUBLE_COMPLEX')
 call MPI_Type_size(MPI_INTEGER, n, ierr)
 call expect(n, storage_size(n), 'MPI_INTEGER')
 x = [1.5, 2.5, 1.0 + epsilon(x)]
 d = [1.5d0, 2.5d0, 1.0d0 + epsilon(d)]
 c = [(1.0, 2.0), (3.0, 4.0)]
 call MPI_Allreduce(x, sums, 3, MPI_REAL, MPI_SUM, MPI_COMM_WORLD, ierr)
 if (any(sums /= size * x)) stop 2
 call MPI_Allreduce(d, dsums, 3, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
 if (any(dsums /= size * d)) stop 3
 call MPI_Allreduce(c, csums, 2, MPI_COMPLEX, MPI_SUM, MPI_COMM_WORLD, ierr)
 if (any(csums /= size * c)) stop 4
 pair = [real(rank) + 0.5, real(rank)]
 call MPI_Allreduce(pair, largest, 1, MPI_2REAL, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
 if (any(largest /= [size - 0.5, size - 1.0])) stop 5
 dpair = pair
 call MPI_Allreduce(dpair, dlargest, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
 if (any(dlargest /= [size - 0.5d0, size - 1.0d0])) stop 6
 x = rank
 call MPI_Sendrecv_replace(x, 3, MPI_REAL, mod(rank + 1, size), 1, mod(rank + size - 1, size), 1, &
   MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
 if (any(x /= mod(rank + size - 1, size))) stop 7
 if (MPI_Wtime() < start .or. MPI_Wtime() > start + 100) stop 8
 call MPI_Finalize(ierr)
 if (rank == 0) print '(3(i0, 1x))', storage_size(n) / 8, storage_size(x) / 8, storage_size(d) / 8
contains
 subroutine expect(bytes, bits, name)
  integer, intent(in) :: bytes, bits
  character(*), intent(in) :: name
  if (bytes /= bits / 8) then
   print *, name, bytes, bits
   stop 1
  end if
 end subroutine
end program
'''
SIZES = {(): '4 4 8', ('-fdefault-real-8',): '4 8 16', ('-fdefault-real-8', '-fdefault-double-8'): '4 8 8',
         ('-fdefault-integer-8', '-fdefault-real-8'): '8 8 16',
         ('-fdefault-double-8', '-fdefault-real-8', '-fdefault-integer-8'): '8 8 8'}
MAIN = '''program main
 use mpi_f08
 implicit none
 call MPI_Init()
 call send(1.0)
 call MPI_Finalize()
end program
'''
SEND = '''subroutine send(x)
 use mpi_f08, only: MPI_Send, MPI_REAL, MPI_COMM_SELF, MPI_PROC_NULL
 real :: x
 call MPI_Send(x, 1, MPI_REAL, MPI_PROC_NULL, 0, MPI_COMM_SELF)
end subroutine
'''


def mpifort(*arguments, compiler='gfortran', **options):
    return run(BIN / 'mpifort', *arguments, env=os.environ | {'THRUM_FC': compiler}, **options)


class Sizes(CommandTest):
    def fortran(self, program, text, *options, compiler='gfortran', link=True):
        """Compiles and links in two steps, as make does."""
        (self.scratch / f'{program}.f90').write_text(text)
        self.succeeds(mpifort(*options, '-O1', '-c', f'{program}.f90', '-o', f'{program}.o', compiler=compiler, cwd=self.scratch))
        if link:
            self.link(program, f'{program}.o', *options, compiler=compiler)

    def link(self, program, *arguments, compiler='gfortran'):
        self.succeeds(mpifort(*arguments, '-o', program, compiler=compiler, cwd=self.scratch))

    def c(self, name, text, *options):
        (self.scratch / f'{name}.c').write_text(text)
        self.succeeds(run(BIN / 'mpicc', '-Wall', '-O2', *options, '-c', f'{name}.c', '-o', f'{name}.o', cwd=self.scratch))

    def runs(self, program, line, ranks=3, lines=1):
        for how in MODES:
            output = self.succeeds(mpiexec('-n', ranks, *how, f'./{program}', cwd=self.scratch))
            self.assertEqual(output.splitlines(), [line] * lines)

    def error_of(self, *arguments):
        code, _, stderr = mpiexec(*arguments, cwd=self.scratch)
        self.assertNotEqual(code, 0)
        return stderr

    # MPI 5.0 section 19.3.5. What C gets is nearly always a variable of Fortran.
    def test_statuses_pass_between_c_and_integers_of_any_size(self):
        for bytes_, options in (4, ()), (8, ('-fdefault-integer-8',)):
            for text in STATUSES, STATUSES_F08:
                with self.subTest(bytes=bytes_, f08=text is STATUSES_F08):
                    self.c('convert', CONVERT, f'-DINTEGER_BYTES={bytes_}')
                    self.fortran('statuses', text, *options, link=False)
                    self.link('statuses', 'statuses.o', 'convert.o', *options)
                    self.runs('statuses', 'converted')

    def test_c_has_statuses_of_integers_of_8_bytes(self):
        for bytes_, options in (4, ()), (8, ('-fdefault-integer-8',)):
            with self.subTest(bytes=bytes_):
                self.c('own', OWN_VARIABLES, f'-DINTEGER_BYTES={bytes_}', *['-DMPI_ABI_Fint=long'] * (bytes_ == 8))
                self.fortran('statuses', STATUSES, *options, link=False)
                self.link('statuses', 'statuses.o', 'own.o', *options)
                self.runs('statuses', 'converted')

    # The sizes are those of the program, whoever starts MPI.
    def test_a_main_program_in_c_starts_mpi_for_fortran(self):
        self.c('main', C_MAIN)
        for options in SIZES:
            with self.subTest(options=options):
                self.fortran('sizes', SUBROUTINE, *options, link=False)
                self.link('program', 'main.o', 'sizes.o', *options)
                self.runs('program', SIZES[options], lines=3)

    def test_a_session_starts_mpi_for_fortran(self):
        for options in SIZES:
            with self.subTest(options=options):
                self.fortran('session', SESSION, *options)
                self.runs('session', SIZES[options], lines=3)

    def test_datatypes_have_the_sizes_of_the_programs_types(self):
        for compiler in COMPILERS:
            for interface, text in INTERFACES.items():
                for options, sizes in SIZES.items():
                    with self.subTest(compiler=compiler, interface=interface, options=options):
                        self.fortran('reals', REALS % text, *options, compiler=compiler)
                        self.runs('reals', sizes)

    def refused(self, warning, *options, compiler):
        code, _, stderr = mpifort(*options, 'main.o', 'send.o', '-o', 'program', compiler=compiler, cwd=self.scratch)
        self.assertNotEqual(code, 0)
        lines = stderr.splitlines()
        self.assertEqual(len(lines), 3, stderr)
        self.assertIn(f'send.o: warning: this object was compiled {warning}', lines[0])

    def test_objects_with_other_sizes_are_not_linked(self):
        plain, real, both = (), ('-fdefault-real-8',), ('-fdefault-real-8', '-fdefault-double-8')
        cases = {(plain, real): 'with -fdefault-real-8: link it so, too',
                 (plain, both): 'with -fdefault-real-8 -fdefault-double-8: link it so, too',
                 (real, plain): 'without -fdefault-real-8, with which it is linked',
                 (real, both): 'with -fdefault-double-8: link it so, too',
                 (both, plain): 'without -fdefault-real-8, with which it is linked',
                 (both, real): 'without -fdefault-double-8, with which it is linked'}
        for compiler in COMPILERS:
            for integers in (), ('-fdefault-integer-8',):
                for (linked, compiled), warning in cases.items():
                    with self.subTest(compiler=compiler, integers=integers, linked=linked, compiled=compiled):
                        self.fortran('main', MAIN, *linked, *integers, compiler=compiler, link=False)
                        self.fortran('send', SEND, *compiled, *integers, compiler=compiler, link=False)
                        self.refused(warning, *linked, *integers, compiler=compiler)

    def test_ranks_of_one_process_have_one_size_of_real(self):
        self.fortran('plain', REALS % INTERFACES['mpi_f08'])
        self.fortran('large', REALS % INTERFACES['mpi_f08'], '-fdefault-real-8')
        self.assertRegex(self.error_of('-n', 1, './plain', ':', '-n', 1, './large'),
                         r'MPI_Init: MPI_ERR_ABI: REAL has [48] bytes in this program, and DOUBLE PRECISION (8|16), but another rank\'s program '
                         r'has declared [48] and (8|16): use --processes, or compile both with the same -fdefault-real-8 and -fdefault-double-8')

    def test_a_library_and_its_program_have_one_size_of_real(self):
        (self.scratch / 'library.f90').write_text(SEND)
        self.succeeds(mpifort('-shared', '-fPIC', 'library.f90', '-o', 'libsend.so', cwd=self.scratch))
        self.fortran('main', MAIN, '-fdefault-real-8', link=False)
        self.link('program', '-fdefault-real-8', 'main.o', '-L.', '-lsend', f'-Wl,-rpath,{self.scratch}')
        self.assertIn('MPI_ERR_ABI: REAL has', self.error_of('-n', 1, './program'))

    def test_options_that_change_only_some_reals_are_refused(self):
        for option in '-freal-4-real-8', '-freal-8-real-4', '-freal-4-real-16', '-fdefault-real-16', '-fdefault-real-10':
            with self.subTest(option):
                code, stdout, stderr = mpifort(option, '-c', 'none.f90', cwd=self.scratch)
                self.assertEqual((code, stdout), (1, ''))
                self.assertEqual(stderr, f"mpifort: {option}: MPI_REAL and MPI_DOUBLE_PRECISION would have other sizes than the program's types; "
                                         'use -fdefault-real-8, with -fdefault-double-8 where DOUBLE PRECISION has 8 bytes\n')


if __name__ == '__main__':
    unittest.main()
