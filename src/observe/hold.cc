#include "observe/hold.h"

#include <algorithm>
#include <ctime>
#include <string>
#include <sys/stat.h>

namespace thrum::observe {

// The clock of the file may be set meanwhile; the hold is never longer than it can be.
int64_t requested_hold_ns(const char *directory) {
    struct stat file;
    if (::stat((std::string(directory) + "/" + hold_request_name).c_str(), &file) != 0)
        return 0;
    timespec now;
    ::clock_gettime(CLOCK_REALTIME, &now);
    const int64_t age_ns = int64_t{now.tv_sec - file.st_mtim.tv_sec} * 1'000'000'000 +
                           (now.tv_nsec - file.st_mtim.tv_nsec);
    return std::clamp<int64_t>(hold_ns - age_ns, 0, hold_ns);
}

} // namespace thrum::observe
