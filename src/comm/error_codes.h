// Error classes and codes (MPI 5.0 sections 9.4 and 9.5): their names and texts, and those that a
// program adds to its own rank.
#pragma once
#include "base/error.h"
#include "base/spinlock.h"
#include "mpi.h"

#include <string>
#include <vector>

namespace thrum {

// What one rank has added: codes from MPI_ERR_LASTCODE + 1 on. A class is a code that is its own
// class. Freed with the rank's Process.
struct ErrorCodes {
    struct Entry {
        bool used = false;   // false: removed
        int error_class = 0; // its class; its own number: it is a class
        std::string text;    // "" if none was given, as section 9.5 requires
        int codes = 0;       // of a class: how many remain beside itself
        // The neighbouring codes in use; MPI_ERR_LASTCODE: none before, 0: none after.
        int previous = 0;
        int next = 0;
    };

    SpinLock lock;                    // guards the entries: several threads of the rank may call
    std::vector<Entry> entries;       // by number - (MPI_ERR_LASTCODE + 1)
    int last_used = MPI_ERR_LASTCODE; // the attribute MPI_LASTUSEDCODE points to it
    int last_used_in_front = 0;       // the same for programs of a front: its number
};

struct Process;

// Returns "MPI_ERR_RANK" for a predefined class, else nullptr.
const char *error_class_name(int error_class);
// Returns the text of a predefined class, or nullptr.
const char *error_class_text(int error_class);

// Find the class and the text of a predefined code, or of one added by `process`. Like the
// functions below, they return MPI_ERR_ARG for an unknown code.
Error find_error_class(Process &process, int code, int &error_class);
Error find_error_text(Process &process, int code, std::string &text);
// Add a class, or a code of a class; the number is the result.
int add_error_class(Process &process);
Error add_error_code(Process &process, int error_class, int &code);
// Change and remove what was added. A class can be removed when it has no codes and no text, a code
// when it has no text (section 9.5.1).
Error set_error_text(Process &process, int code, const char *text);
Error remove_error_class(Process &process, int error_class);
Error remove_error_code(Process &process, int code);
Error remove_error_text(Process &process, int code);
// Returns where the number of the last used code is: the attribute MPI_LASTUSEDCODE points there.
// Never nullptr; it lives as long as the process.
const int *last_used_code(Process &process);
// Keeps the number that a front has for the last used code, and returns where: what the attribute
// MPI_LASTUSEDCODE points to in its programs.
const int *keep_last_used_code(Process &process, int number);

} // namespace thrum
