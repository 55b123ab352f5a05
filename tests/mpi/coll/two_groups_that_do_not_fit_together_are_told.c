// MPI 5.0 section 6.9.1: reductions between two groups need vectors of equal size; section 6.2.3:
// "the root passes MPI_ROOT in root" - if no rank does, those who wait for it get an error.
// ranks: 2 5 16
// modes: fibers-1 fibers-2 os-threads
#include "world.h"

enum { large = 20000 };

static int send[large + 1], receive[large + 1];

// Rank 0 of one group is the root; rank `odd` of the other has one element more.
static void odd_vectors(const TwoGroups *groups, int root_is_in_first, int count, int odd) {
    int with_root = groups->first == root_is_in_first, told = 0, all = 0, class;
    int argument = !with_root ? 0 : groups->local_rank == 0 ? MPI_ROOT : MPI_PROC_NULL;
    int mine = count + (!with_root && groups->local_rank == odd);
    int code = MPI_Reduce(send, receive, mine, MPI_INT, MPI_SUM, argument, groups->inter);
    MPI_Error_class(code, &class);
    if (code != MPI_SUCCESS) {
        CHECK_EQUAL(class, MPI_ERR_COUNT);
        told = 1;
    }
    if (argument == MPI_ROOT)
        CHECK(told);
    CHECK_SUCCESS(MPI_Allreduce(&told, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
    CHECK(all > 0);
}

// The second group waits for a root that is none.
static void no_root(const TwoGroups *groups, int count) {
    int error = groups->first
                    ? MPI_Scatter(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_PROC_NULL, groups->inter)
                    : MPI_Scatter(NULL, 0, MPI_INT, receive, count, MPI_INT, 0, groups->inter);
    if (groups->first)
        CHECK_SUCCESS(error);
    else
        CHECK_ERROR(error, MPI_ERR_ROOT);
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    CHECK_SUCCESS(MPI_Comm_set_errhandler(groups.inter, MPI_ERRORS_RETURN));
    for (int count = 1; count <= large; count += large - 1) {
        for (int odd = 0; odd < size / 2; odd += 1 + size / 6) {
            odd_vectors(&groups, 0, count, odd);
            odd_vectors(&groups, 1, count, odd);
        }
        no_root(&groups, count);
    }
    free_two_groups(&groups);
    return finish();
}
