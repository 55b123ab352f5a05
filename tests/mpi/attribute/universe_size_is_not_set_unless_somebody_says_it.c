// MPI 5.0 section 11.10.1: "If the application and environment do not provide MPI_UNIVERSE_SIZE
// there is no value": a program that compares it with its size would conclude that it cannot spawn.
// ranks: 1 3
#include "world.h"

int main(void) {
    start(NULL, NULL);
    int flag = -1, *universe = &flag;
    CHECK_SUCCESS(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &flag));
    CHECK_EQUAL(flag, 0);
    return finish();
}
