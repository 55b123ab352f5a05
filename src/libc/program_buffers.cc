// Finds and flushes the buffers of language libraries (libc/program_buffers.h), without linking to
// them: a program may have none of them.
//
// libstdc++: the standard streams' objects are exported, and so is the vtable of the buffer that
// they have as long as they are synchronised with stdio. Any other buffer is flushed by its sync().
// libgfortran: FLUSH without a unit flushes all open ones of the rank.
//
// A program may also load these libraries while it runs (dlopen).
#include "libc/program_buffers.h"

#include "image/symbol.h"
#include "rank/guarded_run.h"

#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <ostream>
#include <stdio_ext.h>
#include <sys/statvfs.h>
#include <unistd.h>

extern "C" [[gnu::weak]] FILE *_IO_list_all; // the C library's chain of all FILEs

namespace thrum {
namespace {

// The symbols that are looked up, in the order of `names`.
enum Symbol {
    Cout,
    Clog,
    WideCout,
    WideClog,
    VtableOfSynchronised,
    FlushUnits,
    FlushStaticUnits, // by this name mpifort exports it if the program contains libgfortran
    SymbolCount
};

constexpr const char *names[SymbolCount] = {
    "_ZSt4cout",
    "_ZSt4clog",
    "_ZSt5wcout",
    "_ZSt5wclog",
    "_ZTVN9__gnu_cxx18stdio_sync_filebufIcSt11char_traitsIcEEE",
    "_gfortran_flush_i4",
    "thrum_flush_units"};

// Where a program or a library has these objects; nullptr: it has none.
struct ProgramStreams {
    bool is_found = false;
    const void *symbols[SymbolCount] = {};
};

constexpr int programs_max = 64; // symbols of further programs are looked up for each rank
ProgramStreams found_streams[programs_max]; // in the originals
ProgramStreams process_streams;
int flush_error = 0; // errno after FLUSH at the exit of an ordinary process

// Flushes the stream at `address`, if its constructor has run: before that the vtable pointer is
// null.
template <class Stream>
void flush_stream(void *address) {
    if (address && *static_cast<void **>(address)) // its constructor has run
        static_cast<Stream *>(address)->rdbuf()->pubsync();
}

// Flushes a narrow stream that has a buffer of its own, and returns whether it has. `synchronised`
// is the vtable of stdio's buffers.
bool flush_unless_synchronised(void *address, const void *synchronised) {
    if (!address || !*static_cast<void **>(address))
        return false;
    std::streambuf *buffer = static_cast<std::ostream *>(address)->rdbuf();
    // An object's vtable pointer is behind the two words with which the vtable's symbol begins.
    constexpr size_t first_function_at = 2 * sizeof(void *);
    const void *vtable = buffer ? *reinterpret_cast<void **>(buffer) : nullptr;
    if (!vtable || vtable == static_cast<const char *>(synchronised) + first_function_at)
        return false;
    buffer->pubsync();
    return true;
}

// Flushes the objects. If cout is synchronised, so are the wide streams: sync_with_stdio() concerns
// them all.
void flush_found(const ProgramStreams &streams) {
    auto at = [&](Symbol symbol) {
        return const_cast<void *>(streams.symbols[symbol]);
    };
    for (const Symbol symbol : {FlushUnits, FlushStaticUnits})
        if (auto *flush = reinterpret_cast<void (*)(int *)>(at(symbol)))
            flush(nullptr);
    const void *synchronised = at(VtableOfSynchronised);
    flush_unless_synchronised(at(Clog), synchronised);
    if (!flush_unless_synchronised(at(Cout), synchronised))
        return;
    flush_stream<std::wostream>(at(WideClog));
    flush_stream<std::wostream>(at(WideCout));
}

// Flushes what the libraries have that `image` has opened: a program of another language, such as a
// Python interpreter, may have loaded those of C++ and Fortran.
void flush_late_libraries(const Image *image) {
    for (int library = 0; library < late_library_count(); ++library) {
        ProgramStreams streams;
        for (int i = 0; i < SymbolCount; ++i)
            streams.symbols[i] = global_of_late_library(image, library, names[i]);
        flush_found(streams);
    }
}

// Returns whether the path is that of a library of these languages.
bool is_language_library(const char *path) {
    const char *slash = std::strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    return std::strncmp(name, "libgfortran.so", 14) == 0 ||
           std::strncmp(name, "libstdc++.so", 12) == 0;
}

// Returns the tables of a library of ld.so's list. Its first segment begins with the header of its
// file.
Object object_of(const link_map &map) {
    Object object{};
    const auto *file = reinterpret_cast<const ElfW(Ehdr) *>(map.l_addr);
    object.bias = map.l_addr;
    object.headers = {reinterpret_cast<const ElfW(Phdr) *>(map.l_addr + file->e_phoff),
                      file->e_phnum};
    read_object(object);
    return object;
}

// Does the same in a process that is one rank. Walks ld.so's list without its lock, and looks
// symbols up without ld.so: a stopped thread may hold the lock, or be inside malloc, which dlopen()
// and dlsym() call.
void flush_late_libraries_of_process() {
    for (const link_map *map = _r_debug.r_map; map; map = map->l_next) {
        if (!map->l_name || !is_language_library(map->l_name))
            continue;
        const Object library = object_of(*map);
        ProgramStreams streams;
        for (int i = 0; i < SymbolCount; ++i)
            if (const ElfW(Sym) *symbol = find_in_object(library, names[i], nullptr))
                streams.symbols[i] =
                    reinterpret_cast<const void *>(Definition{&library, symbol}.address());
        // Those of the start have been flushed.
        const Symbol own = streams.symbols[FlushUnits] ? FlushUnits : Cout;
        if (streams.symbols[own] != process_streams.symbols[own])
            flush_found(streams);
    }
}

// Returns why a write to the descriptor has failed that nobody has noted at the time; 0: not known.
int guess_failure(int descriptor) {
    struct statvfs system{};
    return ::fstatvfs(descriptor, &system) == 0 && system.f_blocks && !system.f_bavail ? ENOSPC : 0;
}

} // namespace

void find_program_streams() {
    process_streams.is_found = true;
    for (int i = 0; i < SymbolCount; ++i)
        process_streams.symbols[i] = ::dlsym(RTLD_DEFAULT, names[i]);
}

void flush_program_streams(const Image *image, int executable) {
    ProgramStreams of_this_rank;
    ProgramStreams &streams = executable < programs_max ? found_streams[executable] : of_this_rank;
    for (int i = 0; i < SymbolCount && !streams.is_found; ++i)
        streams.symbols[i] = original_global(image, names[i]);
    streams.is_found = true;
    ProgramStreams own;
    for (int i = 0; i < SymbolCount; ++i)
        if (streams.symbols[i])
            own.symbols[i] = translate(image, streams.symbols[i]);
    flush_found(own);
    flush_late_libraries(image);
}

void flush_process_streams() {
    if (process_streams.is_found)
        flush_found(process_streams);
}

void flush_late_streams() {
    if (process_streams.is_found)
        flush_late_libraries_of_process();
}

// libgfortran and libstdc++ show a failure by errno only. A Fortran runtime error exits while the
// unit's lock is held, which FLUSH would wait for.
const char *flush_process_at_exit(int &error) {
    errno = 0;
    if (process_streams.symbols[FlushUnits]) {
        GuardedRun flush;
        flush.attempt(
            [](void *) {
                flush_process_streams();
                flush_error = errno;
            },
            nullptr);
        errno = flush_error;
    } else {
        flush_process_streams();
    }
    // libgfortran writes to devices at once and forgets a failure. An empty write to a full device
    // fails again.
    if (errno == 0 && process_streams.symbols[FlushUnits])
        (void)!::write(STDOUT_FILENO, "", 0);
    const bool is_full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO;
    error = is_full ? errno : 0;
    if (is_full)
        return "output";
    for (FILE *file : {stdout, stderr}) {
        errno = 0;
        if (std::fflush(file) != 0)
            error = errno;
        else if (!std::ferror(file))
            continue;
        else // what failed before is not in the buffer any more
            error = guess_failure(::fileno(file));
        if (error != EPIPE)
            return file == stdout ? "output" : "error";
    }
    return nullptr;
}

// Walks the C library's chain without its lock, which the thread that crashed may hold.
void flush_process_files() {
    int patience_ms = 100;
    for (FILE *file = &_IO_list_all ? _IO_list_all : stdout; file; file = file->_chain)
        flush_file(file, patience_ms);
}

void flush_file(FILE *file, int &patience_ms) {
    if (__fpending(file) == 0)
        return;
    bool locked = ftrylockfile(file) == 0;
    for (; !locked && patience_ms > 0; --patience_ms) {
        ::usleep(1000);
        locked = ftrylockfile(file) == 0;
    }
    fflush_unlocked(file);
    if (locked)
        funlockfile(file);
}

} // namespace thrum
