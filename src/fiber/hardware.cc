// The hardware of this machine, read from files of the kernel (sysfs). For each type of resource it
// has the instance to which each processor belongs; a thread is bound to an instance if all
// processors that it may use belong to it.
#include "fiber/hardware.h"

#include "base/settings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <functional>

namespace thrum {
namespace {

constexpr int unknown = -1; // also: none, several

// Returns the number at the start of a file (the first of a list of processors), or unknown.
int number_in(const std::string &path) {
    int number = unknown;
    if (std::FILE *file = std::fopen(path.c_str(), "re")) {
        if (std::fscanf(file, "%d", &number) != 1)
            number = unknown;
        std::fclose(file);
    }
    return number;
}

// Returns the numbers N of the entries nameN of a directory, ascending.
std::vector<int> entries(const std::string &directory, const char *name) {
    std::vector<int> numbers;
    DIR *stream = ::opendir(directory.c_str());
    if (!stream)
        return numbers;
    const size_t length = std::strlen(name);
    while (const dirent *entry = ::readdir(stream)) {
        const char *digits = entry->d_name + length;
        if (std::strncmp(entry->d_name, name, length) != 0 || *digits < '0' || *digits > '9')
            continue;
        char *end = nullptr;
        long number = std::strtol(digits, &end, 10);
        if (*end == 0)
            numbers.push_back(static_cast<int>(number));
    }
    ::closedir(stream);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

// Returns the cache of a level that a processor uses, identified by the first processor that shares
// it.
int cache_of(const std::string &processor, int level) {
    for (int index : entries(processor + "/cache", "index")) {
        const std::string cache = processor + "/cache/index" + std::to_string(index);
        if (number_in(cache + "/level") == level)
            return number_in(cache + "/shared_cpu_list");
    }
    return unknown;
}

// Returns the NUMA node of a processor: sysfs links it from the processor's directory.
int node_of(const std::string &processor) {
    std::vector<int> nodes = entries(processor, "node");
    return nodes.empty() ? unknown : nodes.front();
}

std::string root_of_this_machine() {
    return settings().sysfs ? settings().sysfs : "/sys/devices/system";
}

} // namespace

// Offers only those types of resource that the kernel describes for every processor. A partial
// answer could split a communicator wrongly.
Hardware::Hardware(const std::string &root) : processors_(entries(root + "/cpu", "cpu")) {
    auto path = [&](int processor) {
        return root + "/cpu/cpu" + std::to_string(processor);
    };
    auto add = [&](const char *type, const std::function<int(int)> &instance_of) {
        std::vector<int> instances;
        for (int processor : processors_)
            instances.push_back(instance_of(processor));
        if (std::count(instances.begin(), instances.end(), unknown) != 0)
            return; // this machine does not reveal it
        types_.push_back(std::string("hwloc://") + type);
        instances_.push_back(std::move(instances));
    };
    add("Machine", [](int) { return 0; });
    add("Package", [&](int p) { return number_in(path(p) + "/topology/physical_package_id"); });
    add("NUMANode", [&](int p) { return node_of(path(p)); });
    add("L3Cache", [&](int p) { return cache_of(path(p), 3); });
    add("L2Cache", [&](int p) { return cache_of(path(p), 2); });
    add("Core", [&](int p) { return number_in(path(p) + "/topology/thread_siblings_list"); });
    add("PU", [](int p) { return p; });
}

const Hardware &Hardware::of_this_machine() {
    static const auto *hardware = new Hardware(root_of_this_machine()); // ranks outlive statics
    return *hardware;
}

bool Hardware::this_machine_has_nodes() {
    return entries(root_of_this_machine() + "/node", "node").size() > 1;
}

int Hardware::find(const std::string &type) const {
    auto place = std::find(types_.begin(), types_.end(), type);
    return place == types_.end() ? unknown : static_cast<int>(place - types_.begin());
}

// A thread that may run in several instances of a type is bound to none of them.
std::vector<int> Hardware::instances_of(const cpu_set_t &processors) const {
    std::vector<int> only;
    for (const std::vector<int> &instances : instances_) {
        int instance = unknown;
        bool several = false;
        for (size_t i = 0; i < processors_.size(); ++i) {
            if (!CPU_ISSET(static_cast<size_t>(processors_[i]), &processors))
                continue;
            several = several || (instance != unknown && instance != instances[i]);
            instance = instances[i];
        }
        only.push_back(several ? unknown : instance);
    }
    return only;
}

// The processor itself is the last type. Instances are compared as numbers, which puts them into
// some order; that they are equal is what counts.
std::vector<int> Hardware::in_order(const cpu_set_t &processors) const {
    std::vector<size_t> places;
    for (size_t i = 0; i < processors_.size(); ++i)
        if (CPU_ISSET(static_cast<size_t>(processors_[i]), &processors))
            places.push_back(i);
    std::sort(places.begin(), places.end(), [&](size_t a, size_t b) {
        for (const std::vector<int> &instances : instances_)
            if (instances[a] != instances[b])
                return instances[a] < instances[b];
        return false;
    });
    std::vector<int> ordered;
    for (size_t place : places)
        ordered.push_back(processors_[place]);
    return ordered;
}

int Hardware::instance_of(int type, int processor) const {
    auto place = std::lower_bound(processors_.begin(), processors_.end(), processor);
    if (type < 0 || place == processors_.end() || *place != processor)
        return unknown;
    return instances_[static_cast<size_t>(type)][static_cast<size_t>(place - processors_.begin())];
}

} // namespace thrum
