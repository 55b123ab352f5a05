#include "image/elf_check.h"

#include <cstring>
#include <elf.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace thrum {
namespace {

// A file of its own that vanishes with it.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string &contents) {
        int fd = ::mkstemp(path_);
        EXPECT_EQ(::write(fd, contents.data(), contents.size()),
                  static_cast<ssize_t>(contents.size()));
        ::close(fd);
    }

    ~TemporaryFile() { ::unlink(path_); }

    const char *path() const { return path_; }

private:
    char path_[32] = "/tmp/thrum-elf-check-XXXXXX";
};

template <class T>
void append(std::string &bytes, const T &record) {
    bytes.append(reinterpret_cast<const char *>(&record), sizeof record);
}

// As much of a program as is looked at: headers, interpreter, dynamic section.
struct Program {
    Elf64_Half type = ET_DYN;
    Elf64_Half machine = EM_X86_64;
    const char *interpreter = "/lib64/ld-linux-x86-64.so.2"; // nullptr: none
    Elf64_Word data_flags = PF_R | PF_W;
    std::vector<Elf64_Dyn> dynamic{{DT_NULL, {0}}};

    std::string bytes() const {
        std::string text = interpreter ? std::string(interpreter) + '\0' : "";
        Elf64_Ehdr header{};
        std::memcpy(header.e_ident, ELFMAG, SELFMAG);
        header.e_ident[EI_CLASS] = ELFCLASS64;
        header.e_type = type;
        header.e_machine = machine;
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = interpreter ? 3 : 2;
        size_t body = sizeof header + header.e_phnum * sizeof(Elf64_Phdr);
        std::string result;
        append(result, header);
        append(result, Elf64_Phdr{PT_LOAD, data_flags, 0, 0, 0, 0, 0, 4096});
        append(result, Elf64_Phdr{PT_DYNAMIC, PF_R, body + text.size(), 0, 0,
                                  dynamic.size() * sizeof(Elf64_Dyn), 0, 8});
        if (interpreter)
            append(result, Elf64_Phdr{PT_INTERP, PF_R, body, 0, 0, text.size(), 0, 1});
        result += text;
        for (const Elf64_Dyn &entry : dynamic)
            append(result, entry);
        return result;
    }
};

// The message, or "" if the file is accepted.
std::string verdict(const std::string &contents) {
    TemporaryFile file(contents);
    char message[512] = "";
    return check_executable(file.path(), message, sizeof message) ? "" : message;
}

void expect_refusal(const std::string &contents, const char *reason, const char *remedy) {
    std::string message = verdict(contents);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
    EXPECT_NE(message.find(remedy), std::string::npos) << message;
}

TEST(ElfCheck, AcceptsAnOrdinaryProgram) {
    EXPECT_EQ(verdict(Program{}.bytes()), "");
    char message[512];
    EXPECT_TRUE(check_executable("/proc/self/exe", message, sizeof message)) << message;
}

TEST(ElfCheck, RefusesWhatIsNotAProgram) {
    expect_refusal("#!/bin/sh\n", "is a script", "exec ./a.out");
    expect_refusal("#!", "is a script", "exec ./a.out");
    expect_refusal("", "is not an ELF program", "Give mpiexec the program");
    expect_refusal("int main", "is not an ELF program", "Give mpiexec the program");
    Program object;
    object.type = ET_REL;
    expect_refusal(object.bytes(), "is an object file", "Link it");
}

TEST(ElfCheck, RefusesProgramsThatLibmpiCannotEnter) {
    Program linked_statically;
    linked_statically.interpreter = nullptr;
    expect_refusal(linked_statically.bytes(), "static-pie", "without -static-pie");
    linked_statically.type = ET_EXEC;
    expect_refusal(linked_statically.bytes(), "statically linked", "without -static, with -pie");
    Program musl;
    musl.interpreter = "/lib/ld-musl-x86_64.so.1";
    expect_refusal(musl.bytes(), "other than glibc", "Link it with glibc");
    Program foreign;
    foreign.machine = EM_AARCH64;
    expect_refusal(foreign.bytes(), "64-bit x86", "Compile it on this machine");
}

TEST(ElfCheck, RefusesProgramsThatCannotBeMoved) {
    Program fixed;
    fixed.type = ET_EXEC;
    expect_refusal(fixed.bytes(), "not position-independent", "-fPIE and link with -pie");
    Program text_relocations;
    text_relocations.dynamic = {{DT_TEXTREL, {0}}, {DT_NULL, {0}}};
    expect_refusal(text_relocations.bytes(), "text relocations", "-fPIE");
    text_relocations.dynamic = {{DT_FLAGS, {DF_TEXTREL}}, {DT_NULL, {0}}};
    expect_refusal(text_relocations.bytes(), "text relocations", "-fPIE");
    Program writable_text;
    writable_text.data_flags = PF_R | PF_W | PF_X;
    expect_refusal(writable_text.bytes(), "writable and executable", "without -N");
}

TEST(ElfCheck, ADamagedFileIsRefusedAtEveryLength) {
    std::string whole = Program{}.bytes();
    for (size_t length = 0; length < whole.size(); ++length)
        EXPECT_NE(verdict(whole.substr(0, length)), "") << "length " << length;
}

TEST(ElfCheck, AFileThatCannotBeReadIsNamed) {
    char message[512];
    EXPECT_FALSE(check_executable("/nonexistent/program", message, sizeof message));
    EXPECT_NE(std::strstr(message, "/nonexistent/program"), nullptr);
}

// A program whose dynamic section needs `libraries`, with its strings behind it.
std::string program_that_needs(const std::vector<std::string> &libraries) {
    std::string strings(1, '\0');
    std::vector<Elf64_Dyn> entries;
    for (const std::string &library : libraries) {
        entries.push_back({DT_NEEDED, {strings.size()}});
        strings += library + '\0';
    }
    size_t body = sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Phdr);
    size_t dynamic_bytes = (entries.size() + 2) * sizeof(Elf64_Dyn);
    entries.push_back({DT_STRTAB, {body + dynamic_bytes}});
    entries.push_back({DT_NULL, {0}});
    size_t file_bytes = body + dynamic_bytes + strings.size();
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    std::string result;
    append(result, header);
    append(result, Elf64_Phdr{PT_LOAD, PF_R, 0, 0, 0, file_bytes, file_bytes, 4096});
    append(result, Elf64_Phdr{PT_DYNAMIC, PF_R, body, body, 0, dynamic_bytes, dynamic_bytes, 8});
    for (const Elf64_Dyn &entry : entries)
        append(result, entry);
    return result + strings;
}

TEST(SanitizerRuntime, IsFoundAmongTheNeededLibraries) {
    char name[64] = "";
    for (const char *runtime : {"libasan.so.8", "libtsan.so.2", "libclang_rt.asan-x86_64.so"}) {
        TemporaryFile file(program_that_needs({"libm.so.6", runtime, "libc.so.6"}));
        EXPECT_TRUE(find_sanitizer_runtime(file.path(), name, sizeof name)) << runtime;
        EXPECT_STREQ(name, runtime);
    }
    TemporaryFile plain(program_that_needs({"libm.so.6", "libc.so.6", "mylibasan.so"}));
    EXPECT_FALSE(find_sanitizer_runtime(plain.path(), name, sizeof name));
}

TEST(SanitizerRuntime, ADamagedFileNeedsNone) {
    std::string whole = program_that_needs({"libasan.so.8"});
    char name[64];
    for (size_t length = 0; length < whole.size(); ++length) {
        TemporaryFile file(whole.substr(0, length));
        EXPECT_FALSE(find_sanitizer_runtime(file.path(), name, sizeof name)) << length;
    }
    EXPECT_FALSE(find_sanitizer_runtime("/nonexistent/program", name, sizeof name));
}

TEST(ElfCheck, LoaderAndNeededLibrariesOfAProgramAreFound) {
    char name[256] = "";
    EXPECT_TRUE(find_interpreter("/proc/self/exe", name, sizeof name));
    EXPECT_NE(std::strstr(name, "ld-linux-x86-64.so.2"), nullptr) << name;
    auto is_c_library = [](const char *needed) {
        return std::strncmp(needed, "libc.so", 7) == 0;
    };
    EXPECT_TRUE(find_needed_library("/proc/self/exe", is_c_library, name, sizeof name));
    EXPECT_STREQ(name, "libc.so.6");
    EXPECT_FALSE(find_needed_library(
        "/proc/self/exe", [](const char *) { return false; }, name, sizeof name));
    Program without;
    without.interpreter = nullptr;
    TemporaryFile file(without.bytes());
    EXPECT_FALSE(find_interpreter(file.path(), name, sizeof name));
    EXPECT_FALSE(find_interpreter("/nonexistent", name, sizeof name));
    EXPECT_FALSE(holds_mpi(file.path()));
}

} // namespace
} // namespace thrum
