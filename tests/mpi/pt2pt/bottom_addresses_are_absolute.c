// MPI 5.0 section 5.1.12: variables that are not within the same sequential storage are
// communicated by "buf = MPI_BOTTOM, count = 1, and using a datatype argument where all
// displacements are valid (absolute) addresses": one message gathers variables from anywhere.
// ranks: 2
#include "messages.h"

static int global = 0;

int main(void) {
    start(NULL, NULL);
    double on_stack = 0;
    static long zeroed[4];
    MPI_Datatype everything, types[] = {MPI_INT, MPI_DOUBLE, MPI_LONG};
    int lengths[] = {1, 1, 4};
    MPI_Aint addresses[3];
    MPI_Get_address(&global, &addresses[0]);
    MPI_Get_address(&on_stack, &addresses[1]);
    MPI_Get_address(zeroed, &addresses[2]);
    MPI_Type_create_struct(3, lengths, addresses, types, &everything);
    MPI_Type_commit(&everything);
    if (rank == 0) {
        global = 5;
        on_stack = 2.5;
        zeroed[3] = 9;
        MPI_Send(MPI_BOTTOM, 1, everything, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(MPI_BOTTOM, 1, everything, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQUAL(global, 5);
        CHECK(on_stack == 2.5);
        CHECK_EQUAL(zeroed[3], 9);
        CHECK_EQUAL(zeroed[0], 0);
    }
    MPI_Type_free(&everything);
    MPI_Finalize();
    return 0;
}
