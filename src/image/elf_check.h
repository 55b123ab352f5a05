// Checks whether the ranks of an executable file can be threads of one process, as far as the file
// shows. mpiexec uses it, so it depends on nothing else of the core. The library checks again
// everything that ld.so has loaded (refuse.h).
#pragma once
#include <cstddef>

namespace thrum {

// Returns whether the file at `path` may be started with several ranks. Otherwise `message` (of
// `size_bytes`) says in one sentence what is wrong with it and in another what helps.
bool check_executable(const char *path, char *message, size_t size_bytes);

// Returns whether the ranks of a file that cannot be threads can at least be processes: a program
// for this machine and for the C library of libmpi, or for none, without a sanitizer's run time
// inside, which is not compatible with libmpi.
bool can_be_a_process(const char *path);

// Finds the first library that the file at `path` itself needs (DT_NEEDED) and for whose name
// `test` returns true. Writes its name to `name` (of `size_bytes`). Returns false if there is none,
// or the file cannot be read.
bool find_needed_library(const char *path, bool (*test)(const char *name), char *name,
                         size_t size_bytes);

// Writes to `name` the dynamic loader that the executable at `path` asks for. Returns false if it
// is linked statically, or cannot be read.
bool find_interpreter(const char *path, char *name, size_t size_bytes);

// Returns whether an MPI has been linked into the executable at `path`: it defines PMPI_Init
// itself. A stripped executable does not show that.
bool holds_mpi(const char *path);

// Writes to `name` the file name of the sanitizer's run time that the executable at `path` needs
// (DT_NEEDED). That library must be the first of all. Returns false if it needs none, or cannot be
// read.
bool find_sanitizer_runtime(const char *path, char *name, size_t size_bytes);

// Returns whether the executable at `path` counts for Clang's coverage: LLVM's profile run time is
// in it. Writes to `name` the file name that was compiled into it; "" if it is the run time's own,
// or not visible (a stripped executable).
bool find_profile_file(const char *path, char *name, size_t size_bytes);

// Returns how many bytes below a thread's FS base the thread-local variables of the executable at
// `path` begin; 0 if it has none, or cannot be read.
size_t find_thread_local_offset(const char *path);

} // namespace thrum
