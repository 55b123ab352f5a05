// Which libraries a program would load, without running it. The dynamic loader that the program
// names is asked (as ldd does), because only it knows all of RUNPATH, LD_LIBRARY_PATH, the cache
// and the system's own directories.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// One library.
struct NeededLibrary {
    std::string name; // as the program needs it: a soname, or a path
    std::string path; // "": not found
};

// Sets `libraries` to all libraries of the executable at `path`, also those of its libraries.
// `exports` (VAR=VALUE) are set for the job. Returns false if the loader does not say, for example
// because the file cannot be read. A statically linked program has none. Under valgrind only what
// the file itself needs is found: the loader would run under another valgrind, which would answer
// instead.
bool list_libraries(const std::string &path, const std::vector<std::string> &exports,
                    std::vector<NeededLibrary> &libraries);

// Returns whether valgrind runs this mpiexec, and perhaps what it starts (--trace-children=yes).
bool is_under_valgrind();

} // namespace mpiexec
