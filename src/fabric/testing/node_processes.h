// For tests of the fabric: forks node processes, which find each other through shared memory.
#pragma once
#include "base/check.h"
#include "base/fabric_settings.h"
#include "base/settings.h"
#include "fabric/fabric.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace thrum::testing {

inline constexpr int processes_max = 64;

struct SharedTestState {
    struct Entry {
        char key[32];
        char value[480];
    };

    std::atomic<int> arrived;
    std::atomic<int> generation;
    Entry entries[processes_max][4];
    std::atomic<uint64_t> words[64]; // the test's own
};

inline SharedTestState *shared_state = nullptr;
inline int test_processes = 0;
inline int test_process = 0;
inline std::atomic<int> lost_process{-1};
inline std::function<int(int)> test_node_of;

inline void test_fence() {
    int generation = shared_state->generation.load(std::memory_order_relaxed);
    // acq_rel [test-fence-1]: the last process sees what all others have written.
    if (shared_state->arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == test_processes) {
        shared_state->arrived.store(0, std::memory_order_relaxed);
        // release [test-fence-2]: and hands it on.
        shared_state->generation.fetch_add(1, std::memory_order_release);
        return;
    }
    // acquire [test-fence-2]
    while (shared_state->generation.load(std::memory_order_acquire) == generation)
        ::usleep(100);
}

inline FabricJob test_job() {
    FabricJob job;
    job.process_count = test_processes;
    job.this_process = NodeProcess(test_process);
    job.node_of = [](NodeProcess process) {
        return test_node_of ? test_node_of(process.number()) : 0;
    };
    job.publish = [](std::string_view key, std::string_view value) {
        for (auto &entry : shared_state->entries[test_process]) {
            if (entry.key[0] && key != entry.key)
                continue;
            CHECK(key.size() < sizeof entry.key && value.size() < sizeof entry.value - 1);
            std::memcpy(entry.key, key.data(), key.size());
            entry.value[0] = static_cast<char>(value.size());
            entry.value[1] = static_cast<char>(value.size() >> 8);
            std::memcpy(entry.value + 2, value.data(), value.size());
            return;
        }
        CHECK(false, "too many keys");
    };
    job.fetch = [](NodeProcess process, std::string_view key) {
        for (auto &entry : shared_state->entries[process.index()])
            if (key == entry.key)
                return std::string(entry.value + 2,
                                   static_cast<unsigned char>(entry.value[0]) +
                                       256U * static_cast<unsigned char>(entry.value[1]));
        return std::string();
    };
    job.fence = test_fence;
    job.lost = [](NodeProcess process) {
        lost_process.store(process.number(), std::memory_order_relaxed);
    };
    return job;
}

// Forks `count` node processes, which run body(process) between fabric_begin() and fabric_end().
// Returns their wait statuses. If a test kills one, the others must continue without it.
struct ProcessOptions {
    std::vector<const char *> settings;                // "THRUM_...=..."
    std::function<void(int process)> before = nullptr; // before fabric_begin(): arrive functions
    bool end = true;                                   // call fabric_end()
    bool (*failed)() = nullptr;                        // whether the process should exit with 1
    bool share_a_core = false;
    std::function<int(int process)> node_of = nullptr;
};

inline void run_process(int process, const std::function<void(int)> &body,
                        const ProcessOptions &options) {
    test_process = process;
    if (options.share_a_core) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(0, &set);
        ::sched_setaffinity(0, sizeof set, &set);
    }
    current_task(); // makes this a thread that may wait
    for (const char *setting : options.settings)
        ::putenv(const_cast<char *>(setting));
    read_settings(environ);
    if (options.before)
        options.before(process);
    fabric_begin(test_job());
    body(process);
    if (options.end)
        fabric_end();
    std::fflush(nullptr);
    ::_exit(options.failed && options.failed() ? 1 : 0);
}

inline std::vector<int> run_processes(int count, const std::function<void(int)> &body,
                                      const ProcessOptions &options = {}) {
    if (!shared_state)
        shared_state = static_cast<SharedTestState *>(::mmap(nullptr, sizeof(SharedTestState),
                                                             PROT_READ | PROT_WRITE,
                                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    std::memset(static_cast<void *>(shared_state), 0, sizeof *shared_state);
    test_processes = count;
    test_node_of = options.node_of;
    std::fflush(nullptr);
    std::vector<pid_t> children;
    for (int process = 0; process < count; ++process) {
        pid_t child = ::fork();
        if (child == 0)
            run_process(process, body, options);
        children.push_back(child);
    }
    std::vector<int> statuses;
    for (pid_t child : children) {
        int status = -1;
        ::waitpid(child, &status, 0);
        statuses.push_back(status);
    }
    return statuses;
}

} // namespace thrum::testing
