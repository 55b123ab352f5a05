// MPI 5.0 section 6.9.1: "If comm is an inter-communicator ... Only send buffer arguments are
// significant in group B and only receive buffer arguments are significant at the root."
// ranks: 2 5 16
#include "world.h"

enum { large = 20000 };

int main(int argc, char **argv) {
    static int values[large], result[large];
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    for (int root = 0; root < size / 2; ++root)
        for (int count = 1; count <= large; count += large - 1) {
            int argument = root_argument(&groups, root), is_root = argument == MPI_ROOT;
            for (int i = 0; i < count; ++i)
                values[i] = is_root ? i + root : -1;
            MPI_Bcast(values, count, MPI_INT, argument, groups.inter);
            for (int i = 0; i < count; ++i) {
                CHECK_EQUAL(values[i], is_root || !groups.first ? i + root : -1);
                result[i] = -1;
            }
            MPI_Reduce(values, result, count, MPI_INT, MPI_SUM, argument, groups.inter);
            for (int i = 0; i < count; ++i)
                CHECK_EQUAL(result[i], is_root ? groups.remote_size * (i + root) : -1);
        }
    free_two_groups(&groups);
    return finish();
}
