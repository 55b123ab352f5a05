#include "fabric/waking/doorbell.h"

#include "base/descriptor.h"

#include <cerrno>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

namespace thrum {

bool Doorbell::open() {
    if (::pipe2(pipe_, O_CLOEXEC | O_NONBLOCK) != 0)
        return false;
    for (int &end : pipe_)
        end = move_descriptor_up(end);
    watched_.front().fd = pipe_[0];
    return true;
}

Doorbell::~Doorbell() {
    for (int end : pipe_)
        if (end >= 0)
            ::close(end);
}

void Doorbell::ring(int fd) {
    int saved = errno;
    (void)!::write(fd, "", 1); // if the pipe is full, it has been rung
    errno = saved;
}

void Doorbell::sleep(int64_t timeout_ns) {
    int saved = errno;
    timespec limit{static_cast<time_t>(timeout_ns / 1'000'000'000),
                   static_cast<long>(timeout_ns % 1'000'000'000)};
    pollfd &pipe = watched_.front();
    if (::ppoll(watched_.data(), watched_.size(), timeout_ns >= 0 ? &limit : nullptr, nullptr) >
            0 &&
        pipe.revents) {
        char bytes[64];
        (void)!::read(pipe.fd, bytes, sizeof bytes);
    }
    errno = saved;
}

} // namespace thrum
