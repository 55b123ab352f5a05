// ranks: 4
// env: TZ=EST5EDT
// POSIX tzset sets timezone, daylight and tzname, of which each clone may hold a copy.
#define _GNU_SOURCE
#include "check.h"

#include <string.h>
#include <time.h>

int main(int argc, char **argv) {
    time_t moment = 0;
    MPI_Init(&argc, &argv);
    tzset();
    CHECK_EQUAL(timezone, 5 * 3600);
    CHECK_EQUAL(daylight, 1);
    CHECK(!strcmp(tzname[0], "EST"));
    CHECK_EQUAL(localtime(&moment)->tm_hour, 19);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
