// What the large-count form of a datatype constructor does in addition to the ordinary one.
#pragma once
#include "base/error.h"
#include "base/may_suspend.h"
#include "mpi.h"

#include <tuple>

namespace thrum::mpi {

// Section 5.1.13: the arguments of a datatype made by a large-count function are large counts,
// whatever their values.
void note_large_counts(MPI_Datatype type);

template <auto constructor, class Pointer = decltype(constructor)>
struct LargeCount;

// LargeCount<type_vector>::call implements MPI_Type_vector_c with type_vector. The last argument is
// newtype.
template <auto constructor, class... Arguments>
struct LargeCount<constructor, Error (*)(Arguments...)> {
    static Error call(Arguments... arguments) MAY_SUSPEND {
        Error error = constructor(arguments...);
        if (!error)
            note_large_counts(*std::get<sizeof...(Arguments) - 1>(std::tie(arguments...)));
        return error;
    }
};

} // namespace thrum::mpi
