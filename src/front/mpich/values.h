// The numbers of MPICH's interface and the standard's; generated from mpich.ini.
#pragma once
#include "front/sentinel_name.h"
#include "mpi.h"

#include <array>
#include <bit>
#include <cstdint>

namespace thrum::front::mpich {
#include "front/mpich_values.inc"
} // namespace thrum::front::mpich
