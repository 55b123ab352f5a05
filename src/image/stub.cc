// Writes the stub's ELF file and has ld.so load it (stub.h).
#include "image/stub.h"

#include "image/originals.h"
#include "image/refuse.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

void nothing() {}

// Returns a path of the memory file. ld.so recognises a library by its path, even if the file
// behind it is another one, so no two stubs may have the same: "/" and "./" spell the bits of a
// number. /proc/self would not do: a debugger opens the file, too, and would wait for ever at a
// pipe of its own.
std::string path_of(int fd) {
    static std::atomic<unsigned> next{0};
    std::string path = "/proc/" + std::to_string(::getpid()) + "/fd/";
    for (unsigned n = next.fetch_add(1, std::memory_order_relaxed); n != 0; n /= 2)
        path += n & 1 ? "./" : "/";
    return path + std::to_string(fd);
}

} // namespace

void Stub::use_thread_local(const std::string &name) {
    ElfW(Sym) symbol{};
    symbol.st_name = static_cast<ElfW(Word)>(add_string(name));
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_TLS);
    used_.push_back(symbols_.size());
    symbols_.push_back(symbol);
}

void Stub::define(const std::string &name, const void *address) {
    ElfW(Sym) symbol{};
    symbol.st_name = static_cast<ElfW(Word)>(add_string(name));
    symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    symbol.st_shndx = SHN_ABS;
    symbol.st_value = reinterpret_cast<uintptr_t>(address);
    symbols_.push_back(symbol);
}

// Computes the offsets of all parts. Everything lies in one segment at address 0.
void Stub::lay_out() {
    size_t slots = used_.size();
    dynamic_at_ = sizeof(ElfW(Ehdr)) + header_count_ * sizeof(ElfW(Phdr));
    init_at_ = dynamic_at_ + (dynamic_.size() + more_entries_) * sizeof(ElfW(Dyn));
    symbols_at_ = init_at_ + sizeof(void *);
    rela_at_ = symbols_at_ + symbols_.size() * sizeof(ElfW(Sym));
    slots_at_ = rela_at_ + slots * sizeof(ElfW(Rela));
    hash_at_ = slots_at_ + slots * sizeof(void *);
    strings_at_ = hash_at_ + (3 + symbols_.size()) * sizeof(uint32_t);
    size_bytes_ = strings_at_ + strings_.size();
    for (size_t i = 0; i < slots; ++i)
        relocations_.push_back(
            {slots_at_ + i * sizeof(void *), ELF64_R_INFO(used_[i], R_X86_64_TPOFF64), 0});
}

// Appends the entries that lead to the stub's own tables: at most more_entries_, for which
// lay_out() has left room.
void Stub::add_tables() {
    add(DT_HASH, hash_at_);
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

// Writes the ELF header and the program headers.
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

// Returns the contents of the file.
std::string Stub::file(void (*constructor)()) {
    lay_out();
    add_tables();
    std::string file(size_bytes_, '\0');
    put_headers(file);
    auto put = [&](size_t at, const auto &items) {
        if (!items.empty())
            std::memcpy(file.data() + at, items.data(), items.size() * sizeof items[0]);
    };
    // System V hash table: one bucket, whose chain is all symbols, the last one first.
    auto count = static_cast<uint32_t>(symbols_.size());
    std::vector<uint32_t> hash = {1, count, count - 1, 0};
    for (uint32_t i = 1; i < count; ++i)
        hash.push_back(i - 1);
    std::memcpy(file.data() + init_at_, &constructor, sizeof constructor);
    put(dynamic_at_, dynamic_);
    put(symbols_at_, symbols_);
    put(rela_at_, relocations_);
    put(hash_at_, hash);
    put(strings_at_, strings_);
    return file;
}

void *Stub::load(void (*constructor)()) {
    std::string bytes = file(constructor);
    int fd = ::memfd_create("thrum-stub", MFD_CLOEXEC);
    if (fd < 0 || ::write(fd, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
        die(refusal_exit_code, "cannot make a memory file to load libraries: %s",
            std::strerror(errno));
    void *handle = ::dlopen(path_of(fd).c_str(), RTLD_NOW | RTLD_LOCAL);
    ::close(fd);
    return handle;
}

void disarm_constructors(const Object &object) {
    SlotWriter writer(object);
    for (ElfW(Dyn) *d = object.dynamic; d && d->d_tag != DT_NULL; ++d) {
        auto slot = reinterpret_cast<uintptr_t>(&d->d_un);
        if (d->d_tag == DT_INIT_ARRAYSZ || d->d_tag == DT_FINI_ARRAYSZ)
            writer.write(slot, 0);
        if (d->d_tag == DT_INIT || d->d_tag == DT_FINI)
            writer.write(slot, reinterpret_cast<uintptr_t>(nothing) - object.bias);
    }
}

} // namespace thrum
