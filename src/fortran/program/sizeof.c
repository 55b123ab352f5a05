/* MPI_Sizeof (MPI 5.0 chapter 16): the interface of the modules passes a descriptor of any
 * variable. */
#include "fortran/program/buffer.h"
#include "fortran/program/integer.h"

void thrum_sizeof(const struct FortranBuffer *x, FortranInteger *size, FortranInteger *ierror) {
    *size = (FortranInteger)x->element_bytes;
    if (ierror)
        *ierror = 0;
}

/* MPI_F_sync_reg (section 19.1.17): that it is called is all it does. */
void pmpi_f_sync_reg_(void *buf) {
    (void)buf;
}

void mpi_f_sync_reg_(void *buf) __attribute__((weak, alias("pmpi_f_sync_reg_")));
void PMPI_F_sync_reg_f08ts(void *buf) __attribute__((alias("pmpi_f_sync_reg_")));
void MPI_F_sync_reg_f08ts(void *buf) __attribute__((weak, alias("pmpi_f_sync_reg_")));

/* MPI_Status_f2f08 and back (section 19.3.5): both forms have their fields in the same places. */
void pmpi_status_f2f08_(const FortranInteger *from, FortranInteger *to, FortranInteger *ierror) {
    for (int i = 0; i < 8; ++i)
        to[i] = from[i];
    if (ierror)
        *ierror = 0;
}

#define SAME_STATUS(name)                                                                          \
    void name(const FortranInteger *from, FortranInteger *to, FortranInteger *ierror)              \
        __attribute__((weak, alias("pmpi_status_f2f08_")))
SAME_STATUS(mpi_status_f2f08_);
SAME_STATUS(mpi_status_f082f_);
SAME_STATUS(pmpi_status_f082f_);
SAME_STATUS(mpi_status_f2f08_f08_);
SAME_STATUS(mpi_status_f082f_f08_);
SAME_STATUS(pmpi_status_f2f08_f08_);
SAME_STATUS(pmpi_status_f082f_f08_);
