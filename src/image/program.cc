// Loads further programs (program.h). While ranks run, a refusal must not end the process:
// load_more_program() turns it into an error of the caller.
#include "image/program.h"

#include "image/addresses.h"
#include "image/constructors.h"
#include "image/debugger.h"
#include "image/mapped_file.h"
#include "image/originals.h"
#include "image/plugin_table.h"
#include "image/refuse.h"
#include "image/sharing.h"
#include "image/symbol.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/stat.h>

namespace thrum {
namespace {

bool is_file_of(const char *path, const Object &executable) {
    struct stat a, b;
    return ::stat(path, &a) == 0 && ::stat(executable.path, &b) == 0 && a.st_ino == b.st_ino &&
           a.st_dev == b.st_dev;
}

// Finds the place of the executable's thread-local variables. Its code has fixed places below the
// FS base, which the process's executable uses as well: there must be room, so no library's
// variables may be there. A library made of room alone (cmd/mpiexec/start/room.S) may lie there.
void place_thread_locals(Program &program, const Objects &loaded) {
    const Object &executable = program.objects[0];
    if (!executable.tls_bytes)
        return;
    size_t alignment = executable.tls_alignment ? executable.tls_alignment : 1;
    program.tls_bytes = executable.tls_bytes;
    program.tls_offset = thread_local_offset(executable.tls_image - executable.bias,
                                             executable.tls_bytes, alignment);
    const Object &own = loaded[0];
    bool fits = alignment <= 64 || alignment <= own.tls_alignment;
    size_t end = program.tls_offset - program.tls_bytes;
    for (size_t i = 1; i < loaded.size(); ++i) {
        const Object &other = loaded[i];
        bool is_room = std::strncmp(base_name(other.path), room_library_prefix,
                                    std::strlen(room_library_prefix)) == 0;
        if (!is_room && other.tls_offset &&
            program.tls_offset > other.tls_offset - other.tls_bytes && other.tls_offset > end)
            fits = false;
    }
    if (!fits)
        refuse_program(executable.path,
                       "has more thread-local variables than that one (%zu bytes, %zu bytes)",
                       "Name the program with the most of them first on the command line",
                       executable.tls_bytes, own.tls_bytes);
}

// Copies an object from the template of an earlier program, which was taken before anything wrote
// to the object. Its fixups come later: bind.cc binds in this program's scope.
void copy_from_template(Template &t, const Object &object, const Template &from,
                        const Object &same) {
    size_t size_bytes = object.high - object.low;
    auto inside = [&](size_t offset) {
        return offset - same.image_offset < size_bytes;
    };
    auto moved = [&](size_t offset) {
        return offset - same.image_offset + object.image_offset;
    };
    for (TextRun run : from.texts)
        if (inside(run.offset)) {
            run.offset = moved(run.offset);
            t.texts.push_back(run);
        }
    for (DataRun run : from.data)
        if (inside(run.offset)) {
            if (run.kind != DataKind::FreshZero)
                std::memcpy(t.bytes + moved(run.offset), from.bytes + run.offset, run.size_bytes);
            run.offset = moved(run.offset);
            t.data.push_back(run);
        }
}

// Makes the template: objects of earlier programs from their templates, new ones from their
// originals.
void fill_template(Program &program) {
    Template &t = program.image_template;
    t.private_count = the_template().private_count; // numbers of common objects are the same
    lay_out(t, program.objects);
    CHECK(t.private_count <= private_objects_max);
    make_template_memory(t);
    read_mappings();
    for (const Object &object : program.objects) {
        if (!object.is_private())
            continue;
        const Program *earlier;
        if (const Object *same = find_in_earlier_program(program, object, &earlier))
            copy_from_template(t, object, earlier->image_template, *same);
        else
            add_object_to_template(t, object);
    }
}

// Returns the number of the program whose executable is the file at `path`, or -1.
int find_program(const char *path) {
    for (int i = 0; i < program_count(); ++i)
        if (is_file_of(path, program_at(i).objects[0]))
            return i;
    return -1;
}

} // namespace

void refuse_program(const char *path, const char *reason, const char *remedy, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, remedy);
    std::vsnprintf(text, sizeof text, reason, arguments);
    va_end(arguments);
    die(refusal_exit_code, "%s cannot run in one process with %s: it %s. %s.", path,
        objects()[0].path, text, remedy);
}

const Object *find_in_earlier_program(const Program &program, const Object &object,
                                      const Program **earlier) {
    for (int i = 0; i < program_count() && &program_at(i) != &program; ++i)
        for (const Object &other : program_at(i).objects)
            if (other.is_private() && other.low == object.low) {
                *earlier = &program_at(i);
                return &other;
            }
    return nullptr;
}

// The order matters: libraries before the template, the template before anything is bound in it,
// and upcalls last, as they need the program's finished scope.
int load_program(const char *path, void *start_main) {
    if (int number = find_program(path); number >= 0)
        return number;
    Program &program = add_program();
    program.objects.push_back(map_executable(path, program.entry));
    load_libraries(program);
    Objects loaded;
    scan_objects_into(loaded, shared_list());
    place_thread_locals(program, loaded);
    fill_template(program);
    bind_program(program, captured_overrides(), start_main);
    order_constructors(program);
    bind_upcalls_of_program(program);
    return program_count() - 1;
}

int load_more_program(const char *path, void *start_main, char *message, size_t message_bytes) {
    struct Load {
        const char *path;
        void *start_main;
        int number;
    } load{path, start_main, -1};

    if (program_is_privatized() && find_program(path) < 0) {
        std::snprintf(message, message_bytes,
                      "%s is compiled with --privatize, so that no other program can run beside it",
                      objects()[0].path);
        return -1;
    }
    auto run = [](void *argument) {
        auto &l = *static_cast<Load *>(argument);
        l.number = load_program(l.path, l.start_main);
    };
    plugin_mutex().lock(); // plug-ins that dlopen() loads at the same time have its tables, too
    int before = program_count();
    bool is_loaded = run_attempt(run, &load, message, static_cast<unsigned>(message_bytes));
    if (!is_loaded && program_count() > before)
        remove_last_program(); // its libraries stay loaded; the next attempt finds them
    else if (is_loaded)
        list_debugged_objects();
    plugin_mutex().unlock();
    return is_loaded ? load.number : -1;
}

void *entry_point(const Image *image) {
    return image && image->program->entry
               ? translate(image, reinterpret_cast<void *>(image->program->entry))
               : nullptr;
}

const void *original_global(const Image *image, const char *name) {
    for (const Object &object : program_of(image).objects)
        if (const ElfW(Sym) *symbol = find_in_object(object, name, nullptr)) {
            Definition definition{&object, symbol};
            if (ELF64_ST_TYPE(symbol->st_info) == STT_TLS)
                return nullptr;
            return reinterpret_cast<void *>(definition.address());
        }
    return nullptr;
}

int late_library_count() {
    return plugin_slots();
}

void *global_of_late_library(const Image *image, int number, const char *name) {
    const Plugin *plugin = plugin_at(number);
    const PluginCopy *copy = plugin ? copy_of(image, *plugin) : nullptr;
    if (!copy || !copy->is_constructed)
        return nullptr;
    const ElfW(Sym) *symbol = find_in_object(plugin->object, name, nullptr);
    if (!symbol || ELF64_ST_TYPE(symbol->st_info) == STT_TLS)
        return nullptr;
    const uintptr_t original = Definition{&plugin->object, symbol}.address();
    return reinterpret_cast<void *>(address_in(image, plugin->object, original));
}

void *find_global(const Image *image, const char *name) {
    const void *original = original_global(image, name);
    return original ? translate(image, original) : nullptr;
}

} // namespace thrum
