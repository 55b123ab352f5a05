#include "terminal.h"

#include <algorithm>
#include <cerrno>
#include <fmt/core.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace live {
namespace {

constexpr size_t columns_min = 20, rows_min = 4;
constexpr size_t last_rows_max = 16; // and at most half of the terminal

// Returns the escape sequence of a tone.
const char *colour_of(Tone tone) {
    switch (tone) {
    case Tone::Title:
        return "\33[7m";
    case Tone::Heading:
        return "\33[1m";
    case Tone::Waiting:
        return "\33[33m";
    case Tone::Computing:
        return "\33[32m";
    case Tone::Held:
        return "\33[36m";
    case Tone::Faint:
        return "\33[2m";
    default:
        return "";
    }
}

} // namespace

Terminal::Terminal(int descriptor, Use use) : descriptor_(descriptor), use_(use) {
    reads_keys_ = use == Use::WholeScreen && ::isatty(STDIN_FILENO);
    if (reads_keys_)
        ::tcgetattr(STDIN_FILENO, &before_);
    measure();
    take();
}

Terminal::~Terminal() {
    leave();
}

void Terminal::measure() {
    winsize size{};
    ::ioctl(descriptor_, TIOCGWINSZ, &size);
    if (size.ws_row == rows_ && size.ws_col == columns_)
        return;
    const bool was_taken = is_taken_;
    if (was_taken && use_ == Use::LastRows)
        leave();
    rows_ = size.ws_row;
    columns_ = size.ws_col;
    if (was_taken && use_ == Use::LastRows)
        take();
}

size_t Terminal::rows() const {
    if (rows_ < rows_min || columns_ < columns_min)
        return 0;
    return use_ == Use::WholeScreen ? rows_ : std::min(last_rows_max, rows_ / 2);
}

// The last rows are left out of the region that scrolls. Line feeds make room for them first: what
// is there moves up.
void Terminal::take() {
    if (is_taken_)
        return;
    is_taken_ = true;
    if (use_ == Use::WholeScreen) {
        if (reads_keys_) {
            termios raw = before_;
            raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
            raw.c_cc[VMIN] = 0;
            raw.c_cc[VTIME] = 0;
            ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
        }
        put("\33[?1049h\33[?25l");
        return;
    }
    region_rows_ = rows();
    if (region_rows_ == 0)
        return;
    std::string text(region_rows_, '\n');
    text += fmt::format("\33[{}A\0337\33[1;{}r\0338", region_rows_, rows_ - region_rows_);
    put(text);
}

void Terminal::leave() {
    if (!is_taken_)
        return;
    is_taken_ = false;
    if (use_ == Use::WholeScreen) {
        put("\33[?25h\33[?1049l");
        if (reads_keys_)
            ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
    } else if (region_rows_) {
        put("\0337\33[r" + fmt::format("\33[{};1H", rows_ - region_rows_ + 1) + "\33[J\0338");
    }
}

void Terminal::draw(const std::vector<Line> &lines) {
    if (!is_taken_)
        return;
    const size_t count = rows();
    std::string text = use_ == Use::LastRows ? "\0337\33[?25l" : "";
    if (count == 0) {
        if (use_ == Use::WholeScreen)
            put("\33[H\33[2J(terminal too small)");
        return;
    }
    const size_t first = use_ == Use::LastRows ? rows_ - count + 1 : 1;
    for (size_t i = 0; i < count; ++i) {
        text += fmt::format("\33[{};1H\33[0m\33[2K", first + i);
        if (i < lines.size())
            text += colour_of(lines[i].tone) + lines[i].text + "\33[0m";
    }
    if (use_ == Use::LastRows)
        text += "\33[?25h\0338";
    put(text);
}

char Terminal::key() const {
    char key = 0;
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return reads_keys_ && ::poll(&input, 1, 0) > 0 && ::read(STDIN_FILENO, &key, 1) == 1 ? key : 0;
}

void Terminal::put(const std::string &text) const {
    size_t written = 0;
    while (written < text.size()) {
        const ssize_t n = ::write(descriptor_, text.data() + written, text.size() - written);
        if (n < 0 && errno != EINTR)
            return;
        written += static_cast<size_t>(std::max<ssize_t>(n, 0));
    }
}

} // namespace live
