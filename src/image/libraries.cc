// The libraries of a program beside the process's own. ld.so itself says which they are (as for
// ldd: it follows RUNPATH, $ORIGIN, ld.so.cache ...) and loads those that the process does not have
// yet, for a stub: a shared library, made here in memory, that needs them all and is marked
// -z initfirst, so that its constructor runs before all of theirs and takes these away.
#include "image/originals.h"
#include "image/program.h"
#include "image/sharing.h"
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

struct Library {
    std::string name; // as DT_NEEDED gives it
    std::string path; // empty: not found
};

const char *interpreter(const Object &executable) {
    for (const ElfW(Phdr) & p : executable.headers)
        if (p.p_type == PT_INTERP)
            return reinterpret_cast<const char *>(executable.bias + p.p_vaddr);
    refuse_program(executable.path, "has no dynamic loader", "Link it without -static");
}

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
        refuse_program(executable.path, "has a dynamic loader that does not start (%s)",
                       "Relink it here", std::strerror(error));
    std::string text;
    char block[4096];
    for (ssize_t n; (n = ::read(pipe_ends[0], block, sizeof block)) > 0;)
        text.append(block, static_cast<size_t>(n));
    ::close(pipe_ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0)
        refuse_program(executable.path, "has libraries that ld.so does not find",
                       "ldd shows which");
    return text;
}

// "\tNAME => PATH (0xADDRESS)", "\tPATH (0xADDRESS)" or "\tNAME => not found"
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

// A library that is shared by all ranks is there once, whatever its path; others by their file.
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

constinit Objects before, loaded;

bool was_loaded(const Object &object) {
    for (const Object &old : before)
        if (old.low == object.low)
            return true;
    return false;
}

void nothing() {}

// The stub's constructor.
void disarm_new_libraries() {
    loaded.shrink_to(0);
    scan_objects_into(loaded, shared_list());
    for (const Object &object : loaded) {
        if (!object.is_private() || was_loaded(object))
            continue;
        SlotWriter writer(object);
        for (ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d) {
            auto slot = reinterpret_cast<uintptr_t>(&d->d_un);
            if (d->d_tag == DT_INIT_ARRAYSZ || d->d_tag == DT_FINI_ARRAYSZ)
                writer.write(slot, 0);
            if (d->d_tag == DT_INIT || d->d_tag == DT_FINI)
                writer.write(slot, reinterpret_cast<uintptr_t>(nothing) - object.bias);
        }
    }
}

// The stub's file. Everything lies in one segment at address 0; its constructor is the absolute
// address of a function here.
class Stub {
public:
    void need(const std::string &path) { add(DT_NEEDED, add_string(path)); }

    void use_thread_local(const std::string &name) {
        ElfW(Sym) symbol{};
        symbol.st_name = static_cast<ElfW(Word)>(add_string(name));
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS);
        symbols_.push_back(symbol);
    }

    std::string file();

private:
    static constexpr size_t header_count_ = 3;
    static constexpr size_t more_entries_ = 11; // of the dynamic section, by add_tables()

    size_t add_string(const std::string &string) {
        size_t at = strings_.size();
        strings_ += string;
        strings_ += '\0';
        return at;
    }

    void add(ElfW(Sxword) tag, uint64_t value) {
        ElfW(Dyn) entry{};
        entry.d_tag = tag;
        entry.d_un.d_val = value;
        dynamic_.push_back(entry);
    }

    void lay_out();
    void add_tables();
    void put_headers(std::string &file) const;

    std::string strings_ = std::string(1, '\0');
    std::vector<ElfW(Dyn)> dynamic_;
    std::vector<ElfW(Sym)> symbols_ = std::vector<ElfW(Sym)>(1);
    std::vector<ElfW(Rela)> relocations_; // fill the slots
    size_t dynamic_at_ = 0, init_at_ = 0, symbols_at_ = 0, rela_at_ = 0, slots_at_ = 0;
    size_t strings_at_ = 0, size_bytes_ = 0;
};

void Stub::lay_out() {
    size_t slots = symbols_.size() - 1;
    dynamic_at_ = sizeof(ElfW(Ehdr)) + header_count_ * sizeof(ElfW(Phdr));
    init_at_ = dynamic_at_ + (dynamic_.size() + more_entries_) * sizeof(ElfW(Dyn));
    symbols_at_ = init_at_ + sizeof(void *);
    rela_at_ = symbols_at_ + symbols_.size() * sizeof(ElfW(Sym));
    slots_at_ = rela_at_ + slots * sizeof(ElfW(Rela));
    strings_at_ = slots_at_ + slots * sizeof(void *);
    size_bytes_ = strings_at_ + strings_.size();
    for (size_t i = 0; i < slots; ++i)
        relocations_.push_back(
            {slots_at_ + i * sizeof(void *), ELF64_R_INFO(i + 1, R_X86_64_TPOFF64), 0});
}

void Stub::add_tables() {
    add(DT_STRTAB, strings_at_);
    add(DT_STRSZ, strings_.size());
    add(DT_SYMTAB, symbols_at_);
    add(DT_SYMENT, sizeof(ElfW(Sym)));
    add(DT_INIT_ARRAY, init_at_);
    add(DT_INIT_ARRAYSZ, sizeof(void *));
    add(DT_FLAGS_1, DF_1_INITFIRST);
    if (!relocations_.empty()) {
        add(DT_RELA, rela_at_);
        add(DT_RELASZ, relocations_.size() * sizeof(ElfW(Rela)));
        add(DT_RELAENT, sizeof(ElfW(Rela)));
    }
    add(DT_NULL, 0);
}

void Stub::put_headers(std::string &file) const {
    ElfW(Ehdr) header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_DYN;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_phoff = header.e_ehsize = sizeof header;
    header.e_phentsize = sizeof(ElfW(Phdr));
    header.e_phnum = header_count_;
    size_t dynamic_bytes = dynamic_.size() * sizeof(ElfW(Dyn));
    ElfW(Phdr) headers[header_count_] = {
        {PT_LOAD, PF_R | PF_W, 0, 0, 0, size_bytes_, size_bytes_, page_bytes},
        {PT_DYNAMIC, PF_R | PF_W, dynamic_at_, dynamic_at_, dynamic_at_, dynamic_bytes,
         dynamic_bytes, alignof(ElfW(Dyn))},
        {PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0, 16}};
    std::memcpy(file.data(), &header, sizeof header);
    std::memcpy(file.data() + sizeof header, headers, sizeof headers);
}

std::string Stub::file() {
    lay_out();
    add_tables();
    std::string file(size_bytes_, '\0');
    put_headers(file);
    auto put = [&](size_t at, const auto &items) {
        if (!items.empty())
            std::memcpy(file.data() + at, items.data(), items.size() * sizeof items[0]);
    };
    void (*constructor)() = disarm_new_libraries;
    std::memcpy(file.data() + init_at_, &constructor, sizeof constructor);
    put(dynamic_at_, dynamic_);
    put(symbols_at_, symbols_);
    put(rela_at_, relocations_);
    put(strings_at_, strings_);
    return file;
}

// Thread-local variables of libraries that the executable reaches at fixed offsets: the stub does
// the same, so that ld.so gives them these.
void use_thread_locals(Stub &stub, const Object &executable) {
    for_each_relocation(executable, [&](const ElfW(Rela) & r) {
        size_t index = ELF64_R_SYM(r.r_info);
        if (ELF64_R_TYPE(r.r_info) == R_X86_64_TPOFF64 && index != 0 &&
            executable.symbols[index].st_shndx == SHN_UNDEF &&
            ELF64_ST_BIND(executable.symbols[index].st_info) == STB_GLOBAL)
            stub.use_thread_local(symbol_name(executable, index));
    });
}

void load_stub(const Object &executable, const std::string &stub) {
    int fd = ::memfd_create("thrum-stub", MFD_CLOEXEC);
    char path[64];
    std::snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || ::write(fd, stub.data(), stub.size()) != static_cast<ssize_t>(stub.size()))
        die(2, "cannot make a memory file to load libraries: %s", std::strerror(errno));
    // Stays loaded, and with it what it needs; its descriptor stays open, so that the next stub
    // gets another name.
    if (!::dlopen(path, RTLD_NOW | RTLD_LOCAL))
        refuse_program(executable.path, "has libraries that cannot be loaded beside it (%s)",
                       "Name it first on the command line, so that the process executes it",
                       ::dlerror());
}

// What find_in_earlier_program() knows is taken from there: the dynamic section may be disarmed.
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
        load_stub(executable, stub.file());
    for (const Object &object : loaded)
        if (object.is_libmpi)
            program.objects.push_back(object);
    for (const Library &library : libraries) {
        Object *object = find_loaded(loaded, library);
        if (object && !object->is_libmpi)
            program.objects.push_back(*object);
    }
    for (Object &object : program.objects)
        adopt(program, object);
}

} // namespace thrum
