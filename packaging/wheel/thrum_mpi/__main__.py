"""python -m thrum_mpi: prints where the parts of the installed Thrum are."""
import argparse

import thrum_mpi

PARTS = {
    'prefix': ('the folder of bin, lib, include and share', thrum_mpi.prefix),
    'includedir': ('the folder of mpi.h and mpif.h', thrum_mpi.includedir),
    'libdir': ('the folder of libmpi_abi.so.1', thrum_mpi.libdir),
    'pkgconfig-dir': ('the folder for PKG_CONFIG_PATH', thrum_mpi.pkgconfigdir),
    'cmake-dir': ("the folder for CMake's MPI_HOME", thrum_mpi.cmakedir),
    'mpiexec': ('the command that starts jobs', thrum_mpi.mpiexec),
    'mpicc': ('the C compiler', lambda: thrum_mpi.compiler('c')),
    'mpicxx': ('the C++ compiler', lambda: thrum_mpi.compiler('c++')),
    'mpifort': ('the Fortran compiler', lambda: thrum_mpi.compiler('fortran')),
    'version': ('the version', lambda: thrum_mpi.__version__),
}


def main():
    parser = argparse.ArgumentParser(
        prog='python -m thrum_mpi', allow_abbrev=False,
        description='Prints where the parts of Thrum are: all with their names, or those asked for, one in a line.')
    for name, (description, _) in PARTS.items():
        parser.add_argument(f'--{name}', dest='parts', action='append_const', const=name, help=description)
    asked = parser.parse_args().parts
    for name in asked or PARTS:
        value = PARTS[name][1]()
        print(value if asked else f'{name + ":":15}{value}')


if __name__ == '__main__':
    main()
