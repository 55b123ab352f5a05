// Compares the inode in /proc/self/maps with that of the path. Runs in capture(), so it uses
// neither stdio nor malloc.
#include "image/mapped_file.h"

#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace thrum {
namespace {

// A line of /proc/self/maps.
struct Mapping {
    uintptr_t low, high;
    dev_t device;
    ino_t inode;
};

constinit GrowingArray<char> text;
constinit GrowingArray<Mapping> mappings;

// Reads all of /proc/self/maps into `text`, which ends with a 0 byte.
void read_text() {
    text.shrink_to(0);
    int fd = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    char block[4096];
    for (ssize_t n; fd >= 0 && (n = ::read(fd, block, sizeof block)) > 0;)
        for (ssize_t i = 0; i < n; ++i)
            text.push_back(block[i]);
    text.push_back('\0');
    if (fd >= 0)
        ::close(fd);
}

// Parses "low-high perms offset major:minor inode path".
Mapping parse_line(char *line) {
    Mapping m{};
    m.low = std::strtoul(line, &line, 16);
    m.high = std::strtoul(line + 1, &line, 16);
    while (*line == ' ')
        ++line;
    while (*line && *line != ' ') // permissions
        ++line;
    std::strtoul(line, &line, 16); // offset
    auto major = static_cast<unsigned>(std::strtoul(line, &line, 16));
    auto minor = static_cast<unsigned>(std::strtoul(line + 1, &line, 16));
    m.device = makedev(major, minor);
    m.inode = std::strtoul(line, &line, 10);
    return m;
}

const Mapping *find_mapping(uintptr_t address) {
    for (const Mapping &m : mappings)
        if (address >= m.low && address < m.high)
            return &m;
    return nullptr;
}

} // namespace

void read_mappings() {
    read_text();
    mappings.shrink_to(0);
    for (char *line = text.begin(); *line;) {
        mappings.push_back(parse_line(line));
        while (*line && *line++ != '\n') {
        }
    }
}

int open_mapped_file(const Object &object) {
    const Mapping *mapping = find_mapping(object.low);
    // The link to the executable leads to its file even if the path no longer does.
    int fd =
        ::open(&object == &objects()[0] ? "/proc/self/exe" : object.path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    struct stat status;
    if (mapping && ::fstat(fd, &status) == 0 && status.st_ino == mapping->inode &&
        status.st_dev == mapping->device)
        return fd;
    ::close(fd);
    return -1;
}

} // namespace thrum
