"""Spack's package of Thrum: spack repo add packaging/spack && spack install thrum. It builds the checkout that it is in."""
from pathlib import Path

from spack.package import *


class Thrum(CMakePackage):
    """MPI 5.0 whose ranks are threads of one process: thousands of ranks of unmodified programs on a laptop."""

    git = f"file://{Path(__file__).resolve().parents[4]}"
    license("Apache-2.0")

    version("main", branch="main")

    provides("mpi@:5.0")
    provides("mpi-abi@1")  # libmpi_abi.so.1

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("cli11@2:")
    depends_on("fmt@9:")
    depends_on("elfutils")
    # Loaded when a job needs them: found by the RPATH that Spack gives the library and mpiexec.
    depends_on("hwloc@2")
    depends_on("libfabric@1.17:")
    depends_on("pmix@4.2:")

    requires("platform=linux", msg="Thrum needs Linux")
    requires("target=x86_64:", msg="Thrum needs x86-64")
    conflicts("%gcc@:11", msg="Thrum needs GCC 12 or later")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
            self.define("THRUM_TESTS", False),
            self.define("THRUM_BENCHMARKS", False),
        ]

    def setup_run_environment(self, env):
        for variable, command in (("MPICC", "mpicc"), ("MPICXX", "mpicxx"), ("MPIF77", "mpifort"), ("MPIF90", "mpifort"), ("MPIFC", "mpifort")):
            env.set(variable, str(self.prefix.bin.join(command)))

    def setup_dependent_build_environment(self, env, dependent_spec):
        """The wrappers call Spack's compilers."""
        self.setup_run_environment(env)
        module = dependent_spec.package.module
        for variable, compiler in (("THRUM_CC", "spack_cc"), ("THRUM_CXX", "spack_cxx"), ("THRUM_FC", "spack_fc")):
            if hasattr(module, compiler):
                env.set(variable, getattr(module, compiler))

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = self.prefix.bin.mpicc
        self.spec.mpicxx = self.prefix.bin.mpicxx
        self.spec.mpifc = self.prefix.bin.mpifort
        self.spec.mpif77 = self.prefix.bin.mpifort
