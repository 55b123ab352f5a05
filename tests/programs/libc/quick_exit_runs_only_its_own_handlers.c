// ranks: 4
// ends: 0
// C11 7.22.4.7: quick_exit calls the functions registered by at_quick_exit, none of atexit's.
#define _DEFAULT_SOURCE
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static int quick;

static void never(void) {
    _exit(1);
}

static void once(void) {
    quick += 1;
}

static void check(void) {
    if (quick != 1)
        _exit(2);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    atexit(never);
    at_quick_exit(check);
    at_quick_exit(once);
    MPI_Finalize();
    quick_exit(0);
}
