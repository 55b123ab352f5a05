// MPI 5.0 section 9.5.1: "MPI_ADD_ERROR_CLASS is local, the same errorclass may not be returned on
// all processes that make this call"; MPI_LASTUSEDCODE "is a local value and may be different on
// different processes."
// ranks: 1 3 8
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    int class = -1, *last, flag, length;
    char text[MPI_MAX_ERROR_STRING], mine[32];
    // Rank r adds r classes; the last one has its number as text.
    snprintf(mine, sizeof mine, "class of rank %d", rank);
    for (int i = 0; i < rank; ++i)
        CHECK_SUCCESS(MPI_Add_error_class(&class));
    if (rank > 0)
        CHECK_SUCCESS(MPI_Add_error_string(class, mine));
    CHECK_SUCCESS(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &flag));
    CHECK(flag);
    if (rank > 0) {
        CHECK_EQUAL(*last, class);
        CHECK_SUCCESS(MPI_Error_string(class, text, &length));
        CHECK(strcmp(text, mine) == 0);
    }
    int lasts[2] = {*last, -*last}, extremes[2];
    CHECK_SUCCESS(MPI_Allreduce(lasts, extremes, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    CHECK_EQUAL(-extremes[1] - extremes[0], size - 1);
    return finish();
}
