// Upcalls: slots of shared objects that lead into private ones. ld.so has bound them to the
// originals, which are rank 0's. Three cases:
//
//   libc calls the program's malloc       the current rank's: a thunk finds it at each call
//   libmpi, libfabric call malloc, too    libc's: what they allocate crosses from rank to rank
//   libibverbs calls its own libnl        the original's: its instance of the library, like rank
//   0's
#include "image/clone.h"
#include "image/originals.h"
#include "image/refuse.h"
#include "image/symbol.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace thrum {
namespace {

bool needs(const Object &object, const Object &library) {
    bool found = false;
    for_each_needed(object, [&](const char *name) { found |= is_named(library, name); });
    return found;
}

constinit const char *into_executable = nullptr;

// Executable memory for thunks: written, then made executable, never both.
class ThunkPage {
public:
    uintptr_t add(uintptr_t function, int private_index);
    void seal();

private:
    static constexpr size_t size_bytes_ = 64 << 10;
    static constexpr size_t thunk_bytes_ = 48;
    unsigned char *memory_ = nullptr;
    size_t used_ = 0;
};

void put32(unsigned char *at, int32_t value) {
    std::memcpy(at, &value, sizeof value);
}

// r11 is free between a caller and a function that it reaches through a slot (psABI: the PLT's).
uintptr_t ThunkPage::add(uintptr_t function, int private_index) {
    if (!memory_) {
        void *m = ::mmap(nullptr, size_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
        if (m == MAP_FAILED)
            die(refusal_exit_code, "cannot get memory for calls into ranks: %s",
                std::strerror(errno));
        memory_ = static_cast<unsigned char *>(m);
    }
    CHECK(used_ + thunk_bytes_ <= size_bytes_,
          "too many calls of shared libraries into the program");
    static constexpr unsigned char code[] = {
        0xf3, 0x0f, 0x1e, 0xfa, // endbr64
        0x64, 0x4c, 0x8b, 0x1c,
        0x25, 0,    0,    0,
        0,                                         // mov %fs:current_image, %r11
        0x4d, 0x8b, 0x5b, offsetof(Image, deltas), // mov deltas(%r11), %r11
        0x4d, 0x8b, 0x9b, 0,
        0,    0,    0, // mov 8 * index(%r11), %r11
        0x4c, 0x03, 0x1d, 9,
        0,    0,    0,    // add function(%rip), %r11
        0x41, 0xff, 0xe3, // jmp *%r11
        0xcc, 0xcc, 0xcc, 0xcc,
        0xcc, 0xcc, // function: .quad
    };
    static_assert(sizeof code == 40);
    unsigned char *thunk = memory_ + used_;
    used_ += thunk_bytes_;
    std::memcpy(thunk, code, sizeof code);
    put32(thunk + 9, current_image_tls_offset());
    put32(thunk + 20, private_index * static_cast<int32_t>(sizeof(intptr_t)));
    std::memcpy(thunk + sizeof code, &function, sizeof function);
    return reinterpret_cast<uintptr_t>(thunk);
}

void ThunkPage::seal() {
    if (memory_ && ::mprotect(memory_, size_bytes_, PROT_READ | PROT_EXEC) != 0)
        die(refusal_exit_code, "cannot make calls into ranks executable: %s", std::strerror(errno));
}

// What the slot would hold if the program did not define the symbol; 0: nothing.
uintptr_t shared_definition(const Object &object, size_t symbol_index) {
    Definition d =
        find_definition(symbol_name(object, symbol_index), wanted_version(object, symbol_index),
                        [](const Object &o) { return !o.is_private(); });
    return d ? d.address() : 0;
}

// `thunks`: nullptr if the originals' functions are all ranks'.
void bind_upcalls_of(const Object &object, ThunkPage *thunks) {
    SlotWriter writer(object);
    for_each_relocation(object, [&](const ElfW(Rela) & r) {
        auto type = ELF64_R_TYPE(r.r_info);
        if (type != R_X86_64_64 && type != R_X86_64_GLOB_DAT && type != R_X86_64_JUMP_SLOT)
            return;
        uintptr_t slot = object.bias + r.r_offset;
        uintptr_t value = load_word(reinterpret_cast<void *>(slot));
        const Object *target = find_object(value);
        if (!target || !target->is_private() || needs(object, *target))
            return;
        const ElfW(Phdr) *segment = find_segment(*target, value);
        if (!segment || !(segment->p_flags & PF_X))
            return; // a variable: rank 0's
        if (object.sharing == Sharing::Infrastructure) {
            if (uintptr_t shared = shared_definition(object, ELF64_R_SYM(r.r_info))) {
                writer.write(slot, shared);
                return;
            }
        }
        if (!thunks)
            return;
        if (target->is_executable)
            into_executable = symbol_name(object, ELF64_R_SYM(r.r_info));
        writer.write(slot, thunks->add(value, target->private_index));
    });
}

} // namespace

const char *upcall_into_executable() {
    return into_executable;
}

void bind_upcalls_of_library(const Object &library, bool with_thunks) {
    ThunkPage thunks;
    if (library.symbols)
        bind_upcalls_of(library, with_thunks ? &thunks : nullptr);
    thunks.seal();
}

void bind_upcalls(bool with_thunks) {
    ThunkPage thunks;
    for (const Object &object : objects())
        if (!object.is_private() && object.symbols)
            bind_upcalls_of(object, with_thunks ? &thunks : nullptr);
    thunks.seal();
}

} // namespace thrum
