#!/usr/bin/env python3
"""Objects that were compiled for another mpif.h, for another module, or with another size of INTEGER, are not linked silently."""
import os
import shutil
import unittest

from commands import BIN, CommandTest, mpiexec, run

# The COMMON blocks by which MPIs recognise MPI_BOTTOM, as their mpif.h and modules declare them.
OF_OTHERS = {'Open MPI': 'common /mpi_fortran_bottom/ mpi_bottom', 'mpif': 'common /mpif_bottom/ mpi_bottom',
             'MPICH or Intel MPI': 'integer in_place, status(5)\n common /mpipriv1/ mpi_bottom, in_place, status'}
FOREIGN = '''subroutine send(n)
 integer n, mpi_bottom, ierr
 %s
 call MPI_Send(n, 1, 7, 0, 0, 0, ierr)
end subroutine
'''
OURS = '''subroutine send(n)
 include 'mpif.h'
 integer n, ierr
 call MPI_Send(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_SELF, ierr)
end subroutine
'''
MAIN = '''program main
 use mpi_f08
 implicit none
 external send
 call MPI_Init()
 call send(1)
 call MPI_Finalize()
end program
'''
HELLO = '''program hello
 use mpi_f08
 implicit none
 integer :: total
 call MPI_Init()
 total = 1
 call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
 print '(i0, a, i0)', storage_size(total) / 8, ' bytes, ', total
 call MPI_Finalize()
end program
'''
MPIFORT = BIN / 'mpifort'


class OtherInterfaces(CommandTest):
    def compile(self, name, text, *options):
        with open(os.path.join(self.scratch, name + '.f90'), 'w') as file:
            file.write(text)
        self.ok(run(MPIFORT, *options, '-c', name + '.f90', '-o', name + '.o', cwd=self.scratch))

    def ok(self, result):
        code, stdout, stderr = result
        self.assertEqual(code, 0, stdout + stderr)

    def refused(self, warning, *options):
        """Links main.o with send.o. The linker says one line about send.o, and that it stops."""
        code, _, stderr = run(MPIFORT, *options, 'main.o', 'send.o', '-o', 'program', cwd=self.scratch)
        self.assertNotEqual(code, 0)
        lines = stderr.splitlines()
        self.assertEqual(len(lines), 3, stderr)
        self.assertIn(f'send.o: warning: this object was compiled {warning}', lines[0])
        self.assertIn('compile_the_object_that_the_warning_names_again', lines[1])

    def test_objects_for_another_mpi_are_refused(self):
        self.compile('main', MAIN)
        for name, declaration in OF_OTHERS.items():
            with self.subTest(name):
                self.compile('send', FOREIGN % declaration)
                self.refused(f'with the mpif.h or module of {name}: compile it with this mpifort')

    def test_objects_with_another_size_of_integer_are_refused(self):
        self.compile('main', MAIN)
        self.compile('send', OURS, '-fdefault-integer-8')
        self.refused('with -fdefault-integer-8: link it with that option, too')
        self.compile('main', MAIN, '-fdefault-integer-8')
        self.compile('send', OURS)
        self.refused('without -fdefault-integer-8, with which it is linked', '-fdefault-integer-8')

    def test_objects_of_one_size_are_linked_by_both_compilers(self):
        for compiler in 'gfortran', 'flang-new-19':
            if not shutil.which(compiler):
                continue
            os.environ['THRUM_FC'] = compiler
            self.addCleanup(os.environ.pop, 'THRUM_FC', None)
            for options, text in ((), '4 bytes, 2'), (('-fdefault-integer-8',), '8 bytes, 2'):
                with self.subTest(compiler=compiler, options=options):
                    self.compile('hello', HELLO, *options)
                    self.ok(run(MPIFORT, *options, 'hello.o', '-o', 'hello', cwd=self.scratch))
                    code, stdout, stderr = mpiexec('-n', '2', './hello', cwd=self.scratch)
                    self.assertEqual((code, stdout.splitlines()), (0, [text] * 2), stderr)

    def test_ranks_of_one_process_have_one_size_of_integer(self):
        for bytes_, options in ('4', ()), ('8', ('-fdefault-integer-8',)):
            self.compile('hello', HELLO, *options)
            self.ok(run(MPIFORT, *options, 'hello.o', '-o', f'hello{bytes_}', cwd=self.scratch))
        code, _, stderr = mpiexec('-n', '1', './hello4', ':', '-n', '1', './hello8', cwd=self.scratch)
        self.assertNotEqual(code, 0)
        self.assertRegex(stderr, r'MPI_Init: MPI_ERR_ABI: INTEGER has [48] bytes in this program, but another rank\'s program '
                                        r'has declared [48]: use --processes, or compile both with or without -fdefault-integer-8')


if __name__ == '__main__':
    unittest.main()
