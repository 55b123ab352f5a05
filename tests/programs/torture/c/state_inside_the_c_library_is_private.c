// rand, strtok, getopt and its variables, errno, strerror, localtime, environ, streams in globals.
// ranks: 8 64
#define _GNU_SOURCE
#include "torture.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

extern char **environ;
static FILE *output, **to_stdout = &stdout;
static FILE *const *const to_stderr = &stderr;
static int (*print)(const char *, ...) = printf;
static int *to_optind = &optind;
static char **to_optarg = &optarg;
static char *words[] = {"program", "-a", "-b", "value", "rest", 0};
static char line[] = "one two three";

static void parse_options(void) {
    int option, found = 0;
    while ((option = getopt(5, words, "ab:")) != -1) {
        ++found;
        let_others_run();
        CHECK(option == 'a' || !strcmp(*to_optarg, "value"));
    }
    CHECK(found == 2 && *to_optind == 4);
}

static void random_numbers(int rank) {
    int numbers[4];
    srandom(7), srand((unsigned)rank + 1), srand48(rank);
    double real = drand48();
    for (int i = 0; i < 4; ++i) {
        numbers[i] = rand();
        let_others_run();
    }
    srand((unsigned)rank + 1), srand48(rank);
    for (int i = 0; i < 4; ++i)
        CHECK_EQUAL(rand(), numbers[i]);
    CHECK(drand48() == real);
}

int main(int argc, char **argv) {
    CHECK(*to_stdout == stdout && *to_stderr == stderr && !output && *to_optind == 1);
    CHECK(environ && getenv("PATH") && program_invocation_name);
    int rank = start(&argc, &argv);
    output = stdout;
    fprintf(output, "%s", "");
    print("%s", "");
    errno = 0;
    CHECK(!fopen("/nonexistent/file", "r") && errno == ENOENT);
    int kept = errno;
    char *message = strerror(100000 + rank), expected[40];
    snprintf(expected, sizeof expected, "Unknown error %d", 100000 + rank);
    let_others_run();
    CHECK(!strcmp(message, expected) && !strcmp(strerror(kept), "No such file or directory"));
    parse_options();
    random_numbers(rank);
    char *word = strtok(line, " ");
    let_others_run();
    CHECK(!strcmp(word, "one") && !strcmp(strtok(0, " "), "two"));
    time_t seconds = (time_t)rank * 86400;
    struct tm *day = gmtime(&seconds);
    let_others_run();
    CHECK_EQUAL(day->tm_yday, rank);
    CHECK(lgamma(-0.5) > 0 && signgam == -1);
    char value[8];
    snprintf(value, sizeof value, "%d", rank);
    setenv("TORTURE", value, 1);
    let_others_run();
    CHECK(atoi(getenv("TORTURE")) == rank && &stdout == to_stdout);
    return finish();
}
