// Doorbell: what the listener of a process with a network sleeps on. A futex cannot be polled, and
// what comes over the network makes descriptors readable: so those in the node who would wake the
// listener by its Attention, and threads of its own process, write to a pipe. One thread is woken
// by a message, whatever way it comes.
#pragma once
#include <cstdint>
#include <poll.h>
#include <vector>

namespace thrum {

class Doorbell {
public:
    ~Doorbell();

    // False: the kernel grants no descriptors.
    bool open();

    // Where to write, for others: they open it through /proc.
    int fd() const { return pipe_[1]; }

    // Before anybody sleeps.
    void watch(int fd) { watched_.push_back({fd, POLLIN, 0}); }

    // Writes to a doorbell's fd(), or to what another process has opened for it.
    static void ring(int fd);

    // Until somebody rings, or has rung since the last sleep, or what is watched is readable. May
    // return early. One thread at a time.
    void sleep(int64_t timeout_ns);

private:
    int pipe_[2] = {-1, -1};
    std::vector<pollfd> watched_{{-1, POLLIN, 0}}; // first the pipe
};

} // namespace thrum
