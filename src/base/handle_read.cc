#include "base/handle_read.h"

#include <ucontext.h>

namespace thrum {
namespace {

// An instruction that reads a handle's object. Distances from the members themselves, so that the
// list needs no relocation.
struct HandleRead {
    int32_t begin, end;
};

} // namespace

// The linker defines both from the name of the section. Weak: a program without reads has none.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] const HandleRead __start_handle_reads[];
extern "C" [[gnu::weak, gnu::visibility("hidden")]] const HandleRead __stop_handle_reads[];

bool continue_handle_read(void *ucontext) {
    constexpr greg_t zero_flag = 0x40;
    greg_t *registers = static_cast<ucontext_t *>(ucontext)->uc_mcontext.gregs;
    const auto place_of = [](const int32_t &distance) {
        return static_cast<greg_t>(reinterpret_cast<intptr_t>(&distance) + distance);
    };
    for (const HandleRead *read = __start_handle_reads; read != __stop_handle_reads; ++read) {
        if (registers[REG_RIP] != place_of(read->begin))
            continue;
        registers[REG_RIP] = place_of(read->end);
        registers[REG_EFL] &= ~zero_flag; // not equal
        return true;
    }
    return false;
}

} // namespace thrum
