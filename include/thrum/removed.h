/* The ten functions that MPI 3.0 removed (MPI 5.0 section 18.1), and which old programs still call.
 *
 * mpi.h includes this file, unless THRUM_NO_REMOVED is defined. It is no part of MPI 5.0: a program
 * that calls one of these functions is warned by the compiler and by the linker, and gets it from
 * libmpi_removed.a, which mpicc, mpicxx and mpifort link. The prototypes are those of MPI 2.2. */
#ifndef THRUM_REMOVED_H
#define THRUM_REMOVED_H

#ifdef __cplusplus
extern "C" {
#endif

/* MPI_Type_struct knows these as members; elsewhere they are invalid datatypes. */
#define MPI_LB ((MPI_Datatype)4094)
#define MPI_UB ((MPI_Datatype)4095)

/* MPI_Type_get_envelope returns none of these. */
#define MPI_COMBINER_HVECTOR_INTEGER (-105)
#define MPI_COMBINER_HINDEXED_INTEGER (-107)
#define MPI_COMBINER_STRUCT_INTEGER (-110)

typedef MPI_Comm_errhandler_function MPI_Handler_function;

#ifdef __GNUC__
#define THRUM_REMOVED(successor) __attribute__((deprecated("removed in MPI 3.0; use " #successor)))
#else
#define THRUM_REMOVED(successor)
#endif

/* A program that has made the name a macro means another function. */
#ifndef MPI_Address
int MPI_Address(void *location, MPI_Aint *address) THRUM_REMOVED(MPI_Get_address);
int PMPI_Address(void *location, MPI_Aint *address) THRUM_REMOVED(PMPI_Get_address);
#endif
#ifndef MPI_Errhandler_create
int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
    THRUM_REMOVED(MPI_Comm_create_errhandler);
int PMPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler)
    THRUM_REMOVED(PMPI_Comm_create_errhandler);
#endif
#ifndef MPI_Errhandler_get
int MPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
    THRUM_REMOVED(MPI_Comm_get_errhandler);
int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
    THRUM_REMOVED(PMPI_Comm_get_errhandler);
#endif
#ifndef MPI_Errhandler_set
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
    THRUM_REMOVED(MPI_Comm_set_errhandler);
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
    THRUM_REMOVED(PMPI_Comm_set_errhandler);
#endif
#ifndef MPI_Type_extent
int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) THRUM_REMOVED(MPI_Type_get_extent);
int PMPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) THRUM_REMOVED(PMPI_Type_get_extent);
#endif
#ifndef MPI_Type_hindexed
int MPI_Type_hindexed(int count, int *array_of_blocklengths, MPI_Aint *array_of_displacements,
                      MPI_Datatype oldtype, MPI_Datatype *newtype)
    THRUM_REMOVED(MPI_Type_create_hindexed);
int PMPI_Type_hindexed(int count, int *array_of_blocklengths, MPI_Aint *array_of_displacements,
                       MPI_Datatype oldtype, MPI_Datatype *newtype)
    THRUM_REMOVED(PMPI_Type_create_hindexed);
#endif
#ifndef MPI_Type_hvector
int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype) THRUM_REMOVED(MPI_Type_create_hvector);
int PMPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                      MPI_Datatype *newtype) THRUM_REMOVED(PMPI_Type_create_hvector);
#endif
#ifndef MPI_Type_lb
int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement) THRUM_REMOVED(MPI_Type_get_extent);
int PMPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement) THRUM_REMOVED(PMPI_Type_get_extent);
#endif
#ifndef MPI_Type_struct
int MPI_Type_struct(int count, int *array_of_blocklengths, MPI_Aint *array_of_displacements,
                    MPI_Datatype *array_of_types, MPI_Datatype *newtype)
    THRUM_REMOVED(MPI_Type_create_struct);
int PMPI_Type_struct(int count, int *array_of_blocklengths, MPI_Aint *array_of_displacements,
                     MPI_Datatype *array_of_types, MPI_Datatype *newtype)
    THRUM_REMOVED(PMPI_Type_create_struct);
#endif
#ifndef MPI_Type_ub
int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement) THRUM_REMOVED(MPI_Type_get_extent);
int PMPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement) THRUM_REMOVED(PMPI_Type_get_extent);
#endif

#undef THRUM_REMOVED

#ifdef __cplusplus
}
#endif
#endif
