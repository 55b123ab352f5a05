// From the relocation tables to the list of fixups (psABI for x86-64, section 4.4). ld.so has
// applied every relocation; here each relocated slot is classified by what it holds. Only slots
// that the tables name are touched: no scan for words that look like pointers.
#include "image/copies.h"
#include "image/overrides.h"
#include "image/refuse.h"
#include "image/symbol.h"
#include "image/template.h"

#include <algorithm>
#include <cstdio>

namespace thrum {

// The template's word becomes an offset in the image, to which a clone adds its base.
void add_fixup(Template &t, Object &object, uintptr_t slot, uintptr_t value, const Object &target) {
    CHECK(object.contains(slot), "slot %#zx of %s is outside of it", slot - object.bias,
          object.path);
    store_word(t.at(object, slot), target.image_offset + (value - target.low));
    t.fixups.push_back(object.image_offset + (slot - object.low));
    // Thread-local initial values with addresses must be copied into each thread's block
    // (initialise_tls).
    if (slot - object.tls_image < object.tls_file_bytes)
        object.tls_has_fixups = true;
}

namespace {

// Returns the object that symbol value `value` belongs to. A symbol may be right behind its
// object's last byte (_end), where another object may begin, so the object itself is tried first.
const Object *target_of(const Object &object, size_t symbol_index, uintptr_t value) {
    const ElfW(Sym) &symbol = object.symbols[symbol_index];
    if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
        object.bias + symbol.st_value == value)
        return &object;
    if (const Object *found = find_object(value))
        return found;
    for (const Object &candidate : objects())
        if (candidate.high == value)
            return &candidate;
    return nullptr;
}

// Classifies a slot that holds symbol + addend: it leads into a private object, to an overridden
// function or variable, or to something that all ranks share, which needs no fixup.
void collect_symbol_slot(Template &t, const Overrides &overrides, Object &object,
                         const ElfW(Rela) & r) {
    uintptr_t slot = object.bias + r.r_offset;
    uintptr_t value = load_word(reinterpret_cast<void *>(slot));
    // With one-based arrays and the like the sum may be outside; the symbol alone is surely in its
    // object.
    intptr_t addend = ELF64_R_TYPE(r.r_info) == R_X86_64_64 ? r.r_addend : 0;
    uintptr_t symbol_value = value - static_cast<uintptr_t>(addend);
    if (symbol_value == 0)
        return; // an undefined weak symbol
    size_t index = ELF64_R_SYM(r.r_info);
    const Object *target = target_of(object, index, symbol_value);
    if (!target)
        return; // an absolute symbol
    if (target->is_private()) {
        add_fixup(t, object, slot, value, *target);
        return;
    }
    const char *name = symbol_name(object, index);
    if (const FunctionOverride *f = find_function(overrides, name))
        store_word(t.at(object, slot),
                   reinterpret_cast<uintptr_t>(f->function) + static_cast<uintptr_t>(addend));
    else if (const VariableOverride *v = find_variable(overrides, name))
        t.variable_fixups.push_back({object.image_offset + (slot - object.low), v->offset, addend});
}

// Notes what a clone must do with one relocated slot. Refuses relocations of code that is not
// position-independent.
void collect_relocation(Template &t, const Overrides &overrides, Object &object,
                        const ElfW(Rela) & r) {
    uintptr_t slot = object.bias + r.r_offset;
    switch (ELF64_R_TYPE(r.r_info)) {
    case R_X86_64_NONE:
    case R_X86_64_DTPMOD64: // module ids and offsets are the same in all clones
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_TLSDESC:
    case R_X86_64_SIZE64:
    case R_X86_64_COPY: // copies.cc
        return;
    case R_X86_64_RELATIVE:
        add_fixup(t, object, slot, object.bias + static_cast<uintptr_t>(r.r_addend), object);
        return;
    case R_X86_64_IRELATIVE: {
        uintptr_t value = load_word(reinterpret_cast<void *>(slot));
        const Object *target = find_object(value);
        if (target && target->is_private())
            add_fixup(t, object, slot, value, *target);
        return;
    }
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
        collect_symbol_slot(t, overrides, object, r);
        return;
    default: {
        char reason[96];
        std::snprintf(reason, sizeof reason,
                      "has a relocation of type %u at %#zx, which is not position-independent",
                      static_cast<unsigned>(ELF64_R_TYPE(r.r_info)),
                      static_cast<size_t>(r.r_offset));
        refuse(object, reason, "Compile all its objects with -fPIC (or -fPIE)");
    }
    }
}

// Notes the slots of DT_RELR, which all hold addresses of their own object.
void collect_packed(Template &t, Object &object) {
    for_each_packed(object, [&](uintptr_t slot) {
        add_fixup(t, object, slot, load_word(reinterpret_cast<void *>(slot)), object);
    });
}

} // namespace

// Sorts the fixups and drops duplicates: a slot that two relocations name must not be moved twice.
void sort_fixups(Template &t) {
    std::sort(t.fixups.begin(), t.fixups.end());
    t.fixups.shrink_to(
        static_cast<size_t>(std::unique(t.fixups.begin(), t.fixups.end()) - t.fixups.begin()));
}

void collect_fixups(Template &t, const Overrides &overrides, GrowingArray<CopiedVariable> &copies) {
    for (Object &object : objects()) {
        if (!object.is_private())
            continue;
        for_each_relocation(
            object, [&](const ElfW(Rela) & r) { collect_relocation(t, overrides, object, r); });
        collect_packed(t, object);
    }
    collect_copies(t, copies);
    sort_fixups(t);
}

} // namespace thrum
