// Errors of files: errno values as MPI error classes (MPI 5.0 section 14.8), and errors that
// several ranks share.
#pragma once
#include "base/error.h"

#include <string>

namespace thrum {

// Returns the class for an errno of open(), read(), write() and similar calls.
int error_class_of_errno(int error_number);

// An error of one rank that others get, too. fail() records its sentence for the calling thread
// only; this keeps a copy.
struct SharedError {
    int code = 0; // an error code; 0: none
    std::string sentence;

    // Copies an error that the calling thread has just recorded.
    void take(Error error) {
        code = error.code();
        sentence = error_detail(code);
    }

    // Records the same error for the calling thread.
    Error raise() const { return code ? fail(code, "%s", sentence.c_str()) : success; }

    explicit operator bool() const { return code != 0; }
};

// Returns an error such as: cannot open file "x": No such file or directory. `what` is the verb.
Error fail_by_errno(int error_number, const char *what, const std::string &name);

} // namespace thrum
