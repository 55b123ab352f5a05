// Memory for results that functions of the C library return in a static buffer.
//
// A rank's buffers are allocated by its first call that needs one. Two threads of a rank that call
// the same function use the same buffer, as in a process.
#pragma once
#include "libc/libc_state.h"

#include <ctime>
#include <string>
#include <vector>

namespace thrum {

// The buffers of one rank, one for each function or group of functions.
struct StaticBuffers {
    char *strtok_rest = nullptr; // where strtok() goes on
    tm broken_down_time = {};
    char time_text[64] = {};
    std::vector<char> database_entry[6];    // getpwnam, getgrnam, gethostbyname ... (statics.cc)
    std::string name;                       // ttyname, ptsname, tmpnam, ecvt ...
    std::vector<char> hash_table;           // hsearch
    std::vector<char> enumeration_entry[8]; // getpwent, getgrent ... (databases.cc)
    std::vector<char> mount_entry;          // getmntent
    size_t positions[8] = {};               // entries returned by getpwent() ... (databases.cc)
    char terminal_name[32] = {};            // ctermid, ether_ntoa
};

// Returns those of a rank; the first call makes them. Any thread of the rank.
StaticBuffers &statics_of(LibcState &state);

} // namespace thrum
