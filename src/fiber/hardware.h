// The hardware that a rank may use (MPI 5.0 sections 7.4.2 and 9.1.2), as reported by Linux: the
// instances of each type of resource, and those to which an OS thread is bound. The types have
// hwloc's names, but libhwloc is not loaded: every process would pay for it at its start.
#pragma once
#include <sched.h>
#include <string>
#include <vector>

namespace thrum {

// The types of hardware of a machine, and the instances of each type. Instances are numbers that
// only their equality gives a meaning. Immutable.
class Hardware {
public:
    // Reads the files under `root`; "/sys/devices/system" describes this machine.
    explicit Hardware(const std::string &root);

    // Returns the hardware of this machine, which is read once. (THRUM_SYSFS names another root,
    // for tests.)
    static const Hardware &of_this_machine();

    // Returns whether this machine has several NUMA nodes, without reading more than that.
    static bool this_machine_has_nodes();

    // The types "hwloc://Machine", ..., "hwloc://PU", from the largest to the smallest. Only those
    // for which the instance of every processor is known.
    const std::vector<std::string> &types() const { return types_; }

    // Returns the number of a type, or -1.
    int find(const std::string &type) const;

    // Returns the instance of each type to which all these processors belong, or -1 if there are
    // several.
    std::vector<int> instances_of(const cpu_set_t &processors) const;
    // Returns the given processors as far as the machine has them, in an order in which neighbours
    // share most: sorted by package, then by NUMA node, and so on down to the processor.
    std::vector<int> in_order(const cpu_set_t &processors) const;

    // Returns the instance of a type, by its number, to which a processor belongs; -1: unknown.
    int instance_of(int type, int processor) const;

private:
    std::vector<std::string> types_;
    std::vector<int> processors_;             // their numbers
    std::vector<std::vector<int>> instances_; // by type and position in processors_
};

} // namespace thrum
