// Decides which objects all ranks share: by their file names, from a closed list (sharing.cc).
#pragma once
#include <cstddef>
#include <cstdint>

namespace thrum {

enum class Sharing : uint8_t {
    Private,        // every rank has a copy
    CLibrary,       // one for all ranks, works for the program: libc, libm, ld.so, sanitizers ...
    Infrastructure, // one for all ranks, works for libmpi: libmpi itself, libfabric, drivers ...
};

// Returns the sharing of the library at `path`. `shared_list`: see scan_objects().
Sharing sharing_of(const char *path, const char *shared_list);

// Returns whether the library at `path` is a sanitizer's run time.
bool is_sanitizer_runtime(const char *path);

// Returns the part of `path` behind the last slash.
const char *base_name(const char *path);

// The prefix of libraries that contain nothing but room for thread-local variables
// (cmd/mpiexec/start/room.S).
inline constexpr const char *room_library_prefix = "libthrum_room_";

// The beginning of the name of the directory, in TMPDIR, with the copies that valgrind reads
// (valgrind.cc). The process id follows.
inline constexpr const char *image_copies_prefix = "thrum-images-";

// Returns the offset, in bytes below the FS base, at which ld.so begins an executable's
// thread-local variables. `address`: p_vaddr of PT_TLS, whose residue modulo the alignment is kept.
constexpr size_t thread_local_offset(size_t address, size_t size_bytes, size_t alignment) {
    alignment = alignment ? alignment : 1;
    size_t first = (0 - address) & (alignment - 1);
    return ((size_bytes - first + alignment - 1) & ~(alignment - 1)) + first;
}

} // namespace thrum
