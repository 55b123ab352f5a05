// getopt(), getopt_long() and getopt_long_only() on variables that the caller names. glibc's work
// on its own variables, but every rank parses its own command line. getopt_functions.cc has the
// overrides.
#pragma once
#include <cstdio>

struct option;

namespace thrum {

// The progress of one rank between calls: within a cluster of short options, and of the
// permutation.
struct GetoptPosition {
    char *cluster = nullptr; // rest of the cluster "-abc", or nullptr
    int first_operand = 1;   // [first_operand, last_operand): operands skipped so far
    int last_operand = 1;
    int unknown = 0;      // becomes optopt after each call, as in glibc
    bool started = false; // false: the next call reads the head of the short options
    enum class Ordering : unsigned char { Permute, RequireOrder, ReturnInOrder };
    Ordering ordering = Ordering::Permute;
};

// The program's variables, wherever the rank has them.
struct GetoptVariables {
    char **optarg;
    int *optind;
    int *opterr;
    int *optopt;
};

// The arguments of one call, and what tells the three functions apart.
struct GetoptCall {
    const char *short_options;
    const option *long_options; // nullptr for getopt()
    int *long_index;            // gets the index of a long option found, unless nullptr
    bool long_only;             // "-name" may be a long option
    bool posixly_correct;       // POSIXLY_CORRECT is in the environment, or __posix_getopt()
    FILE *err;                  // for messages
};

// Does what the getopt functions do: returns the next option's letter or `val`, '?' or ':' for an
// error, 1 for an operand in order, or -1 at the end of the options. May reorder `argv`.
int parse_option(GetoptPosition &position, const GetoptVariables &variables, const GetoptCall &call,
                 int argc, char **argv);

} // namespace thrum
