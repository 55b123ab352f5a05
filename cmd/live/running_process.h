// Processes of this machine, as the files in /proc show them.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <sys/types.h>
#include <vector>

namespace live {

// A process that runs, or has run. Told from a later one with the same id by the time at which it
// has begun.
class RunningProcess {
public:
    explicit RunningProcess(pid_t id);

    pid_t id() const { return id_; }

    // One that has ended may wait for its parent: it is not alive.
    bool is_alive() const;

private:
    pid_t id_;
    uint64_t begin_ticks_; // since the machine has started
};

// Returns the children of each process of the machine.
std::multimap<pid_t, pid_t> find_children();

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

// Returns nothing for a process that has ended. Throws std::runtime_error if the process may not be
// looked at.
std::vector<MappedFile> mapped_files(pid_t pid);

// Returns the bytes of a process at an address: empty if they cannot be read, fewer if not all of
// them can. Throws std::runtime_error if its memory may not be read.
std::vector<char> read_memory(pid_t pid, uint64_t address, size_t size_bytes);

// Returns a text of a process that ends with a null byte, at most a path's length of it; as much as
// can be read. Throws as read_memory() does.
std::string read_text(pid_t pid, uint64_t address);

} // namespace live
