// The entry points of MPICH's front.
#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/large_count.h"
#include "front/callbacks.h"
#include "front/contents.h"
#include "front/mpich/mpich.h"
#include "front/mpich/values.h"
#include "mpi/peers.h"
#include "removed/datatypes.h"

namespace thrum::front::mpich {

using Front = Mpich;
#define ENTRY(name) thrum_mpich_##name
#define FRONT_ENTRIES "front/mpich_entries.inc"
#include "front/entry_points.inc"

} // namespace thrum::front::mpich
