// Two programs in one: a copper rod and a steel rod, each with a communicator of its own, touch at
// one end. The rods exchange their edge by an inter-communicator in every step. The heat of both
// together stays what it was, and both go towards one temperature.
// ranks: 2 6 24
#include "world.h"

#include <math.h>

enum { kCells = 4, kSteps = 3000 }; // cells of a rank

int main(int argc, char **argv) {
    start(&argc, &argv);
    TwoGroups rods = split_in_two_groups();
    // The first rod's last rank touches the second rod's first.
    int at_contact = rods.first ? rods.local_rank == rods.local_size - 1 : rods.local_rank == 0;
    int beyond = rods.first ? 0 : rods.remote_size - 1; // its rank in the other group
    double diffusion = rods.first ? 0.4 : 0.1, heat = rods.first ? 100 : 20;
    double cells[kCells + 2], next[kCells + 2];
    for (int i = 0; i < kCells + 2; ++i)
        cells[i] = heat;
    int below = rods.local_rank > 0 ? rods.local_rank - 1 : MPI_PROC_NULL;
    int above = rods.local_rank < rods.local_size - 1 ? rods.local_rank + 1 : MPI_PROC_NULL;
    double spread_at_start = 0, spread = 0;
    for (int step = 0; step <= kSteps; ++step) {
        cells[0] = cells[1]; // isolated ends
        cells[kCells + 1] = cells[kCells];
        CHECK_SUCCESS(MPI_Sendrecv(&cells[1], 1, MPI_DOUBLE, below, 0, &cells[kCells + 1], 1,
                                   MPI_DOUBLE, above, 0, rods.local, MPI_STATUS_IGNORE));
        CHECK_SUCCESS(MPI_Sendrecv(&cells[kCells], 1, MPI_DOUBLE, above, 1, &cells[0], 1,
                                   MPI_DOUBLE, below, 1, rods.local, MPI_STATUS_IGNORE));
        double flow = 0; // through the contact, into this rod
        if (at_contact) {
            double own = rods.first ? cells[kCells] : cells[1], other = 0;
            CHECK_SUCCESS(MPI_Sendrecv(&own, 1, MPI_DOUBLE, beyond, step, &other, 1, MPI_DOUBLE,
                                       beyond, step, rods.inter, MPI_STATUS_IGNORE));
            flow = 0.1 * (other - own);
        }
        double lowest = cells[1], sum[2] = {0, 0}, range[2], all_range[2];
        double highest = lowest;
        for (int i = 1; i <= kCells; ++i) {
            sum[0] += cells[i];
            lowest = fmin(lowest, cells[i]);
            highest = fmax(highest, cells[i]);
            next[i] = cells[i] + diffusion * (cells[i - 1] - 2 * cells[i] + cells[i + 1]);
        }
        next[rods.first ? kCells : 1] += flow;
        memcpy(cells + 1, next + 1, kCells * sizeof *cells);
        if (step % 100)
            continue;
        // The other rod's heat comes by a reduction across; both then know the sum.
        CHECK_SUCCESS(MPI_Allreduce(&sum[0], &sum[1], 1, MPI_DOUBLE, MPI_SUM, rods.inter));
        double own = 0;
        CHECK_SUCCESS(MPI_Allreduce(&sum[0], &own, 1, MPI_DOUBLE, MPI_SUM, rods.local));
        double expected = kCells * (100.0 * (size / 2) + 20.0 * (size - size / 2));
        CHECK(fabs(own + sum[1] - expected) < 1e-8 * expected);
        range[0] = -lowest;
        range[1] = highest;
        CHECK_SUCCESS(MPI_Allreduce(range, all_range, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
        spread = all_range[1] + all_range[0];
        if (step == 0)
            spread_at_start = spread;
    }
    CHECK(fabs(spread_at_start - 80) < 1e-9 && spread < 0.9 * spread_at_start);
    free_two_groups(&rods);
    return finish();
}
