// Names of datatypes in messages (describe.h): the standard's name, the program's, or what kind of
// datatype it is.
#include "datatype/describe.h"

#include "datatype/contents.h"
#include "datatype/predefined.h"

#include <cstdio>

namespace thrum {

// Returns a description of a datatype without a name, with its article.
static const char *constructor_name(int combiner) {
    switch (combiner) {
    case MPI_COMBINER_DUP:
        return "a duplicated datatype";
    case MPI_COMBINER_CONTIGUOUS:
        return "a contiguous datatype";
    case MPI_COMBINER_VECTOR:
        return "a vector datatype";
    case MPI_COMBINER_HVECTOR:
        return "an hvector datatype";
    case MPI_COMBINER_INDEXED:
        return "an indexed datatype";
    case MPI_COMBINER_HINDEXED:
        return "an hindexed datatype";
    case MPI_COMBINER_INDEXED_BLOCK:
        return "an indexed-block datatype";
    case MPI_COMBINER_HINDEXED_BLOCK:
        return "an hindexed-block datatype";
    case MPI_COMBINER_STRUCT:
        return "a struct datatype";
    case MPI_COMBINER_SUBARRAY:
        return "a subarray datatype";
    case MPI_COMBINER_DARRAY:
        return "a distributed-array datatype";
    case MPI_COMBINER_F90_REAL:
        return "a Fortran 90 real datatype";
    case MPI_COMBINER_F90_COMPLEX:
        return "a Fortran 90 complex datatype";
    case MPI_COMBINER_F90_INTEGER:
        return "a Fortran 90 integer datatype";
    case MPI_COMBINER_RESIZED:
        return "a resized datatype";
    default:
        return "a derived datatype";
    }
}

const char *describe(const Datatype &datatype, char *buffer, size_t size_bytes) {
    if (const char *name = predefined_name(datatype))
        std::snprintf(buffer, size_bytes, "%s", name);
    else if (datatype.name && datatype.name[0])
        std::snprintf(buffer, size_bytes, "datatype \"%s\"", datatype.name);
    else
        std::snprintf(buffer, size_bytes, "%s", constructor_name(datatype.contents->combiner));
    return buffer;
}

} // namespace thrum
