// The standard streams of a rank, and the FILEs that it has opened.
//
// stdio.cc makes and closes them; print.cc, descriptors.cc and standard_input.cc use them.
#pragma once
#include "libc/libc_state.h"
#include "libc/output.h"

#include <cstdio>
#include <unistd.h>
#include <vector>

namespace thrum {

// Set by bind_state() before the rank runs. The FILEs are the rank's own and are closed with its
// state.
struct Streams {
    FILE *out = nullptr; // bound.out at the start; the program may assign another FILE to stdout
    FILE *err = nullptr;
    FILE *in = nullptr;
    int input = STDIN_FILENO; // the process's descriptor that the rank's 0 means; -1: closed
    OutputStream out_stream;
    OutputStream err_stream;
    std::vector<FILE *> files; // open, for fflush(NULL) and exit(); guarded by LibcState::lock
};

// Returns the streams of the rank with this state.
Streams &streams_of(LibcState &state);

} // namespace thrum
