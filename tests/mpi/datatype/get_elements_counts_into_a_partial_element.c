// MPI 5.0 section 5.1.11: MPI_GET_COUNT returns MPI_UNDEFINED if a part of an element was received;
// MPI_GET_ELEMENTS tells "the number of basic elements received".
// ranks: 1 2
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Datatype pair, record;
    MPI_Status status;
    int values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, received[9], count;
    MPI_Count large;
    MPI_Type_contiguous(3, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int n = 0; n <= 9; ++n) {
        MPI_Sendrecv(values, n, MPI_INT, 0, 0, received, 3, pair, 0, 0, MPI_COMM_SELF, &status);
        MPI_Get_count(&status, pair, &count);
        CHECK_EQUAL(count, n % 3 ? MPI_UNDEFINED : n / 3);
        MPI_Get_elements(&status, pair, &count);
        CHECK_EQUAL(count, n);
        MPI_Get_elements_c(&status, pair, &large);
        CHECK_EQUAL(large, n);
    }
    // Elements of different sizes: 5 doubles and chars of (double, char, char) records are 2
    // records but for one char.
    MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 8},
                           (MPI_Datatype[]){MPI_DOUBLE, MPI_CHAR}, &record);
    MPI_Type_commit(&record);

    struct {
        double real;
        char letters[8];
    } out[3] = {{0, ""}}, in[3];

    MPI_Datatype prefix;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 16},
                           (MPI_Datatype[]){record, MPI_DOUBLE}, &prefix);
    MPI_Type_commit(&prefix);
    MPI_Sendrecv(out, 1, prefix, 0, 0, in, 3, record, 0, 0, MPI_COMM_SELF, &status);
    MPI_Get_elements(&status, record, &count);
    CHECK_EQUAL(count, 4);
    MPI_Get_count(&status, record, &count);
    CHECK_EQUAL(count, MPI_UNDEFINED);
    MPI_Type_free(&pair);
    MPI_Type_free(&record);
    MPI_Type_free(&prefix);
    return finish();
}
