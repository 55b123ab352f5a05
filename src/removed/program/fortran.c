/* The removed functions in Fortran: jumps to libmpi, as those of libmpifort.a (fortran/README.md).
 */
#include "removed/program/note.h"

#include <stdint.h>

/* So that the linker takes the constants with an address from libmpifort.a: MPI_BOTTOM. */
extern const char thrum_sentinels[] __attribute__((visibility("hidden")));
static const char *const keep __attribute__((used)) = thrum_sentinels;

/* Defines mpi_X_ and pmpi_X_ as thrum_fortran_ENTRY. The text names what to call instead. */
#define REMOVED(name, NAME, entry, text, parameters, arguments)                                    \
    THRUM_NOTE(mpi_##name##_, "MPI_" NAME " was removed in MPI 3.0; use MPI_" text);               \
    THRUM_NOTE(pmpi_##name##_, "PMPI_" NAME " was removed in MPI 3.0; use PMPI_" text);            \
    void thrum_fortran_##entry parameters;                                                         \
    void pmpi_##name##_ parameters {                                                               \
        thrum_fortran_##entry arguments;                                                           \
    }                                                                                              \
    void mpi_##name##_ parameters __attribute__((weak, alias("pmpi_" #name "_")))

#define WITH_ADDRESSES " and INTEGER(KIND=MPI_ADDRESS_KIND)"

REMOVED(address, "ADDRESS", address, "GET_ADDRESS" WITH_ADDRESSES,
        (void *location, int32_t *address, int32_t *ierror), (location, address, ierror));
REMOVED(errhandler_create, "ERRHANDLER_CREATE", comm_create_errhandler, "COMM_CREATE_ERRHANDLER",
        (void (*function)(void), int32_t *errhandler, int32_t *ierror),
        (function, errhandler, ierror));
REMOVED(errhandler_get, "ERRHANDLER_GET", comm_get_errhandler, "COMM_GET_ERRHANDLER",
        (int32_t *comm, int32_t *errhandler, int32_t *ierror), (comm, errhandler, ierror));
REMOVED(errhandler_set, "ERRHANDLER_SET", comm_set_errhandler, "COMM_SET_ERRHANDLER",
        (int32_t *comm, int32_t *errhandler, int32_t *ierror), (comm, errhandler, ierror));
REMOVED(type_extent, "TYPE_EXTENT", type_extent, "TYPE_GET_EXTENT" WITH_ADDRESSES,
        (int32_t *datatype, int32_t *extent, int32_t *ierror), (datatype, extent, ierror));
REMOVED(type_hindexed, "TYPE_HINDEXED", type_hindexed, "TYPE_CREATE_HINDEXED" WITH_ADDRESSES,
        (int32_t *count, int32_t *lengths, int32_t *displacements, int32_t *oldtype,
         int32_t *newtype, int32_t *ierror),
        (count, lengths, displacements, oldtype, newtype, ierror));
REMOVED(type_hvector, "TYPE_HVECTOR", type_hvector, "TYPE_CREATE_HVECTOR" WITH_ADDRESSES,
        (int32_t *count, int32_t *blocklength, int32_t *stride, int32_t *oldtype, int32_t *newtype,
         int32_t *ierror),
        (count, blocklength, stride, oldtype, newtype, ierror));
REMOVED(type_lb, "TYPE_LB", type_lb, "TYPE_GET_EXTENT" WITH_ADDRESSES,
        (int32_t *datatype, int32_t *displacement, int32_t *ierror),
        (datatype, displacement, ierror));
REMOVED(type_struct, "TYPE_STRUCT", type_struct, "TYPE_CREATE_STRUCT" WITH_ADDRESSES,
        (int32_t *count, int32_t *lengths, int32_t *displacements, int32_t *types, int32_t *newtype,
         int32_t *ierror),
        (count, lengths, displacements, types, newtype, ierror));
REMOVED(type_ub, "TYPE_UB", type_ub, "TYPE_GET_EXTENT" WITH_ADDRESSES,
        (int32_t *datatype, int32_t *displacement, int32_t *ierror),
        (datatype, displacement, ierror));
