// The overrides of getopt(), getopt_long() and getopt_long_only(), on the state of the calling
// rank.
#include "libc/environment.h"
#include "libc/getopt.h"
#include "libc/libc_state.h"
#include "libc/stdio.h"

#include <getopt.h>

namespace thrum {
namespace {

LIBC_STATE(GetoptPosition, getopt_of)

int parse(const GetoptCall &call, int argc, char **argv) {
    LibcState &state = current_libc();
    GetoptVariables variables = {state.bound.optarg, state.bound.optind, state.bound.opterr,
                                 state.bound.optopt};
    return parse_option(getopt_of(state), variables, call, argc, argv);
}

int override_getopt(int argc, char *const *argv, const char *short_options) {
    bool posixly_correct = rank_getenv("POSIXLY_CORRECT") != nullptr;
    return parse({short_options, nullptr, nullptr, false, posixly_correct, rank_stderr()}, argc,
                 const_cast<char **>(argv));
}

int override_posix_getopt(int argc, char *const *argv, const char *short_options) {
    return parse({short_options, nullptr, nullptr, false, true, rank_stderr()}, argc,
                 const_cast<char **>(argv));
}

int parse_long(int argc, char *const *argv, const char *short_options, const option *long_options,
               int *long_index, bool long_only) {
    bool posixly_correct = rank_getenv("POSIXLY_CORRECT") != nullptr;
    return parse(
        {short_options, long_options, long_index, long_only, posixly_correct, rank_stderr()}, argc,
        const_cast<char **>(argv));
}

int override_getopt_long(int argc, char *const *argv, const char *short_options,
                         const option *long_options, int *long_index) {
    return parse_long(argc, argv, short_options, long_options, long_index, false);
}

int override_getopt_long_only(int argc, char *const *argv, const char *short_options,
                              const option *long_options, int *long_index) {
    return parse_long(argc, argv, short_options, long_options, long_index, true);
}

const FunctionOverride table[] = {
    OVERRIDE("getopt", override_getopt),
    OVERRIDE("__posix_getopt", override_posix_getopt),
    OVERRIDE("getopt_long", override_getopt_long),
    OVERRIDE("getopt_long_only", override_getopt_long_only),
};

} // namespace

LIBC_FUNCTIONS(table);

} // namespace thrum
