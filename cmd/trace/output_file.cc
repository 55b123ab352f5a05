#include "output_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <stdexcept>
#include <unistd.h>
#include <utility>

namespace trace {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), written_path_(path_) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(path_, ignored).type();
    const bool is_plain = kind == std::filesystem::file_type::not_found ||
                          kind == std::filesystem::file_type::regular;
    if (is_plain)
        written_path_ += ".part";
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    // Opening a pipe that nobody reads would wait.
    file_ = ::open(written_path_.c_str(), is_plain ? flags : flags | O_NONBLOCK, 0666);
    if (file_ < 0)
        throw std::runtime_error(
            path_ + ": " + (errno == ENXIO ? "no process reads this pipe" : std::strerror(errno)));
    if (!is_plain)
        ::fcntl(file_, F_SETFL, 0);
}

OutputFile::~OutputFile() {
    if (file_ >= 0)
        ::close(file_);
    if (file_ >= 0 && written_path_ != path_) // it was not finished
        ::unlink(written_path_.c_str());
}

void OutputFile::fail(int error) {
    throw std::runtime_error(path_ + ": " + std::strerror(error));
}

void OutputFile::flush() {
    for (size_t done = 0; done < buffer_.size();) {
        const ssize_t written = ::write(file_, buffer_.data() + done, buffer_.size() - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            fail(errno);
        done += static_cast<size_t>(written);
    }
    buffer_.clear();
}

void OutputFile::finish() {
    flush();
    const int file = std::exchange(file_, -1);
    if (::close(file) != 0 ||
        (written_path_ != path_ && std::rename(written_path_.c_str(), path_.c_str()) != 0)) {
        const int error = errno;
        if (written_path_ != path_)
            ::unlink(written_path_.c_str());
        fail(error);
    }
}

} // namespace trace
