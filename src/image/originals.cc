// Writes into slots that ld.so has filled in the originals.
#include "image/originals.h"

#include "image/overrides.h"
#include "image/refuse.h"
#include "image/symbol.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace thrum {
namespace {

struct Range {
    uintptr_t begin, end;
};

// Returns the range that ld.so has made read-only: whole pages only.
Range relro_of(const Object &object) {
    for (const ElfW(Phdr) & p : object.headers)
        if (p.p_type == PT_GNU_RELRO) {
            uintptr_t begin = object.bias + p.p_vaddr;
            return {page_floor(begin), page_floor(begin + p.p_memsz)};
        }
    return {0, 0};
}

} // namespace

SlotWriter::~SlotWriter() {
    if (unprotected_)
        protect(PROT_READ);
}

void SlotWriter::protect(int protection) {
    Range relro = relro_of(object_);
    if (::mprotect(reinterpret_cast<void *>(relro.begin), relro.end - relro.begin, protection) != 0)
        die(refusal_exit_code, "cannot change the protection of %s: %s", object_.path,
            std::strerror(errno));
}

void SlotWriter::write(uintptr_t slot, uintptr_t value) {
    Range relro = relro_of(object_);
    if (!unprotected_ && slot >= relro.begin && slot < relro.end) {
        protect(PROT_READ | PROT_WRITE);
        unprotected_ = true;
    }
    store_word(reinterpret_cast<void *>(slot), value);
}

// Returns whether a shared library keeps the C library's function: its destructors run at the end
// of the process, not of a rank.
static bool is_for_the_process(const char *name) {
    static constexpr const char *names[] = {"__cxa_atexit", "__cxa_finalize", "atexit",
                                            "__cxa_at_quick_exit"};
    for (const char *n : names)
        if (!std::strcmp(n, name))
            return true;
    return false;
}

// The slot's value decides, not its name: a symbol that the program defines itself is no C-library
// function.
void override_originals(const Overrides &overrides) {
    for (const Object &object : objects()) {
        if (!object.is_private() && !object.works_for_ranks)
            continue;
        SlotWriter writer(object);
        for_each_symbol_slot(object, [&](size_t symbol, uintptr_t slot, uintptr_t addend) {
            const Object *target = find_object(load_word(reinterpret_cast<void *>(slot)) - addend);
            if (!target || target->is_private())
                return;
            const char *name = symbol_name(object, symbol);
            if (!object.is_private() && is_for_the_process(name))
                return;
            if (const FunctionOverride *f = find_function(overrides, name))
                writer.write(slot, reinterpret_cast<uintptr_t>(f->function) + addend);
        });
    }
}

} // namespace thrum
