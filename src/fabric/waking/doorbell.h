// Doorbell: what the listener of a process with a network sleeps on. A futex cannot be polled,
// while network messages make descriptors readable. So processes of the node that would wake the
// listener by its Attention, and threads of its own process, write to a pipe instead. A message
// wakes one thread, whatever transport it uses.
#pragma once
#include <cstdint>
#include <poll.h>
#include <vector>

namespace thrum {

class Doorbell {
public:
    ~Doorbell();

    // Returns false if the kernel grants no descriptors.
    bool open();

    // Returns the descriptor to write to; other processes open it through /proc.
    int fd() const { return pipe_[1]; }

    // Adds a descriptor to watch. Call it before any thread sleeps.
    void watch(int fd) { watched_.push_back({fd, POLLIN, 0}); }

    // Writes to a doorbell's fd(), or to another process's copy of it.
    static void ring(int fd);

    // Sleeps until the bell is rung, or was rung since the last sleep, or a watched descriptor is
    // readable. May return early. One thread at a time.
    void sleep(int64_t timeout_ns);

private:
    int pipe_[2] = {-1, -1};
    std::vector<pollfd> watched_{{-1, POLLIN, 0}}; // the pipe comes first
};

} // namespace thrum
