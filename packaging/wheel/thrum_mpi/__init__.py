"""Tells where the parts of the installed Thrum are (python -m thrum_mpi --help).

The functions return absolute paths (pathlib.Path).
"""
from importlib.metadata import distribution
from pathlib import Path

__all__ = ['__version__', 'cmakedir', 'compiler', 'includedir', 'libdir', 'mpiexec', 'pkgconfigdir', 'prefix']

_DISTRIBUTION = distribution('thrum-mpi')
__version__ = _DISTRIBUTION.version


def prefix():
    """The folder of bin, lib, include and share: mostly that of the virtual environment."""
    for file in _DISTRIBUTION.files or ():
        if file.name == 'libmpi_abi.so.1':
            return Path(file.locate()).resolve().parents[1]
    raise FileNotFoundError('libmpi_abi.so.1 is not part of the installed thrum-mpi: install it again with pip')


def includedir():
    """The folder of mpi.h and mpif.h."""
    return prefix() / 'include'


def libdir():
    """The folder of libmpi_abi.so.1."""
    return prefix() / 'lib'


def pkgconfigdir():
    """The folder for PKG_CONFIG_PATH: thrum.pc, mpi.pc, thrum-fortran.pc."""
    return libdir() / 'pkgconfig'


def cmakedir():
    """The folder for CMake's MPI_HOME, with which find_package(MPI) finds this MPI."""
    return prefix()


def mpiexec():
    """The command that starts jobs."""
    return prefix() / 'bin' / 'mpiexec'


def compiler(language):
    """The compiler wrapper of 'c', 'c++' or 'fortran'."""
    return prefix() / 'bin' / {'c': 'mpicc', 'c++': 'mpicxx', 'fortran': 'mpifort'}[language]
