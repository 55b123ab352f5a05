// Memory for results that functions of the C library return in a static buffer.
#pragma once
#include "libc/libc_state.h"

#include <ctime>
#include <string>
#include <vector>

namespace thrum {

// One for each function.
struct StaticBuffers {
    char *strtok_rest = nullptr;
    tm broken_down_time = {};
    char time_text[64] = {};
    std::vector<char> database_entry[6];    // getpwnam, getgrnam, gethostbyname ... (statics.cc)
    std::string name;                       // ttyname, ptsname, tmpnam, ecvt ...
    std::vector<char> hash_table;           // hsearch
    std::vector<char> enumeration_entry[8]; // getpwent, getgrent ... (databases.cc)
    std::vector<char> mount_entry;          // getmntent
    size_t positions[8] = {};               // of getpwent(), getgrent() ... (databases.cc)
    char terminal_name[32] = {};            // ctermid
};

// Returns those of a rank; makes them on first use.
StaticBuffers &statics_of(LibcState &state);

} // namespace thrum
