// The jump targets of the program's mpi_send_ and so on, with Fortran's calling convention:
// everything by reference, lengths of CHARACTER arguments hidden at the end. Generated from
// mpi.api. Those of mpi_f08 get descriptors of choice buffers.
#pragma once
#include "fortran/program/buffer.h"
#include "mpi.h"

#include <cstddef>

#pragma GCC visibility push(default)
extern "C" {
#include "fortran/declarations.inc"
#include "fortran/f08_declarations.inc"
}
#pragma GCC visibility pop
