// Reads an ELF file without loading it. The file may be anything, so every offset and size from it
// is checked by the read itself, or against a limit.
//
// check_executable() asks in this order: what kind of file it is, how it is linked, with which
// rights it runs, and whether it contains a sanitizer. The first reason found is reported.
#include "image/elf_check.h"

#include "image/sharing.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <span>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

// The result of a check.
struct Verdict {
    const char *reason = nullptr; // nullptr: nothing wrong
    const char *remedy = nullptr;
};

// A file that is open for reading as long as the object lives. All reads give their offset.
class File {
public:
    explicit File(const char *path) : descriptor_(::open(path, O_RDONLY | O_CLOEXEC)) {}

    ~File() {
        if (is_open())
            ::close(descriptor_);
    }

    File(const File &) = delete;
    File &operator=(const File &) = delete;

    bool is_open() const { return descriptor_ >= 0; }

    int descriptor() const { return descriptor_; }

    // Returns whether all of `size_bytes` were read.
    bool read_at(uint64_t offset, void *to, size_t size_bytes) const {
        return ::pread(descriptor_, to, size_bytes, static_cast<off_t>(offset)) ==
               static_cast<ssize_t>(size_bytes);
    }

private:
    int descriptor_;
};

constexpr Verdict damaged{"is damaged: its program headers or dynamic section cannot be read",
                          "Build it again"};

const char *name_of_machine(const Elf64_Ehdr &header) {
    switch (header.e_machine) { // at the same place in files of 32 bits
    case EM_X86_64:
        return "is a program for x86 with addresses of 32 bits (x32), not for 64-bit x86";
    case EM_386:
        return "is a program for 32-bit x86, not for 64-bit x86";
    case EM_AARCH64:
        return "is a program for 64-bit ARM, not for 64-bit x86";
    case EM_RISCV:
        return "is a program for RISC-V, not for 64-bit x86";
    case EM_PPC64:
        return "is a program for POWER, not for 64-bit x86";
    default:
        return "is a program for another machine, not for 64-bit x86";
    }
}

// The kernel gives such a program the rights of another user or more. ld.so then ignores
// LD_PRELOAD.
Verdict check_rights(const File &file) {
    struct stat status;
    if (::fstat(file.descriptor(), &status) != 0)
        return {};
    if (status.st_mode & S_ISUID)
        return {"is setuid, and ld.so does not preload libmpi for such a program",
                "Run a copy of it, or remove the bit: chmod u-s"};
    if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP))
        return {"is setgid, and ld.so does not preload libmpi for such a program",
                "Run a copy of it, or remove the bit: chmod g-s"};
    if (::fgetxattr(file.descriptor(), "security.capability", nullptr, 0) > 0)
        return {"has file capabilities, and ld.so does not preload libmpi for such a program",
                "Run a copy of it, or remove them: setcap -r"};
    return {};
}

// Checks what the first bytes say: the kind of file, the machine, the word size.
Verdict check_identity(const Elf64_Ehdr &header) {
    if (std::memcmp(header.e_ident, "#!", 2) == 0)
        return {"is a script, not an ELF program", "Let the script end with: exec ./a.out"};
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return {"is not an ELF program",
                "Give mpiexec the program, not its source or object files"};
    if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
        return {name_of_machine(header), "Compile it on this machine, without -m32 and -mx32"};
    if (header.e_type == ET_REL)
        return {"is an object file", "Link it"};
    if (header.e_type != ET_DYN && header.e_type != ET_EXEC)
        return {"is not an executable program", "Link it"};
    return {};
}

// libmpi is built for glibc: a program of another C library cannot load it.
Verdict check_interpreter(const File &file, const Elf64_Phdr &header) {
    char path[256] = "";
    if (header.p_filesz == 0 || header.p_filesz >= sizeof path ||
        !file.read_at(header.p_offset, path, header.p_filesz))
        return damaged;
    const char *slash = std::strrchr(path, '/');
    if (std::strcmp(slash ? slash + 1 : path, "ld-linux-x86-64.so.2") != 0)
        return {"is linked with a C library other than glibc (readelf -l shows its interpreter)",
                "Link it with glibc"};
    return {};
}

Verdict check_dynamic_section(const File &file, const Elf64_Phdr &section) {
    for (uint64_t at = 0; at + sizeof(Elf64_Dyn) <= section.p_filesz; at += sizeof(Elf64_Dyn)) {
        Elf64_Dyn entry;
        if (!file.read_at(section.p_offset + at, &entry, sizeof entry))
            return damaged;
        if (entry.d_tag == DT_NULL)
            break;
        if (entry.d_tag == DT_TEXTREL ||
            (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL)))
            return {"has text relocations (DT_TEXTREL)", "Compile all its objects with -fPIE"};
    }
    return {};
}

// Checks how the program is linked. An executable without an interpreter is static; a shared
// library has none either, so the two share a message.
Verdict check_linkage(const Elf64_Ehdr &header, bool has_interpreter) {
    if (!has_interpreter && header.e_type == ET_EXEC)
        return {"is statically linked, but libmpi must be loaded with it",
                "Relink it without -static, with -pie"};
    if (!has_interpreter)
        return {"is statically linked (static-pie) or a shared library, but libmpi must be loaded "
                "with a program",
                "Relink it without -static-pie"};
    if (header.e_type == ET_EXEC)
        return {
            "is not position-independent (ET_EXEC), so ranks cannot have copies of its variables",
            "Compile with -fPIE and link with -pie (the compiler's default), without -no-pie"};
    return {};
}

// Reads all segments before it decides: the interpreter says more about a file than what follows
// from it.
Verdict check_segments(const File &file, const Elf64_Ehdr &header) {
    bool has_interpreter = false;
    Verdict dynamic, segment, interpreter;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr p;
        if (header.e_phentsize != sizeof p ||
            !file.read_at(header.e_phoff + i * sizeof p, &p, sizeof p))
            return damaged;
        if (p.p_type == PT_INTERP) {
            has_interpreter = true;
            interpreter = check_interpreter(file, p);
        } else if (p.p_type == PT_DYNAMIC) {
            dynamic = check_dynamic_section(file, p);
        } else if (p.p_type == PT_LOAD && (p.p_flags & PF_W) && (p.p_flags & PF_X)) {
            segment = {"has a segment that is both writable and executable",
                       "Relink it without -N (--omagic)"};
        }
    }
    if (interpreter.reason)
        return interpreter;
    if (Verdict linkage = check_linkage(header, has_interpreter); linkage.reason)
        return linkage;
    return dynamic.reason ? dynamic : segment;
}

constexpr uint64_t table_bytes_max = 64 << 20; // a damaged file must not exhaust memory

// Returns the headers of the file's sections; none if it has none, or they cannot be read.
std::vector<Elf64_Shdr> read_sections(const File &file, const Elf64_Ehdr &header) {
    std::vector<Elf64_Shdr> sections(header.e_shnum);
    if (header.e_shentsize != sizeof sections[0] ||
        !file.read_at(header.e_shoff, sections.data(), sections.size() * sizeof sections[0]))
        return {};
    return sections;
}

// Reads a table of strings. A 0 follows the last one.
std::vector<char> read_strings(const File &file, const Elf64_Shdr &section) {
    std::vector<char> strings(section.sh_size > table_bytes_max ? 1 : section.sh_size + 1);
    if (!file.read_at(section.sh_offset, strings.data(), strings.size() - 1))
        return {0};
    return strings;
}

// Calls visit(name, symbol) for the symbols that the file defines itself, in its symbol tables of
// the kind SHT_DYNSYM or SHT_SYMTAB. A file without section headers has none.
template <class Visit>
void for_each_defined_symbol(const File &file, const Elf64_Ehdr &header, Elf64_Word kind,
                             Visit visit) {
    const std::vector<Elf64_Shdr> sections = read_sections(file, header);
    for (const Elf64_Shdr &s : sections) {
        if (s.sh_type != kind || s.sh_link >= sections.size() || s.sh_size > table_bytes_max)
            continue;
        std::vector<Elf64_Sym> symbols(s.sh_size / sizeof(Elf64_Sym));
        const std::vector<char> strings = read_strings(file, sections[s.sh_link]);
        if (file.read_at(s.sh_offset, symbols.data(), symbols.size() * sizeof symbols[0]))
            for (const Elf64_Sym &symbol : symbols)
                if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < strings.size())
                    visit(&strings[symbol.st_name], symbol);
    }
}

// The library checks for it, too; but a program with ThreadSanitizer inside ends before that.
Verdict check_for_sanitizer(const File &file, const Elf64_Ehdr &header) {
    Verdict verdict;
    for_each_defined_symbol(file, header, SHT_DYNSYM, [&](const char *name, const Elf64_Sym &) {
        for (const char *start : {"__asan_init", "__hwasan_init", "__msan_init", "__tsan_init"})
            if (std::strcmp(name, start) == 0)
                verdict = {"contains a sanitizer's run time, of which a process must have only one",
                           "Link it without -static-libasan and the like; with clang, add "
                           "-shared-libsan"};
    });
    return verdict;
}

// Reads the program headers of a 64-bit ELF file into `headers` (of headers_max). Returns their
// number; 0 if the file is another or has more.
constexpr unsigned headers_max = 64;

unsigned read_headers(const File &file, Elf64_Phdr *headers) {
    Elf64_Ehdr header{};
    if (!file.read_at(0, &header, sizeof header) ||
        std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof *headers ||
        header.e_phnum > headers_max ||
        !file.read_at(header.e_phoff, headers, header.e_phnum * sizeof *headers))
        return 0;
    return header.e_phnum;
}

// Reads the string at `offset` of the table that is at `address` when the file is loaded. Returns
// false if it does not fit into `text`, or the table is not in the file.
bool read_string(const File &file, std::span<const Elf64_Phdr> headers, uint64_t address,
                 uint64_t offset, char *text, size_t size_bytes) {
    for (const Elf64_Phdr &p : headers) {
        if (p.p_type != PT_LOAD || address < p.p_vaddr || address - p.p_vaddr >= p.p_filesz)
            continue;
        uint64_t at = address - p.p_vaddr + offset;
        if (at >= p.p_filesz)
            return false;
        size_t length = std::min<uint64_t>(size_bytes, p.p_filesz - at);
        return file.read_at(p.p_offset + at, text, length) && std::memchr(text, 0, length);
    }
    return false;
}

} // namespace

bool find_needed_library(const char *path, bool (*test)(const char *name), char *name,
                         size_t size_bytes) {
    File file(path);
    Elf64_Phdr table[headers_max];
    std::span<const Elf64_Phdr> headers(table, file.is_open() ? read_headers(file, table) : 0);
    for (const Elf64_Phdr &section : headers) {
        if (section.p_type != PT_DYNAMIC)
            continue;
        std::vector<Elf64_Dyn> entries(section.p_filesz / sizeof(Elf64_Dyn));
        if (!file.read_at(section.p_offset, entries.data(), entries.size() * sizeof(Elf64_Dyn)))
            return false;
        // DT_STRTAB may come behind the entries that refer to it.
        uint64_t strings = 0;
        for (const Elf64_Dyn &entry : entries)
            if (entry.d_tag == DT_STRTAB)
                strings = entry.d_un.d_ptr;
        for (const Elf64_Dyn &entry : entries)
            if (entry.d_tag == DT_NEEDED &&
                read_string(file, headers, strings, entry.d_un.d_val, name, size_bytes) &&
                test(name))
                return true;
    }
    return false;
}

bool find_sanitizer_runtime(const char *path, char *name, size_t size_bytes) {
    return find_needed_library(path, is_sanitizer_runtime, name, size_bytes);
}

bool find_interpreter(const char *path, char *name, size_t size_bytes) {
    File file(path);
    Elf64_Phdr table[headers_max];
    std::span<const Elf64_Phdr> headers(table, file.is_open() ? read_headers(file, table) : 0);
    for (const Elf64_Phdr &p : headers)
        if (p.p_type == PT_INTERP && p.p_filesz > 0 && p.p_filesz <= size_bytes)
            return file.read_at(p.p_offset, name, p.p_filesz) && name[p.p_filesz - 1] == 0;
    return false;
}

bool holds_mpi(const char *path) {
    File file(path);
    Elf64_Ehdr header{};
    Elf64_Phdr table[headers_max];
    if (!file.is_open() || !read_headers(file, table) || !file.read_at(0, &header, sizeof header))
        return false;
    bool found = false;
    for (Elf64_Word kind : {SHT_DYNSYM, SHT_SYMTAB})
        for_each_defined_symbol(file, header, kind, [&](const char *name, const Elf64_Sym &) {
            found |= std::strcmp(name, "PMPI_Init") == 0;
        });
    return found;
}

bool find_profile_file(const char *path, char *name, size_t size_bytes) {
    name[0] = 0;
    File file(path);
    Elf64_Ehdr header{};
    Elf64_Phdr table[headers_max];
    if (!file.is_open() || !read_headers(file, table) || !file.read_at(0, &header, sizeof header))
        return false;
    const std::vector<Elf64_Shdr> sections = read_sections(file, header);
    if (header.e_shstrndx >= sections.size())
        return false;
    const std::vector<char> names = read_strings(file, sections[header.e_shstrndx]);
    if (std::none_of(sections.begin(), sections.end(), [&](const Elf64_Shdr &s) {
            return s.sh_name < names.size() &&
                   std::strcmp(&names[s.sh_name], "__llvm_prf_cnts") == 0;
        }))
        return false;
    for_each_defined_symbol(
        file, header, SHT_SYMTAB, [&](const char *own, const Elf64_Sym &symbol) {
            if (std::strcmp(own, "__llvm_profile_filename") != 0 ||
                symbol.st_shndx >= sections.size())
                return;
            const Elf64_Shdr &s = sections[symbol.st_shndx];
            if (symbol.st_size > size_bytes ||
                !file.read_at(s.sh_offset + (symbol.st_value - s.sh_addr), name, symbol.st_size) ||
                !std::memchr(name, 0, symbol.st_size))
                name[0] = 0;
        });
    return true;
}

size_t find_thread_local_offset(const char *path) {
    File file(path);
    Elf64_Phdr table[headers_max];
    std::span<const Elf64_Phdr> headers(table, file.is_open() ? read_headers(file, table) : 0);
    for (const Elf64_Phdr &p : headers)
        if (p.p_type == PT_TLS)
            return thread_local_offset(p.p_vaddr, p.p_memsz, p.p_align);
    return 0;
}

bool can_be_a_process(const char *path) {
    File file(path);
    Elf64_Ehdr header{};
    Elf64_Phdr table[headers_max];
    if (!file.is_open() || !file.read_at(0, &header, sizeof header) ||
        check_identity(header).reason || header.e_entry == 0 || // 0: a shared library
        check_for_sanitizer(file, header).reason)
        return false;
    std::span<const Elf64_Phdr> headers(table, read_headers(file, table));
    return !headers.empty() &&
           std::all_of(headers.begin(), headers.end(), [&](const Elf64_Phdr &p) {
               return p.p_type != PT_INTERP || !check_interpreter(file, p).reason;
           });
}

bool check_executable(const char *path, char *message, size_t size_bytes) {
    File file(path);
    if (!file.is_open()) {
        std::snprintf(message, size_bytes, "cannot read %s: %s.", path, std::strerror(errno));
        return false;
    }
    Elf64_Ehdr header{};
    bool is_whole = file.read_at(0, &header, sizeof header);
    if (!is_whole) // as far as it goes: a short script
        (void)file.read_at(0, &header, 2);
    Verdict verdict = check_identity(header);
    if (!verdict.reason)
        verdict = is_whole ? check_segments(file, header) : damaged;
    if (!verdict.reason)
        verdict = check_rights(file);
    if (!verdict.reason)
        verdict = check_for_sanitizer(file, header);
    if (!verdict.reason)
        return true;
    std::snprintf(message, size_bytes, "%s %s. %s.", path, verdict.reason, verdict.remedy);
    return false;
}

} // namespace thrum
