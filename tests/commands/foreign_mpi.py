"""Programs and libraries that are built for another MPI are named at their start, with what helps."""
import os
import shutil
import unittest

from commands import BIN, HELLO, TREE, CommandTest, mpiexec, run

REMEDY = ("whose binary interface differs from Thrum's", 'mpicc, mpicxx or mpifort', 'libmpi_abi.so.1')
PLAIN = 'int function(void); int main(void) { return function(); }'
# Calls MPI_Init after it has opened the library in argv[1].
OPENS = HELLO.replace('#include <stdio.h>', '#include <dlfcn.h>\n#include <stdio.h>').replace(
    'MPI_Init(', 'if (argc > 1 && !dlopen(argv[1], RTLD_NOW)) return 9; MPI_Init(')


class ForeignMpi(CommandTest):
    def library(self, name, soname, *flags, text='int function(void) { return 0; }'):
        path = self.scratch / name
        source = self.write('library.c', text)
        done = run('gcc', '-shared', '-fPIC', source, '-o', path, f'-Wl,-soname,{soname}', '-Wl,--no-as-needed', *flags)
        self.assertEqual(done[0], 0, done[2])
        return path

    def program(self, *flags, text=PLAIN):
        program = self.scratch / 'foreign'
        source = self.write('foreign.c', text)
        done = run('gcc', source, '-o', program, '-Wl,--no-as-needed', *flags, f'-Wl,-rpath,{self.scratch}', '-Wl,--allow-shlib-undefined')
        self.assertEqual(done[0], 0, done[2])
        return program

    def refused(self, result, *texts):
        self.fails(result, 2, *texts)
        self.assertEqual(len(result[2].splitlines()), 1, result[2])

    def test_executables(self):
        for soname, mpi in (('libmpi.so.20', 'Open MPI'), ('libmpich.so.10', 'MPICH'),
                            ('libmpi_mpifh.so.20', 'Open MPI'), ('libmpi_mt.so.12', 'MPICH, Intel MPI'), ('libmpi_cray.so.12', 'Cray MPICH'),
                            ('libmpi_abi.so.0', 'a draft of the standard ABI')):
            program = self.program(self.library(soname, soname))
            for how in (['-n', 1], ['-n', 4], ['--processes', '-n', 2], ['-n', 2, '--threads=fiber']):
                self.refused(mpiexec(*how, program), f'{program} is built for {mpi}', f'(it needs {soname})', *REMEDY)

    def test_a_library_that_is_missing_is_named_all_the_same(self):
        library = self.library('libmpi.so.20', 'libmpi.so.20')
        program = self.program(library)
        library.unlink()
        self.refused(mpiexec('-n', 2, program), 'is built for Open MPI', 'libmpi.so.20', *REMEDY)

    def test_libraries_of_the_program(self):
        mpi = self.library('libmpi.so.20', 'libmpi.so.20')
        solver = self.library('libsolver.so', 'libsolver.so', mpi, f'-Wl,-rpath,{self.scratch}', text='int solve(void) { return 0; }')
        program = self.compile('mixed', HELLO, '-Wl,--no-as-needed', str(solver), f'-Wl,-rpath,{self.scratch}')
        for ranks in 1, 3:
            self.refused(mpiexec('-n', ranks, program), f'{program} needs {solver}, which is built for Open MPI', *REMEDY)

    def test_behind_launchers_and_in_libraries_that_are_opened_later(self):
        mpi = self.library('libmpi.so.40', 'libmpi.so.40')
        program = self.compile('mixed', HELLO, '-Wl,--no-as-needed', str(mpi), f'-Wl,-rpath,{self.scratch}')
        opens = self.compile('opens', OPENS)
        for command, texts in ((['sh', '-c', f'"{program}"'], ['need both libmpi_abi.so.1 and libmpi.so.40']),
                               ([opens, mpi], [str(mpi), 'the library of Open MPI', *REMEDY[:1], 'libmpi_abi.so.1'])):
            code, output, errors = mpiexec('-n', 2, *command)
            self.assertEqual((code, output), (2, ''), errors)
            for text in texts:
                self.assertIn(text, errors)
        self.refused(run(program), 'has loaded', str(mpi), 'the library of Open MPI')

    def test_an_mpi_that_is_linked_statically(self):
        program = self.program(text='int PMPI_Init(void) { return 0; } int main(void) { return PMPI_Init(); }')
        self.refused(mpiexec('-n', 2, program), 'has another MPI linked into it', 'PMPI_Init')

    def test_the_standard_abi_of_others_is_not_foreign(self):
        stubs = ''.join(f'int MPI_{name}(void) {{ return 9; }}\n' for name in ('Init', 'Comm_rank', 'Comm_size', 'Finalize'))
        other = self.library('libmpi_abi.so.1', 'libmpi_abi.so.1', text=stubs)
        source = self.write('abi.c', HELLO)
        program = self.scratch / 'abi'
        done = run('gcc', f'-I{TREE}/include', source, '-o', program, other, f'-Wl,-rpath,{self.scratch}')
        self.assertEqual(done[0], 0, done[2])
        for how in (['-n', 3], ['-n', 3, 'sh', '-c', f'"{program}"; true']):
            output = self.succeeds(mpiexec(*how, *([program] if len(how) == 2 else [])))
            self.assertEqual(sorted(output.splitlines()), [f'rank {rank} of 3:' for rank in range(3)])

    @unittest.skipUnless(shutil.which('mpicc.mpich') or shutil.which('mpicc.openmpi'), 'needs the mpicc of another MPI')
    def test_programs_that_others_have_compiled(self):
        for compiler in filter(shutil.which, ('mpicc.mpich', 'mpicc.openmpi')):
            program = self.scratch / compiler
            if run(compiler, self.write('hello.c', HELLO), '-o', program)[0] != 0:
                continue
            self.assertEqual(sorted(self.succeeds(mpiexec('-n', 2, program)).splitlines()), ['rank 0 of 2:', 'rank 1 of 2:'])


if __name__ == '__main__':
    unittest.main()
