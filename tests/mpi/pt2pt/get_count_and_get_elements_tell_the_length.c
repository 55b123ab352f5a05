// MPI 5.0 section 5.1.11: MPI_GET_COUNT returns the number of "top-level" entries received, "If the
// number of basic elements received is not a multiple" of those of the datatype, MPI_UNDEFINED;
// MPI_GET_ELEMENTS returns the number of basic elements.
// ranks: 2
#include "messages.h"

int main(void) {
    start(NULL, NULL);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    int data[10] = {0};
    for (int elements = 0; elements <= 7; ++elements) {
        if (rank == 0) {
            MPI_Send(data, elements, MPI_INT, 1, 0, MPI_COMM_WORLD);
            continue;
        }
        MPI_Status status;
        int count = -1, basic = -1;
        MPI_Count count_c = -1, basic_c = -1;
        MPI_Recv(data, 5, pair, 0, 0, MPI_COMM_WORLD, &status);
        CHECK_SUCCESS(MPI_Get_count(&status, pair, &count));
        CHECK_EQUAL(count, elements % 2 ? MPI_UNDEFINED : elements / 2);
        CHECK_SUCCESS(MPI_Get_elements(&status, pair, &basic));
        CHECK_EQUAL(basic, elements);
        CHECK_SUCCESS(MPI_Get_count_c(&status, pair, &count_c));
        CHECK_EQUAL(count_c, count);
        CHECK_SUCCESS(MPI_Get_elements_c(&status, pair, &basic_c));
        CHECK_EQUAL(basic_c, elements);
        CHECK_SUCCESS(MPI_Get_count(&status, MPI_INT, &count));
        CHECK_EQUAL(count, elements);
    }
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
