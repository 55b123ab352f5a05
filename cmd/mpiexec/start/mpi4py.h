// The wheel of mpi4py on PyPI has modules for Open MPI's and MPICH's binary interfaces, and for no
// other. A build, such as a distribution's package, has one module.
#pragma once
#include <string>

namespace mpiexec {

// Returns the file of the module that the interpreter `python`, a path, would import: of the wheel
// that of MPI4PY_MPIABI if it is set. "": it has no mpi4py. Looks where Python looks for packages,
// and runs nothing.
std::string mpi4py_module(const std::string &python);

// Returns whether the file name is that of a Python interpreter: python3.11, say.
bool is_python(const std::string &path);

} // namespace mpiexec
