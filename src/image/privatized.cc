// Decides whether a program is privatised, and what is copied for each rank; blocks.cc copies.
//
// Every module carries notes of the compiler and of the link step (privatized_note.h). Only if all
// private modules are whole do ranks get blocks. Otherwise the reason is kept for messages
// (why_cloned) and the program is cloned.
#include "image/privatized.h"

#include "image/blocks.h"
#include "image/overrides.h"
#include "image/privatized_note.h"
#include "image/refuse.h"
#include "image/sharing.h"
#include "image/symbol.h"
#include "image/template.h"
#include "image/touched_pages.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <sys/mman.h>

namespace thrum {
namespace {

constinit char reason[512]; // why the program is cloned; empty: no reason to give

constinit GrowingArray<PrivateArea> areas;
constinit BlockTemplate block_template;

// A thread-local variable whose initial value is an address of private data.
struct ThreadLocalFixup {
    size_t below_thread_pointer;
    uintptr_t value; // in the original
};

constinit GrowingArray<ThreadLocalFixup> thread_local_fixups;

// What the notes of a module say.
struct Notes {
    bool has_objects = false; // at least one compiled with --privatize
    bool is_whole = false;    // none without
    uint32_t foreign_version = 0;
    uintptr_t distance_word = 0;
};

// Reads the notes of a loaded object.
Notes read_notes(const Object &object) {
    Notes notes;
    auto read = [&](uint32_t type, char *description, size_t size_bytes) {
        uint32_t version;
        std::memcpy(&version, description, sizeof version);
        if (version != privatized::contract_version) {
            notes.foreign_version = version;
        } else if (type == privatized::object_note) {
            notes.has_objects = true;
        } else if (type == privatized::module_note &&
                   size_bytes >= sizeof(privatized::ModuleNote)) {
            privatized::ModuleNote note;
            std::memcpy(&note, description, sizeof note);
            notes.is_whole = note.state == 1;
            notes.distance_word = reinterpret_cast<uintptr_t>(description) +
                                  offsetof(privatized::ModuleNote, to_distance) +
                                  static_cast<uintptr_t>(intptr_t{note.to_distance});
        }
    };
    for (const ElfW(Phdr) & p : object.headers)
        if (p.p_type == PT_NOTE)
            privatized::for_each_note(reinterpret_cast<char *>(object.bias + p.p_vaddr), p.p_filesz,
                                      read);
    return notes;
}

// Returns whether the object is libstdc++, which all ranks share if the program is privatised.
bool is_standard_cxx_library(const Object &object) {
    return !std::strncmp(base_name(object.path), "libstdc++.so", 12);
}

// Records why the program is cloned. Returns false.
[[gnu::format(printf, 1, 2)]] bool decline(const char *format, ...) {
    va_list values;
    va_start(values, format);
    std::vsnprintf(reason, sizeof reason, format, values);
    va_end(values);
    return false;
}

// Returns whether `name` is std::cout or a related object. mpicxx --privatize links private ones.
bool is_stream_object(const char *name) {
    static constexpr const char *names[] = {"_ZSt3cin",  "_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",
                                            "_ZSt4wcin", "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog"};
    for (const char *stream : names)
        if (!std::strcmp(name, stream))
            return true;
    return false;
}

// Returns whether an object that is not compiled with --privatize, such as assembly, has made the
// linker refer to private variables.
bool has_plain_references(const Object &object, const Overrides &overrides) {
    bool found = false;
    for_each_relocation(object, [&](const ElfW(Rela) & r) {
        size_t index = ELF64_R_SYM(r.r_info);
        auto type = ELF64_R_TYPE(r.r_info);
        if (!index || found)
            return;
        const char *name = symbol_name(object, index);
        bool is_plain = type == R_X86_64_COPY || type == R_X86_64_GLOB_DAT;
        if (is_plain && find_variable(overrides, name))
            found = !decline("%s refers to '%s' from an object compiled without --privatize",
                             object.path, name);
        if (!is_stream_object(name) || type != R_X86_64_64)
            return;
        auto slot = reinterpret_cast<void *>(object.bias + r.r_offset);
        const Object *target = find_object(load_word(slot));
        if (target && is_standard_cxx_library(*target))
            found = !decline("%s uses %s of %s: link it with mpicxx --privatize", object.path, name,
                             target->path);
    });
    return found;
}

// Returns whether all private modules are privatised as a whole, and no shared one is.
bool are_modules_whole() {
    for (const Object &object : objects()) {
        // A shared library compiled so would use the gs base of whichever rank calls it. If the
        // program is cloned, no code sets gs base.
        if (!object.is_private() && is_compiled_for_blocks(object))
            return decline("%s, which all ranks are to share, is compiled with --privatize",
                           object.path);
        if (!object.is_private())
            continue;
        Notes notes = read_notes(object);
        if (notes.foreign_version) {
            char text[96];
            std::snprintf(text, sizeof text, "was privatised by version %u of --privatize, not %u",
                          notes.foreign_version, privatized::contract_version);
            refuse(object, text, "Compile it again with the mpicc of this installation");
        }
        if (object.is_executable && !notes.has_objects)
            return false; // an ordinary program
        if (object.is_executable && !notes.is_whole)
            return decline("%s was linked without --privatize", object.path);
        if (!notes.is_whole && !is_standard_cxx_library(object))
            return decline("%s is not compiled with --privatize", object.path);
    }
    return true;
}

} // namespace

bool is_privatized_program(const Overrides &overrides, bool several_programs) {
    if (!are_modules_whole())
        return false;
    if (several_programs)
        return decline("the job has several programs");
    for (const Object &object : objects())
        if (object.is_private() && !is_standard_cxx_library(object) &&
            has_plain_references(object, overrides))
            return false;
    for (Object &object : objects())
        if (object.is_private() && is_standard_cxx_library(object))
            object.sharing = Sharing::CLibrary, object.works_for_ranks = true;
    return true;
}

// An object of another version counts, too: its code uses gs base.
bool is_compiled_for_blocks(const Object &object) {
    Notes notes = read_notes(object);
    return notes.has_objects || notes.foreign_version;
}

const char *why_cloned() {
    return reason[0] ? reason : nullptr;
}

namespace {

// Returns the end of what ld.so has made read-only; 0: nothing.
uintptr_t relro_end(const Object &object) {
    for (const ElfW(Phdr) & p : object.headers)
        if (p.p_type == PT_GNU_RELRO)
            return page_floor(object.bias + p.p_vaddr + p.p_memsz);
    return 0;
}

// Returns the lowest address to which pointers into the area may lead. Some programs point a few
// elements before or behind an array (one-based arrays). Before the private area lie the slots of
// .got, to which no variable points; behind it nothing.
uintptr_t pointer_low(const Object &object, uintptr_t low) {
    for (const ElfW(Phdr) & p : object.headers)
        if (p.p_type == PT_DYNAMIC) {
            uintptr_t end = object.bias + p.p_vaddr + p.p_memsz;
            return end <= low ? end : low;
        }
    return low;
}

// Returns the writable range of a module, without what is read-only after relocation.
PrivateArea area_of(const Object &object) {
    PrivateArea area{};
    area.object = &object;
    uintptr_t read_only_end = relro_end(object);
    for (const ElfW(Phdr) & p : object.headers) {
        uintptr_t low = object.bias + p.p_vaddr;
        uintptr_t high = low + p.p_memsz;
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_W) || high <= read_only_end)
            continue;
        low = low < read_only_end ? read_only_end : low;
        area.low = area.low && area.low < low ? area.low : low;
        area.high = high > area.high ? high : area.high;
    }
    area.pointer_low = pointer_low(object, area.low);
    // A limit for pointers behind the last variable of the module.
    constexpr uintptr_t beyond_max = 1 << 20;
    area.pointer_high = page_ceil(area.high) == object.high ? area.high + beyond_max : area.high;
    return area;
}

} // namespace

const char *find_private_area(const Object &object, PrivateArea &area) {
    Notes notes = read_notes(object);
    if (notes.foreign_version)
        return "was privatised by another version of --privatize: compile it again with the mpicc "
               "of this installation";
    if (!notes.is_whole)
        return "contains objects compiled with --privatize, but was linked without it: link it "
               "with mpicc --privatize, too, or compile all of it without";
    area = area_of(object);
    area.distance_word = notes.distance_word;
    return nullptr;
}

namespace {

const PrivateArea *find_area(const Object &object) {
    for (const PrivateArea &area : areas)
        if (area.object == &object)
            return &area;
    return nullptr;
}

bool points_into(const PrivateArea &area, uintptr_t address) {
    return address >= area.pointer_low && address <= area.pointer_high;
}

// Notes that `slot` of `object` holds an address in a private area.
void add_fixup(const Object &object, uintptr_t slot) {
    const PrivateArea *area = find_area(object);
    if (slot - object.tls_image < object.tls_file_bytes) // in the area, too, without RELRO
        thread_local_fixups.push_back({object.tls_offset - (slot - object.tls_image),
                                       load_word(reinterpret_cast<void *>(slot))});
    else if (area && slot >= area->low && slot < area->high)
        block_template.fixups.push_back(slot);
    // Otherwise the slot is in RELRO, of code that does not use gs base.
}

// Notes a slot that holds symbol + addend, if it leads into a private area or to a C-library
// variable of which ranks have their own.
void collect_symbol_slot(const Overrides &overrides, const Object &object, const ElfW(Rela) & r) {
    size_t index = ELF64_R_SYM(r.r_info);
    uintptr_t slot = object.bias + r.r_offset;
    uintptr_t value =
        load_word(reinterpret_cast<void *>(slot)) - static_cast<uintptr_t>(r.r_addend);
    if (value == 0)
        return; // an undefined weak symbol
    bool own = is_own_definition(object, index);
    const Object *target = own ? &object : find_object(value);
    if (!target)
        return; // an absolute symbol
    if (target->is_private()) {
        const PrivateArea *area = find_area(*target);
        if (area && value >= area->low && value <= area->high)
            add_fixup(object, slot);
        return;
    }
    if (const VariableOverride *v = find_variable(overrides, symbol_name(object, index)))
        block_template.variable_fixups.push_back({slot, v->offset, r.r_addend});
}

// Notes a slot that holds an address of its own object.
void collect_own_address(const Object &object, uintptr_t slot) {
    const PrivateArea *area = find_area(object);
    if (area && points_into(*area, load_word(reinterpret_cast<void *>(slot))))
        add_fixup(object, slot);
}

void collect_fixups_of(const Overrides &overrides, const Object &object) {
    for_each_relocation(object, [&](const ElfW(Rela) & r) {
        auto type = ELF64_R_TYPE(r.r_info);
        if (type == R_X86_64_RELATIVE)
            collect_own_address(object, object.bias + r.r_offset);
        else if (type == R_X86_64_64)
            collect_symbol_slot(overrides, object, r);
    });
    for_each_packed(object, [&](uintptr_t slot) { collect_own_address(object, slot); });
}

// Keeps a copy of [low, high) of the originals for new blocks.
void add_run(uintptr_t low, uintptr_t high) {
    if (low >= high)
        return;
    void *bytes =
        ::mmap(nullptr, high - low, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED)
        die(refusal_exit_code,
            "cannot allocate %zu bytes for the initial values of the ranks' variables",
            static_cast<size_t>(high - low));
    std::memcpy(bytes, reinterpret_cast<void *>(low), high - low);
    block_template.runs.push_back({low, high - low, static_cast<char *>(bytes)});
}

// Keeps the initialised variables, and those in .bss that have been written already.
void add_runs(const PrivateArea &area) {
    for (const ElfW(Phdr) & p : area.object->headers) {
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_W))
            continue;
        uintptr_t low = area.object->bias + p.p_vaddr;
        uintptr_t file_end = low + p.p_filesz, end = low + p.p_memsz;
        add_run(low > area.low ? low : area.low, file_end);
        uintptr_t rest = file_end > area.low ? file_end : area.low;
        for_each_touched_page(page_floor(rest), page_ceil(end), [&](uintptr_t page) {
            add_run(page > rest ? page : rest, page + page_bytes < end ? page + page_bytes : end);
        });
    }
}

} // namespace

// All areas first: a slot of one module may lead into the area of another.
void capture_private_areas(const Overrides &overrides) {
    for (Object &object : objects()) {
        if (!object.is_private())
            continue;
        PrivateArea area = area_of(object);
        area.distance_word = read_notes(object).distance_word;
        areas.push_back(area);
    }
    for (const PrivateArea &area : areas) {
        add_runs(area);
        collect_fixups_of(overrides, *area.object);
        block_template.distance_words.push_back(area.distance_word);
    }
    set_block_template(block_template, areas);
}

bool is_in_private_area(uintptr_t address) {
    for (const PrivateArea &area : areas)
        if (address >= area.low && address < area.high)
            return true;
    return false;
}

void set_thread_locals(uintptr_t distance, char *thread_pointer) {
    for (const ThreadLocalFixup &fixup : thread_local_fixups)
        store_word(thread_pointer - fixup.below_thread_pointer, fixup.value + distance);
}

} // namespace thrum
