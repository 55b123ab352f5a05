// How a family of C-library functions registers itself: the table of functions that it replaces,
// and the state that each rank has for them. The linker collects both in a section each, so nothing
// else lists the families.
//
//   const FunctionOverride table[] = {OVERRIDE("getopt", override_getopt), ...};
//   LIBC_FUNCTIONS(table);
//   LIBC_STATE(GetoptPosition, getopt_of);    // GetoptPosition &getopt_of(LibcState &)
//
// A state is constructed with its rank's LibcState and destroyed with it. If something outside the
// rank may still refer to it, it has a function `bool is_referred_to() const`, and the LibcState is
// kept for as long as that returns true.
//
// The entries are constant-initialised, because they are read in the constructor of libmpi, before
// any other constructor has run.
#pragma once
#include "image/image.h"

#include <iterator>
#include <new>

namespace thrum {

struct LibcState;

// An entry of a family's table.
#define OVERRIDE(name, function) {name, reinterpret_cast<void *>(function)}

// An element of the section `thrum_families`: one family's table. The alignment equals the size, so
// that the section is an array without gaps.
struct alignas(16) FunctionFamily {
    const FunctionOverride *functions;
    size_t count;
};

// An element of the section `thrum_states`: how to make and end one family's part of a LibcState.
// The alignment keeps the compiler from leaving gaps between the elements of a section.
struct alignas(64) StateKind {
    size_t size_bytes;
    size_t alignment;
    void (*construct)(void *memory);
    void (*destroy)(void *state);
    bool (*is_referred_to)(const void *state);
    size_t offset = 0; // from the start of the LibcState; set by lay_out_states()
};

// Returns the entry for states of type T.
template <class T>
constexpr StateKind state_kind() {
    return {.size_bytes = sizeof(T),
            .alignment = alignof(T),
            .construct = [](void *memory) { new (memory) T; },
            .destroy = [](void *state) { static_cast<T *>(state)->~T(); },
            .is_referred_to =
                [](const void *state) {
                    if constexpr (requires(const T &t) { t.is_referred_to(); })
                        return static_cast<const T *>(state)->is_referred_to();
                    return false;
                }};
}

// Returns the family's state in `state`: one addition, because every override begins with it.
template <class T>
T &state_in(LibcState &state, const StateKind &kind) {
    return *reinterpret_cast<T *>(reinterpret_cast<char *>(&state) + kind.offset);
}

// Registers a family's table. Both sections are writable, because the dynamic linker fills in
// addresses. `used` keeps the entry, which nothing refers to by name.
#define LIBC_FUNCTIONS(table)                                                                      \
    [[gnu::section("thrum_families"),                                                              \
      gnu::used]] static constinit ::thrum::FunctionFamily table##_family = {table,                \
                                                                             std::size(table)}
// Registers a state of `Type` for each rank, and defines the function `accessor` that finds it.
#define LIBC_STATE(Type, accessor)                                                                 \
    [[gnu::section("thrum_states"),                                                                \
      gnu::used]] static constinit ::thrum::StateKind accessor##_kind =                            \
        ::thrum::state_kind<Type>();                                                               \
    Type &accessor(LibcState &state) {                                                             \
        return ::thrum::state_in<Type>(state, accessor##_kind);                                    \
    }

// Copies the functions of all families to `functions`, which has room for `count_max`; returns how
// many there are. Ends the process if there is no room. Allocates nothing.
size_t collect_functions(FunctionOverride *functions, size_t count_max);

// Assigns each family an offset behind a LibcState of `first_bytes` bytes. Returns the size of the
// whole in bytes. Must come before the first construct_states().
size_t lay_out_states(size_t first_bytes);
constexpr size_t states_alignment = 64; // of a LibcState's memory; no family's state needs more
// Constructs and destroys the families' states of a LibcState whose memory is as large as
// lay_out_states() says.
void construct_states(LibcState &state);
void destroy_states(LibcState &state);
// Returns whether something outside the rank refers to one of them: a thread, a timer, a signal, a
// child. Such a state must not be freed.
bool states_are_referred_to(LibcState &state);

} // namespace thrum
