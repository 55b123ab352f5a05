// ranks: 8
// args: one -a -b value --number=5 -n7 two -- -c three
// POSIX getopt keeps its place in variables of the process; ranks that parse in turns must not
// meet.
#define _GNU_SOURCE
#include "check.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    static const struct option options[] = {{"number", required_argument, 0, 'n'}, {0, 0, 0, 0}};
    int number = 0, a = 0, c;
    const char *b = "";
    CHECK_EQUAL(optind, 1);
    CHECK_EQUAL(opterr, 1);
    MPI_Init(&argc, &argv);
    while ((c = getopt_long(argc, argv, "ab:cn:", options, NULL)) != -1) {
        MPI_Barrier(MPI_COMM_WORLD); // the others move their optind between our calls
        switch (c) {
        case 'a':
            ++a;
            break;
        case 'b':
            b = optarg;
            break;
        case 'n':
            number = number * 10 + atoi(optarg);
            break;
        default:
            CHECK(!"an option that was not given");
        }
    }
    CHECK_EQUAL(a, 1);
    CHECK(!strcmp(b, "value"));
    CHECK_EQUAL(number, 57);
    CHECK_EQUAL(argc - optind, 4);
    CHECK(!strcmp(argv[optind], "one") && !strcmp(argv[optind + 1], "two"));
    CHECK(!strcmp(argv[optind + 2], "-c") && !strcmp(argv[optind + 3], "three"));
    optind = 1;
    opterr = 0;
    CHECK_EQUAL(getopt(argc, argv, "x"), '?');
    CHECK_EQUAL(optopt, 'a');
    MPI_Finalize();
    return 0;
}
