// Collects and writes lines (start/forward.h).
#include "start/forward.h"

#include "plan/message.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <poll.h>
#include <unistd.h>
#include <utility>

namespace mpiexec {
namespace {

constexpr size_t line_bytes_max = 64 << 10; // a longer unfinished line is written as it is
constexpr size_t said_lines_max = 1000;     // lines of the library that are compared

bool output_is_lost = false;

// Writes everything. Returns false if the reader has gone. Other errors lose the text and are
// noted.
bool write_all(int to, const std::string &text) {
    for (size_t done = 0; done < text.size();) {
        ssize_t n = write(to, text.data() + done, text.size() - done);
        if (n >= 0) {
            done += static_cast<size_t>(n);
        } else if (errno == EAGAIN) { // another process has made it non-blocking
            pollfd out{to, POLLOUT, 0};
            poll(&out, 1, -1);
        } else if (errno != EINTR) {
            if (errno == EPIPE)
                return false;
            note_lost_output(fmt::format("cannot write to standard {}",
                                         to == STDERR_FILENO ? "error" : "output"),
                             errno);
            return true;
        }
    }
    return true;
}

} // namespace

void note_lost_output(const std::string &what, int error) {
    if (!std::exchange(output_is_lost, true))
        say("{}: {}; output of the ranks is lost", what, strerror(error));
}

bool has_lost_output() {
    return output_is_lost;
}

Forward::Forward(int from, int to, std::string prefix)
    : from_(from), to_(to), prefix_(std::move(prefix)) {
    static int count = 0;
    number_ = count++;
}

Forward::Forward(Forward &&other) noexcept
    : from_(std::exchange(other.from_, -1)), to_(other.to_), number_(other.number_),
      prefix_(std::move(other.prefix_)), unfinished_(std::move(other.unfinished_)),
      has_reason_(other.has_reason_) {}

Forward::~Forward() {
    if (from_ >= 0)
        close(from_);
}

bool Forward::pump() {
    char chunk[65536];
    ssize_t n = read(from_, chunk, sizeof chunk);
    if (n < 0)
        return true; // EAGAIN: nothing yet
    if (n == 0) {
        close(std::exchange(from_, -1));
        return emit(true);
    }
    return take(std::string(chunk, static_cast<size_t>(n)));
}

bool Forward::take(const std::string &text) {
    unfinished_ += text;
    return emit(false) && (unfinished_.size() <= line_bytes_max || emit(true));
}

bool Forward::drain() {
    bool good = true;
    while (good && from_ >= 0) {
        pollfd in{from_, POLLIN, 0};
        if (poll(&in, 1, 0) <= 0)
            break;
        good = pump();
    }
    return good;
}

bool Forward::finish() {
    bool good = drain();
    if (from_ >= 0)
        close(std::exchange(from_, -1));
    return good && emit(true);
}

// Returns whether a line of the library may say why the process ends: not if the process goes on
// afterwards, nor if the line only continues another one.
static bool tells_reason(const std::string &line) {
    return std::ranges::none_of(
        std::array{"thrum: warning: ", "thrum: note: ", "thrum: status: ", "thrum:   "},
        [&](const char *start) { return line.starts_with(start); });
}

// Writes the whole lines, or everything there is. Lines of the library on standard error are looked
// at one by one.
bool Forward::emit(bool all) {
    size_t end = all ? unfinished_.size() : unfinished_.rfind('\n') + 1; // npos + 1 is 0
    if (end == 0)
        return true;
    std::string lines = unfinished_.substr(0, end);
    unfinished_.erase(0, end);
    if (prefix_.empty() && to_ != STDERR_FILENO)
        return write_all(to_, lines);
    std::string text;
    for (size_t at = 0; at < lines.size();) {
        size_t next = std::min(lines.find('\n', at), lines.size() - 1) + 1;
        const std::string line = lines.substr(at, next - at);
        const bool of_library = to_ == STDERR_FILENO && line.starts_with("thrum: ");
        has_reason_ |= of_library && tells_reason(line);
        if (!of_library || !has_been_said(line))
            text += prefix_ + line;
        at = next;
    }
    return write_all(to_, text);
}

// Returns whether another stream has written the same line, and remembers it. A process may repeat
// its own lines.
bool Forward::has_been_said(const std::string &line) const {
    static std::map<std::string, int> said_by;
    auto said = said_by.find(line);
    if (said == said_by.end() && said_by.size() < said_lines_max)
        said = said_by.emplace(line, number_).first;
    return said != said_by.end() && said->second != number_;
}

} // namespace mpiexec
