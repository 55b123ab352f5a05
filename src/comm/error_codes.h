// Error classes and codes (MPI 5.0 sections 9.4 and 9.5): their names and texts, and those that a
// program adds to its own rank.
#pragma once
#include "base/error.h"
#include "base/spinlock.h"
#include "mpi.h"

#include <string>
#include <vector>

namespace thrum {

// What one rank has added: codes MPI_ERR_LASTCODE + 1 and up. A class is a code that is its own
// class.
struct ErrorCodes {
    struct Entry {
        bool used = false;
        int error_class = 0;
        std::string text; // "" if none was given: section 9.5 has it so
        int codes = 0;    // of a class: that are left beside itself
        // Codes in use around this one; MPI_ERR_LASTCODE: none before, 0: none behind.
        int previous = 0;
        int next = 0;
    };

    SpinLock lock; // guards the entries: threads of the rank may call at the same time
    std::vector<Entry> entries;
    int last_used = MPI_ERR_LASTCODE; // what the attribute MPI_LASTUSEDCODE points to
};

struct Process;

// "MPI_ERR_RANK" for a predefined class, else nullptr.
const char *error_class_name(int error_class);
// The text of a predefined class, or nullptr.
const char *error_class_text(int error_class);

// Of `process`; predefined or added. Each gives MPI_ERR_ARG for a code that is not known.
Error find_error_class(Process &process, int code, int &error_class);
Error find_error_text(Process &process, int code, std::string &text);
int add_error_class(Process &process);
Error add_error_code(Process &process, int error_class, int &code);
Error set_error_text(Process &process, int code, const char *text);
Error remove_error_class(Process &process, int error_class);
Error remove_error_code(Process &process, int code);
Error remove_error_text(Process &process, int code);
// Never nullptr; lives as long as the process.
const int *last_used_code(Process &process);

} // namespace thrum
