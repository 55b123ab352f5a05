// The numbers of Open MPI's interface and the standard's; generated from openmpi.ini.
#pragma once
#include "front/sentinel_name.h"
#include "mpi.h"

#include <cstdint>

namespace thrum::front::openmpi {
#include "front/openmpi_values.inc"
} // namespace thrum::front::openmpi
