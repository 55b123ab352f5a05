// What the kernel says of files, as MPI error classes (MPI 5.0 section 14.8).
#pragma once
#include "base/error.h"

#include <string>

namespace thrum {

// The class of an errno of open(), read(), write() and their kin.
int error_class_of_errno(int error_number);

// An error of one rank that others are to have, too: fail() records its sentence for the calling
// thread only.
struct SharedError {
    int code = 0;
    std::string sentence;

    // Takes over what the calling thread has just recorded.
    void take(Error error) {
        code = error.code();
        sentence = error_detail(code);
    }

    // The same error, for the calling thread.
    Error raise() const { return code ? fail(code, "%s", sentence.c_str()) : success; }

    explicit operator bool() const { return code != 0; }
};

// "cannot open file "x": No such file or directory"
Error fail_by_errno(int error_number, const char *what, const std::string &name);

} // namespace thrum
