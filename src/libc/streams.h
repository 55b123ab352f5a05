// The standard streams of a rank, and the FILEs that it has opened.
#pragma once
#include "libc/libc_state.h"
#include "libc/output.h"

#include <cstdio>
#include <unistd.h>
#include <vector>

namespace thrum {

struct Streams {
    FILE *out = nullptr; // what bound.out points to at start; the program may assign another FILE
    FILE *err = nullptr;
    FILE *in = nullptr;
    int input = STDIN_FILENO; // what descriptor 0 of the rank means; -1: it has closed it
    OutputStream out_stream;
    OutputStream err_stream;
    std::vector<FILE *> files; // opened by this rank and not closed: fflush(NULL), exit()
};

Streams &streams_of(LibcState &state);

} // namespace thrum
