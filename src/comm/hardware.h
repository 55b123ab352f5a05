// The hardware that a rank may use (MPI 5.0 sections 7.4.2 and 9.1.2), as far as Linux tells: the
// instances of each type of resource, and to which of them an OS thread is bound. The types have
// the names that hwloc gives them.
#pragma once
#include <sched.h>
#include <string>
#include <vector>

namespace thrum {

class Hardware {
public:
    // What the files under `root` say; "/sys/devices/system" is this machine.
    explicit Hardware(const std::string &root);

    // That of this machine, read once.
    static const Hardware &of_this_machine();

    // "hwloc://Machine", ..., "hwloc://PU", from the largest to the smallest: those of which every
    // processor is known to belong to an instance.
    const std::vector<std::string> &types() const { return types_; }

    // Number of a type, or -1.
    int find(const std::string &type) const;

    // The only instance of each type to which these processors belong, or -1 if there are several.
    std::vector<int> instances_of(const cpu_set_t &processors) const;
    // The same for the calling OS thread.
    std::vector<int> instances_of_caller() const;

private:
    std::vector<std::string> types_;
    std::vector<int> processors_;             // their numbers
    std::vector<std::vector<int>> instances_; // by type and place in processors_
};

} // namespace thrum
