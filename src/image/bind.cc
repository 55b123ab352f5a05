// Binds the slots of a program that is loaded beside the process's own, for its clones. ld.so has
// bound the program's libraries in the scope of the process, where other definitions may come
// first; so every slot is bound again here, in the program's own scope.
//
// bind_program() goes over the relocations twice: first those with plain values, then indirect
// functions, whose resolvers may already use bound slots. Values are classified as in relocate.cc,
// but each is looked up instead of read from the slot. COPY relocations come last, since they copy
// fixups.
#include "image/copies.h"
#include "image/mapped_file.h"
#include "image/overrides.h"
#include "image/program.h"
#include "image/refuse.h"
#include "image/symbol.h"
#include "image/tools.h"

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

extern "C" void *__tls_get_addr(size_t *);

namespace thrum {
namespace {

// The state of one bind_program() call.
struct Binder {
    Program &program;
    Template &t; // the program's template: slots are bound there
    const Overrides &overrides;
    void *start_main; // what the executable gets for __libc_start_main

    Definition look_up(const Object &object, size_t index, bool skip_executable = false);
    void bind(Object &object, const ElfW(Rela) & r, bool indirect);
    void bind_symbol(Object &object, const ElfW(Rela) & r, bool indirect);
    void bind_thread_local(Object &object, const ElfW(Rela) & r);
    void bind_packed(Object &object);
    void put(Object &object, uintptr_t slot, uintptr_t value);
    void put_private(Object &object, uintptr_t slot, uintptr_t value, const Object &target);
    void note_copy(const ElfW(Rela) & r);
    void bind_copies();
};

// Finds the definition that symbol `index` of `object` means in the program's scope. A profiling
// tool's MPI_X comes before libmpi's. `skip_executable`: for the source of a COPY. Ends the process
// (die) if a symbol that is not weak is undefined, as ld.so would.
Definition Binder::look_up(const Object &object, size_t index, bool skip_executable) {
    if (Definition own = find_in_itself(object, index))
        return own;
    const char *name = symbol_name(object, index), *version = wanted_version(object, index);
    for (const Object &candidate : program.objects)
        if (!skip_executable || !candidate.is_executable)
            if (const ElfW(Sym) *symbol = find_in_object(candidate, name, version)) {
                if (candidate.is_libmpi || candidate.is_front)
                    if (Definition tool = find_tool(program.objects, name))
                        return tool;
                return {&candidate, symbol};
            }
    if (!skip_executable && ELF64_ST_BIND(object.symbols[index].st_info) != STB_WEAK)
        die(refusal_exit_code, "%s: symbol lookup error: undefined symbol: %s", object.path, name);
    return {};
}

// Writes a word of the template. The executable's original gets it, too: the resolvers of its
// indirect functions run there.
void Binder::put(Object &object, uintptr_t slot, uintptr_t value) {
    store_word(t.at(object, slot), value);
    if (object.is_executable)
        store_word(reinterpret_cast<void *>(slot), value);
}

// Writes an address in `target`, and notes that each clone moves it.
void Binder::put_private(Object &object, uintptr_t slot, uintptr_t value, const Object &target) {
    put(object, slot, value);
    add_fixup(t, object, slot, value, target);
}

// Binds a slot that holds symbol + addend. `indirect` selects the pass: a symbol that is an
// indirect function is bound in the second.
void Binder::bind_symbol(Object &object, const ElfW(Rela) & r, bool indirect) {
    uintptr_t slot = object.bias + r.r_offset;
    auto addend = static_cast<uintptr_t>(r.r_addend);
    size_t index = ELF64_R_SYM(r.r_info);
    Definition d = look_up(object, index);
    bool is_indirect = d && ELF64_ST_TYPE(d.symbol->st_info) == STT_GNU_IFUNC;
    if (is_indirect != indirect)
        return;
    if (!d || d.symbol->st_shndx == SHN_ABS) {
        put(object, slot, d ? d.symbol->st_value + addend : 0);
        return;
    }
    const char *name = symbol_name(object, index);
    if (d.object->is_private()) {
        put_private(object, slot, d.address() + addend, *d.object);
    } else if (object.is_executable && !std::strcmp(name, "__libc_start_main")) {
        put(object, slot, reinterpret_cast<uintptr_t>(start_main));
    } else if (const FunctionOverride *f = find_function(overrides, name)) {
        put(object, slot, reinterpret_cast<uintptr_t>(f->function) + addend);
    } else {
        put(object, slot, d.address() + addend);
        if (const VariableOverride *v = find_variable(overrides, name))
            t.variable_fixups.push_back({object.image_offset + (slot - object.low), v->offset,
                                         static_cast<intptr_t>(addend)});
    }
}

// Binds a thread-local access. In a library, what ld.so has written is right, unless the variable
// belongs to an executable: there are two of these, and ld.so knows only one. In the executable,
// only fixed offsets (TPOFF64) can be computed here.
void Binder::bind_thread_local(Object &object, const ElfW(Rela) & r) {
    size_t index = ELF64_R_SYM(r.r_info);
    auto type = ELF64_R_TYPE(r.r_info);
    Definition d = index ? look_up(object, index) : Definition{};
    if (!object.is_executable) {
        const char *name = index ? symbol_name(object, index) : "";
        bool in_first = d && d.object != &object && find_in_object(objects()[0], name, nullptr);
        if (d && (d.object->is_executable || in_first))
            refuse_program(object.path, "uses %s, a thread-local variable of an executable",
                           "Define it in the library", name);
        return;
    }
    if (index && !d)
        return;
    size_t offset = !d || d.object == &object ? program.tls_offset : static_tls_offset(*d.object);
    uintptr_t slot = object.bias + r.r_offset;
    uintptr_t value = (d ? d.symbol->st_value : 0) + static_cast<uintptr_t>(r.r_addend);
    if (type != R_X86_64_TPOFF64 || offset == 0)
        refuse_program(object.path, "reaches thread-local variables in a way not supported here",
                       "Name it first on the command line");
    put(object, slot, value - offset);
}

// Binds the slot of one relocation in the pass that it belongs to.
void Binder::bind(Object &object, const ElfW(Rela) & r, bool indirect) {
    uintptr_t slot = object.bias + r.r_offset;
    auto addend = static_cast<uintptr_t>(r.r_addend);
    switch (ELF64_R_TYPE(r.r_info)) {
    case R_X86_64_NONE:
    case R_X86_64_COPY:
    case R_X86_64_SIZE64:
        return;
    case R_X86_64_DTPMOD64:
    case R_X86_64_DTPOFF64:
    case R_X86_64_TPOFF64:
    case R_X86_64_TLSDESC:
        if (!indirect)
            bind_thread_local(object, r);
        return;
    case R_X86_64_RELATIVE:
        if (!indirect)
            put_private(object, slot, object.bias + addend, object);
        return;
    case R_X86_64_IRELATIVE:
        if (indirect)
            put_private(object, slot, reinterpret_cast<uintptr_t (*)()>(object.bias + addend)(),
                        object);
        return;
    case R_X86_64_64:
    case R_X86_64_GLOB_DAT:
    case R_X86_64_JUMP_SLOT:
        bind_symbol(object, r, indirect);
        return;
    default:
        refuse(object, "has a relocation that is not position-independent",
               "Compile all its objects with -fPIC (or -fPIE)");
    }
}

// Moves the slots of DT_RELR. They hold a different value according to who loaded the object: an
// offset in an image if it is shared with an earlier program, an unrelocated address if
// map_executable() mapped it, a finished address if ld.so loaded it.
void Binder::bind_packed(Object &object) {
    const Program *earlier;
    const Object *same = find_in_earlier_program(program, object, &earlier);
    auto add = [&](uintptr_t slot) {
        uintptr_t word = load_word(t.at(object, slot));
        if (same) // an offset in that program's images
            word = word - same->image_offset + same->low;
        else if (object.is_executable)
            word += object.bias;
        put_private(object, slot, word, object);
    };
    for_each_packed(object, add);
}

// Notes one COPY and takes its value at this moment: the C library has initialised its variables
// since the process began.
void Binder::note_copy(const ElfW(Rela) & r) {
    Object &executable = program.objects[0];
    size_t index = ELF64_R_SYM(r.r_info);
    Definition source = look_up(executable, index, true);
    if (!source)
        return;
    CopiedVariable copy{symbol_name(executable, index), executable.bias + r.r_offset,
                        std::min(executable.symbols[index].st_size, source.symbol->st_size),
                        source.object, source.object->bias + source.symbol->st_value};
    const char *from = source.object->is_private()
                           ? t.at(*source.object, copy.source_address)
                           : reinterpret_cast<const char *>(copy.source_address);
    std::memcpy(t.at(executable, copy.address), from, copy.size_bytes);
    cover_with_data(t, executable, copy.address, copy.size_bytes);
    program.copies.push_back(copy);
}

// Notes all COPY variables of the executable, and gives them the fixups of their private sources.
// The fixups must be sorted.
void Binder::bind_copies() {
    for_each_relocation(program.objects[0], [&](const ElfW(Rela) & r) {
        if (ELF64_R_TYPE(r.r_info) == R_X86_64_COPY)
            note_copy(r);
    });
    size_t count = t.fixups.size();
    for (const CopiedVariable &copy : program.copies)
        if (copy.source->is_private())
            copy_fixups(t, count, program.objects[0], copy);
}

} // namespace

size_t static_tls_offset(const Object &object) {
    // The number of a module with a fixed offset is known only to ld.so; but the address of its
    // block in this thread shows whether it is in the static TLS area.
    if (object.tls_offset || !object.tls_module)
        return object.tls_offset;
    size_t index[2] = {object.tls_module, 0};
    auto end = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
    size_t offset = end - reinterpret_cast<uintptr_t>(__tls_get_addr(index));
    static auto *const static_info = reinterpret_cast<void (*)(size_t *, size_t *)>(
        ::dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info"));
    size_t size_bytes = 0, alignment = 0;
    if (static_info)
        static_info(&size_bytes, &alignment);
    return offset <= size_bytes ? offset : 0;
}

void bind_program(Program &program, const Overrides &overrides, void *start_main) {
    Binder binder{program, program.image_template, overrides, start_main};
    // Indirect functions second: their resolvers may call through slots that the first pass binds.
    for (bool indirect : {false, true})
        for (Object &object : program.objects) {
            if (!object.is_private())
                continue;
            for_each_relocation(object,
                                [&](const ElfW(Rela) & r) { binder.bind(object, r, indirect); });
            if (!indirect)
                binder.bind_packed(object);
        }
    // Sorted twice: copy_fixups() searches the sorted list and appends to it.
    sort_fixups(program.image_template);
    binder.bind_copies();
    sort_fixups(program.image_template);
    for (Object &object : program.objects)
        if (object.is_private() && !object.is_executable && object.tls_has_fixups) {
            object.tls_offset = static_tls_offset(object);
            if (!object.tls_offset)
                refuse_program(program.objects[0].path,
                               "needs %s, whose thread-local variables hold addresses",
                               "Name it first on the command line", object.path);
        }
}

} // namespace thrum
