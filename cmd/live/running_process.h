// A process of this machine, as the files in /proc show it.
#pragma once
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace live {

// Returns whether the process runs. One that has ended may wait for its parent.
bool is_alive(pid_t pid);

// Returns the name of its program; "": it has ended.
std::string program_of(pid_t pid);

// Returns how much of its memory is resident; 0: it has ended.
uint64_t resident_bytes_of(pid_t pid);

// A part of a file that a process maps.
struct MappedFile {
    std::string path;
    uint64_t begin, end; // addresses
    uint64_t offset;     // in the file
};

// Throws std::runtime_error if the process may not be looked at.
std::vector<MappedFile> mapped_files(pid_t pid);

} // namespace live
