// ranks: 8
// strtok, localtime, gmtime, asctime, ctime and others return or keep a pointer into memory that a
// process has once; each rank has it once.
#define _GNU_SOURCE
#include "check.h"

#include <grp.h>
#include <math.h>
#include <pwd.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv) {
    int rank;
    char text[32], expected[32], word[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    snprintf(text, sizeof text, "a%d b%d c%d", rank, rank, rank);
    CHECK(strtok(text, " ") == text);
    for (int i = 1; i < 3; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        snprintf(word, sizeof word, "%c%d", 'a' + i, rank);
        CHECK(!strcmp(strtok(NULL, " "), word));
    }
    CHECK(strtok(NULL, " ") == NULL);

    time_t moment = 86400 * (365 + rank);
    struct tm *utc = gmtime(&moment), copy = *utc;
    struct tm *local = localtime(&moment);
    char *shown = ctime(&moment);
    ctime_r(&moment, expected);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(!strcmp(shown, expected));
    CHECK(utc == local); // as in glibc, one buffer for both
    utc = gmtime(&moment);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(utc->tm_yday, rank);
    CHECK(!strcmp(asctime(&copy), asctime_r(&copy, expected)));

    struct passwd *user = getpwuid(0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank % 2)
        getpwnam("daemon");
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK(user && !strcmp(user->pw_name, rank % 2 ? "daemon" : "root"));
    CHECK(getgrgid(0) && !strcmp(getgrgid(0)->gr_name, "root"));
    CHECK(getpwnam("no-such-user-here") == NULL);

    int point, sign;
    char *digits = ecvt(rank + 0.5, 2, &point, &sign);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(digits[0], rank ? '0' + rank : '5');

    CHECK(hcreate(10) != 0);
    ENTRY entry = {"key", (void *)(long)rank}, *found;
    CHECK(hsearch(entry, ENTER) != NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    entry.data = NULL;
    found = hsearch(entry, FIND);
    CHECK(found && (long)found->data == rank);
    hdestroy();

    lgamma(rank % 2 ? -0.5 : 0.5);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQUAL(signgam, rank % 2 ? -1 : 1);

    CHECK(!strcmp(l64a(a64l("abc/")), "abc/"));
    MPI_Finalize();
    return 0;
}
