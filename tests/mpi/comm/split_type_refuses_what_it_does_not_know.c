// MPI 5.0 section 7.4.2: "All MPI processes in the group associated with comm must provide the same
// split_type". "Only one of these info keys can be used in info at a time in a call to
// MPI_COMM_SPLIT_TYPE; use of more than one info key is erroneous." "All MPI processes must provide
// the same value for the info key mpi_hw_resource_type." "If this input communicator is not derived
// from a session, then MPI_COMM_NULL is returned in newcomm."
// ranks: 2 3
#include "messages.h"

int main(void) {
    start_with_errors_returned();
    MPI_Comm world = MPI_COMM_WORLD, part = MPI_COMM_WORLD;
    MPI_Info info;
    int last = rank == size - 1;
    CHECK_ERROR(MPI_Comm_split_type(world, 12345, 0, MPI_INFO_NULL, &part), MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_split_type(MPI_COMM_NULL, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &part),
                MPI_ERR_COMM);
    CHECK_ERROR(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, NULL),
                MPI_ERR_ARG);
    CHECK_ERROR(MPI_Comm_split_type(world, last ? MPI_COMM_TYPE_SHARED : MPI_COMM_TYPE_HW_GUIDED, 0,
                                    MPI_INFO_NULL, &part),
                MPI_ERR_ARG);
    MPI_Info_create(&info);
    MPI_Info_set(info, "mpi_hw_resource_type", last ? "mpi_shared_memory" : "hwloc://Machine");
    CHECK_ERROR(MPI_Comm_split_type(world, MPI_COMM_TYPE_HW_GUIDED, 0, info, &part), MPI_ERR_ARG);
    MPI_Info_set(info, "mpi_hw_resource_type", "mpi_shared_memory");
    MPI_Info_set(info, "mpi_pset_name", "mpi://WORLD");
    CHECK_ERROR(MPI_Comm_split_type(world, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &part),
                MPI_ERR_INFO);
    MPI_Info_delete(info, "mpi_hw_resource_type");
    CHECK_SUCCESS(MPI_Comm_split_type(world, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &part));
    CHECK(part == MPI_COMM_NULL);
    MPI_Info_free(&info);
    return finish();
}
