// The machines that a job may run on: --hosts and --hostfile (MPI's and other launchers' spellings
// are handled in command_line/). plan.cc puts processes on them.
#pragma once
#include <string>
#include <vector>

namespace mpiexec {

// One machine, as the user has listed it.
struct Host {
    std::string name;
    int slots = 1;            // ranks that it takes
    bool slots_given = false; // by the user: it takes no more than that
    int slots_max = 0;        // max_slots= of a host file; 0: none

    bool operator==(const Host &) const = default;
};

// Parses "a:4,b:8,c": hosts and their slots. A host that is named again gets the sum. Throws
// UsageError.
std::vector<Host> parse_hosts(const std::string &text);
// Reads a file with a host on each line: "a", "a:4" or "a slots=4 max_slots=8"; text behind # is a
// comment. Throws UsageError, which names file and line.
std::vector<Host> read_host_file(const std::string &path);

// Returns "a:4,b:8", for messages; long lists are cut.
std::string list_of(const std::vector<Host> &hosts);
// Returns whether `name` is the machine that we are on, by its name or a numeric address. Asks no
// name service, which could take seconds.
bool is_this_machine(const std::string &name);
// Returns what gethostname() says.
std::string name_of_this_machine();

} // namespace mpiexec
