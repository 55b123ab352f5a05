// Lists of ranks in messages.
#pragma once
#include <string>
#include <vector>

namespace thrum {

// Returns "rank 3" or "ranks 0-3,7". Runs of three and more ranks are shortened; after 20 runs only
// the number of ranks is given.
std::string rank_list(std::vector<int> ranks);

} // namespace thrum
