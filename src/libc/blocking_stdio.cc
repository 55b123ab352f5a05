// The C library's FILEs call read(2) and write(2) from inside, where the program's slots play no
// part: fgets() on a pipe would hold the worker. But a FILE reaches them through a table of
// functions, _IO_file_jumps, with entries that are exported by name: _IO_file_read and
// _IO_file_write. divert_stdio() replaces these entries, for FILEs of any kind (wide, popen, scanf,
// getline), in all of the process.
//
// An entry is found by its value; its place in the table is not assumed. If a C library has no such
// table, its FILEs block their worker, which the watch (fiber/watch.h) detects after a while.
#include "base/check.h"
#include "base/settings.h"
#include "libc/blocking.h"
#include "libc/libc_state.h"
#include "libc/standard_descriptors.h"

#include <cstdint>
#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

namespace thrum {
namespace {

constexpr size_t table_entries = 21; // of glibc's struct _IO_jump_t

using ReadFunction = ssize_t(FILE *, void *, ssize_t);
using WriteFunction = ssize_t(FILE *, const void *, ssize_t);

ReadFunction *real_read = nullptr; // the C library's entries; set once by divert_stdio()
WriteFunction *real_write = nullptr;

// Replaces _IO_file_read. The process's stdin belongs to one rank, which may have redirected it.
ssize_t read_for_file(FILE *file, void *data, ssize_t size_bytes) MAY_SUSPEND {
    if (waits_in_place())
        return real_read(file, data, size_bytes);
    // The process's stdin belongs to one rank, which may have redirected it.
    return blocking_read(real_descriptor(file->_fileno), data, static_cast<size_t>(size_bytes));
}

// Replaces _IO_file_write: writes everything, or marks the FILE as having an error. Moves the
// FILE's position as that does.
ssize_t write_for_file(FILE *file, const void *data, ssize_t size_bytes) MAY_SUSPEND {
    if (waits_in_place() || never_blocks(file->_fileno))
        return real_write(file, data, size_bytes);
    ssize_t written = 0;
    while (written < size_bytes) {
        ssize_t n = blocking_write(file->_fileno, static_cast<const char *>(data) + written,
                                   static_cast<size_t>(size_bytes - written));
        if (n < 0) {
            file->_flags |= _IO_ERR_SEEN;
            break;
        }
        written += n;
    }
    if (file->_offset >= 0)
        file->_offset += written;
    return written;
}

// Writes into a page that ld.so has made read-only (RELRO). Returns false if that fails.
bool replace(void **entry, void *value) {
    auto page_bytes = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
    auto *page = reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(entry) & ~(page_bytes - 1));
    if (::mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
        return false;
    *entry = value;
    return ::mprotect(page, page_bytes, PROT_READ) == 0;
}

// Replaces the entry `from` of the table. Returns false if there is none.
bool divert(void **table, const void *from, void *to) {
    for (size_t i = 0; table && i < table_entries; ++i)
        if (table[i] == from)
            return replace(&table[i], to);
    return false;
}

} // namespace

void divert_stdio() {
    real_read = reinterpret_cast<ReadFunction *>(::dlsym(RTLD_DEFAULT, "_IO_file_read"));
    real_write = reinterpret_cast<WriteFunction *>(::dlsym(RTLD_DEFAULT, "_IO_file_write"));
    bool diverted = real_read && real_write;
    for (const char *name : {"_IO_file_jumps", "_IO_wfile_jumps"}) {
        auto **table = static_cast<void **>(::dlsym(RTLD_DEFAULT, name));
        diverted = diverted &&
                   divert(table, reinterpret_cast<const void *>(real_read),
                          reinterpret_cast<void *>(&read_for_file)) &&
                   divert(table, reinterpret_cast<const void *>(real_write),
                          reinterpret_cast<void *>(&write_for_file));
    }
    if (!diverted && settings().debug)
        report("FILEs of this C library block the worker of their rank for some milliseconds");
}

} // namespace thrum
