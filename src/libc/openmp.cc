// Chooses environment variables for OpenMP runtimes (libc/openmp.h).
#include "libc/openmp.h"

#include "base/check.h"
#include "base/environment_variables.h"
#include "base/settings.h"
#include "fiber/usable_cores.h"
#include "image/image.h"
#include "libc/environment.h"
#include "libc/libc_state.h"

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

constexpr const char *runtimes[] = {"libgomp.so", "libomp.so", "libiomp5.so"};
char one_thread[] = "OMP_NUM_THREADS=1";
char sleeping[] = "OMP_WAIT_POLICY=passive";

bool one_thread_chosen = false, sleeping_chosen = false; // set at the start, then constant
std::atomic<bool> announced{false};

// Returns whether there are more ranks than usable cores, so that each team gets one thread.
bool is_crowded() {
    return settings().ranks > usable_cores();
}

// Returns whether the threads of all teams may outnumber the cores, so that they must not spin.
// `number` is OMP_NUM_THREADS or nullptr. At least two threads a team are assumed:
// omp_set_num_threads() may make it larger than that variable says.
bool teams_are_crowded(const char *number) {
    long threads = number ? std::strtol(number, nullptr, 10) : is_crowded() ? 1 : usable_cores();
    return settings().ranks * (threads > 2 ? threads : 2) > usable_cores();
}

// Returns whether the library at `path` is an OpenMP runtime.
bool is_runtime(const char *path) {
    const char *slash = std::strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (const char *runtime : runtimes)
        if (!std::strncmp(name, runtime, std::strlen(runtime)))
            return true;
    return false;
}

void announce() {
    if (announced.exchange(true, std::memory_order_relaxed))
        return;
    report("%d ranks on %d cores: OMP_NUM_THREADS is set to 1; set it yourself for larger teams",
           settings().ranks, usable_cores());
}

// Returns whether the user has chosen how threads wait.
template <class Find>
bool waiting_is_chosen(Find find) {
    return find("OMP_WAIT_POLICY") || find("GOMP_SPINCOUNT") || find("KMP_BLOCKTIME");
}

} // namespace

void choose_openmp_defaults(char **environment, int room) {
    if (settings().ranks == 1)
        return;
    auto find = [&](const char *name) {
        return find_variable(environment, name);
    };
    const char *number = find("OMP_NUM_THREADS");
    one_thread_chosen = is_crowded() && !number;
    sleeping_chosen = teams_are_crowded(number) && !waiting_is_chosen(find);
    // A program started with mpiexec always has room; plug-ins are asked for one by one.
    bool is_there = settings().programs || is_loaded_at_start(is_runtime);
    if (!is_there)
        return;
    // The entries are static texts: malloc may not be called yet, and `room` entries are free.
    char **end = environment;
    while (*end)
        ++end;
    if (one_thread_chosen && room-- > 0)
        *end++ = one_thread;
    if (sleeping_chosen && room-- > 0)
        *end++ = sleeping;
    *end = nullptr;
    announce_openmp_defaults();
}

void announce_openmp_defaults() {
    if (one_thread_chosen && is_loaded_at_start(is_runtime))
        announce();
}

void choose_openmp_defaults_for_plugin(const char *path) {
    if (!is_runtime(path))
        return;
    if (one_thread_chosen && !rank_getenv("OMP_NUM_THREADS")) {
        rank_setenv("OMP_NUM_THREADS", "1");
        announce();
    }
    if (sleeping_chosen && !waiting_is_chosen(rank_getenv))
        rank_setenv("OMP_WAIT_POLICY", "passive");
}

} // namespace thrum
