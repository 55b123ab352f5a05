// MPI 5.0 section 11.9.4: "This routine publishes the pair (port_name, service_name) so that an
// application may retrieve a system-supplied port_name using a well-known service_name." "If
// service_name has not been published, it raises an error in the error class MPI_ERR_NAME."
// "Attempting to unpublish a name that has not been published or has already been unpublished is
// erroneous and is indicated by the error class MPI_ERR_SERVICE."
// ranks: 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME] = "";
    CHECK_ERROR(MPI_Lookup_name("ocean", MPI_INFO_NULL, found), MPI_ERR_NAME);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm other;
    if (rank == 0) {
        CHECK_SUCCESS(MPI_Open_port(MPI_INFO_NULL, port));
        CHECK_SUCCESS(MPI_Publish_name("ocean", MPI_INFO_NULL, port));
        CHECK_ERROR(MPI_Publish_name("ocean", MPI_INFO_NULL, port), MPI_ERR_SERVICE);
        CHECK_SUCCESS(MPI_Publish_name("sea", MPI_INFO_NULL, port)); // a second name for it
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_SUCCESS(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_SUCCESS(MPI_Lookup_name("ocean", MPI_INFO_NULL, found));
        CHECK_SUCCESS(MPI_Lookup_name("sea", MPI_INFO_NULL, port));
        CHECK(strcmp(port, found) == 0);
        CHECK_SUCCESS(MPI_Comm_connect(found, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other));
    }
    CHECK_SUCCESS(MPI_Comm_disconnect(&other));
    if (rank == 0) {
        CHECK_ERROR(MPI_Unpublish_name("lake", MPI_INFO_NULL, port), MPI_ERR_SERVICE);
        CHECK_SUCCESS(MPI_Unpublish_name("ocean", MPI_INFO_NULL, port));
        CHECK_ERROR(MPI_Unpublish_name("ocean", MPI_INFO_NULL, port), MPI_ERR_SERVICE);
        CHECK_SUCCESS(MPI_Unpublish_name("sea", MPI_INFO_NULL, port));
        CHECK_SUCCESS(MPI_Close_port(port));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_ERROR(MPI_Lookup_name("ocean", MPI_INFO_NULL, found), MPI_ERR_NAME);
    return finish();
}
