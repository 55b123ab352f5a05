// LibcState: the C library's process-wide state, of which every rank has its own
// (docs/process_semantics.md lists what is private, and how). Each family keeps its part behind it
// (family.h).
//
// Invariants
// 1. An override runs on a thread of the rank whose state it uses, also in a child of fork().
// 2. `bound` says where the program sees its variables; `variables` is not used directly after
//    bind_variables().
// 3. `lock` guards what a rank's own threads share; it is never held over a call into the program.
#pragma once
#include "base/spinlock.h"
#include "libc/family.h"
#include "rank/c_library.h"
#include "rank/rank.h"

#include <cstdio>

namespace thrum {

// The C library's variables of a clone that holds no COPY of them.
struct LibcVariables {
    char *optarg = nullptr;
    int optind = 1;
    int opterr = 1;
    int optopt = '?';
    char **environment = nullptr;
    FILE *in = nullptr;
    FILE *out = nullptr;
    FILE *err = nullptr;
    char *program_name = nullptr;       // argv[0]
    char *program_short_name = nullptr; // its last part
    int sign_of_gamma = 0;
    char single_threaded = 0; // false: libstdc++ and libgomp must count with other threads
};

// Where the program's own view of each variable is.
struct BoundVariables {
    char **optarg = nullptr;
    int *optind = nullptr;
    int *opterr = nullptr;
    int *optopt = nullptr;
    char ***environment = nullptr;
    FILE **in = nullptr;
    FILE **out = nullptr;
    FILE **err = nullptr;
    char **program_name = nullptr;
    char **program_short_name = nullptr;
    int *sign_of_gamma = nullptr;
    char *single_threaded = nullptr;
};

struct LibcState : CLibraryState {
    LibcVariables variables;
    BoundVariables bound;
    SpinLock lock;
};

// Returns the state of the calling rank. Before the ranks exist (the originals' constructors run
// first): the state that becomes that of the rank that runs the originals.
LibcState &current_libc();

// The state of any rank that has one.
inline LibcState &libc_of(const Rank &rank) {
    return static_cast<LibcState &>(*rank.libc);
}

// The name of the calling rank's program, without its directory.
const char *rank_program_name();

// ---- for libc.cc, which makes and ends states

// The state of the rank that runs the originals; made by the first call.
LibcState &first_libc();
bool has_first_libc();
LibcState &make_libc_state();
void delete_libc_state(LibcState &state);
// Finds where the image of `rank` has the C library's variables.
void bind_variables(LibcState &state, const Rank *rank);
// From now on current_libc() is that of the calling rank.
void begin_ranks();
bool ranks_have_begun();

} // namespace thrum
