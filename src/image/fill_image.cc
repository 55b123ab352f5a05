// Fills an image from its template (template.h): mappings for text and large data, copies for small
// data.
#include "image/fill_image.h"

#include "base/tools.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace thrum {
namespace {

// Maps over the reservation at `at`. Returns 0 or an errno.
int map_fixed(char *at, size_t size_bytes, int protection, int flags, int file, off_t offset) {
    return ::mmap(at, size_bytes, protection, MAP_FIXED | MAP_PRIVATE | flags, file, offset) ==
                   MAP_FAILED
               ? errno
               : 0;
}

} // namespace

int map_text(const Template &image_template, char *base) {
    for (const TextRun &run : image_template.texts)
        if (int error = map_fixed(base + run.offset, run.size_bytes, PROT_READ | PROT_EXEC, 0,
                                  run.file, run.file_offset))
            return error;
    return 0;
}

int fill_data(const Template &image_template, char *base, bool copy_only) {
    int error = 0;
    for (const DataRun &run : image_template.data) {
        char *at = base + run.offset;
        forget_poison(at, run.size_bytes);
        bool copied = copy_only && run.kind == DataKind::CopyOnWrite;
        switch (copied ? DataKind::Copied : run.kind) {
        case DataKind::Copied:
            // One call instead of a fault for each page; older kernels refuse it, which is
            // harmless.
            ::madvise(at, run.size_bytes, MADV_POPULATE_WRITE);
            std::memcpy(at, image_template.bytes + run.offset, run.size_bytes);
            break;
        case DataKind::CopyOnWrite:
            error = map_fixed(at, run.size_bytes, PROT_READ | PROT_WRITE, 0, image_template.file,
                              static_cast<off_t>(run.offset));
            break;
        case DataKind::FreshZero:
            error = map_fixed(at, run.size_bytes, PROT_READ | PROT_WRITE,
                              MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            break;
        }
        if (error)
            return error;
    }
    return 0;
}

} // namespace thrum
