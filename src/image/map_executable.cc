// Maps an executable as ld.so would, at an address of its own, and leaves it unrelocated: bind.cc
// relocates it. This original is never run, apart from the resolvers of its indirect functions;
// clones are made from its pages.
#include "image/program.h"
#include "image/refuse.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

// The program headers must be within these bytes, where linkers put them.
constexpr size_t header_bytes_max = 4096;

// An open executable and the beginning of its contents.
struct File {
    const char *path;
    int fd;
    alignas(8) char bytes[header_bytes_max];
    std::span<const ElfW(Phdr)> headers;

    const ElfW(Ehdr) & header() const { return *reinterpret_cast<const ElfW(Ehdr) *>(bytes); }
};

// Opens the file and reads its headers. Refuses files that are not position-independent
// executables.
void read_file(File &file) {
    file.fd = ::open(file.path, O_RDONLY | O_CLOEXEC);
    ssize_t n = file.fd < 0 ? -1 : ::pread(file.fd, file.bytes, sizeof file.bytes, 0);
    if (n < static_cast<ssize_t>(sizeof(ElfW(Ehdr))))
        refuse_program(file.path, "cannot be read (%s)", "Its ranks need that",
                       std::strerror(errno));
    const ElfW(Ehdr) &h = file.header();
    if (std::memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_type != ET_DYN ||
        h.e_phoff + h.e_phnum * sizeof(ElfW(Phdr)) > static_cast<size_t>(n))
        refuse_program(file.path, "is not a position-independent executable",
                       "Compile with -fPIE and link with -pie");
    file.headers = {reinterpret_cast<const ElfW(Phdr) *>(file.bytes + h.e_phoff), h.e_phnum};
}

// Maps a part of the reserved range; `flags` with MAP_ANONYMOUS: zeros instead of the file.
void map_at(const File &file, uintptr_t at, size_t size_bytes, int protection, int flags,
            off_t offset) {
    int fd = flags & MAP_ANONYMOUS ? -1 : file.fd;
    if (size_bytes && ::mmap(reinterpret_cast<void *>(at), size_bytes, protection,
                             MAP_PRIVATE | MAP_FIXED | flags, fd, offset) == MAP_FAILED)
        refuse_program(file.path, "cannot be mapped (%s)", "Its ranks need that",
                       std::strerror(errno));
}

// Maps a segment: the file's pages, then pages of zeros. The rest of the last page from the file is
// cleared, as it holds whatever follows in the file.
void map_segment(const File &file, uintptr_t bias, const ElfW(Phdr) & p) {
    uintptr_t begin = bias + p.p_vaddr, file_end = begin + p.p_filesz;
    int protection = p.p_flags & PF_W ? PROT_READ | PROT_WRITE : PROT_READ;
    if (p.p_flags & PF_X)
        protection |= PROT_EXEC;
    uintptr_t first = page_floor(begin), zero = p.p_filesz ? page_ceil(file_end) : first;
    map_at(file, first, zero - first, protection, 0, static_cast<off_t>(page_floor(p.p_offset)));
    uintptr_t end = page_ceil(begin + p.p_memsz);
    if (end > zero)
        map_at(file, zero, end - zero, protection, MAP_ANONYMOUS, 0);
    if ((p.p_flags & PF_W) && zero > file_end)
        std::memset(reinterpret_cast<void *>(file_end), 0, zero - file_end);
}

// Reserves addresses for all segments. Returns where the file's address 0 shall be: its bias.
uintptr_t reserve(const File &file) {
    uintptr_t low = UINTPTR_MAX, high = 0, alignment = page_bytes;
    for (const ElfW(Phdr) & p : file.headers) {
        if (p.p_type != PT_LOAD)
            continue;
        low = p.p_vaddr < low ? p.p_vaddr : low;
        high = p.p_vaddr + p.p_memsz > high ? p.p_vaddr + p.p_memsz : high;
        alignment = p.p_align > alignment ? p.p_align : alignment;
    }
    low &= ~(alignment - 1);
    void *memory = high > low ? ::mmap(nullptr, high - low + alignment, PROT_NONE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                              : MAP_FAILED;
    if (memory == MAP_FAILED)
        refuse_program(file.path, "cannot be mapped (%s)", "Its ranks need that",
                       std::strerror(errno));
    auto at = reinterpret_cast<uintptr_t>(memory) + alignment - 1;
    return (at & ~(alignment - 1)) - low;
}

} // namespace

Object map_executable(const char *path, uintptr_t &entry) {
    File file{path, -1, {}, {}};
    read_file(file);
    Object object{};
    object.path = ::strdup(path);
    object.sharing = Sharing::Private;
    object.is_executable = true;
    object.private_index = -1;
    object.bias = reserve(file);
    for (const ElfW(Phdr) & p : file.headers)
        if (p.p_type == PT_LOAD)
            map_segment(file, object.bias, p);
    ::close(file.fd);
    auto *headers = static_cast<char *>(std::malloc(file.headers.size_bytes()));
    std::memcpy(headers, file.headers.data(), file.headers.size_bytes());
    object.headers = {reinterpret_cast<ElfW(Phdr) *>(headers), file.headers.size()};
    read_object(object);
    refuse_unsuitable_object(object);
    // The headers in memory, if a segment has them: the clones' headers lie a fixed distance from
    // these, where the unwinder looks for them.
    uintptr_t in_memory = object.bias + file.header().e_phoff;
    if (object.contains(in_memory))
        object.headers = {reinterpret_cast<ElfW(Phdr) *>(in_memory), file.headers.size()};
    entry = object.bias + file.header().e_entry;
    return object;
}

} // namespace thrum
