// Random puts, gets, their unbuffered forms, cbsp_send with and without handlers and messages with
// tags, small ones and such as are larger than a receive buffer, ended globally or by counting,
// leave in each process what a sequential model of supersteps says. An argument gives the seed.
// ranks: 2 3 8
// timeout: 120
#include "../../../src/bsp/testing/random_program.h"
#include "check.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <sched.h>

using namespace thrum::testing;

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    unsigned seed = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : std::random_device()();
    MPI_Bcast(&seed, 1, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        std::printf("seed %u\n", seed);
    const Plan plan = Model(size, seed).plan();
    run_plan(
        plan, seed, [](const std::string &complaint) { bsp_abort("%s", complaint.c_str()); },
        [] { ::sched_yield(); });
    MPI_Finalize();
    return 0;
}
