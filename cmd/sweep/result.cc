#include "result.h"

#include <algorithm>

namespace sweep {

double Count::seconds() const {
    std::vector<double> times;
    for (const mpiexec::Outcome &run : runs)
        times.push_back(run.duration_s);
    std::ranges::sort(times);
    const size_t middle = times.size() / 2;
    if (times.empty())
        return 0;
    return times.size() % 2 ? times[middle] : (times[middle - 1] + times[middle]) / 2;
}

size_t Count::memory_bytes() const {
    size_t most = 0;
    for (const mpiexec::Outcome &run : runs)
        most = std::max(most, run.memory_bytes);
    return most;
}

int Count::exit_code() const {
    for (const mpiexec::Outcome &run : runs)
        if (run.exit_code != 0)
            return run.exit_code;
    return 0;
}

double Result::speed_up(const Count &count) const {
    const Count &first = counts.front();
    const bool failed = first.exit_code() != 0 || count.exit_code() != 0;
    return failed || count.seconds() <= 0 ? 0 : first.seconds() / count.seconds();
}

int Result::exit_code() const {
    if (signal != 0)
        return 128 + signal;
    if (failure)
        return failure->outcome.exit_code;
    return std::ranges::any_of(counts, [](const Count &c) { return !c.difference.empty(); });
}

} // namespace sweep
