// Reads THRUM_PROGRAMS (base/settings.h): the program specifications of an MPMD job (MPI 5.0
// section 11.5), written by mpiexec. Reads in place and allocates nothing: it is needed before the
// C library is initialised.
#pragma once
#include <string_view>

namespace thrum {

struct ProgramRecord {
    int ranks = 0;
    int argc = 0;
    std::string_view working_directory; // empty: the process's own
    std::string_view path;              // of the executable, absolute
    const char *arguments = nullptr;    // argc strings, for next_string()
};

// Takes the next record from `cursor`, which starts at the text and moves on. False at the end and
// if what follows is no record; only at the end is *cursor zero.
bool next_program(const char *&cursor, ProgramRecord &record);

// Takes the next string from a record's `arguments`.
bool next_string(const char *&cursor, std::string_view &text);

// The record that holds `world_rank`, if the text is in order as far as that.
bool find_program(const char *programs, int world_rank, ProgramRecord &record);

} // namespace thrum
