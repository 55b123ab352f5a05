// The entry points of Open MPI's front.
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/large_count.h"
#include "front/callbacks.h"
#include "front/contents.h"
#include "front/openmpi/openmpi.h"
#include "front/openmpi/values.h"
#include "mpi/peers.h"
#include "removed/datatypes.h"

namespace thrum::front::openmpi {

using Front = OpenMpi;
#define ENTRY(name) thrum_openmpi_##name
#define FRONT_ENTRIES "front/openmpi_entries.inc"
#include "front/entry_points.inc"

} // namespace thrum::front::openmpi
