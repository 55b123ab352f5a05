// What the examples of this folder test: every rank passes its value to the next one.
//
// With PLANT_FAULT=RANK in the environment that rank gets a wrong value, to show how a failure
// looks.
#pragma once
#include <mpi.h>

#include <cstdlib>

// Returns the value of the rank before the caller's, in a ring.
inline int shift(int value, MPI_Comm comm) {
    int rank, size, received;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % size, 0, &received, 1, MPI_INT,
                 (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
    const char *fault = std::getenv("PLANT_FAULT");
    return fault && std::atoi(fault) == rank ? -1 : received;
}
