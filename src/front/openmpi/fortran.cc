// The Fortran entry points of Open MPI's front.
#include "front/fortran.h"

#include "entry/calls.h"
#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/tool.h"
#include "front/contents.h"
#include "front/openmpi/openmpi.h"
#include "front/openmpi/values.h"
#include "mpi/attribute.h"
#include "mpi/peers.h"
#include "removed/datatypes.h"
#include "removed/integers.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace thrum::front::openmpi::fortran_entries {

using Front = OpenMpi;
namespace c_values = front::openmpi;
#define ENTRY(name) thrum_openmpi_fortran_##name
#define FORTRAN_ENTRIES "front/openmpi_fortran_entries.inc"
#include "front/fortran_entry_points.inc"

} // namespace thrum::front::openmpi::fortran_entries
