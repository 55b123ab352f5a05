// The Fortran entry points of MPICH's front.
#include "front/fortran.h"

#include "entry/calls.h"
#include "entry/entry.h"
#include "entry/large_count.h"
#include "fortran/convert.h"
#include "fortran/tool.h"
#include "front/contents.h"
#include "front/gfortran_buffer.h"
#include "front/mpich/mpich.h"
#include "front/mpich/values.h"
#include "mpi/attribute.h"
#include "mpi/peers.h"
#include "removed/datatypes.h"
#include "removed/integers.h"

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

namespace {

using Buffer = GfortranBuffer;

ConvertedSection to_section(const Buffer &buffer) {
    return {buffer, to_buffer(buffer.base)};
}

} // namespace

#define F08_ENTRIES "front/mpich_f08_entries.inc"
#pragma GCC visibility push(default)
#include "fortran/f08.inc"

// As type_get_contents(), with large counts.
extern "C" void
ENTRY(type_get_contents_c_f08)(MPI_Fint *datatype, MPI_Count *max_integers,
                               MPI_Count *max_addresses, MPI_Count *max_large_counts,
                               MPI_Count *max_datatypes, MPI_Fint *array_of_integers,
                               MPI_Aint *array_of_addresses, MPI_Count *array_of_large_counts,
                               MPI_Fint *array_of_datatypes, MPI_Fint *ierror) {
    const auto handle = to_c<MPI_Datatype>(*datatype);
    const int code = enter<mpi::type_get_contents_c>(
        CALL(Type_get_contents), arg::Type{"datatype", handle},
        arg::Plain{"max_integers", *max_integers}, arg::Plain{"max_addresses", *max_addresses},
        arg::Plain{"max_large_counts", *max_large_counts},
        arg::Plain{"max_datatypes", *max_datatypes},
        arg::Plain{"array_of_integers", array_of_integers},
        arg::Plain{"array_of_addresses", array_of_addresses},
        arg::Plain{"array_of_large_counts", array_of_large_counts},
        arg::Plain{"array_of_datatypes",
                   Handles<MPI_Datatype, Use::Out>(array_of_datatypes, *max_datatypes).c()});
    if (code == MPI_SUCCESS)
        front::convert_contents<from_standard_order, from_standard_distribution,
                                from_standard_distribution_argument>(
            handle, array_of_integers, static_cast<int>(*max_integers));
    set_code(ierror, code);
}

#pragma GCC visibility pop

} // namespace thrum::front::mpich::fortran_entries
