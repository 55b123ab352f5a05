// Object: an executable or shared library that ld.so has loaded: where it lies and what its dynamic
// section says. scan_objects() makes the table once, in ld.so's order, the executable first. All
// pointers lead into the loaded file itself; nothing is copied.
#pragma once
#include "image/growing_array.h"
#include "image/sharing.h"

#include <cstdint>
#include <link.h>
#include <span>

namespace thrum {

inline constexpr uintptr_t page_bytes = 4096;

constexpr uintptr_t page_floor(uintptr_t a) {
    return a & ~(page_bytes - 1);
}

constexpr uintptr_t page_ceil(uintptr_t a) {
    return (a + page_bytes - 1) & ~(page_bytes - 1);
}

struct Plugin; // image/plugin_table.h

// Addresses are those of the original. Tables that the object does not have are nullptr or empty.
struct Object {
    const char *path;
    const char *soname; // nullptr: has none
    Sharing sharing;
    bool is_executable;
    bool is_libmpi; // contains this code
    bool is_front;  // another MPI's interface to this code (src/front)
    bool has_text_relocations;
    bool is_init_first;
    bool works_for_ranks; // shared, but calls the ranks' versions of C-library functions

    uintptr_t bias;      // what ld.so has added to the addresses in the file
    uintptr_t low, high; // [low, high): all its segments, whole pages
    size_t alignment;    // the largest p_align
    std::span<const ElfW(Phdr)> headers;
    ElfW(Dyn) * dynamic;

    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash;
    const uint32_t *sysv_hash;
    const uint16_t *versions;
    const ElfW(Verneed) * versions_needed;
    const ElfW(Verdef) * versions_defined;

    std::span<const ElfW(Rela)> relocations;
    std::span<const ElfW(Rela)> plt_relocations;
    std::span<const uint64_t> packed_relocations; // RELR

    uintptr_t init, fini; // addresses in the original; 0: none
    std::span<const uintptr_t> preinit_array, init_array, fini_array;

    uintptr_t tls_image; // address of the initial values in the original
    size_t tls_file_bytes;
    size_t tls_bytes;
    size_t tls_alignment;
    size_t tls_module;   // ld.so's number; 0: unknown
    size_t tls_offset;   // bytes of its block below a thread's FS base; 0: no fixed place
    bool tls_has_fixups; // initial values contain addresses that clones move

    // Private objects only; set when the image is laid out.
    int private_index;
    size_t image_offset; // of `low` in an image

    Plugin *plugin = nullptr; // the library was loaded after the start

    bool is_private() const { return sharing == Sharing::Private; }

    bool contains(uintptr_t address) const { return address >= low && address < high; }

    const char *string(size_t offset) const { return strings + offset; }
};

using Objects = GrowingArray<Object>;

// Fills objects() with what ld.so has loaded. `shared_list`: names of libraries that the user has
// declared shared, separated by colons, or nullptr.
void scan_objects(const char *shared_list);
Objects &objects();
// Appends the objects that are loaded now to `list`.
void scan_objects_into(Objects &list, const char *shared_list);
// Fills in what headers and dynamic section say. The caller has set `headers` and `bias`.
void read_object(Object &object);

// Returns the object of the process's own program whose original holds `address`, or nullptr. The
// call is linear in the objects.
Object *find_object(uintptr_t address);
// Returns the segment of `object` that holds `address`, or nullptr.
const ElfW(Phdr) * find_segment(const Object &object, uintptr_t address);
// Returns whether `name`, as DT_NEEDED gives it, means `object`: by file name or soname, without
// the folders.
bool is_named(const Object &object, const char *name);

// Calls visit(name) for each DT_NEEDED of `object`.
template <class Visit>
void for_each_needed(const Object &object, Visit visit) {
    for (const ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d)
        if (d->d_tag == DT_NEEDED)
            visit(object.string(d->d_un.d_val));
}

// Returns whether the slot holds the address of a symbol, with or without an addend.
inline bool holds_symbol_address(const ElfW(Rela) & r) {
    auto type = ELF64_R_TYPE(r.r_info);
    return type == R_X86_64_64 || type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT;
}

// Calls visit(relocation) for every RELA entry, once. DT_RELASZ may or may not count the PLT's
// entries.
template <class Visit>
void for_each_relocation(const Object &object, Visit visit) {
    for (const ElfW(Rela) & r : object.relocations)
        visit(r);
    const ElfW(Rela) *plt = object.plt_relocations.data();
    const auto &all = object.relocations;
    if (plt >= all.data() && plt < all.data() + all.size())
        return;
    for (const ElfW(Rela) & r : object.plt_relocations)
        visit(r);
}

// Calls visit(symbol index, slot, addend) for every slot that holds a symbol's address plus addend.
template <class Visit>
void for_each_symbol_slot(const Object &object, Visit visit) {
    for_each_relocation(object, [&](const ElfW(Rela) & r) {
        if (holds_symbol_address(r))
            visit(ELF64_R_SYM(r.r_info), object.bias + r.r_offset,
                  ELF64_R_TYPE(r.r_info) == R_X86_64_64 ? static_cast<uintptr_t>(r.r_addend) : 0);
    });
}

// Calls visit(slot) for every slot that DT_RELR names. An even entry is the address of a slot; an
// odd one a bit map of the 63 words behind the last slot.
template <class Visit>
void for_each_packed(const Object &object, Visit visit) {
    uintptr_t next = 0;
    for (uint64_t entry : object.packed_relocations) {
        if (!(entry & 1)) {
            visit(object.bias + entry);
            next = object.bias + entry + sizeof(uintptr_t);
            continue;
        }
        uintptr_t slot = next;
        for (uint64_t bits = entry >> 1; bits; bits >>= 1, slot += sizeof(uintptr_t))
            if (bits & 1)
                visit(slot);
        next += 63 * sizeof(uintptr_t);
    }
}

// Returns the distance below a thread's FS base of a library's thread-local storage; 0 if it has no
// fixed one (bind.cc).
size_t static_tls_offset(const Object &object);

} // namespace thrum
