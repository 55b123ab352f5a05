#include "base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

namespace thrum {

int move_descriptor_up(int fd) {
    constexpr int lowest = 200; // programs rarely have so many descriptors
    int high = fd < 0 ? -1 : ::fcntl(fd, F_DUPFD_CLOEXEC, lowest);
    if (high < 0)
        return fd;
    ::close(fd);
    return high;
}

} // namespace thrum
