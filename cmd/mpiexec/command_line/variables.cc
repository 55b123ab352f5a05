#include "command_line/variables.h"

#include "command_line/suggest.h"

#include <algorithm>
#include <fmt/core.h>
#include <string_view>

namespace mpiexec {
namespace {

// All that the library, mpiexec and the compiler wrappers read, behind THRUM_; a test compares them
// with the sources. Those of tests (THRUM_TEST_...) are anybody's.
const std::vector<std::string> known = {"BSP_BUFFER",
                                        "BSP_REPORT",
                                        "BUFFERED_LIMIT",
                                        "CC",
                                        "CHECK",
                                        "CXX",
                                        "DEBUG",
                                        "EAGER_LIMIT",
                                        "FABRIC",
                                        "FC",
                                        "FIRST_PROGRAM",
                                        "FSGSBASE",
                                        "HOST_TIMEOUT",
                                        "HUGE_PAGES",
                                        "INITIAL_ERRHANDLER",
                                        "LAUNCHER",
                                        "LAUNCHER_EXEC",
                                        "LAUNCH_PID",
                                        "MEMORY",
                                        "NETWORK_EAGER_LIMIT",
                                        "NODE_PROCESSES",
                                        "ORIGIN",
                                        "OUTPUT_DIR",
                                        "PREFIX",
                                        "PROGRAMS",
                                        "RANKS",
                                        "RECEIVERS",
                                        "SHARED",
                                        "SHORT_LIMIT",
                                        "SIM_SEEDS",
                                        "SINGLETON",
                                        "SINGLE_COPY",
                                        "SPAWN",
                                        "SPIN_LIMIT",
                                        "STACK",
                                        "STARTED_FD",
                                        "STATUS",
                                        "STDIN",
                                        "THREADS",
                                        "THROUGH",
                                        "UNIVERSE_SIZE",
                                        "WORKERS"};

} // namespace

std::vector<std::string> misspelled_variables(const char *const *environment) {
    std::vector<std::string> sentences;
    for (; *environment; ++environment) {
        constexpr std::string_view ours = "THRUM_";
        const std::string_view variable = *environment;
        const std::string name(variable.substr(0, variable.find('=')));
        if (!name.starts_with(ours) || name.starts_with("THRUM_TEST_"))
            continue;
        const std::string suffix = name.substr(ours.size());
        if (std::find(known.begin(), known.end(), suffix) != known.end())
            continue;
        if (const std::string closest = closest_option(suffix, known); !closest.empty())
            sentences.push_back(fmt::format(
                "warning: {} is not a variable of Thrum; did you mean {}{}?", name, ours, closest));
    }
    return sentences;
}

} // namespace mpiexec
