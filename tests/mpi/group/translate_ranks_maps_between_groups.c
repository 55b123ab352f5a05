// MPI 5.0 section 7.3.1: "MPI_PROC_NULL is a valid rank for input to MPI_GROUP_TRANSLATE_RANKS,
// which returns MPI_PROC_NULL as the translated rank"; ranks without correspondence give
// MPI_UNDEFINED.
// ranks: 6
#include "world.h"

int main(int argc, char **argv) {
    start(&argc, &argv);
    MPI_Group world, a, b;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 4, (int[]){5, 3, 1, 0}, &a);
    MPI_Group_incl(world, 3, (int[]){0, 2, 3}, &b);
    int translated[5], own;
    MPI_Group_translate_ranks(a, 5, (int[]){3, MPI_PROC_NULL, 0, 1, 1}, b, translated);
    static const int expected[] = {0, MPI_PROC_NULL, MPI_UNDEFINED, 2, 2};
    for (int i = 0; i < 5; ++i)
        CHECK_EQUAL(translated[i], expected[i]);
    CHECK_SUCCESS(MPI_Group_translate_ranks(a, 0, NULL, b, NULL));
    MPI_Group_rank(a, &own);
    static const int ranks_in_a[] = {3, 2, MPI_UNDEFINED, 1, MPI_UNDEFINED, 0};
    CHECK_EQUAL(own, ranks_in_a[rank]);
    MPI_Group_free(&a);
    MPI_Group_free(&b);
    MPI_Group_free(&world);
    return finish();
}
