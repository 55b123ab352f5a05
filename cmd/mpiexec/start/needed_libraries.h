// Which libraries a program would load, found out without running it: the dynamic loader that the
// program names is asked (as ldd does), since nobody else knows all of RUNPATH, LD_LIBRARY_PATH,
// the cache and the system's own directories.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

struct NeededLibrary {
    std::string name; // as it is needed: a soname, or a path
    std::string path; // "": not found
};

// All libraries of the executable at `path`, also those of its libraries. `exports` (VAR=VALUE) are
// set for the job. False: the loader does not say, because the file cannot be read for example.
// A statically linked program has none. Under valgrind only what the file itself
// needs is found: another valgrind would run, and answer.
bool list_libraries(const std::string &path, const std::vector<std::string> &exports,
                    std::vector<NeededLibrary> &libraries);

// Whether valgrind runs this mpiexec, and perhaps what it starts (--trace-children=yes).
bool is_under_valgrind();

} // namespace mpiexec
