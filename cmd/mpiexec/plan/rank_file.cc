// Reads rank files (plan/rank_file.h). Whether its ranks and hosts fit the job is checked in
// plan.cc.
#include "plan/rank_file.h"

#include "plan/hosts.h"
#include "plan/usage_error.h"

#include <cerrno>
#include <cstring>
#include <fmt/core.h>
#include <fstream>
#include <set>
#include <sstream>

namespace mpiexec {
namespace {

// Returns the numbers of "0-2,5"; empty if it is not a list of numbers.
std::vector<int> parse_list(const std::string &text) {
    std::vector<int> numbers;
    std::istringstream stream(text);
    for (std::string item; std::getline(stream, item, ',');) {
        int first = 0, last = 0, used = 0;
        if (sscanf(item.c_str(), "%d-%d%n", &first, &last, &used) != 2 || !used) {
            used = 0;
            if (sscanf(item.c_str(), "%d%n", &first, &used) != 1)
                return {};
            last = first;
        }
        if (static_cast<size_t>(used) != item.size() || first < 0 || last < first || last > 1 << 20)
            return {};
        for (; first <= last; ++first)
            numbers.push_back(first);
    }
    return numbers;
}

} // namespace

// Text behind # is a comment. Each rank may be placed once.
std::vector<RankPlace> read_rank_file(const std::string &path) {
    std::ifstream file(path);
    if (!file)
        throw UsageError(2, fmt::format("--rankfile {}: {}", path, strerror(errno)));
    int number = 0;
    auto wrong = [&](const std::string &what) {
        return UsageError(2, fmt::format("--rankfile {}, line {}: {}", path, number, what));
    };
    std::vector<RankPlace> places;
    std::set<int> placed;
    for (std::string line; std::getline(file, line);) {
        ++number;
        line = line.substr(0, line.find('#'));
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        int rank = -1;
        char host[256] = "", list[256] = "";
        if (sscanf(line.c_str(), " rank %d = %255s slot = %255s", &rank, host, list) != 3)
            throw wrong(
                fmt::format("expected \"rank N=HOST slot=CORES\", such as \"rank 0={} slot=0-1\"",
                            name_of_this_machine()));
        if (!placed.insert(rank).second)
            throw wrong(fmt::format("rank {} is already placed", rank));
        std::vector<int> cores = parse_list(list);
        if (cores.empty())
            throw wrong(fmt::format("slot={}: expected core numbers, such as 0-2,5", list));
        places.push_back({rank, host, std::move(cores), number});
    }
    return places;
}

} // namespace mpiexec
