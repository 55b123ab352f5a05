// A file of its own, so that the commands can link it without the core.
#include "rank/rank_list.h"

#include <algorithm>

namespace thrum {

std::string rank_list(std::vector<int> ranks) {
    constexpr size_t runs_max = 20;
    std::sort(ranks.begin(), ranks.end());
    std::string text = ranks.size() == 1 ? "rank " : "ranks ";
    size_t runs = 0;
    for (size_t i = 0; i < ranks.size(); ++runs) {
        size_t end = i + 1;
        while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
            ++end;
        if (runs == runs_max)
            return text + ",... (" + std::to_string(ranks.size()) + " in all)";
        text += (runs ? "," : "") + std::to_string(ranks[i]);
        if (end - i > 1)
            text += (end - i == 2 ? "," : "-") + std::to_string(ranks[end - 1]);
        i = end;
    }
    return text;
}

} // namespace thrum
