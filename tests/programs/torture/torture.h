// For the torture sets: a program looks at its initial values, starts MPI, changes them, lets the
// other ranks do the same, and looks whether its own are as it left them. Ranks start one after the
// other, so that a variable that they shared would not be fresh in the second one.
#ifndef THRUM_TESTS_TORTURE_H
#define THRUM_TESTS_TORTURE_H
#include "check.h"

// Starts MPI; returns the rank.
static inline int start(int *argc, char ***argv) {
    int rank = -1;
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// Every other rank comes as far as this before it returns.
static inline void let_others_run(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline int finish(void) {
    MPI_Finalize();
    return 0;
}

#endif
