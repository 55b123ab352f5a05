// LibcState: the C library's process-wide state, of which every rank has its own
// (docs/process_semantics.md lists what is private, and how).
//
// A state is one block of memory: this struct, and behind it the states that the families of
// functions have registered (family.h). An override begins with current_libc(), which finds the
// block of the calling rank. libc.cc makes a state for each rank and deletes it after the rank's
// end.
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

// The C library's variables, for a clone that has no COPY of them. The slots of the clone then
// point here: the offsets of these members are the VariableOverrides of libc.cc.
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

// Where the rank's program sees each variable: a COPY in its image, a member of LibcVariables, or,
// for the originals, the C library's own. Set once, by bind_variables(). The library reads and
// writes the variables of a rank only through these pointers.
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

// The state of one rank. The states of the families follow it in memory, so its address never
// changes.
struct LibcState : CLibraryState {
    LibcVariables variables;
    BoundVariables bound;
    SpinLock lock;
};

// Returns the state of the calling rank. Before the ranks exist, returns the state that will belong
// to the rank that runs the originals, because their constructors run first.
LibcState &current_libc();

// Returns the state of any rank that has one (`rank.libc` is not null).
inline LibcState &libc_of(const Rank &rank) {
    return static_cast<LibcState &>(*rank.libc);
}

// Returns the name of the calling rank's program, without its directory.
const char *rank_program_name();

// ---- for libc.cc, which makes and ends states

// Returns the state of the rank that runs the originals; the first call makes it.
LibcState &first_libc();
// Returns whether first_libc() has been called, without making the state.
bool has_first_libc();
// Makes a state for another rank, with the states of its families. Its variables are not bound yet.
// The caller owns it and ends it with delete_libc_state().
LibcState &make_libc_state();
// Destroys the states of the families, frees argv, and frees the memory. Not for first_libc(),
// whose memory is static.
void delete_libc_state(LibcState &state);
// Sets `state.bound` to where the image of `rank` has the C library's variables. nullptr: the
// originals.
void bind_variables(LibcState &state, const Rank *rank);
// Makes current_libc() return the state of the calling rank from now on. Called when each rank's
// state is bound; only the first call changes anything.
void begin_ranks();
// Returns whether begin_ranks() has been called. Any thread, also in a crash.
bool ranks_have_begun();

} // namespace thrum
