// MPI 5.0 section 18.1: the names are not declared by MPI 5.0, so programs that want to be compiled
// with old and new libraries declare them, or make them macros.
// flags: -DTHRUM_NO_REMOVED -DMPI_Address=MPI_Get_address
// ranks: 2
#include "world.h"

static int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) {
    MPI_Aint lower;
    return MPI_Type_get_extent(datatype, &lower, extent);
}

#ifdef MPI_UB
#error "THRUM_NO_REMOVED leaves all of them out"
#endif

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Aint address, extent;
    CHECK_SUCCESS(MPI_Address(&address, &address));
    CHECK_SUCCESS(MPI_Type_extent(MPI_INT, &extent));
    CHECK(address == (MPI_Aint)&address && extent == sizeof(int));
    return finish();
}
