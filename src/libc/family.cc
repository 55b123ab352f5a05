// Reads the two sections in which families register (libc/family.h).
#include "libc/family.h"

#include "base/check.h"

// Declares the ends of a section, which the linker defines. They are weak, because a unit test that
// links no family has no such section.
#define TABLE(Kind, section)                                                                       \
    extern "C" [[gnu::weak, gnu::visibility("hidden")]] thrum::Kind __start_##section[];           \
    extern "C" [[gnu::weak, gnu::visibility("hidden")]] thrum::Kind __stop_##section[]
TABLE(FunctionFamily, thrum_families);
TABLE(StateKind, thrum_states);

namespace thrum {
namespace {

// Makes a section an object that a range-based `for` can walk.
template <class Kind>
struct Section {
    Kind *first, *last;

    Kind *begin() const { return first; }

    Kind *end() const { return last; }
};

Section<StateKind> state_kinds() {
    return {__start_thrum_states, __stop_thrum_states};
}

void *state_at(LibcState &state, const StateKind &kind) {
    return reinterpret_cast<char *>(&state) + kind.offset;
}

size_t rounded_up(size_t size_bytes, size_t alignment) {
    return (size_bytes + alignment - 1) & ~(alignment - 1);
}

} // namespace

size_t collect_functions(FunctionOverride *functions, size_t count_max) {
    size_t count = 0;
    for (const FunctionFamily &family :
         Section<FunctionFamily>{__start_thrum_families, __stop_thrum_families})
        for (size_t i = 0; i < family.count; ++i) {
            CHECK(count < count_max);
            functions[count++] = family.functions[i];
        }
    return count;
}

size_t lay_out_states(size_t first_bytes) {
    size_t size_bytes = first_bytes;
    for (StateKind &kind : state_kinds()) {
        CHECK(kind.alignment <= states_alignment);
        kind.offset = rounded_up(size_bytes, kind.alignment);
        size_bytes = kind.offset + kind.size_bytes;
    }
    return rounded_up(size_bytes, states_alignment);
}

void construct_states(LibcState &state) {
    for (const StateKind &kind : state_kinds())
        kind.construct(state_at(state, kind));
}

void destroy_states(LibcState &state) {
    for (const StateKind &kind : state_kinds())
        kind.destroy(state_at(state, kind));
}

bool states_are_referred_to(LibcState &state) {
    for (const StateKind &kind : state_kinds())
        if (kind.is_referred_to(state_at(state, kind)))
            return true;
    return false;
}

} // namespace thrum
