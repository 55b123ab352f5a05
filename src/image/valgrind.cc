// Mappings that valgrind recognises as a loaded file. It reads the debug information of a file when
// all its segments are mapped from it, each with its own protection, as ld.so does it; and of a
// file of the same name only once. So under valgrind each clone's objects are mapped from a copy of
// the file. Newer versions (3.24) read it when they first need it, so mpiexec deletes the copies
// when the process has ended.
#include "image/valgrind.h"

#include "base/tools.h"
#include "image/mapped_file.h"
#include "image/sharing.h"

#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr int images_shown_max = 64; // valgrind keeps the debug information of each

// Copies `file`; returns the descriptor of the copy, or -1 if there is no room.
int copy_file(int file, const Object &object, int number) {
    const char *directory = std::getenv("TMPDIR");
    char path[4096];
    int length =
        std::snprintf(path, sizeof path, "%s/%s%d", directory && *directory ? directory : "/tmp",
                      image_copies_prefix, static_cast<int>(::getpid()));
    if (length >= static_cast<int>(sizeof path))
        return -1;
    ::mkdir(path, 0700); // it may be there
    std::snprintf(path + length, sizeof path - static_cast<size_t>(length), "/rank-%d-%s-XXXXXX",
                  number, base_name(object.path));
    int copy = ::mkstemp(path);
    if (copy < 0)
        return -1;
    struct stat status;
    off_t left = ::fstat(file, &status) == 0 ? status.st_size : 0;
    off_t offset = 0;
    while (left > 0) {
        ssize_t n = ::sendfile(copy, file, &offset, static_cast<size_t>(left));
        if (n <= 0) {
            ::close(copy);
            ::unlink(path);
            return -1;
        }
        left -= n;
    }
    return copy;
}

// Maps the segments of one object from `file`. Returns false if a mapping fails; earlier mappings
// stay.
bool map_segments(const Object &object, int file, char *base) {
    for (const ElfW(Phdr) & p : object.headers) {
        if (p.p_type != PT_LOAD || p.p_filesz == 0)
            continue;
        uintptr_t begin = page_floor(object.bias + p.p_vaddr);
        uintptr_t end = page_ceil(object.bias + p.p_vaddr + p.p_filesz);
        int protection = (p.p_flags & PF_R ? PROT_READ : 0) | (p.p_flags & PF_W ? PROT_WRITE : 0) |
                         (p.p_flags & PF_X ? PROT_EXEC : 0);
        if (::mmap(base + object.image_offset + (begin - object.low), end - begin, protection,
                   MAP_FIXED | MAP_PRIVATE, file,
                   static_cast<off_t>(page_floor(p.p_offset))) == MAP_FAILED)
            return false;
    }
    return true;
}

// Maps one object of an image from a copy of its file.
bool map_object(const Object &object, int number, char *base) {
    int file = open_mapped_file(object);
    if (file < 0)
        return false;
    int copy = copy_file(file, object, number);
    ::close(file);
    if (copy < 0)
        return false;
    bool mapped = map_segments(object, copy, base);
    ::close(copy);
    return mapped;
}

} // namespace

bool map_for_valgrind(const Program &program, int number, char *base) {
    if (!running_on_valgrind() || number > images_shown_max)
        return false;
    for (const Object &object : program.objects)
        if (object.is_private() && !map_object(object, number, base))
            return false;
    return true;
}

} // namespace thrum
