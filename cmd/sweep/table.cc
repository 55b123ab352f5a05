#include "table.h"

#include "runs/progress.h"
#include "runs/verdict.h"

#include <algorithm>
#include <fmt/core.h>

namespace sweep {
namespace {

constexpr const char *format = "{:>{}}  {:>9}  {:>8}  {:>{}}  {}\n";

size_t width_of_ranks(int greatest) {
    return std::max<size_t>(5, mpiexec::with_commas(greatest).size());
}

// With several processes the memory of the job is not known.
const char *head_of_memory(const Result &result) {
    return result.has_one_process ? "memory" : "largest process";
}

std::string text_of_memory(size_t bytes) {
    const double mebibytes = static_cast<double>(bytes) / (1 << 20);
    return mebibytes < 1024 ? fmt::format("{:.1f} MiB", mebibytes)
                            : fmt::format("{:.1f} GiB", mebibytes / 1024);
}

// Returns "86 (deadlock)".
std::string text_of_exit_code(int code) {
    constexpr std::string_view prefix = "exit code ";
    return mpiexec::describe_exit_code(code).substr(prefix.size());
}

} // namespace

std::string text_of_seconds(double seconds) {
    const int decimals = seconds < 0.1 ? 4 : seconds < 1 ? 3 : seconds < 10 ? 2 : 1;
    return fmt::format("{:.{}f} s", seconds, decimals);
}

std::string table_head(const Result &result, int greatest) {
    const std::string memory = head_of_memory(result);
    return fmt::format(format, "ranks", width_of_ranks(greatest), "time", "speed-up", memory,
                       std::max<size_t>(9, memory.size()), "exit code");
}

std::string table_row(const Result &result, const Count &count, int greatest) {
    const double speed_up = result.speed_up(count);
    std::string end = text_of_exit_code(count.exit_code());
    if (!count.difference.empty())
        end += "  " + count.difference;
    return fmt::format(format, mpiexec::with_commas(count.ranks), width_of_ranks(greatest),
                       text_of_seconds(count.seconds()),
                       speed_up > 0 ? fmt::format("{:.2f}", speed_up) : "-",
                       text_of_memory(count.memory_bytes()),
                       std::max<size_t>(9, std::string_view(head_of_memory(result)).size()), end);
}

} // namespace sweep
