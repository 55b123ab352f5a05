/* The removed functions in C. They need nothing but MPI 5.0, so that a program also runs with other
 * libraries of the standard ABI. Each ends in a jump: the return address is the call in the
 * program, and reports name its line. */
#include "removed/program/note.h"

#include <mpi.h>

/* The headline of a function, PMPI_X with a weak MPI_X, and its note. */
#define REMOVED(name, successor, ...)                                                              \
    THRUM_NOTE(MPI_##name, "MPI_" #name " was removed in MPI 3.0; use MPI_" #successor);           \
    THRUM_NOTE(PMPI_##name, "PMPI_" #name " was removed in MPI 3.0; use PMPI_" #successor);        \
    int MPI_##name(__VA_ARGS__) __attribute__((weak, alias("PMPI_" #name)));                       \
    int PMPI_##name(__VA_ARGS__)

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

REMOVED(Address, Get_address, void *location, MPI_Aint *address) {
    return PMPI_Get_address(location, address);
}

REMOVED(Errhandler_create, Comm_create_errhandler, MPI_Handler_function *function,
        MPI_Errhandler *errhandler) {
    return PMPI_Comm_create_errhandler(function, errhandler);
}

REMOVED(Errhandler_get, Comm_get_errhandler, MPI_Comm comm, MPI_Errhandler *errhandler) {
    return PMPI_Comm_get_errhandler(comm, errhandler);
}

REMOVED(Errhandler_set, Comm_set_errhandler, MPI_Comm comm, MPI_Errhandler errhandler) {
    return PMPI_Comm_set_errhandler(comm, errhandler);
}

REMOVED(Type_hindexed, Type_create_hindexed, int count, int *array_of_blocklengths,
        MPI_Aint *array_of_displacements, MPI_Datatype oldtype, MPI_Datatype *newtype) {
    return PMPI_Type_create_hindexed(count, array_of_blocklengths, array_of_displacements, oldtype,
                                     newtype);
}

REMOVED(Type_hvector, Type_create_hvector, int count, int blocklength, MPI_Aint stride,
        MPI_Datatype oldtype, MPI_Datatype *newtype) {
    return PMPI_Type_create_hvector(count, blocklength, stride, oldtype, newtype);
}

/* The others differ in more than the name. Thrum's library has them; weak, because others do not.
 */
#define WEAK __attribute__((weak))
WEAK int thrum_removed_type_struct(int, const int *, const MPI_Aint *, const MPI_Datatype *,
                                   MPI_Datatype *);
WEAK int thrum_removed_type_extent(MPI_Datatype, MPI_Aint *);
WEAK int thrum_removed_type_lb(MPI_Datatype, MPI_Aint *);
WEAK int thrum_removed_type_ub(MPI_Datatype, MPI_Aint *);

/* Another library refuses MPI_LB and MPI_UB. */
REMOVED(Type_struct, Type_create_struct, int count, int *array_of_blocklengths,
        MPI_Aint *array_of_displacements, MPI_Datatype *array_of_types, MPI_Datatype *newtype) {
    if (thrum_removed_type_struct)
        return thrum_removed_type_struct(count, array_of_blocklengths, array_of_displacements,
                                         array_of_types, newtype);
    return PMPI_Type_create_struct(count, array_of_blocklengths, array_of_displacements,
                                   array_of_types, newtype);
}

/* A bound, as another library knows it. */
#define RETURN_BOUND(datatype, bound, result)                                                      \
    do {                                                                                           \
        MPI_Aint lb, extent;                                                                       \
        int code = PMPI_Type_get_extent(datatype, &lb, &extent);                                   \
        if (code == MPI_SUCCESS)                                                                   \
            *(result) = (bound);                                                                   \
        return code;                                                                               \
    } while (0)

REMOVED(Type_extent, Type_get_extent, MPI_Datatype datatype, MPI_Aint *extent_of_type) {
    if (thrum_removed_type_extent)
        return thrum_removed_type_extent(datatype, extent_of_type);
    RETURN_BOUND(datatype, extent, extent_of_type);
}

REMOVED(Type_lb, Type_get_extent, MPI_Datatype datatype, MPI_Aint *displacement) {
    if (thrum_removed_type_lb)
        return thrum_removed_type_lb(datatype, displacement);
    RETURN_BOUND(datatype, lb, displacement);
}

REMOVED(Type_ub, Type_get_extent, MPI_Datatype datatype, MPI_Aint *displacement) {
    if (thrum_removed_type_ub)
        return thrum_removed_type_ub(datatype, displacement);
    RETURN_BOUND(datatype, lb + extent, displacement);
}
