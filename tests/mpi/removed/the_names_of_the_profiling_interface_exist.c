// MPI 5.0 section 15.2: a tool defines MPI_X and calls PMPI_X; so do those of old programs for the
// functions that MPI 3.0 removed.
// flags: -Wno-deprecated-declarations -Wl,--no-warnings
// ranks: 2
#include "world.h"

static int calls;

int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent) {
    ++calls;
    return PMPI_Type_extent(datatype, extent);
}

int MPI_Address(void *location, MPI_Aint *address) {
    ++calls;
    return PMPI_Address(location, address);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Aint extent = 0, address = 0, lower = -1;
    CHECK_SUCCESS(MPI_Type_extent(MPI_DOUBLE, &extent));
    CHECK_SUCCESS(MPI_Address(&extent, &address));
    CHECK_SUCCESS(MPI_Type_lb(MPI_DOUBLE, &lower));
    CHECK(extent == sizeof(double) && address == (MPI_Aint)&extent && lower == 0);
    CHECK_EQUAL(calls, 2);
    return finish();
}
