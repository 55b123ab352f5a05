// The timeline of a page: calls, messages and regions of a job with --trace, if they are few enough
// for a page to show.
#pragma once
#include "observation/places.h"

#include <string>
#include <vector>

namespace report {

// Returns the timeline as an object of JSON. Sites are numbered as in `sites`; times are in
// microseconds since the first event:
//
//   {"ranks": N,
//    "calls": [[rank, begin, end, site, waiting, group], ...]   group: 0, or the same for all calls
//                                                               of one collective operation
//    "messages": [[source, sent, destination, received, bytes, tag], ...]
//    "regions": [[rank, begin, end, index of its name], ...], "region_names": [...]
//    "open": [[rank, begin, site], ...]}                        calls that have not ended
//
// or {"left_out": "why"}.
std::string read_timeline(const std::string &directory, const std::string &symbolizer,
                          const std::vector<observation::Site> &sites);

} // namespace report
