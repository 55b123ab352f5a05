// For tests: a made-up machine, as a folder with files like the kernel's in /sys/devices/system.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sched.h>
#include <string>

namespace thrum::testing {

class FakeMachine {
public:
    FakeMachine() {
        char name[] = "/tmp/machine_XXXXXX";
        if (!::mkdtemp(name))
            std::abort();
        root_ = name;
    }

    ~FakeMachine() { std::filesystem::remove_all(root_); }

    FakeMachine(const FakeMachine &) = delete;
    FakeMachine &operator=(const FakeMachine &) = delete;

    // Adds a processor: the node, package and core to which it belongs; the lists of those with
    // which it shares the core and the caches of level 2 and 3.
    struct Processor {
        int number, package, node;
        std::string core, l2, l3;
    };

    void add(const Processor &p) {
        const std::string cpu = "cpu/cpu" + std::to_string(p.number);
        write(cpu + "/topology/physical_package_id", std::to_string(p.package));
        write(cpu + "/topology/thread_siblings_list", p.core);
        std::filesystem::create_directories(root_ / cpu / ("node" + std::to_string(p.node)));
        std::filesystem::create_directories(root_ / "node" / ("node" + std::to_string(p.node)));
        const std::string lists[] = {p.core, p.l2, p.l3};
        for (size_t i = 0; i < 3; ++i) {
            const std::string cache = cpu + "/cache/index" + std::to_string(i);
            write(cache + "/level", std::to_string(i + 1));
            write(cache + "/shared_cpu_list", lists[i]);
        }
    }

    // Adds `nodes` nodes, each a package with `caches` L3 caches of `cores` cores. As usual, the
    // second threads of all cores have higher numbers than all first ones.
    void add_nodes(int nodes, int caches, int cores, int threads) {
        const int all = nodes * caches * cores;
        for (int core = 0; core < all; ++core) {
            const int node = core / (caches * cores);
            const int first_of_cache = core / cores * cores;
            std::string pair, cache;
            for (int thread = 0; thread < threads; ++thread) {
                const std::string comma = thread ? "," : "";
                const int base = thread * all;
                pair += comma + std::to_string(base + core);
                cache += comma + std::to_string(base + first_of_cache) + "-" +
                         std::to_string(base + first_of_cache + cores - 1);
            }
            for (int thread = 0; thread < threads; ++thread)
                add({thread * all + core, node, node, pair, pair, cache});
        }
    }

    void write(const std::string &path, const std::string &text) {
        std::filesystem::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text << '\n';
    }

    void remove(const std::string &path) { std::filesystem::remove(root_ / path); }

    std::string root() const { return root_.string(); }

private:
    std::filesystem::path root_;
};

// Returns processors 0 to count - 1.
inline cpu_set_t first_processors(int count) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < count; ++i)
        CPU_SET(static_cast<size_t>(i), &set);
    return set;
}

} // namespace thrum::testing
