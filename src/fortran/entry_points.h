// What the program's mpi_send_ and its like jump to: Fortran's calling convention, everything by
// reference, lengths of CHARACTER arguments hidden at the end. Generated from mpi.api.
#pragma once
#include "mpi.h"

#include <cstddef>

#pragma GCC visibility push(default)
extern "C" {
#include "fortran/declarations.inc"
}
#pragma GCC visibility pop
