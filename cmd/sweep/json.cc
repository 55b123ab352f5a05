#include "json.h"

#include "fiber/usable_cores.h"
#include "text/json_string.h"

#include <cstddef>
#include <fmt/core.h>

namespace sweep {
namespace {

using text::json_string;

std::string list_of(const mpiexec::Words &words) {
    std::string list;
    for (const std::string &word : words)
        list += (list.empty() ? "" : ", ") + json_string(word);
    return "[" + list + "]";
}

std::string object_of(const mpiexec::Outcome &run) {
    return fmt::format("{{\"seconds\": {:.6f}, \"memory_bytes\": {}, \"exit_code\": {}}}",
                       run.duration_s, run.memory_bytes, run.exit_code);
}

std::string object_of(const Result &result, const Count &count) {
    std::string runs;
    for (const mpiexec::Outcome &run : count.runs)
        runs += (runs.empty() ? "" : ", ") + object_of(run);
    const double speed_up = result.speed_up(count);
    return fmt::format("{{\"ranks\": {}, \"seconds\": {:.6f}, \"speed_up\": {}, \"memory_bytes\": "
                       "{}, \"exit_code\": {}, \"difference\": {}, \"runs\": [{}]}}",
                       count.ranks, count.seconds(),
                       speed_up > 0 ? fmt::format("{:.4f}", speed_up) : "null",
                       count.memory_bytes(), count.exit_code(),
                       count.difference.empty() ? "null" : json_string(count.difference), runs);
}

std::string object_of(const Failure &failure) {
    const size_t indent = failure.command.find_first_not_of(' ');
    return fmt::format(
        "{{\"ranks\": {}, \"exit_code\": {}, \"command\": {},\n    \"output\": {},\n    "
        "\"errors\": {}}}",
        failure.ranks, failure.outcome.exit_code, json_string(failure.command.substr(indent)),
        json_string(failure.outcome.output), json_string(failure.outcome.errors));
}

} // namespace

std::string json_of(const SweepOptions &options, const Result &result) {
    std::string counts;
    for (const Count &count : result.counts)
        counts += (counts.empty() ? "\n    " : ",\n    ") + object_of(result, count);
    return fmt::format("{{\n  \"program\": {},\n  \"mpiexec_options\": {},\n  \"cores\": {},\n  "
                       "\"side_by_side\": {},\n  \"one_process\": {},\n  \"interrupted\": {},\n  "
                       "\"exit_code\": {},\n  \"counts\": [{}],\n  \"first_failure\": {}\n}}\n",
                       list_of(options.program), list_of(options.passed), thrum::usable_cores(),
                       result.was_side_by_side, result.has_one_process, result.signal != 0,
                       result.exit_code(), counts,
                       result.failure ? object_of(*result.failure) : "null");
}

} // namespace sweep
