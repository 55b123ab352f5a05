// The libraries of a program beside the process's own. ld.so itself lists them, as for ldd: it
// follows RUNPATH, $ORIGIN, ld.so.cache and so on. Then it loads those that the process does not
// have yet, by means of a stub (stub.h) that needs them all. The stub's constructor runs before all
// of theirs and disarms them, as constructors run in clones only.
#include "image/originals.h"
#include "image/program.h"
#include "image/sharing.h"
#include "image/stub.h"
#include "image/symbol.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

// A line of ld.so's list.
struct Library {
    std::string name; // as DT_NEEDED gives it
    std::string path; // empty: not found
};

// Returns the dynamic loader that the executable names.
const char *interpreter(const Object &executable) {
    for (const ElfW(Phdr) & p : executable.headers)
        if (p.p_type == PT_INTERP)
            return reinterpret_cast<const char *>(executable.bias + p.p_vaddr);
    refuse_program(executable.path, "has no dynamic loader", "Link it without -static");
}

// Runs the program's dynamic loader in the mode of ldd, and returns its output. Nothing of the
// program is executed.
std::string ask_loader(const Object &executable) {
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0)
        die(2, "cannot make a pipe to the dynamic loader: %s", std::strerror(errno));
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDOUT_FILENO);
    const char *arguments[] = {interpreter(executable), executable.path, nullptr};
    char trace[] = "LD_TRACE_LOADED_OBJECTS=1";
    std::vector<char *> environment(1, trace);
    for (char **e = environ; *e; ++e)
        environment.push_back(*e);
    environment.push_back(nullptr);
    pid_t child = 0;
    int error = ::posix_spawn(&child, arguments[0], &actions, nullptr,
                              const_cast<char **>(arguments), environment.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    if (error)
        refuse_program(executable.path, "has a dynamic loader that cannot be started (%s)",
                       "Relink it on this machine", std::strerror(error));
    std::string text;
    char block[4096];
    for (ssize_t n; (n = ::read(pipe_ends[0], block, sizeof block)) > 0;)
        text.append(block, static_cast<size_t>(n));
    ::close(pipe_ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
        refuse_program(executable.path, "needs libraries that ld.so does not find",
                       "ldd shows which");
    return text;
}

// Parses the list, whose lines are "\tNAME => PATH (0xADDRESS)", "\tPATH (0xADDRESS)" or "\tNAME =>
// not found".
std::vector<Library> parse_list(const std::string &text) {
    std::vector<Library> list;
    for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        line.erase(0, line.find_first_not_of('\t'));
        bool found = line.find(" => not found") == std::string::npos;
        if (size_t address = line.rfind(" (0x"); address != std::string::npos)
            line.resize(address);
        size_t arrow = line.find(" => ");
        std::string name = line.substr(0, arrow);
        std::string path = arrow == std::string::npos ? name : line.substr(arrow + 4);
        if (!name.empty())
            list.push_back({name, found ? path : ""});
    }
    return list;
}

bool is_same_file(const char *a, const char *b) {
    struct stat x, y;
    return ::stat(a, &x) == 0 && ::stat(b, &y) == 0 && x.st_ino == y.st_ino && x.st_dev == y.st_dev;
}

// Finds a library among the loaded objects. A shared library exists once, whatever its path, so its
// name decides; a private one is found by its file.
Object *find_loaded(Objects &loaded, const Library &library) {
    for (size_t i = 1; i < loaded.size(); ++i) {
        Object &object = loaded[i];
        bool same = object.is_private()
                        ? !library.path.empty() && is_same_file(object.path, library.path.c_str())
                        : is_named(object, library.name.c_str());
        if (same)
            return &object;
    }
    return nullptr;
}

// What was loaded before and after the stub. Static, since the stub's constructor has no argument.
constinit Objects before, loaded;

bool was_loaded(const Object &object) {
    for (const Object &old : before)
        if (old.low == object.low)
            return true;
    return false;
}

// The stub's constructor: ld.so has relocated the new libraries, and runs their constructors next.
void disarm_new_libraries() {
    loaded.shrink_to(0);
    scan_objects_into(loaded, shared_list());
    for (const Object &object : loaded) {
        if (!object.is_private() || was_loaded(object))
            continue;
        disarm_constructors(object);
    }
}

// Makes the stub reach the thread-local variables that the executable reaches at fixed offsets.
// ld.so then places their libraries in static TLS.
void use_thread_locals(Stub &stub, const Object &executable) {
    for_each_relocation(executable, [&](const ElfW(Rela) & r) {
        size_t index = ELF64_R_SYM(r.r_info);
        if (ELF64_R_TYPE(r.r_info) == R_X86_64_TPOFF64 && index != 0 &&
            executable.symbols[index].st_shndx == SHN_UNDEF &&
            ELF64_ST_BIND(executable.symbols[index].st_info) == STB_GLOBAL)
            stub.use_thread_local(symbol_name(executable, index));
    });
}

// Loads the new libraries by the stub, which stays loaded and keeps them loaded.
void load_stub(const Object &executable, Stub &stub) {
    // Stays loaded, together with the libraries that it needs.
    if (!stub.load(disarm_new_libraries))
        refuse_program(executable.path, "has libraries that cannot be loaded beside it (%s)",
                       "Name it first on the command line, so that the process executes it",
                       ::dlerror());
}

// Takes what an earlier program knows of the library, since its dynamic section may be disarmed:
// constructors and destructors would be missing. Libraries of the process's own program keep their
// number; others get one in this program's layout.
void adopt(const Program &program, Object &object) {
    if (object.is_private() && !object.is_executable)
        object.path = ::strdup(object.path);
    object.private_index = -1;
    const Program *earlier;
    if (const Object *same = find_in_earlier_program(program, object, &earlier)) {
        object = *same;
        if (earlier != &program_at(0))
            object.private_index = -1;
    }
    object.tls_has_fixups = false;
}

} // namespace

void load_libraries(Program &program) {
    const Object executable = program.objects[0];
    std::vector<Library> libraries = parse_list(ask_loader(executable));
    before.shrink_to(0);
    scan_objects_into(before, shared_list());
    Stub stub;
    bool is_complete = true;
    for (const Library &library : libraries) {
        if (find_loaded(before, library))
            continue;
        if (library.path.empty())
            refuse_program(executable.path, "needs %s, which is not found", "Set LD_LIBRARY_PATH",
                           library.name.c_str());
        if (library.path[0] != '/')
            continue; // the kernel's
        stub.need(library.path);
        is_complete = false;
    }
    use_thread_locals(stub, executable);
    if (is_complete)
        disarm_new_libraries(); // none: fills the list
    else
        load_stub(executable, stub);
    // A front comes before libmpi, and libmpi before all others, as mpiexec preloads them.
    for (const Library &library : libraries)
        if (Object *object = find_loaded(loaded, library); object && object->is_front)
            program.objects.push_back(*object);
    for (const Object &object : loaded)
        if (object.is_libmpi)
            program.objects.push_back(object);
    for (const Library &library : libraries) {
        Object *object = find_loaded(loaded, library);
        if (object && !object->is_libmpi && !object->is_front)
            program.objects.push_back(*object);
    }
    for (Object &object : program.objects)
        adopt(program, object);
}

} // namespace thrum
