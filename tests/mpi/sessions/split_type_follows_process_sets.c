// MPI 5.0 section 7.4.2: ""mpi_pset_name" is used to specify the type of a requested logical
// resource through the utilization of a process set name (e.g., "app://ocean" or "app://atmos").
// This process set name must be valid in the session from which the input communicator comm is
// derived. If this input communicator is not derived from a session, then MPI_COMM_NULL is returned
// in newcomm." "The MPI implementation will return in the group of the output communicator newcomm
// the largest subset of MPI processes that match the splitting criterion."
// ranks: 1 2 5
#include "session.h"

static MPI_Comm split(MPI_Comm comm, const char *pset, int key) {
    MPI_Info info;
    MPI_Comm part = MPI_COMM_WORLD;
    CHECK_SUCCESS(MPI_Info_create(&info));
    CHECK_SUCCESS(MPI_Info_set(info, "mpi_pset_name", pset));
    CHECK_SUCCESS(MPI_Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, key, info, &part));
    CHECK_SUCCESS(MPI_Info_free(&info));
    return part;
}

static void check_size(MPI_Comm comm, int expected_size, int expected_rank) {
    int size, rank;
    CHECK(comm != MPI_COMM_NULL);
    CHECK_SUCCESS(MPI_Comm_size(comm, &size));
    CHECK_SUCCESS(MPI_Comm_rank(comm, &rank));
    CHECK_EQUAL(size, expected_size);
    CHECK_EQUAL(rank, expected_rank);
    check_communication(comm);
    CHECK_SUCCESS(MPI_Comm_free(&comm));
}

int main(void) {
    MPI_Session session = open_session(MPI_ERRORS_RETURN);
    MPI_Comm comm = communicator_of(session, "mpi://WORLD", "split"), part;
    int rank, size, color;
    CHECK_SUCCESS(MPI_Comm_rank(comm, &rank));
    CHECK_SUCCESS(MPI_Comm_size(comm, &size));
    check_size(split(comm, "mpi://WORLD", size - rank), size, size - 1 - rank);
    check_size(split(comm, "mpi://SELF", 0), 1, 0);
    // From a part of the set come its members.
    color = rank % 2;
    CHECK_SUCCESS(MPI_Comm_split(comm, color, 0, &part));
    check_size(split(part, "MPI://world", 0), (size + 1 - color) / 2, rank / 2);
    CHECK_SUCCESS(MPI_Comm_free(&part));
    // No such set.
    CHECK(split(comm, "app://ocean", 0) == MPI_COMM_NULL);
    // Those who are in a set must name the same one.
    if (size > 1) {
        MPI_Info info;
        CHECK_SUCCESS(MPI_Info_create(&info));
        CHECK_SUCCESS(MPI_Info_set(info, "mpi_pset_name", rank ? "mpi://WORLD" : "mpi://SELF"));
        CHECK_ERROR(MPI_Comm_split_type(comm, MPI_COMM_TYPE_RESOURCE_GUIDED, 0, info, &part),
                    MPI_ERR_ARG);
        CHECK_SUCCESS(MPI_Info_free(&info));
    }
    CHECK_SUCCESS(MPI_Comm_free(&comm));
    close_session(&session);
    return 0;
}
