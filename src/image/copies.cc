// COPY variables of the executable and their meaning for its clones (copies.h).
#include "image/overrides.h"
#include "image/programs.h"
#include "image/symbol.h"

#include <algorithm>
#include <cstring>

namespace thrum {
namespace {

// Appends the variable of one COPY relocation. Its source is what the symbol means outside of the
// executable.
void note_copy(GrowingArray<CopiedVariable> &copies, const Object &executable,
               const ElfW(Rela) & r) {
    size_t index = ELF64_R_SYM(r.r_info);
    const char *name = symbol_name(executable, index);
    Definition source = find_definition(name, wanted_version(executable, index),
                                        [](const Object &o) { return !o.is_executable; });
    if (!source)
        return; // an undefined weak variable: nothing has been copied
    size_t size_bytes = std::min(executable.symbols[index].st_size, source.symbol->st_size);
    copies.push_back({name, executable.bias + r.r_offset, size_bytes, source.object,
                      source.object->bias + source.symbol->st_value});
}

} // namespace

// The source's fixups lie in one range of the sorted list; each gets a twin at the same distance in
// the copy.
void copy_fixups(Template &t, size_t count, const Object &executable, const CopiedVariable &copy) {
    size_t source = copy.source->image_offset + (copy.source_address - copy.source->low);
    size_t copied = executable.image_offset + (copy.address - executable.low);
    size_t *first = std::lower_bound(t.fixups.begin(), t.fixups.begin() + count, source);
    for (auto i = static_cast<size_t>(first - t.fixups.begin()); i < count; ++i) {
        size_t distance = t.fixups[i] - source;
        if (distance >= copy.size_bytes)
            break;
        store_word(t.bytes + copied + distance, load_word(t.bytes + source + distance));
        t.fixups.push_back(copied + distance);
    }
}

void collect_copies(Template &t, GrowingArray<CopiedVariable> &copies) {
    const Object &executable = objects()[0];
    for_each_relocation(executable, [&](const ElfW(Rela) & r) {
        if (ELF64_R_TYPE(r.r_info) == R_X86_64_COPY)
            note_copy(copies, executable, r);
    });
    std::sort(t.fixups.begin(), t.fixups.end());
    size_t count = t.fixups.size();
    for (const CopiedVariable &copy : copies)
        if (copy.source->is_private())
            copy_fixups(t, count, executable, copy);
}

const CopiedVariable *find_copy(const Program &program, const char *name) {
    const Object &executable = program.objects[0];
    for (const CopiedVariable &copy : program.copies)
        if (!std::strcmp(copy.name, name))
            return &copy;
    // An alias has no COPY relocation of its own, but the same address in the executable.
    const ElfW(Sym) *symbol = find_in_object(executable, name, nullptr);
    for (const CopiedVariable &copy : program.copies)
        if (symbol && executable.bias + symbol->st_value == copy.address)
            return &copy;
    return nullptr;
}

void cover_with_data(Template &t, const Object &object, uintptr_t address, size_t size_bytes) {
    uintptr_t begin = page_floor(address), end = page_ceil(address + size_bytes);
    // A page of fresh zeros does not count: it would not get the template's bytes.
    size_t offset = object.image_offset + (begin - object.low);
    for (const DataRun &run : t.data)
        if (run.kind != DataKind::FreshZero && offset >= run.offset &&
            offset + (end - begin) <= run.offset + run.size_bytes)
            return;
    t.data.push_back({offset, end - begin, DataKind::Copied});
}

void refresh_copies(Program &program, const Overrides &overrides) {
    Template &t = program.image_template;
    const Object &executable = program.objects[0];
    for (const CopiedVariable &copy : program.copies) {
        if (copy.source->is_private() || find_variable(overrides, copy.name))
            continue;
        std::memcpy(t.at(executable, copy.address), reinterpret_cast<void *>(copy.address),
                    copy.size_bytes);
        // The page may have been untouched, and so not part of the data, when the template was
        // taken.
        cover_with_data(t, executable, copy.address, copy.size_bytes);
    }
}

} // namespace thrum
