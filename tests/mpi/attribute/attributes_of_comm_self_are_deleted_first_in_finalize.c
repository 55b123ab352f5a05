// MPI 5.0 section 11.2.4: MPI_FINALIZE first frees MPI_COMM_SELF, which "cause the delete callback
// function to be executed on all keys associated with MPI_COMM_SELF, in the reverse order that they
// were set on MPI_COMM_SELF"; MPI_FINALIZED "will return false in any of these callback functions".
// ranks: 1 2 5
// expect: ^all deleted by [0-9]+$
#include "world.h"

static int deletions;

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    int finalized = 1, result;
    CHECK_EQUAL((intptr_t)value, 2 - deletions);
    ++deletions;
    MPI_Finalized(&finalized);
    CHECK(!finalized);
    MPI_Comm_compare(comm, MPI_COMM_SELF, &result);
    CHECK_EQUAL(result, MPI_IDENT);
    return MPI_SUCCESS;
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    int keys[3];
    for (int i = 0; i < 3; ++i)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keys[i], NULL);
    static const int order[] = {1, 2, 0}; // set in another order than that of the keys
    for (int i = 0; i < 3; ++i)
        MPI_Comm_set_attr(MPI_COMM_SELF, keys[order[i]], (void *)(intptr_t)i);
    for (int i = 0; i < 3; ++i)
        MPI_Comm_free_keyval(&keys[i]);
    finish();
    if (deletions != 3)
        return 1;
    printf("all deleted by %d\n", rank);
    return 0;
}
