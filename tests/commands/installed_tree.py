"""An installed tree serves pkg-config, CMake's find_package(MPI), and may be moved."""
import os
import unittest

from commands import HELLO, HELLO_FORTRAN, TREE, CommandTest, run

PROJECT = '''
cmake_minimum_required(VERSION 3.25)
project(user C CXX Fortran)
find_package(MPI REQUIRED)
add_executable(hello_c hello.c)
target_link_libraries(hello_c PRIVATE MPI::MPI_C)
add_executable(hello_cxx hello.cc)
target_link_libraries(hello_cxx PRIVATE MPI::MPI_CXX)
add_executable(hello_fortran hello.f90)
target_link_libraries(hello_fortran PRIVATE MPI::MPI_Fortran)
add_executable(hello_f08 hello_f08.f90)
target_link_libraries(hello_f08 PRIVATE MPI::MPI_Fortran)
file(WRITE ${CMAKE_BINARY_DIR}/found "${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${MPI_C_VERSION} ${MPI_Fortran_VERSION} ${MPI_Fortran_HAVE_F77_HEADER} ${MPI_Fortran_HAVE_F90_MODULE} ${MPI_Fortran_HAVE_F08_MODULE}")
'''


class InstalledTree(CommandTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.scratch / 'first'
        code, output, errors = run('cmake', '--install', TREE, '--prefix', cls.prefix)
        if code:
            raise RuntimeError(output + errors)
        cls.source = cls.write('hello.c', HELLO)
        cls.write('hello.cc', HELLO)
        cls.fortran_source = cls.write('hello.f90', HELLO_FORTRAN)
        cls.write('hello_f08.f90', HELLO_FORTRAN.replace('use mpi\n', 'use mpi_f08\n'))
        cls.write('CMakeLists.txt', PROJECT)

    def speaks(self, program, mpiexec=None):
        """`program` runs with four ranks under the installed mpiexec."""
        output = self.succeeds(run(mpiexec or self.prefix / 'bin' / 'mpiexec', '-n', 4, program))
        self.assertEqual(sorted(output.splitlines()), [f'rank {rank} of 4:' for rank in range(4)])

    def build_with_cmake(self, name, *options, **surroundings):
        build = self.scratch / name
        self.succeeds(run('cmake', '-G', 'Ninja', '-S', self.scratch, '-B', build, *options, timeout=100, **surroundings))
        self.succeeds(run('cmake', '--build', build, timeout=100))
        mpiexec, *found = (build / 'found').read_text().split()
        self.assertEqual(mpiexec, str(self.prefix / 'bin' / 'mpiexec'))
        self.assertEqual(found, ['-n', '5.0', '5.0', 'TRUE', 'TRUE', 'TRUE'])
        for program in ('hello_c', 'hello_cxx', 'hello_fortran', 'hello_f08'):
            self.speaks(build / program, mpiexec)

    def test_find_package_by_mpi_home(self):
        self.build_with_cmake('by_home', f'-DMPI_HOME={self.prefix}')

    def test_find_package_by_path(self):
        self.build_with_cmake('by_path', env=os.environ | {'PATH': f'{self.prefix}/bin:{os.environ["PATH"]}'})

    def test_wrapper_as_cmakes_compiler(self):
        self.build_with_cmake('by_compiler', f'-DCMAKE_C_COMPILER={self.prefix}/bin/mpicc',
                              f'-DCMAKE_CXX_COMPILER={self.prefix}/bin/mpicxx',
                              f'-DCMAKE_Fortran_COMPILER={self.prefix}/bin/mpifort', f'-DMPI_HOME={self.prefix}')

    def test_wrapper_as_cmakes_compiler_with_large_integers(self):
        self.build_with_cmake('by_compiler_i8', f'-DCMAKE_Fortran_COMPILER={self.prefix}/bin/mpifort', f'-DMPI_HOME={self.prefix}',
                              '-DCMAKE_Fortran_FLAGS=-fdefault-integer-8')

    def test_pkg_config(self):
        for name in ('thrum', 'mpi'):
            environment = os.environ | {'PKG_CONFIG_PATH': str(self.prefix / 'lib' / 'pkgconfig')}
            flags = self.succeeds(run('pkg-config', '--cflags', '--libs', name, env=environment)).split()
            program = self.scratch / f'by_{name}'
            self.succeeds(run('gcc', self.source, '-o', program, *flags))
            self.speaks(program)

    def test_pkg_config_for_fortran(self):
        environment = os.environ | {'PKG_CONFIG_PATH': str(self.prefix / 'lib' / 'pkgconfig')}
        flags = self.succeeds(run('pkg-config', '--cflags', '--libs', 'thrum-fortran', env=environment)).split()
        program = self.scratch / 'fortran_by_pkg_config'
        self.succeeds(run('gfortran', self.fortran_source, '-o', program, *flags))
        self.speaks(program)

    def test_plain_lmpi(self):
        program = self.scratch / 'plain'
        self.succeeds(run('gcc', f'-I{self.prefix}/include', self.source, '-o', program, f'-L{self.prefix}/lib', '-lmpi'))
        self.speaks(program)

    def test_headers_beside_mpi(self):
        source = self.write('acl.c', '#include <thrum/acl.h>\nint main(void) { acl_begin(); acl_end(); return 0; }\n')
        program = self.scratch / 'acl'
        self.succeeds(run(self.prefix / 'bin' / 'mpicc', '-Wall', '-Werror', source, '-o', program))
        self.succeeds(run(self.prefix / 'bin' / 'mpiexec', '-n', '3', program))

    def test_every_part_is_there(self):
        for part in ('bin/mpiexec', 'bin/mpirun', 'bin/mpicc', 'bin/mpicxx', 'bin/mpic++', 'bin/mpicc_abi', 'bin/mpicxx_abi', 'bin/mpifort', 'bin/mpif90', 'bin/mpif77',
                     'include/mpi.h', 'include/mpif.h', 'include/mpi.mod', 'include/mpi_f08.mod', 'include/i8/mpif.h', 'include/i8/mpi.mod', 'include/i8/mpi_f08.mod', 'lib/libmpifort.a', 'lib/libmpifort_i8.a',
                     'include/r8/mpif.h', 'include/i8/r8d8/mpi_f08.mod', 'lib/libmpifort_r8.a', 'lib/libmpifort_r8d8.a', 'lib/libmpi_removed.a', 'include/thrum/removed.h', 'share/man/man1/mpif77.1', 'share/man/man1/mpicc_abi.1', 'share/man/man1/mpicxx_abi.1', 'lib/libmpi_abi.so.1', 'lib/libmpi_abi.so.1-gdb.py',
                     'lib/libmpi_abi.so', 'lib/libmpi.so', 'share/man/man1/mpiexec.1', 'share/man/man1/mpicc.1',
                     'bin/thrum', 'libexec/thrum/bsp_probe', 'libexec/thrum/info', 'libexec/thrum/sweep', 'share/man/man1/thrum.1', 'include/thrum/bsp.h', 'lib/cmake/thrum/thrum-config.cmake'):
            self.assertTrue((self.prefix / part).exists(), part)

    def test_a_moved_tree_works(self):
        moved = self.scratch / 'moved'
        self.succeeds(run('cp', '-a', self.prefix, moved))
        program = self.scratch / 'by_moved'
        self.succeeds(run(moved / 'bin' / 'mpicc', self.source, '-o', program))
        self.assertIn(str(moved), self.succeeds(run('readelf', '-d', program)))
        self.speaks(program, moved / 'bin' / 'mpiexec')
        self.assertIn('2 processes', self.succeeds(run(moved / 'bin' / 'thrum', 'bsp-probe', '-n', 2)))

    def test_nothing_installed_points_back_to_the_build_tree(self):
        for name in ('bin/mpicc', 'bin/mpicxx', 'bin/mpifort', 'bin/thrum', 'lib/pkgconfig/thrum.pc', 'lib/pkgconfig/thrum-fortran.pc',
                     'lib/cmake/thrum/thrum-config.cmake', 'include/mpi.h', 'include/mpif.h'):
            self.assertNotIn(str(TREE), (self.prefix / name).read_text(), name)
        for name in ('bin/mpiexec', 'lib/libmpi_abi.so.1'):
            self.assertNotRegex(self.succeeds(run('readelf', '-d', self.prefix / name)), 'R(UN)?PATH')


if __name__ == '__main__':
    unittest.main()
