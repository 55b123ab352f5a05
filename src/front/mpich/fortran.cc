// The Fortran entry points of MPICH's front.
#include "front/fortran.h"

#include "entry/calls.h"
#include "entry/entry.h"
#include "fortran/convert.h"
#include "fortran/start.h"
#include "front/contents.h"
#include "front/mpich/mpich.h"
#include "front/mpich/values.h"
#include "front/type_struct.h"
#include "mpi/attribute.h"
#include "mpi/peers.h"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace thrum::front::mpich::fortran_entries {

using Front = Mpich;
namespace c_values = front::mpich;
#define ENTRY(name) thrum_mpich_fortran_##name
#define FORTRAN_ENTRIES "front/mpich_fortran_entries.inc"
#include "front/fortran_entry_points.inc"

} // namespace thrum::front::mpich::fortran_entries
