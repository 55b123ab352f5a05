// The functions that MPI 3.0 removed and that differ from their successors in more than the name.
// libmpi_removed.a jumps here, so the return address is the call in the program.
#include "removed/datatypes.h"

namespace thrum {

#pragma GCC visibility push(default)
extern "C" {

int thrum_removed_type_struct(int count, const int *array_of_blocklengths,
                              const MPI_Aint *array_of_displacements,
                              const MPI_Datatype *array_of_types, MPI_Datatype *newtype) {
    return enter<removed::type_struct>(
        CALL(Type_create_struct), arg::Count{"count", count},
        arg::Counts{"array_of_blocklengths", array_of_blocklengths},
        arg::Counts{"array_of_displacements", array_of_displacements},
        arg::Plain{"array_of_types", array_of_types}, arg::NewHandle{"newtype", newtype});
}

int thrum_removed_type_extent(MPI_Datatype datatype, MPI_Aint *extent) {
    return enter<removed::type_extent>(CALL(Type_get_extent), arg::Type{"datatype", datatype},
                                       arg::Pointer{"extent", extent});
}

int thrum_removed_type_lb(MPI_Datatype datatype, MPI_Aint *displacement) {
    return enter<removed::type_lb>(CALL(Type_get_extent), arg::Type{"datatype", datatype},
                                   arg::Pointer{"displacement", displacement});
}

int thrum_removed_type_ub(MPI_Datatype datatype, MPI_Aint *displacement) {
    return enter<removed::type_ub>(CALL(Type_get_extent), arg::Type{"datatype", datatype},
                                   arg::Pointer{"displacement", displacement});
}

} // extern "C"
#pragma GCC visibility pop

} // namespace thrum
