// A file that is written from its begin to its end, through a buffer. It appears under its name
// when it is whole; a pipe or a device is written directly.
#pragma once
#include <cstdio>
#include <fmt/core.h>
#include <string>
#include <string_view>
#include <utility>

namespace trace {

class OutputFile {
public:
    // Throws std::runtime_error if the file cannot be made, as the other functions do if it cannot
    // be written.
    explicit OutputFile(std::string path);
    ~OutputFile();
    OutputFile(const OutputFile &) = delete;
    OutputFile &operator=(const OutputFile &) = delete;

    void add(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= flush_bytes)
            flush();
    }

    template <class... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments &&...arguments) {
        add(fmt::format(format, std::forward<Arguments>(arguments)...));
    }

    // Writes the rest, and gives the file its name.
    void finish();

private:
    static constexpr size_t flush_bytes = size_t{1} << 20;

    void flush();
    [[noreturn]] void fail(int error);

    std::string path_, written_path_;
    std::string buffer_;
    int file_ = -1;
};

} // namespace trace
