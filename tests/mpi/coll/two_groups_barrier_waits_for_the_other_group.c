// MPI 5.0 section 6.3: "If comm is an inter-communicator, MPI_BARRIER involves two groups. The call
// returns at MPI processes in one group (group A) of the inter-communicator only after all members
// of the other group (group B) have entered the call (and vice versa)."
// ranks: 2 5 16
#include "world.h"

#include <unistd.h>

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups groups = split_in_two_groups();
    for (int late = 0; late < 2; ++late) {
        if (groups.first == late)
            usleep(3000);
        double entered = MPI_Wtime(), latest_of_others;
        MPI_Barrier(groups.inter);
        double left = MPI_Wtime();
        MPI_Allreduce(&entered, &latest_of_others, 1, MPI_DOUBLE, MPI_MAX, groups.inter);
        CHECK(left >= latest_of_others);
    }
    free_two_groups(&groups);
    return finish();
}
