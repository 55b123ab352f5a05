// MPI 5.0 section 6.9.1: "Only send buffer arguments are significant in group B and only receive
// buffer arguments are significant at the root." So a rank that passes MPI_PROC_NULL may name any
// type, also one on which the operation is not defined.
// ranks: 3 5 8
#include "world.h"

enum { large = 20000 };

// One MPI_Reduce in each form; the sum of the other group's `count` values must be at the root.
static void reduce_in_all_forms(TwoGroups *groups, int root, int count) {
    static int values[large], result[large];
    const int argument = root_argument(groups, root);
    const int beside = argument == MPI_PROC_NULL;
    const MPI_Datatype type = beside ? MPI_BYTE : MPI_INT; // no sum of bytes is defined
    for (int i = 0; i < count; ++i)
        values[i] = i + groups->local_rank;
    for (int form = 0; form < 3; ++form) {
        MPI_Request request = MPI_REQUEST_NULL;
        for (int i = 0; i < count; ++i)
            result[i] = -1;
        const void *send = beside ? NULL : values;
        void *receive = beside ? NULL : result;
        const int said = beside ? 7 : count;
        if (form == 0)
            CHECK_SUCCESS(MPI_Reduce(send, receive, said, type, MPI_SUM, argument, groups->inter));
        if (form == 1)
            CHECK_SUCCESS(
                MPI_Ireduce(send, receive, said, type, MPI_SUM, argument, groups->inter, &request));
        if (form == 2) {
            CHECK_SUCCESS(MPI_Reduce_init(send, receive, said, type, MPI_SUM, argument,
                                          groups->inter, MPI_INFO_NULL, &request));
            CHECK_SUCCESS(MPI_Start(&request));
        }
        CHECK_SUCCESS(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (form == 2)
            CHECK_SUCCESS(MPI_Request_free(&request));
        const int others = groups->remote_size;
        for (int i = 0; i < count; ++i)
            CHECK_EQUAL(result[i],
                        argument == MPI_ROOT ? others * i + others * (others - 1) / 2 : -1);
    }
}

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    TwoGroups mirrored = groups; // roots in the larger group
    mirrored.first = !groups.first;
    for (int root = 0; root < size / 2; ++root) {
        reduce_in_all_forms(&groups, root, 1);
        reduce_in_all_forms(&groups, root, large);
    }
    for (int root = 0; root < size - size / 2; ++root) {
        reduce_in_all_forms(&mirrored, root, 1);
        reduce_in_all_forms(&mirrored, root, large);
    }
    free_two_groups(&groups);
    return finish();
}
