/* The removed functions in Fortran: jumps to libmpi, as those of libmpifort.a (fortran/README.md).
 */
#include "fortran/program/integer.h"
#include "removed/program/note.h"

/* In libmpi. */
#ifdef THRUM_INTEGER8
#define ENTRY(name) thrum_fortran_i8_##name
#else
#define ENTRY(name) thrum_fortran_##name
#endif

/* So that the linker takes the constants with an address from libmpifort.a: MPI_BOTTOM. */
extern const char thrum_sentinels[] __attribute__((visibility("hidden")));
static const char *const keep __attribute__((used)) = thrum_sentinels;

/* Defines mpi_X_ and pmpi_X_ as thrum_fortran_ENTRY. The text names what to call instead. */
#define REMOVED(name, NAME, entry, text, parameters, arguments)                                    \
    THRUM_NOTE(mpi_##name##_, "MPI_" NAME " was removed in MPI 3.0; use MPI_" text);               \
    THRUM_NOTE(pmpi_##name##_, "PMPI_" NAME " was removed in MPI 3.0; use PMPI_" text);            \
    void ENTRY(entry) parameters;                                                                  \
    void pmpi_##name##_ parameters {                                                               \
        ENTRY(entry) arguments;                                                                    \
    }                                                                                              \
    void mpi_##name##_ parameters __attribute__((weak, alias("pmpi_" #name "_")))

#define WITH_ADDRESSES " and INTEGER(KIND=MPI_ADDRESS_KIND)"

REMOVED(address, "ADDRESS", address, "GET_ADDRESS" WITH_ADDRESSES,
        (void *location, FortranInteger *address, FortranInteger *ierror),
        (location, address, ierror));
REMOVED(errhandler_create, "ERRHANDLER_CREATE", comm_create_errhandler, "COMM_CREATE_ERRHANDLER",
        (void (*function)(void), FortranInteger *errhandler, FortranInteger *ierror),
        (function, errhandler, ierror));
REMOVED(errhandler_get, "ERRHANDLER_GET", comm_get_errhandler, "COMM_GET_ERRHANDLER",
        (FortranInteger * comm, FortranInteger *errhandler, FortranInteger *ierror),
        (comm, errhandler, ierror));
REMOVED(errhandler_set, "ERRHANDLER_SET", comm_set_errhandler, "COMM_SET_ERRHANDLER",
        (FortranInteger * comm, FortranInteger *errhandler, FortranInteger *ierror),
        (comm, errhandler, ierror));
REMOVED(type_extent, "TYPE_EXTENT", type_extent, "TYPE_GET_EXTENT" WITH_ADDRESSES,
        (FortranInteger * datatype, FortranInteger *extent, FortranInteger *ierror),
        (datatype, extent, ierror));
REMOVED(type_hindexed, "TYPE_HINDEXED", type_hindexed, "TYPE_CREATE_HINDEXED" WITH_ADDRESSES,
        (FortranInteger * count, FortranInteger *lengths, FortranInteger *displacements,
         FortranInteger *oldtype, FortranInteger *newtype, FortranInteger *ierror),
        (count, lengths, displacements, oldtype, newtype, ierror));
REMOVED(type_hvector, "TYPE_HVECTOR", type_hvector, "TYPE_CREATE_HVECTOR" WITH_ADDRESSES,
        (FortranInteger * count, FortranInteger *blocklength, FortranInteger *stride,
         FortranInteger *oldtype, FortranInteger *newtype, FortranInteger *ierror),
        (count, blocklength, stride, oldtype, newtype, ierror));
REMOVED(type_lb, "TYPE_LB", type_lb, "TYPE_GET_EXTENT" WITH_ADDRESSES,
        (FortranInteger * datatype, FortranInteger *displacement, FortranInteger *ierror),
        (datatype, displacement, ierror));
REMOVED(type_struct, "TYPE_STRUCT", type_struct, "TYPE_CREATE_STRUCT" WITH_ADDRESSES,
        (FortranInteger * count, FortranInteger *lengths, FortranInteger *displacements,
         FortranInteger *types, FortranInteger *newtype, FortranInteger *ierror),
        (count, lengths, displacements, types, newtype, ierror));
REMOVED(type_ub, "TYPE_UB", type_ub, "TYPE_GET_EXTENT" WITH_ADDRESSES,
        (FortranInteger * datatype, FortranInteger *displacement, FortranInteger *ierror),
        (datatype, displacement, ierror));
