#include "base/settings.h"

#include "base/check.h"
#include "base/environment_variables.h"
#include "base/fabric_settings.h"
#include "base/job_settings.h"

#include <climits>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace thrum {
namespace {

JobSettings the_job_settings;

int parse_count(const char *name, const char *text, int minimum) {
    char *end = nullptr;
    long value = std::strtol(text, &end, 10);
    if (end == text || *end || value < minimum || value > INT_MAX)
        die(2, "%s=%s: expected a whole number of at least %d", name, text, minimum);
    return static_cast<int>(value);
}

size_t parse_bytes(const char *name, const char *text) {
    size_t bytes = 0;
    if (!parse_size(text, bytes))
        die(2, "%s=%s: expected a size such as 262144, 256K or 8M", name, text);
    return bytes;
}

} // namespace

constinit Settings the_settings;

const JobSettings &job_settings() {
    return the_job_settings;
}

void set_spawn(bool may_spawn) {
    the_settings.spawn = may_spawn;
}

void read_settings(const char *const *environment) {
    Settings &s = the_settings;
    auto get = [&](const char *name) {
        return find_variable(environment, name);
    };
    if (const char *v = get("THRUM_RANKS"))
        s.ranks = parse_count("THRUM_RANKS", v, 1);
    if (const char *v = get("THRUM_WORKERS"))
        s.workers = parse_count("THRUM_WORKERS", v, 1);
    if (const char *v = get("THRUM_STACK"))
        s.stack_bytes = parse_bytes("THRUM_STACK", v);
    if (const char *v = get("THRUM_MEMORY"))
        s.memory_bytes =
            std::strcmp(v, "unlimited") ? parse_bytes("THRUM_MEMORY", v) : size_t{SIZE_MAX};
    if (const char *v = get("THRUM_EAGER_LIMIT"))
        s.eager_bytes_max = parse_bytes("THRUM_EAGER_LIMIT", v);
    if (const char *v = get("THRUM_BUFFERED_LIMIT"))
        s.buffered_bytes_max = parse_bytes("THRUM_BUFFERED_LIMIT", v);
    if (const char *v = get("THRUM_SPIN_LIMIT"))
        s.spin_limit = static_cast<unsigned>(parse_count("THRUM_SPIN_LIMIT", v, 0));
    if (const char *v = get("THRUM_THREADS")) {
        if (std::strcmp(v, "os") != 0 && std::strcmp(v, "fiber") != 0)
            die(2, "THRUM_THREADS=%s: expected \"fiber\" or \"os\"", v);
        s.os_threads = !std::strcmp(v, "os");
    }
    if (const char *v = get("THRUM_FSGSBASE"))
        s.use_fsgsbase = parse_count("THRUM_FSGSBASE", v, 0) != 0;
    if (const char *v = get("THRUM_PREFIX"))
        s.prefix = std::strcmp(v, "0") != 0;
    if (const char *v = get("THRUM_STDIN"))
        s.stdin_rank = !std::strcmp(v, "none")  ? Settings::stdin_of_none
                       : !std::strcmp(v, "all") ? Settings::stdin_of_all
                                                : parse_count("THRUM_STDIN", v, 0);
    s.output_dir = get("THRUM_OUTPUT_DIR");
    s.programs = get("THRUM_PROGRAMS");
    if (const char *v = get("THRUM_FIRST_PROGRAM"))
        the_job_settings.first_program = parse_count("THRUM_FIRST_PROGRAM", v, 0);
    the_job_settings.node_processes = get("THRUM_NODE_PROCESSES");
    the_job_settings.origin = get("THRUM_ORIGIN");
    the_job_settings.status = get("THRUM_STATUS");
    the_job_settings.goes_through_others = get("THRUM_THROUGH") != nullptr;
    if (const char *v = get("THRUM_LAUNCH_PID")) {
        s.launcher_pid = parse_count("THRUM_LAUNCH_PID", v, 0);
        the_job_settings.launch_entry = v - std::strlen("THRUM_LAUNCH_PID=");
    }
    if (const char *v = get("THRUM_SPAWN"))
        s.spawn = parse_count("THRUM_SPAWN", v, 0) > 0;
    if (const char *v = get("THRUM_UNIVERSE_SIZE"))
        s.universe_size = parse_count("THRUM_UNIVERSE_SIZE", v, 1);
    s.initial_errhandler = get("THRUM_INITIAL_ERRHANDLER");
    if (const char *v = get("THRUM_CHECK"))
        s.check = parse_count("THRUM_CHECK", v, 0) != 0;
    if (const char *v = get("THRUM_DEBUG"))
        s.debug = parse_count("THRUM_DEBUG", v, 0);
    read_fabric_settings(environment);
}

} // namespace thrum
