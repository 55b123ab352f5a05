// With --check a message of other types than its receive gets MPI_ERR_TYPE, and so do MPI_BYTE with
// another type and unsigned with signed integers (MPI 5.0 section 3.3.1).
// ranks: 2
// options: --check
// expect: ^error: the message from rank 0.* has 1 MPI_FLOAT, but the receive expects MPI_INT
// expect: ^error: the message from rank 0.* has 4 MPI_BYTE, but the receive expects MPI_INT
// expect: ^error: the message from rank 0.* has 1 MPI_UNSIGNED, but the receive expects MPI_INT
// expect: ^3 errors, 4 right$
// expect-not: warning
#include "check.h"

#include <mpi.h>

#include <string.h>

static void show(int error) {
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(error, text, &length);
    const char *detail = strstr(text, "the message");
    printf("error: %s\n", detail ? detail : text);
}

int main(int argc, char **argv) {
    const MPI_Datatype sent[] = {MPI_FLOAT, MPI_BYTE,   MPI_UNSIGNED, MPI_INTEGER,
                                 MPI_INT,   MPI_PACKED, MPI_INT};
    const int counts[] = {1, 4, 1, 1, 1, 4, 0};
    int rank, errors = 0, right = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 7; ++i) {
        int value = 0;
        if (rank == 0)
            CHECK_SUCCESS(MPI_Send(&value, counts[i], sent[i], 1, i, MPI_COMM_WORLD));
        if (rank == 1) {
            MPI_Status status;
            const int error = MPI_Recv(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &status);
            ++*(error ? &errors : &right);
            if (!error)
                continue;
            CHECK_ERROR(error, MPI_ERR_TYPE);
            show(error);
        }
    }
    if (rank == 1)
        printf("%d errors, %d right\n", errors, right);
    MPI_Finalize();
    return 0;
}
