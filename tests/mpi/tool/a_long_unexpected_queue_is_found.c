// MPI 5.0 section 15.3.7, Example "Detecting receives with long unexpected message queues": "The
// following example shows a sample tool to identify receive operations that occur during times with
// long message queues." The tool is part of the program, by the profiling interface.
// ranks: 2
#include "variables.h"

enum { kThreshold = 5, kMessages = 12 };

static int found;
static MPI_T_pvar_handle length;

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
    unsigned long long value = 0;
    if (PMPI_T_pvar_read(session, length, &value) == MPI_SUCCESS && value > kThreshold)
        ++found;
    return PMPI_Recv(buf, count, datatype, source, tag, comm, status);
}

int MPI_Finalize(void) {
    CHECK_CODE(PMPI_T_pvar_handle_free(session, &length), MPI_SUCCESS);
    CHECK(length == MPI_T_PVAR_HANDLE_NULL);
    CHECK_CODE(PMPI_T_pvar_session_free(&session), MPI_SUCCESS);
    CHECK(session == MPI_T_PVAR_SESSION_NULL);
    CHECK_CODE(PMPI_T_finalize(), MPI_SUCCESS);
    return PMPI_Finalize();
}

int main(void) {
    start(NULL, NULL);
    start_tools();
    MPI_Comm comm = MPI_COMM_WORLD;
    length = measure("comm_unexpected_messages", MPI_T_PVAR_CLASS_LEVEL, &comm);
    if (rank == 0)
        for (int i = 0; i < kMessages; ++i)
            MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        int number;
        for (int i = 0; i < kMessages; ++i)
            MPI_Recv(&number, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(found, kMessages - kThreshold);
    }
    MPI_Finalize();
    return 0;
}
