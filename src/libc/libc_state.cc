// Allocates, binds and finds the C-library states of ranks (libc/libc_state.h).
#include "libc/libc_state.h"

#include "base/check.h"

#include <atomic>
#include <cstring>
#include <dlfcn.h>

namespace thrum {
namespace {

// Memory of the first state. It is never destroyed, because constructors and destructors of the
// whole process may use it. It is not allocated, because the program may have a malloc of its own,
// which is not ready so early.
alignas(states_alignment) char first_memory[16 << 10];
LibcState *first_state = nullptr;
// Becomes true on the main thread when its rank's state is bound, and stays so. Every override
// reads it.
std::atomic<bool> ranks_exist{false};
size_t state_bytes = 0; // of LibcState and the states of all families; set by first_libc()

// Returns where the rank sees the variable: its clone's COPY, or `own`. For the originals it is
// where ld.so has bound the name, which may be a COPY in the executable.
template <class T>
T *place(const Rank *rank, const char *name, T &own) {
    if (rank && rank->image) {
        void *copy = copied_variable(rank->image, name);
        return copy ? static_cast<T *>(copy) : &own;
    }
    if (rank && rank != &rank_at(0))
        return &own; // ranks without images: unit tests
    void *original = dlsym(RTLD_DEFAULT, name);
    return original ? static_cast<T *>(original) : &own;
}

} // namespace

// Names that glibc exports for the same variable have one entry here; libc.cc lists them all.
void bind_variables(LibcState &state, const Rank *rank) {
    LibcVariables &v = state.variables;
    state.bound = {.optarg = place(rank, "optarg", v.optarg),
                   .optind = place(rank, "optind", v.optind),
                   .opterr = place(rank, "opterr", v.opterr),
                   .optopt = place(rank, "optopt", v.optopt),
                   .environment = place(rank, "environ", v.environment),
                   .in = place(rank, "stdin", v.in),
                   .out = place(rank, "stdout", v.out),
                   .err = place(rank, "stderr", v.err),
                   .program_name = place(rank, "program_invocation_name", v.program_name),
                   .program_short_name =
                       place(rank, "program_invocation_short_name", v.program_short_name),
                   .sign_of_gamma = place(rank, "signgam", v.sign_of_gamma),
                   .single_threaded = place(rank, "__libc_single_threaded", v.single_threaded)};
}

namespace {

// Constructs a state and those of its families. family.cc has laid them out behind it before.
LibcState &construct_in(void *memory) {
    auto &state = *new (memory) LibcState;
    construct_states(state);
    return state;
}

} // namespace

LibcState &make_libc_state() {
    first_libc(); // computes state_bytes and the families' offsets
    void *memory = ::operator new(state_bytes, std::align_val_t{states_alignment}, std::nothrow);
    CHECK(memory, "out of memory for the C-library state of a rank");
    return construct_in(memory);
}

void delete_libc_state(LibcState &state) {
    destroy_states(state);
    std::free(state.argv);
    state.~LibcState();
    ::operator delete(&state, std::align_val_t{states_alignment});
}

LibcState &first_libc() {
    if (!first_state) {
        state_bytes = lay_out_states(sizeof(LibcState));
        CHECK(state_bytes <= sizeof first_memory);
        first_state = &construct_in(first_memory);
        bind_variables(*first_state, nullptr);
    }
    return *first_state;
}

bool has_first_libc() {
    return first_state;
}

void begin_ranks() {
    // release [libc-1]: the first rank's state is complete.
    ranks_exist.store(true, std::memory_order_release);
}

bool ranks_have_begun() {
    return ranks_exist.load(std::memory_order_acquire); // [libc-1]
}

LibcState &current_libc() {
    // acquire [libc-1]
    if (!ranks_exist.load(std::memory_order_acquire))
        return first_libc();
    return libc_of(current_rank());
}

const char *rank_program_name() {
    return *current_libc().bound.program_short_name;
}

} // namespace thrum
