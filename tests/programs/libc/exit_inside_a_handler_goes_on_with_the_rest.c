// ranks: 4
// exit() called by a handler: the rest of the list still runs, once, and the newest code counts.
#define _DEFAULT_SOURCE
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static int runs;

static void rest(void) {
    if (++runs != 1)
        _exit(1);
}

static void again(void) {
    exit(0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    atexit(rest);
    atexit(again);
    MPI_Finalize();
    exit(0);
}
