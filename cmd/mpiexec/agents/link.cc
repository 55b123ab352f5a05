// Reads and writes messages (agents/link.h).
#include "agents/link.h"

#include "start/ending.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace mpiexec {
namespace {

constexpr char greeting[] = "\nthrum-agent "; // then the version and an end of line

// What precedes the data of a message, in the byte order of the machine: all hosts are alike.
struct Head {
    uint32_t bytes; // of the data
    uint8_t word;
    uint8_t padding[3];
    int32_t process;
    int32_t value;
};

void set_non_blocking(int fd) {
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

} // namespace

Link::Link(int in, int out, bool is_agent)
    : in_(in), out_(out), greeted_(is_agent), last_heard_s_(now_s()) {
    set_non_blocking(in);
    set_non_blocking(out);
    if (is_agent) {
        unsent_ = std::string(greeting) + THRUM_VERSION + "\n";
        flush();
    }
}

Link::~Link() {
    close(in_);
    close(out_);
}

void Link::send(const Message &message) {
    // The thread that pings sends, too: head and data are appended under one lock.
    Head head{static_cast<uint32_t>(message.data.size()),
              static_cast<uint8_t>(message.word),
              {},
              message.process,
              message.value};
    {
        std::lock_guard guard(mutex_);
        unsent_.append(reinterpret_cast<const char *>(&head), sizeof head);
        unsent_ += message.data;
    }
    flush();
}

bool Link::flush() {
    std::lock_guard guard(mutex_);
    size_t done = 0;
    while (!broken_ && done < unsent_.size()) {
        ssize_t n = write(out_, unsent_.data() + done, unsent_.size() - done);
        if (n >= 0)
            done += static_cast<size_t>(n);
        else if (errno == EAGAIN)
            break;
        else
            broken_ = errno != EINTR;
    }
    // After an error nothing more can be sent; receive() will find the end of the pipe.
    unsent_.erase(0, broken_ ? unsent_.size() : done);
    return !broken_;
}

size_t Link::unsent_bytes() {
    std::lock_guard guard(mutex_);
    return unsent_.size();
}

// Looks for the greeting in what has arrived, and removes it with what precedes it.
void Link::take_greeting() {
    size_t begin = arrived_.find(greeting);
    if (begin == std::string::npos)
        return;
    begin += sizeof greeting - 1;
    size_t end = arrived_.find('\n', begin);
    if (end == std::string::npos)
        return;
    version_ = arrived_.substr(begin, end - begin);
    arrived_.erase(0, end + 1);
    greeted_ = true;
}

bool Link::receive(std::vector<Message> &messages) {
    char chunk[65536];
    ssize_t n = read(in_, chunk, sizeof chunk);
    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    if (n == 0)
        return false;
    last_heard_s_ = now_s();
    arrived_.append(chunk, static_cast<size_t>(n));
    if (!greeted_)
        take_greeting();
    size_t at = 0;
    for (Head head; greeted_ && arrived_.size() - at >= sizeof head;) {
        std::memcpy(&head, arrived_.data() + at, sizeof head);
        if (arrived_.size() - at - sizeof head < head.bytes)
            break;
        messages.push_back({static_cast<Word>(head.word), head.process, head.value,
                            arrived_.substr(at + sizeof head, head.bytes)});
        at += sizeof head + head.bytes;
    }
    arrived_.erase(0, at);
    return true;
}

} // namespace mpiexec
