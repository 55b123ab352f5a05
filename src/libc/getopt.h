// getopt(), getopt_long() and getopt_long_only() on variables that the caller names, as glibc's
// work on its own: every rank parses its own command line.
#pragma once
#include <cstdio>

struct option;

namespace thrum {

// Progress between calls: within a cluster of short options, and of the permutation.
struct GetoptPosition {
    char *cluster = nullptr; // rest of the cluster "-abc", or nullptr
    int first_operand = 1;   // [first_operand, last_operand): operands skipped so far
    int last_operand = 1;
    int unknown = 0; // what optopt becomes on each call, as in glibc
    bool started = false;
    enum class Ordering : unsigned char { Permute, RequireOrder, ReturnInOrder };
    Ordering ordering = Ordering::Permute;
};

struct GetoptVariables {
    char **optarg;
    int *optind;
    int *opterr;
    int *optopt;
};

// The differences between the three functions.
struct GetoptCall {
    const char *short_options;
    const option *long_options; // nullptr for getopt()
    int *long_index;            // gets the index of a long option found, unless nullptr
    bool long_only;
    bool posixly_correct; // POSIXLY_CORRECT is in the environment, or __posix_getopt()
    FILE *err;            // for messages
};

int parse_option(GetoptPosition &position, const GetoptVariables &variables, const GetoptCall &call,
                 int argc, char **argv);

} // namespace thrum
