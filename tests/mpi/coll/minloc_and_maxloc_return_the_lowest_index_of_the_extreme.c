// MPI 5.0 section 6.9.4: MPI_MAXLOC of (u, i) and (v, j) is (max(u, v), k) with k = i if u > v, j
// if u < v and min(i, j) if u = v; in a sequence of pairs the result is "the index of the first
// global maximum in the sequence".
// ranks: 1 2 5 9
#include "element_types.h"

PAIR_TYPES(DEFINE_PAIR)

#define RUN_PAIR(NAME, c_type, mpi_type) CHECK_PAIR(CHECK_REDUCTION, NAME, c_type, mpi_type)

int main(int argc, char **argv) {
    start(&argc, &argv);
    PAIR_TYPES(RUN_PAIR)
    return finish();
}
