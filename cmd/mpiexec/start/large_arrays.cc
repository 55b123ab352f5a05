#include "start/large_arrays.h"

#include "fiber/usable_cores.h"

#include <cstdlib>

namespace mpiexec {
namespace {

bool may_use_huge_pages() {
    const char *given = std::getenv("THRUM_HUGE_PAGES");
    return !given || std::string(given) != "0";
}

} // namespace

std::optional<std::string> tunables_for_large_arrays(int ranks_of_node, const char *tunables) {
    const std::string given = tunables ? tunables : "";
    if (ranks_of_node > thrum::usable_cores() || !may_use_huge_pages() ||
        given.find("glibc.malloc.") != std::string::npos)
        return std::nullopt;
    return given + (given.empty() ? "" : ":") + "glibc.malloc.hugetlb=1";
}

} // namespace mpiexec
