/* What the part of Thrum that is linked into a Fortran program (libmpifort.a) tells libmpi: the
 * sizes of its default types, and where the program's own copies of the constants are that have an
 * address instead of a value (MPI 5.0 section 2.5.4). Each rank has copies of its own. Read by C
 * and C++. */
#ifndef THRUM_FORTRAN_SENTINELS_H
#define THRUM_FORTRAN_SENTINELS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The bytes of REAL and DOUBLE PRECISION of the program (-fdefault-real-8, -fdefault-double-8). */
struct FortranReals {
    int real, double_precision;
};

struct thrum_fortran_sentinels {
    int integer_bytes; /* of INTEGER and LOGICAL */
    const struct FortranReals *reals;
    /* COMMON blocks of mpif.h and module mpi */
    void *bottom, *in_place, *buffer_automatic;
    void *status_ignore, *statuses_ignore, *errcodes_ignore;
    void *unweighted, *weights_empty;
    void *argv_null, *argvs_null;
    /* Predefined callbacks: of MPI_Keyval_create, and of communicators, datatypes and windows */
    void (*null_copy[4])(void), (*dup[4])(void), (*null_delete[4])(void);
    void (*conversion_null)(void);
};

/* Called by each program and library with Fortran calls when its constructors run. */
void thrum_fortran_register(const struct thrum_fortran_sentinels *sentinels);

#ifdef __cplusplus
}
#endif
#endif
